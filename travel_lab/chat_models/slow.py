"""A model that takes its time, for showing what runs side by side."""

from collections.abc import Callable, Mapping
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import BaseMessage
from langchain_core.outputs import ChatResult

from travel_lab.tokens import text_of


class SlowModel(BaseChatModel):
    """Another model's answers, each after a wait.

    Args:
        model: Who answers.
        seconds: Text in a call's first message, such as `hotel agent`, → how long its answer takes; others take none.
        sleep: Waits; pass a virtual clock's, and the waits take no time.
    """

    model: BaseChatModel
    seconds: Mapping[str, float]
    sleep: Callable[[float], None]

    @property
    def _llm_type(self) -> str:
        return "travel_lab-slow"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        prompt = text_of(messages[0]) if messages else ""
        self.sleep(next((wait for mark, wait in self.seconds.items() if mark in prompt), 0.0))
        return self.model._generate(messages, stop, run_manager, **kwargs)  # noqa: SLF001 (LangChain's own door for wrappers)
