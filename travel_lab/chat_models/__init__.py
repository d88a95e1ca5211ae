"""Chat models and what they saw. Reading order: offline, slow, recorder."""

from travel_lab.chat_models.offline import OfflineChatModel, Rules
from travel_lab.chat_models.recorder import CallRecorder, ModelCall
from travel_lab.chat_models.slow import SlowModel

__all__ = ["CallRecorder", "ModelCall", "OfflineChatModel", "Rules", "SlowModel"]
