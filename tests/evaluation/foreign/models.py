"""Models for strangers' graphs: they answer by rule, without a network, and call tools when a rule says so."""

from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult


class ToolCallingModel(BaseChatModel):
    """Answers what its rule says; a rule may answer with tool calls."""

    rule: Callable[[Sequence[BaseMessage]], AIMessage]

    @property
    def _llm_type(self) -> str:
        return "tool-calling"

    def bind_tools(self, tools: Any, **kwargs: Any) -> "ToolCallingModel":
        return self

    def _generate(self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **kwargs: Any) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=self.rule(messages))])


def once(tool: str, said: str, **arguments: Any) -> Callable[[Sequence[BaseMessage]], AIMessage]:
    """Calls the tool while the conversation holds no answer of one, then says its sentence."""

    def rule(messages: Sequence[BaseMessage]) -> AIMessage:
        if any(message.type == "tool" for message in messages):
            return AIMessage(said)
        return AIMessage("", tool_calls=[{"name": tool, "args": arguments, "id": f"call-{tool}"}])

    return rule
