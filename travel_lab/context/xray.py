"""Where each fact went: fact × turn, for one agent's calls.

For every turn in which an agent made a call, every fact that earlier turns had produced is either visible in the view of that
call or was lost at one place.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from langchain_core.messages import BaseMessage

from travel_lab.context.facts import Fact, bound_facts
from travel_lab.context.handoff import Handoff
from travel_lab.context.summary import AUTHOR as SUMMARY
from travel_lab.tokens import text_of

SUPERVISING = "supervisor"
"""The agent whose view is the trimmed history; the others get a briefing, which selects."""


class Place(StrEnum):
    """What became of a fact in one call.

    Visible, or lost: not written by any handoff, cut out of one, trimmed from the history, summarised away, not selected by the
    briefing, or contradicted by a later message that still says the old. Superseded facts are no loss; one that the view
    still binds as its last word is stale. Without a call nothing is measured; before its time a fact is not produced.
    """

    VISIBLE = "visible"
    NOT_WRITTEN = "not written"
    CUT = "cut"
    TRIMMED = "trimmed"
    SUMMARISED = "summarised away"
    NOT_SELECTED = "not selected"
    SUPERSEDED = "superseded"
    STALE = "stale visible"
    CONTRADICTED = "contradicted"
    NOT_MEASURED = "not measured"
    NOT_PRODUCED = "not produced"


@dataclass(frozen=True, kw_only=True)
class Moment:
    """One turn as an X-ray needs it."""

    turn: int
    """Its number."""
    current: tuple[Fact, ...]
    """Facts of the results as they stood when the turn began."""
    messages: Sequence[BaseMessage]
    """The history as it stood when the turn began, untrimmed."""
    view: tuple[BaseMessage, ...] | None
    """What the agent's call received; None when it made none."""
    uncut: tuple[str, ...] = ()
    """What the handoffs would have said without their cut; empty when nothing cuts."""


@dataclass(frozen=True, kw_only=True)
class Xray:
    """Every fact of a session in every turn of one agent."""

    agent: str
    """Whose calls."""
    facts: tuple[Fact, ...]
    """Every fact any turn had produced, in order of appearance."""
    turns: tuple[int, ...]
    places: Mapping[tuple[Fact, int], Place]
    """What became of a fact in a turn."""

    def count(self, place: Place, turn: int) -> int:
        """How many facts are at that place in a turn."""
        return sum(self.places[fact, turn] is place for fact in self.facts)


def xray(agent: str, moments: Sequence[Moment]) -> Xray:
    """Follow every fact through the turns.

    Args:
        agent: Whose calls the moments' views are.
        moments: Of one session, in order.
    """
    facts = tuple(dict.fromkeys(fact for moment in moments for fact in moment.current))
    places: dict[tuple[Fact, int], Place] = {}
    produced: set[Fact] = set()
    for moment in moments:
        produced |= set(moment.current)
        places |= {(fact, moment.turn): place for fact, place in _places(agent, facts, produced, moment).items()}
    return Xray(agent=agent, facts=facts, turns=tuple(moment.turn for moment in moments), places=places)


def uncut_texts(handoff: Handoff, results: Mapping[str, Mapping[str, Any]], language: str) -> tuple[str, ...]:
    """What a handoff without its cut says of the results' data: the `uncut` of a `Moment`."""
    return tuple(handoff(agent, data, language) for agent, data in results.items())


def _places(agent: str, facts: Sequence[Fact], produced: set[Fact], moment: Moment) -> dict[Fact, Place]:
    if moment.view is None:
        return {fact: Place.NOT_MEASURED if fact in produced else Place.NOT_PRODUCED for fact in facts}
    last_seen, written = _last_bound(moment.view, facts), _last_bound(moment.messages, facts)
    uncut = frozenset().union(*(bound_facts(text, facts) for text in moment.uncut))
    summarised = any(message.name == SUMMARY for message in moment.view)
    gone = Place.SUMMARISED if summarised else Place.TRIMMED if agent == SUPERVISING else Place.NOT_SELECTED
    current = set(moment.current)

    def place(fact: Fact) -> Place:
        if fact not in produced:
            return Place.NOT_PRODUCED
        rivals = [other for other in produced if _same_slot(other, fact) and (other in current) != (fact in current)]
        if fact not in current:
            return Place.STALE if rivals and _later(fact, rivals, last_seen) else Place.SUPERSEDED
        if fact in last_seen:
            return Place.VISIBLE if _later(fact, rivals, last_seen, or_same=True) else Place.CONTRADICTED
        return gone if fact in written else Place.CUT if fact in uncut else Place.NOT_WRITTEN

    return {fact: place(fact) for fact in facts}


def stale_visible(view: Sequence[BaseMessage], current: Sequence[Fact], past: Sequence[Fact]) -> tuple[Fact, ...]:
    """Facts of `past` that are `current` no more, that the view binds, and that no later message of it corrects."""
    old = [fact for fact in dict.fromkeys(past) if fact not in set(current)]
    last_seen = _last_bound(view, [*old, *current])
    rivals = {fact: [new for new in current if _same_slot(new, fact)] for fact in old}
    return tuple(fact for fact in old if rivals[fact] and _later(fact, rivals[fact], last_seen))


def _last_bound(messages: Sequence[BaseMessage], facts: Sequence[Fact]) -> dict[Fact, int]:
    """Fact → place of the last message that binds it."""
    return {fact: at for at, message in enumerate(messages) for fact in bound_facts(text_of(message), facts)}


def _later(fact: Fact, rivals: Sequence[Fact], last_seen: Mapping[Fact, int], *, or_same: bool = False) -> bool:
    """Whether the view's last word on a question is `fact` and not one of its rivals; `or_same`: or both in one message."""
    if fact not in last_seen:
        return False
    newest = max((last_seen[rival] for rival in rivals if rival in last_seen), default=-1)
    return last_seen[fact] > newest or (or_same and last_seen[fact] == newest)


def _same_slot(one: Fact, other: Fact) -> bool:
    """Whether two facts answer the same question: a subject's value, or who stands at a place such as night 2."""
    if (one.agent, one.kind) != (other.agent, other.kind):
        return False
    return one.subject == other.subject if one.value is not None else bool(one.scope) and one.scope == other.scope
