"""`trim_messages` as published, and what it does to a history, counted."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage, trim_messages
from langchain_core.messages.utils import count_tokens_approximately

from travel_lab.context.blocks import required_in, turns_of
from travel_lab.context.trimming import Trimmed, label, trimmed
from travel_lab.tokens import DEEPSEEK, TokenCounter

PUBLISHED_BUDGET = 4_000
"""Of the article, for the history."""


@dataclass(frozen=True, kw_only=True)
class AsPublished:
    """LangChain's trimming with the article's settings; here to be measured, faults included.

    It breaks the promises of the other trimmings; `violations` counts how.
    """

    count: Callable[[Sequence[BaseMessage]], int] = count_tokens_approximately
    """What the budget is counted with. The article names the chat model, which raises for any model the client does not
    know; LangChain's own estimate is what such code falls back to."""
    counter: TokenCounter = DEEPSEEK
    """What the report is counted with."""
    reads_state: bool = False
    as_published: bool = True

    def __call__(self, messages: Sequence[BaseMessage], results: Mapping[str, Any], question: str, budget: int | None) -> Trimmed:
        """What `trim_messages(strategy="last", include_system=True, start_on="human")` leaves; None is 4,000."""
        given = list(messages)
        left = trim_messages(
            given,
            max_tokens=PUBLISHED_BUDGET if budget is None else budget,
            token_counter=self.count,
            strategy="last",
            include_system=True,
            start_on="human",
        )
        by_label = {label(message, at): message for at, message in enumerate(given)}
        numbered = {id(message): message for message in given}
        same = [numbered.get(id(m)) or by_label.get(m.id or "") or m for m in left]
        return trimmed(given, same, counter=self.counter)


@dataclass(frozen=True, kw_only=True)
class Violation:
    """One promise a trimmed history breaks."""

    rule: str
    """`over budget`, `required message lost`, `turn vanished` or `tool pair broken`."""
    reason: str
    """What was found, with the numbers or the message."""


def violations(
    before: Sequence[BaseMessage], after: Trimmed, question: str, budget: int, counter: TokenCounter = DEEPSEEK
) -> tuple[Violation, ...]:
    """What is wrong with `after`, by the promises in `trimming`."""
    found: list[Violation] = []
    tokens = counter.messages(after.messages)
    if tokens > budget:
        found.append(Violation(rule="over budget", reason=f"{tokens} tokens ({counter.name}) of {budget} allowed."))
    kept = {id(message) for message in after.messages}
    found += [
        Violation(rule="required message lost", reason=f"The {m.type} message {m.id!r} must stay and is gone.")
        for m in required_in(before, question)
        if id(m) not in kept
    ]
    return (*found, *_vanished(before, kept, budget - tokens, counter), *_broken_pairs(after.messages))


def _vanished(before: Sequence[BaseMessage], kept: set[int], room: int, counter: TokenCounter) -> list[Violation]:
    """The newest turn gone as a whole although its last message would have fitted into the room left."""
    turns = turns_of(before)
    if not turns:
        return []
    newest = [message for block in turns[-1] for message in block]
    if any(id(message) in kept for message in newest) or counter.messages(turns[-1][-1]) > room:
        return []
    reason = f"All {len(newest)} messages of the newest turn are gone although {room} tokens are left."
    return [Violation(rule="turn vanished", reason=reason)]


def _broken_pairs(after: Sequence[BaseMessage]) -> list[Violation]:
    calls = [call["id"] for m in after if isinstance(m, AIMessage) for call in m.tool_calls]
    results = [m.tool_call_id for m in after if isinstance(m, ToolMessage)]
    return [
        Violation(rule="tool pair broken", reason=f"Tool call {call!r} stands without its other half.")
        for call in sorted(set(map(str, calls)) ^ set(results))
    ]
