"""Chat models and what they saw. Reading order: offline, recorder."""

from travel_lab.chat_models.offline import OfflineChatModel, Rules
from travel_lab.chat_models.recorder import CallRecorder, ModelCall

__all__ = ["CallRecorder", "ModelCall", "OfflineChatModel", "Rules"]
