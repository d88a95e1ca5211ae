"""Reads what models write: the supervisor's line, a specialist's JSON."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from travel_lab.chat_models.answer_form import AnswerForm
from travel_lab.chat_models.thinking import split_thinking
from travel_lab.errors import UnreadableReply
from travel_lab.itinerary import AGENTS
from travel_lab.itinerary.money import read_budget
from travel_lab.planner.json_reading import ReadObject, find_object

_LINE = re.compile(r"(?im)^[ \t\u3000*`>]*(?P<kind>PLAN|ASK|REPLY)\s*[:：|｜](?P<rest>.*)$")
_COLUMNS = 6
RESTORE = "restore"
"""Stands in the agents column for going back."""
_TEXT = {"type": "string"}
LINE_FORM = AnswerForm(
    name="supervisor_line",
    schema={
        "type": "object",
        "properties": {
            "kind": {"type": "string", "enum": ["plan", "ask", "reply"]},
            "text": _TEXT,
            "destination": _TEXT,
            "days": {"type": "integer"},
            "origin": _TEXT,
            "date": _TEXT,
            "budget": _TEXT,
            "agents": {"type": "array", "items": {"type": "string", "enum": [*AGENTS, RESTORE]}},
        },
        "required": ["kind", "text", "destination", "days", "origin", "date", "budget", "agents"],
        "additionalProperties": False,
    },
)
"""The supervisor's decision as JSON, for services that can hold an answer to a form."""


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
    """Read a PLAN, ASK or REPLY line, or the same as JSON; full-width signs, marks and prose around it are allowed.

    Raises:
        UnreadableReply: There is no such line, or a PLAN whose columns cannot be told apart.
    """
    answer = split_thinking(text).answer
    match = _LINE.search(answer)
    if match is None:
        return _line_of(answer)
    kind, rest = match["kind"].upper(), match["rest"].strip(" *`\t")
    if kind == "ASK":
        return SupervisorLine(kind="ask", text=rest)
    if kind == "REPLY":
        return SupervisorLine(kind="reply", text=rest)
    destination, days, origin, date, budget, agents = _columns(rest)
    return _plan({"destination": destination, "days": days, "origin": origin, "date": date, "budget": budget}, agents)


def _columns(rest: str) -> list[str]:
    """Six columns; a blank seventh is a mark at either end, more before the agents are a wish with marks in it."""
    columns = [column.strip() for column in unicodedata.normalize("NFKC", rest).split("|")]
    while len(columns) > _COLUMNS and not columns[-1]:
        columns.pop()
    if len(columns) == _COLUMNS + 1 and not columns[0] and columns[2].isdecimal():
        columns.pop(0)
    named = _names(columns[-1])
    # Only what lies between known ends may be one wish: days that are a number, and agents that are agents.
    if len(columns) > _COLUMNS and columns[1].isdecimal() and named and all(name in {*AGENTS, RESTORE} for name in named):
        columns = [*columns[:4], ",".join(filter(None, columns[4:-1])), columns[-1]]
    # A blank column was left out: only a sum says which one it is.
    if len(columns) == _COLUMNS - 1 and read_budget(columns[3]) is not None:
        columns.insert(3, "")
    if len(columns) != _COLUMNS:
        raise UnreadableReply(f"A PLAN line has {_COLUMNS} columns, found {len(columns)} in {rest[:80]!r}.")
    return columns


def _names(agents: str) -> list[str]:
    return [name for name in re.split(r"[,、;\s]+", agents.casefold()) if name]


def _plan(fields: Mapping[str, str], agents: str) -> SupervisorLine:
    named = _names(agents)
    return SupervisorLine(
        kind="plan",
        agents=tuple(agent for agent in AGENTS if agent in named),
        restore=RESTORE in named,
        unknown=tuple(name for name in named if name not in {*AGENTS, RESTORE}),
        **fields,
    )


def _line_of(answer: str) -> SupervisorLine:
    """The decision as JSON."""
    wrong = UnreadableReply(f"Expected one line PLAN:, ASK: or REPLY:, found {answer[:80]!r}.")
    if "{" not in answer:
        raise wrong
    value = find_object(answer).value
    kind, said = str(value.get("kind", "")).casefold(), str(value.get("text") or "").strip()
    if kind == "plan":
        agents = value.get("agents") or []
        names = agents if isinstance(agents, str) else ",".join(map(str, agents))
        fields = {name: str(value.get(name) or "").strip() for name in ("destination", "days", "origin", "date", "budget")}
        return _plan(fields, names)
    if kind not in {"ask", "reply"} or not said:
        raise wrong
    return SupervisorLine(kind="ask" if kind == "ask" else "reply", text=said)


def read_question(text: str) -> str | None:
    """The question of an ASK line, or of the same as JSON; None when the text is something else."""
    answer = split_thinking(text).answer
    match = _LINE.search(answer)
    if match is None:
        try:
            line = _line_of(answer)
        except UnreadableReply:
            return None
        return line.text if line.kind == "ask" else None
    return match["rest"].strip(" *`\t") if match["kind"].upper() == "ASK" else None


def read_object(text: str) -> ReadObject:
    """The first JSON object in a model's text; thinking, fences and prose around it are allowed.

    Raises:
        CutReply: It has no end.
        UnreadableReply: There is none.
    """
    return find_object(split_thinking(text).answer)
