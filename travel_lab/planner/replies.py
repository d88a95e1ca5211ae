"""Reads what models write: the supervisor's line, a specialist's JSON."""

import json
import re
import unicodedata
from dataclasses import dataclass
from typing import Any, Literal

from travel_lab.errors import UnreadableReply
from travel_lab.itinerary import AGENTS

_LINE = re.compile(r"(?im)^[ \t\u3000*`>]*(?P<kind>PLAN|ASK|REPLY)\s*[:：|｜](?P<rest>.*)$")
_THINKING = re.compile(r"(?s)<think>.*?</think>")
_OBJECT_START = re.compile(rf"{_THINKING.pattern}|\{{")
_COLUMNS = 6
RESTORE = "restore"
"""Stands in the agents column for going back."""


@dataclass(frozen=True, kw_only=True)
class SupervisorLine:
    """The supervisor's decision."""

    kind: Literal["plan", "ask", "reply"]
    text: str = ""
    """The question or the answer; blank for a plan."""
    destination: str = ""
    days: str = ""
    origin: str = ""
    date: str = ""
    budget: str = ""
    """A sum, or a wish such as 便宜."""
    agents: tuple[str, ...] = ()
    """Known agents, in their order."""
    restore: bool = False
    """Whether to go back to what there was before the last change."""
    unknown: tuple[str, ...] = ()
    """Names in the agents column that are no agent."""


def read_line(text: str) -> SupervisorLine:
    """Read a PLAN, ASK or REPLY line; full-width signs, marks and prose around it are allowed.

    Raises:
        UnreadableReply: There is no such line, or a PLAN without exactly six columns.
    """
    match = _LINE.search(_THINKING.sub("", text))
    if match is None:
        raise UnreadableReply(f"Expected one line PLAN:, ASK: or REPLY:, found {text[:80]!r}.")
    kind, rest = match["kind"].upper(), match["rest"].strip(" *`\t")
    if kind == "ASK":
        return SupervisorLine(kind="ask", text=rest)
    if kind == "REPLY":
        return SupervisorLine(kind="reply", text=rest)
    columns = [column.strip() for column in unicodedata.normalize("NFKC", rest).split("|")]
    if len(columns) != _COLUMNS:
        raise UnreadableReply(f"A PLAN line has {_COLUMNS} columns, found {len(columns)} in {rest[:80]!r}.")
    destination, days, origin, date, budget, agents = columns
    named = [name for name in re.split(r"[,、;\s]+", agents.casefold()) if name]
    return SupervisorLine(
        kind="plan",
        destination=destination,
        days=days,
        origin=origin,
        date=date,
        budget=budget,
        agents=tuple(agent for agent in AGENTS if agent in named),
        restore=RESTORE in named,
        unknown=tuple(name for name in named if name not in {*AGENTS, RESTORE}),
    )


def read_question(text: str) -> str | None:
    """The question of a specialist's ASK line; None when the text is something else."""
    match = _LINE.search(_THINKING.sub("", text))
    return match["rest"].strip(" *`\t") if match and match["kind"].upper() == "ASK" else None


def read_object(text: str) -> dict[str, Any]:
    """The first JSON object in a model's text; fences and prose around it are allowed.

    Raises:
        UnreadableReply: There is none.
    """
    decoder = json.JSONDecoder()
    # A thinking block is passed over where it stands; one inside a value of the object is the value's own text.
    for match in _OBJECT_START.finditer(text):
        try:
            value, _ = decoder.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            return value
    raise UnreadableReply(f"Expected one JSON object, found {text[:80]!r}.")
