"""The parts of a specialist's task the offline model works from, read back out of the message."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from langchain_core.messages import BaseMessage

from travel_lab.catalogue import Language
from travel_lab.itinerary import FollowUp, read_followup, read_request
from travel_lab.itinerary.numerals import half_width
from travel_lab.itinerary.wishes import read_wishes
from travel_lab.tokens import text_of

_FIELD = re.compile(r"^(?P<name>[^：:|\n]+?)\s*[：:]\s*(?P<value>.*)$", re.MULTILINE)
_NAMES = {
    "目的地": "destination", "destination": "destination", "天数": "days", "days": "days", "本项上限": "limit", "limit for this": "limit", "偏好": "preferences", "preferences": "preferences",
    "旅客的话": "words", "the traveller's words": "words",
}  # fmt: skip


_NAME_COLUMN = 2
"""Where the name stands in a row of sights, hotels or restaurants."""


@dataclass(frozen=True, kw_only=True)
class Task:
    """A specialist's task as the model reads it."""

    language: Language
    destination: str
    """As the supervisor told it; several joined by +."""
    days: int
    limit: float | None
    """What a night, or a meal for one, may cost."""
    preferences: tuple[str, ...]
    words: str
    currency: str
    """Of the prices in the rows."""
    rows: tuple[tuple[str, ...], ...]
    """The offers, a tuple of cells a row, without the header."""

    @property
    def followup(self) -> FollowUp:
        """What the words change of an earlier plan; words that say where else to go, or for how long, ask for a new one."""
        followup = read_followup(self.words, self.names, {name: name for name in self.destination.split("+")})
        new = followup.kind == "destination_change" or (
            bool(read_request(self.words, {}).trip_days)
            and followup.kind
            not in {
                "sight_move",
                "sight_add",
                "sight_swap",
                "sight_drop",
            }
        )
        return FollowUp(kind="unclear", words=self.words) if new else followup

    @property
    def names(self) -> list[str]:
        """The names of the offers."""
        return [row[_NAME_COLUMN] for row in self.rows if len(row) > _NAME_COLUMN]


def read_task(message: BaseMessage) -> Task:
    """Read the message a specialist is given."""
    head, _, offers = text_of(message).partition("\n\n")
    fields = {_NAMES[m["name"].casefold()]: m["value"] for m in _FIELD.finditer(head) if m["name"].casefold() in _NAMES}
    lines = offers.split("\n")
    currency = re.search(r"\b[A-Z]{3}\b", lines[0])
    days = re.match(r"\d+", fields["days"])
    limit = re.match(r"\d+", fields["limit"])
    return Task(
        language="zh" if head.startswith("目的地") else "en",
        destination=fields["destination"],
        days=int(days[0]) if days else 0,
        limit=float(limit[0]) if limit else None,
        preferences=read_wishes(half_width(fields["preferences"])),
        words=fields["words"],
        currency=currency[0] if currency else "",
        rows=tuple(tuple(line.split("|")) for line in lines[2:]),
    )


def conversation(messages: Sequence[BaseMessage]) -> Sequence[BaseMessage]:
    """What stands between the system prompt and the call's own message."""
    return messages[1:-1]
