"""What each model call saw: a LangChain callback that keeps the exact messages, per agent, with token counts.

Works on any LangGraph app: pass it in `config["callbacks"]`. LangGraph hands the callback to every node, also in worker
threads, and tells it which node made the call.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.outputs import ChatGeneration, LLMResult

from travel_lab.chat_models.scrubbing import scrub
from travel_lab.tokens import DEEPSEEK, TokenCounter, counter_for

NOTES = "notes"
"""Where a reply's `response_metadata` tells what a reader should know of the call."""
LOST_SHARE = 0.8
"""A service that reports fewer than this share of the tokens counted here did not see the whole view."""


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
    counter: str = ""
    """Vocabulary `tokens` was counted with here."""
    reported: int | None = None
    """Tokens of the view as the service reports them; None when it does not."""
    thinking: str = ""
    """What the model thought aloud; no context of anything."""
    path: str = ""
    """The nodes it was made in, from the outermost graph inwards, such as `hotel/model`; blank outside a graph."""
    order: int = 0
    """Its place among all calls of the recorder in the order in which they began, from 0."""

    @property
    def warning(self) -> str:
        """What is odd about the service's own count; blank when it agrees or there is none."""
        if self.reported is None or self.reported >= LOST_SHARE * self.tokens:
            return ""
        return (
            f"server saw fewer tokens than were sent: it reports {self.reported}, {self.tokens} were counted here "
            f"({self.counter}); its window may be smaller than configured"
        )


@dataclass
class _Pending:
    agent: str
    step: int
    view: tuple[BaseMessage, ...]
    reply: str = ""
    error: str = ""
    reported: int | None = None
    thinking: str = ""
    path: str = ""


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
                counter=self.counter.name,
                reported=call.reported,
                thinking=call.thinking,
                path=call.path,
                order=order,
            )
            for order, call in enumerate(self._calls.values())
        ]
        return tuple(sorted(made, key=lambda call: (call.step, call.agent)))

    @property
    def begun(self) -> int:
        """How many calls have begun so far."""
        return len(self._calls)

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
        self._begin(run_id, tuple(message.model_copy(deep=True) for message in _only(messages)), metadata or {})

    def on_llm_start(
        self,
        serialized: dict[str, Any],
        prompts: list[str],
        *,
        run_id: UUID,
        metadata: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        """Keep the prompt of a model that takes a text and no messages, as one message."""
        self._begin(run_id, tuple(HumanMessage(prompt) for prompt in prompts), metadata or {})

    def _begin(self, run_id: UUID, view: tuple[BaseMessage, ...], told: dict[str, Any]) -> None:
        node, step = str(told.get("langgraph_node", "")), int(told.get("langgraph_step", -1))
        names = [part.partition(":")[0] for part in str(told.get("langgraph_checkpoint_ns", "")).split("|")]
        # A part that is a number only counts the runs of one subgraph in one node.
        path = "/".join(name for name in names if name and not name.isdecimal())
        self._calls[run_id] = _Pending(node, step, view, path=path)

    def on_llm_end(self, response: LLMResult, *, run_id: UUID, **kwargs: Any) -> None:
        """Keep the reply's text, the thinking before it and the service's own count."""
        if run_id not in self._calls or not response.generations or not response.generations[0]:
            return
        call, first = self._calls[run_id], response.generations[0][0]
        call.reply = first.text
        if isinstance(first, ChatGeneration) and isinstance(first.message, AIMessage):
            told = first.message.usage_metadata
            # No view has no tokens: a service that reports 0 does not count.
            call.reported = told["input_tokens"] or None if told else None
            call.thinking = str(first.message.additional_kwargs.get("reasoning_content", ""))

    def on_llm_error(self, error: BaseException, *, run_id: UUID, **kwargs: Any) -> None:
        """Keep the failure, without keys in it."""
        if run_id in self._calls:
            self._calls[run_id].error = scrub(f"{type(error).__name__}: {error}")


def counter_of(model: object) -> TokenCounter:
    """The counter that fits a chat model best, by the name of its model."""
    name = getattr(model, "model_name", "")
    return DEEPSEEK if name in {"", "offline"} else counter_for(str(name))


def _only(batches: Sequence[Sequence[BaseMessage]]) -> Sequence[BaseMessage]:
    return batches[0] if batches else ()
