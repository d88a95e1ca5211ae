"""Trimmings: how the history part of a view is built.

A trimming is a pure function (messages, results, question, budget) → `Trimmed`. What it takes from results it writes
out as messages, so that the recorded view holds it; `reads_state` says that it does.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from langchain_core.messages import BaseMessage

from travel_lab.errors import BadInput
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
    tokens: int
    """Of `messages`, by the trimming's counter."""


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
        return _trimmed(messages, len(messages), self.counter)


@dataclass(frozen=True, kw_only=True)
class NewestWithin:
    """The newest whole messages that fit the budget together."""

    counter: TokenCounter = DEEPSEEK
    reads_state: bool = False

    def __call__(self, messages: Sequence[BaseMessage], results: Mapping[str, Any], question: str, budget: int | None) -> Trimmed:
        """The longest tail of `messages` of at most `budget` tokens.

        Raises:
            BadInput: The budget is negative.
        """
        if budget is None:
            return _trimmed(messages, len(messages), self.counter)
        if budget < 0:
            raise BadInput(f"A trimming budget is a number of tokens from 0 up, found {budget}. None means no limit.")
        room, keep = budget, 0
        for message in reversed(messages):
            room -= self.counter.messages([message])
            if room < 0:
                break
            keep += 1
        return _trimmed(messages, keep, self.counter)


def _trimmed(messages: Sequence[BaseMessage], keep: int, counter: TokenCounter) -> Trimmed:
    cut = len(messages) - keep
    kept = tuple(messages[cut:])
    return Trimmed(
        messages=kept,
        kept=tuple(str(message.id) for message in kept),
        dropped=tuple(str(message.id) for message in messages[:cut]),
        tokens=counter.messages(kept),
    )
