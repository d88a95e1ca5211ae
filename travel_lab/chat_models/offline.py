"""A deterministic chat model for work without a key or a network.

It is a LangChain chat model like any other and gets what any other gets: the messages of one call. Its answer is
computed from them by the rules it was built with, and from nothing else.
"""

from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGeneration, ChatResult

from travel_lab.tokens import DEEPSEEK, PER_MESSAGE

Rules = Callable[[Sequence[BaseMessage]], str]
"""From the messages of a call to the text of its answer; a pure function."""


class OfflineChatModel(BaseChatModel):
    """Answers by rule, the same on every machine.

    Args:
        rules: Computes the answer's text from the call's messages.
    """

    rules: Rules
    model_name: str = "offline"

    @property
    def _llm_type(self) -> str:
        return "travel_lab-offline"

    @property
    def _identifying_params(self) -> dict[str, Any]:
        return {"model_name": self.model_name}

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        text = self.rules(tuple(messages))
        for mark in stop or ():
            text = text.split(mark, 1)[0]
        asked, said = DEEPSEEK.messages(messages), DEEPSEEK.text(text) + PER_MESSAGE
        usage = UsageMetadata(input_tokens=asked, output_tokens=said, total_tokens=asked + said)
        message = AIMessage(content=text, usage_metadata=usage, response_metadata={"model_name": self.model_name})
        return ChatResult(generations=[ChatGeneration(message=message)])
