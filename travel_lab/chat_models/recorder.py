"""What each model call saw: a LangChain callback that keeps the exact messages, per agent, with token counts.

Works on any LangGraph app: pass it in `config["callbacks"]`. LangGraph hands the callback to every node, also in worker
threads, and tells it which node made the call.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import BaseMessage
from langchain_core.outputs import LLMResult

from travel_lab.tokens import DEEPSEEK, TokenCounter


@dataclass(frozen=True, kw_only=True)
class ModelCall:
    """One model call as the model received it."""

    agent: str
    """The node that made the call; blank outside a graph."""
    step: int
    """LangGraph's superstep of that node; -1 outside a graph."""
    view: tuple[BaseMessage, ...]
    """The exact messages, in order."""
    tokens: int
    """Of the view, by the recorder's counter."""
    reply: str
    """The text of the answer; blank when the call failed."""
    error: str
    """Class and message of the failure; blank when there was none."""


@dataclass
class _Pending:
    agent: str
    step: int
    view: tuple[BaseMessage, ...]
    reply: str = ""
    error: str = ""


@dataclass
class CallRecorder(BaseCallbackHandler):
    """Collects `ModelCall`s of the runs it is given to."""

    counter: TokenCounter = DEEPSEEK
    _calls: dict[UUID, _Pending] = field(default_factory=dict)

    def __hash__(self) -> int:
        return id(self)

    @property
    def calls(self) -> tuple[ModelCall, ...]:
        """Every call so far, by step and, within one step, by agent."""
        made = [
            ModelCall(
                agent=call.agent,
                step=call.step,
                view=call.view,
                tokens=self.counter.messages(call.view),
                reply=call.reply,
                error=call.error,
            )
            for call in self._calls.values()
        ]
        return tuple(sorted(made, key=lambda call: (call.step, call.agent)))

    def on_chat_model_start(
        self,
        serialized: dict[str, Any],
        messages: list[list[BaseMessage]],
        *,
        run_id: UUID,
        metadata: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        """Keep the view; copies, so that nobody can change what was seen."""
        told = metadata or {}
        view = tuple(message.model_copy(deep=True) for message in _only(messages))
        self._calls[run_id] = _Pending(str(told.get("langgraph_node", "")), int(told.get("langgraph_step", -1)), view)

    def on_llm_end(self, response: LLMResult, *, run_id: UUID, **kwargs: Any) -> None:
        """Keep the reply's text."""
        if run_id in self._calls and response.generations and response.generations[0]:
            self._calls[run_id].reply = response.generations[0][0].text

    def on_llm_error(self, error: BaseException, *, run_id: UUID, **kwargs: Any) -> None:
        """Keep the failure."""
        if run_id in self._calls:
            self._calls[run_id].error = f"{type(error).__name__}: {error}"


def _only(batches: Sequence[Sequence[BaseMessage]]) -> Sequence[BaseMessage]:
    return batches[0] if batches else ()
