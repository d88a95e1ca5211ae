"""The offline model as supervisor: decides from the conversation alone, and asks back for what it cannot see."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date

from langchain_core.messages import BaseMessage

from travel_lab.catalogue import Language
from travel_lab.itinerary import AGENTS, FollowUp, Reading, language_of, read_followup, read_request
from travel_lab.itinerary.followup import AGENTS_OF, Kind
from travel_lab.itinerary.money import Budget, read_budget
from travel_lab.itinerary.money_changes import read_budget_change
from travel_lab.itinerary.numerals import half_width
from travel_lab.planner.columns import plan_line
from travel_lab.planner.offline_rules.answers import ANSWERS
from travel_lab.planner.offline_rules.sayings import SAY, no_night, which_of
from travel_lab.planner.offline_rules.seen import Seen, make_out
from travel_lab.planner.offline_rules.task import conversation
from travel_lab.planner.replies import RESTORE
from travel_lab.tokens import text_of

ALL = "route,hotel,food,info"
Change = Callable[[FollowUp, Seen, Reading, Language], str]


def answer(messages: Sequence[BaseMessage]) -> str:
    """One PLAN, ASK or REPLY line."""
    system = text_of(messages[0])
    places, today = _places(system), _today(system)
    words = text_of(messages[-1]).rsplit("\n", 1)[0]
    history = conversation(messages)
    language = language_of(words, "zh" if "你是" in system else "en")
    reading = read_request(words, places, today)
    planned = any(message.name in {"aggregator", *AGENTS} for message in history)
    earlier = [text_of(message) for message in history if message.type == "human"]
    if planned:
        seen = make_out(history)
        followup = _settled(read_followup(words, seen.names, places, today), earlier)
        if followup.only_asks:
            return ANSWERS[followup.kind](followup, seen, history, language)
        whole = bool(reading.destinations) and reading.trip_days is not None
        if followup.kind != "unclear" and not (whole and followup.kind not in {"destination_change", "sight_move"}):
            return _CHANGES[followup.kind](followup, seen, reading, language)
        if not reading.states_something:
            return SAY[language]["what"]
    if reading.problems:
        return SAY[language]["days"]
    said = [read_request(text, places, today) for text in earlier]
    return _new_plan(said, reading, language, planned=planned)


def _places(system: str) -> dict[str, str]:
    """Every name in the prompt's list of places → the name to use."""
    listed = re.findall(r"([^、:：\s(]+)\(([^)]+)\)", system.rsplit("\n", 1)[-1])
    return {name: zh for zh, en in listed for name in (zh, en)}


def _today(system: str) -> date | None:
    said = re.search(r"\d{4}-\d{2}-\d{2}", system)
    return date.fromisoformat(said[0]) if said else None


def _new_plan(earlier: list[Reading], now: Reading, language: Language, *, planned: bool) -> str:
    """A plan from what all messages together say; what is missing is asked for."""
    known = now
    if not planned:
        for reading in reversed(earlier):
            known = _filled(known, reading)
    if now.choices:
        return SAY[language]["which_place"].format(places=SAY[language]["or"].join(now.choices))
    if not known.destinations and not planned:
        return SAY[language]["where"]
    if not known.trip_days and not planned:
        return SAY[language]["how_long"]
    agents = ALL if not planned or now.destinations else "route,hotel,food" if now.trip_days or now.wishes else "hotel,food"
    return plan_line(known, language, agents)


def _settled(followup: FollowUp, earlier: Sequence[str]) -> FollowUp:
    """A difference to the budget as the new sum, when the traveller's earlier words hold the one before."""
    if followup.budget_change is None:
        return followup
    before: Budget | None = None
    for text in earlier:
        words = half_width(text)
        change = read_budget_change(words)
        if change is not None:
            before = change.applied_to(before) if before else None
        elif (stated := read_budget(words)) and (stated.amount or stated.low or stated.high):
            before = stated
    after = followup.budget_change.applied_to(before) if before else None
    return followup if after is None else replace(followup, budget=after, budget_change=None)


def _filled(now: Reading, before: Reading) -> Reading:
    """What was said now, and what was said before where nothing was said now."""
    timed = now if now.trip_days else before
    return replace(
        now,
        destinations=now.destinations or before.destinations,
        days=timed.days,
        days_range=timed.days_range,
        nights=timed.nights,
        rounded=timed.rounded,
        origin=now.origin or before.origin,
        start=now.start or before.start,
        budget=now.budget or before.budget,
        people=now.people or before.people,
        wishes=tuple(dict.fromkeys((*before.wishes, *now.wishes))),
    )


def _line(reading: Reading, language: Language, kind: Kind) -> str:
    return plan_line(reading, language, ",".join(AGENTS_OF[kind]))


def _only(reading: Reading, *, money: bool = False) -> Reading:
    """The parts of a reading a change of one agent's part hands on: wishes, and money where it is meant."""
    return Reading(budget=reading.budget if money else None, wishes=reading.wishes)


def _hotel(followup: FollowUp, seen: Seen, reading: Reading, language: Language) -> str:
    if wrong := no_night(followup, seen.days, language):
        return wrong
    if not seen.prices:
        return SAY[language]["hotel"].format(which=which_of(followup, language))
    wished = replace(
        _only(reading, money=followup.budget is not None), wishes=("cheap",) if followup.kind == "hotel_cheaper" else ()
    )
    return _line(wished, language, followup.kind)


def _sight(followup: FollowUp, seen: Seen, reading: Reading, language: Language) -> str:
    """A change of the sights needs the day it is about to be in sight, or the sight it names."""
    say, known = SAY[language], [name for names in seen.sights.values() for name in names]
    if not seen.sights:
        return say["sights"].format(which=which_of(followup, language))
    if followup.day is not None and followup.day > max(seen.sights):
        return say["no_day"].format(which=which_of(followup, language))
    points = followup.name in known or followup.day is not None or followup.kind == "sight_add"
    return _line(Reading(), language, followup.kind) if points else say["which_sight"]


def _food(followup: FollowUp, seen: Seen, reading: Reading, language: Language) -> str:
    return _line(_only(reading), language, followup.kind) if seen.meals else SAY[language]["meals"]


def _days(followup: FollowUp, seen: Seen, reading: Reading, language: Language) -> str:
    if followup.days is None and seen.days is None:
        return SAY[language]["length"]
    days = followup.days if followup.days is not None else (seen.days or 0) + (followup.days_delta or 0)
    if not 1 <= days <= 14:
        return SAY[language]["days"]
    if followup.budget_change is not None:
        return SAY[language]["new_budget"]
    return _line(Reading(days=days, budget=followup.budget, people=followup.people), language, followup.kind)


def _stated(followup: FollowUp, seen: Seen, reading: Reading, language: Language) -> str:
    """Money, people or dates: the words hold all that is needed, unless a difference is to a budget nobody named."""
    if followup.budget_change is not None:
        return SAY[language]["new_budget"]
    said = Reading(budget=followup.budget, people=followup.people, start=followup.start, wishes=reading.wishes)
    return _line(said, language, followup.kind)


def _destination(followup: FollowUp, seen: Seen, reading: Reading, language: Language) -> str:
    said = replace(reading, destinations=followup.destinations, origin=None)
    return _line(said, language, followup.kind)


def _restore(followup: FollowUp, seen: Seen, reading: Reading, language: Language) -> str:
    return plan_line(Reading(), language, RESTORE)


_CHANGES: dict[Kind, Change] = {
    **dict.fromkeys(("hotel_cheaper", "hotel_better", "hotel_nearer", "hotel_other"), _hotel),
    **dict.fromkeys(("sight_drop", "sight_add", "sight_swap", "sight_move"), _sight),
    "restaurant_change": _food,
    "days_change": _days,
    **dict.fromkeys(("budget_change", "budget_clear", "people_change", "date_change"), _stated),
    "destination_change": _destination,
    "restore": _restore,
}
