"""Trimmings: how the history part of a view is built.

A trimming is a pure function (messages, results, question, budget) → `Trimmed`. What it takes from results it writes
out as messages, so that the recorded view holds it; `reads_state` says that it does.

What ours promise (all but `Everything` and `AsPublished`, which are there to be compared with):

- at most `budget` tokens by exact count; None is no limit;
- system messages stay, and so does the newest user message when it is the one being answered, that is when `question` is its
  very words; when they alone are over the budget, `OverBudget` is raised before any call;
- a tool call and its results stay or go together;
- what went is listed by id.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from langchain_core.messages import BaseMessage, RemoveMessage

from travel_lab.context.blocks import Block, blocks_of, required_in, turns_of
from travel_lab.errors import BadInput, OverBudget
from travel_lab.tokens import DEEPSEEK, TokenCounter


@dataclass(frozen=True, kw_only=True)
class Trimmed:
    """The history part of a view, and what was left out of it."""

    messages: tuple[BaseMessage, ...]
    """What the model is shown, oldest first."""
    kept: tuple[str, ...]
    """Ids of the messages that stayed."""
    dropped: tuple[str, ...]
    """Ids of the messages that did not."""
    added: tuple[str, ...] = ()
    """Ids of the messages the trimming wrote itself."""
    tokens: int
    """Of `messages`, by the trimming's counter."""
    tokens_before: int
    """Of the whole history, by the same counter."""
    incidents: tuple[str, ...] = ()
    """What went wrong on the way, such as a summary that failed; blank when nothing did."""


class Trimming(Protocol):
    """Builds the history part of a view."""

    @property
    def reads_state(self) -> bool:
        """Whether it takes anything from the results."""

    def __call__(self, messages: Sequence[BaseMessage], results: Mapping[str, Any], question: str, budget: int | None) -> Trimmed:
        """The history for this question within `budget` tokens; None is no limit."""


@dataclass(frozen=True, kw_only=True)
class Everything:
    """Every message of the session, whatever the budget."""

    counter: TokenCounter = DEEPSEEK
    reads_state: bool = False

    def __call__(self, messages: Sequence[BaseMessage], results: Mapping[str, Any], question: str, budget: int | None) -> Trimmed:
        """All of `messages`."""
        return trimmed(messages, messages, counter=self.counter)


@dataclass(frozen=True, kw_only=True)
class NothingRemembered:
    """A control: no history at all, as when an app never writes into `messages`, not even what the user said."""

    counter: TokenCounter = DEEPSEEK
    reads_state: bool = False

    def __call__(self, messages: Sequence[BaseMessage], results: Mapping[str, Any], question: str, budget: int | None) -> Trimmed:
        """Only what must stay: system messages, and the user message being answered when it is among `messages`."""
        return trimmed(messages, fitting(messages, [], (), question, budget, self.counter), counter=self.counter)


@dataclass(frozen=True, kw_only=True)
class NewestWithin:
    """The newest whole messages that fit the budget together."""

    counter: TokenCounter = DEEPSEEK
    reads_state: bool = False

    def __call__(self, messages: Sequence[BaseMessage], results: Mapping[str, Any], question: str, budget: int | None) -> Trimmed:
        """The longest tail of `messages` of at most `budget` tokens, besides what must stay."""
        newest_first = [[block] for block in reversed(blocks_of(messages))]
        return trimmed(messages, fitting(messages, newest_first, (), question, budget, self.counter), counter=self.counter)


@dataclass(frozen=True, kw_only=True)
class WholeTurns:
    """The newest whole turns that fit; when not even the newest does, its user message and the newest rest of it."""

    turns: int | None = None
    """At most so many; None as many as fit."""
    counter: TokenCounter = DEEPSEEK
    reads_state: bool = False

    def __call__(self, messages: Sequence[BaseMessage], results: Mapping[str, Any], question: str, budget: int | None) -> Trimmed:
        """Whole turns of `messages`, besides what must stay."""
        groups = newest_turns(messages, self.turns)
        return trimmed(messages, fitting(messages, groups, (), question, budget, self.counter), counter=self.counter)


def newest_turns(messages: Sequence[BaseMessage], most: int | None) -> list[list[Block]]:
    """The turns, newest first, at most `most`."""
    return list(reversed(turns_of(messages)))[:most]


def fitting(
    messages: Sequence[BaseMessage],
    groups: Sequence[Sequence[Block]],
    added: Sequence[BaseMessage],
    question: str,
    budget: int | None,
    counter: TokenCounter,
) -> list[BaseMessage]:
    """What must stay, then `added`, then the groups in order, for as long as all fits; in the order of the conversation.

    Raises:
        BadInput: The budget is negative.
        OverBudget: What must stay is over the budget by itself.
    """
    if budget is not None and budget < 0:
        raise BadInput(f"A trimming budget is a number of tokens from 0 up, found {budget!r}. None means no limit.")
    required = required_in(messages, question)
    room = _Room(budget, counter, required)
    if room.left < 0:
        raise OverBudget(
            f"What must stay of the history, the system messages and the user message being answered, has "
            f"{counter.messages(required)} tokens ({counter.name}); allowed are {budget!r}. Raise the budget or shorten them; "
            "no model was called."
        )
    front = [message for message in added if room.takes([message])]
    for at, group in enumerate(groups):
        # A gap in the middle would read as if nothing had been said there, so the first group that does not fit ends it.
        if not room.takes([message for block in group for message in block]):
            if at == 0:
                _take_apart(group, room)
            break
    kept = [message for message in messages if id(message) in room.taken]
    heading = next((at for at, message in enumerate(kept) if message.type != "system"), len(kept))
    return [*kept[:heading], *front, *kept[heading:]]


def _take_apart(group: Sequence[Block], room: "_Room") -> None:
    """Of a newest turn that does not fit whole: its user message, then its blocks from the newest on."""
    opening = [block for block in group[:1] if block[0].type == "human" and room.takes(block)]
    for block in reversed(group[len(opening) :]):
        if not room.takes(block):
            break


class _Room:
    """What is left of a budget, and which messages were taken into it."""

    def __init__(self, budget: int | None, counter: TokenCounter, required: Sequence[BaseMessage]) -> None:
        self.counter, self.taken = counter, {id(message) for message in required}
        self.left = math.inf if budget is None else budget - counter.messages(required)

    def takes(self, messages: Sequence[BaseMessage]) -> bool:
        """Take all of the messages when they fit together, else none; those taken before cost nothing."""
        fresh = [message for message in messages if id(message) not in self.taken]
        cost = self.counter.messages(fresh)
        if cost > self.left:
            return False
        self.taken |= {id(message) for message in fresh}
        self.left -= cost
        return True


def trimmed(
    before: Sequence[BaseMessage], after: Sequence[BaseMessage], *, counter: TokenCounter, incidents: tuple[str, ...] = ()
) -> Trimmed:
    """The report of a trimming that turned `before` into `after`; a marker that removes a message is not shown to a model."""
    after = [message for message in after if not isinstance(message, RemoveMessage)]
    stayed, given = {id(message) for message in after}, {id(message) for message in before}
    return Trimmed(
        messages=tuple(after),
        kept=tuple(label(m, at) for at, m in enumerate(before) if id(m) in stayed),
        dropped=tuple(label(m, at) for at, m in enumerate(before) if id(m) not in stayed),
        added=tuple(str(m.id) for m in after if id(m) not in given),
        tokens=counter.messages(after),
        tokens_before=counter.messages(before),
        incidents=incidents,
    )


def label(message: BaseMessage, at: int) -> str:
    """A message's id, or its place when it has none."""
    return message.id or f"#{at}"
