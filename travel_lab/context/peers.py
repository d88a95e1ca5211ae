"""Other projects' summaries as trimmings, to be compared with ours; the extra `peers` brings the libraries.

They keep to their own promises, not to those in `trimming`: where one is over the budget, an incident says so.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage, RemoveMessage
from langgraph.runtime import Runtime

from travel_lab.context.trimming import Trimmed, trimmed
from travel_lab.errors import BadInput
from travel_lab.tokens import DEEPSEEK, TokenCounter


@dataclass(frozen=True, kw_only=True)
class LangChainSummarization:
    """LangChain's `SummarizationMiddleware`: over the budget, all but the newest messages become one summary.

    Measured: its summariser reads the last 4,000 tokens of what leaves, its default; what stood before them is dropped unread. An
    empty summary replaces the history, and an error of the model is raised as it is.

    Raises:
        BadInput: langchain is not installed.
    """

    model: BaseChatModel
    """Writes the summary."""
    keep: int = 6
    """How many of the newest messages stay as they are."""
    counter: TokenCounter = DEEPSEEK
    reads_state: bool = False

    def __call__(self, messages: Sequence[BaseMessage], results: Mapping[str, Any], question: str, budget: int | None) -> Trimmed:
        """The history as the middleware would hand it to the model."""
        if not budget:
            return trimmed(messages, messages, counter=self.counter)
        try:
            from langchain.agents.middleware import SummarizationMiddleware  # noqa: PLC0415 (an extra)
        except ImportError as error:
            raise _missing("langchain") from error
        middleware: Any = SummarizationMiddleware(
            model=self.model, trigger=("tokens", budget), keep=("messages", self.keep), token_counter=_count(self.counter)
        )
        given = [message.model_copy() for message in messages]
        update = middleware.before_model({"messages": given}, Runtime())
        after = given if update is None else [m for m in update["messages"] if not isinstance(m, RemoveMessage)]
        return _told(messages, after, budget, self.counter)


@dataclass(frozen=True, kw_only=True)
class LangMemSummary:
    """langmem's `summarize_messages`, with its running summary from turn to turn.

    Measured: of a history over the budget it cuts the oldest messages before the model reads the rest, so they are in no
    summary. An empty summary replaces the history, and an error of the model is raised as it is.

    Raises:
        BadInput: langmem is not installed.
    """

    model: BaseChatModel
    """Writes the summary."""
    counter: TokenCounter = DEEPSEEK
    reads_state: bool = False
    _running: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def __call__(self, messages: Sequence[BaseMessage], results: Mapping[str, Any], question: str, budget: int | None) -> Trimmed:
        """The history as the function returns it; what it summarised before is not summarised again."""
        if not budget or not messages:
            return trimmed(messages, messages, counter=self.counter)
        try:
            from langmem.short_term import summarize_messages  # noqa: PLC0415 (an extra)
        except ImportError as error:
            raise _missing("langmem") from error
        session = str(messages[0].id)
        made = summarize_messages(
            [message.model_copy() for message in messages],
            running_summary=self._running.get(session),
            model=self.model,
            max_tokens=budget,
            max_summary_tokens=min(256, budget // 2),
            token_counter=_count(self.counter),
        )
        self._running[session] = made.running_summary
        return _told(messages, made.messages, budget, self.counter)


def _count(counter: TokenCounter) -> Callable[[Any], int]:
    return lambda messages: counter.messages(list(messages))


def _told(before: Sequence[BaseMessage], after: Sequence[BaseMessage], budget: int, counter: TokenCounter) -> Trimmed:
    by_id = {message.id: message for message in before}
    made = [by_id.get(message.id, message) for message in after]
    tokens = counter.messages(made)
    over = (f"{tokens} tokens ({counter.name}) of {budget} allowed",) if tokens > budget else ()
    return trimmed(before, made, counter=counter, incidents=over)


def _missing(library: str) -> BadInput:
    return BadInput(f"This trimming is {library}'s, which is not installed. Install the extra: pip install 'travel_lab[peers]'.")
