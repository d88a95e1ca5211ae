"""The parts of a specialist's task the offline model works from, read back out of the message."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from langchain_core.messages import BaseMessage

from travel_lab.catalogue import Language
from travel_lab.itinerary import FollowUp, read_followup, read_request
from travel_lab.tokens import text_of

_FIELD = re.compile(r"^(?P<name>[^：:|\n]+?)\s*[：:]\s*(?P<value>.*)$", re.MULTILINE)
_NAMES = {
    "天数": "days", "days": "days", "预算": "budget", "budget": "budget", "偏好": "preferences", "preferences": "preferences",
    "旅客的话": "words", "the traveller's words": "words",
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Task:
    """A specialist's task as the model reads it."""

    language: Language
    days: int
    budget: float | None
    preferences: tuple[str, ...]
    words: str
    currency: str
    """Of the prices in the rows."""
    rows: tuple[tuple[str, ...], ...]
    """The offers, a tuple of cells a row, without the header."""

    @property
    def followup(self) -> FollowUp:
        """What the words change of an earlier plan; words that say how long the trip is ask for a new plan."""
        new = read_request(self.words, {}).days is not None
        return FollowUp(kind="unclear", words=self.words) if new else read_followup(self.words)


def read_task(message: BaseMessage) -> Task:
    """Read the message a specialist is given."""
    head, _, offers = text_of(message).partition("\n\n")
    fields = {_NAMES[m["name"].casefold()]: m["value"] for m in _FIELD.finditer(head) if m["name"].casefold() in _NAMES}
    lines = offers.split("\n")
    currency = re.search(r"\b[A-Z]{3}\b", lines[0])
    days = re.match(r"\d+", fields["days"])
    amount = re.match(r"[\d.]+", fields["budget"])
    return Task(
        language="zh" if head.startswith("目的地") else "en",
        days=int(days[0]) if days else 0,
        budget=float(amount[0]) if amount else None,
        preferences=tuple(fields["preferences"].split(", ")),
        words=fields["words"],
        currency=currency[0] if currency else "",
        rows=tuple(tuple(line.split("|")) for line in lines[2:]),
    )


def conversation(messages: Sequence[BaseMessage]) -> Sequence[BaseMessage]:
    """What stands between the system prompt and the call's own message."""
    return messages[1:-1]
