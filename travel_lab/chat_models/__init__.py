"""Chat models and what they saw.

Reading order: offline, slow, recorder, answer_form, thinking, scrubbing, diagnosis, faults, serving, cassette; then
`endpoint`, which is imported by its own name (`travel_lab.chat_models.endpoint`), because the client it needs takes
half a second to load.
"""

from travel_lab.chat_models.answer_form import FORMS, AnswerForm, Form, form_of
from travel_lab.chat_models.cassette import Cassette, RecordingModel, ReplayModel
from travel_lab.chat_models.diagnosis import Trouble, diagnose, is_overflow
from travel_lab.chat_models.faults import Fault, FaultyModel, Schedule, ServiceError
from travel_lab.chat_models.offline import OfflineChatModel, Rules
from travel_lab.chat_models.recorder import NOTES, CallRecorder, ModelCall, counter_of
from travel_lab.chat_models.scrubbing import scrub
from travel_lab.chat_models.serving import ModelServer
from travel_lab.chat_models.slow import SlowModel
from travel_lab.chat_models.thinking import split_thinking

__all__ = [
    "FORMS",
    "NOTES",
    "AnswerForm",
    "CallRecorder",
    "Cassette",
    "Fault",
    "FaultyModel",
    "Form",
    "ModelCall",
    "ModelServer",
    "OfflineChatModel",
    "RecordingModel",
    "ReplayModel",
    "Rules",
    "Schedule",
    "ServiceError",
    "SlowModel",
    "Trouble",
    "counter_of",
    "diagnose",
    "form_of",
    "is_overflow",
    "scrub",
    "split_thinking",
]
