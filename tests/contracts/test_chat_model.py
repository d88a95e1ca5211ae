"""LangChain's own standard tests for chat models, run on the offline model."""

from collections.abc import Sequence
from typing import Any

from langchain_core.messages import BaseMessage
from langchain_tests.unit_tests import ChatModelUnitTests

from travel_lab.chat_models import OfflineChatModel


def echo(messages: Sequence[BaseMessage]) -> str:
    return messages[-1].text


class TestOfflineChatModel(ChatModelUnitTests):
    chat_model_class = OfflineChatModel
    has_tool_calling = False
    has_tool_choice = False
    has_structured_output = False

    @property
    def chat_model_params(self) -> dict[str, Any]:
        return {"rules": echo}


def test_last_words_of_the_call_come_back_with_the_echo_rule():
    """The model answers with what its rules make of the call's messages."""
    assert OfflineChatModel(rules=echo).invoke("去看熊猫").content == "去看熊猫"
