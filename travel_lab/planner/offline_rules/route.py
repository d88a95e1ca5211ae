"""The offline model as route agent: plans the days, and changes an earlier plan only when it sees it."""

import json
from collections.abc import Sequence
from datetime import time

from langchain_core.messages import BaseMessage

from travel_lab.catalogue import Language
from travel_lab.itinerary import FollowUp
from travel_lab.itinerary.areas import sights_a_day
from travel_lab.itinerary.places import Point
from travel_lab.itinerary.pointing import closest
from travel_lab.itinerary.schedule import Stop, schedule_best
from travel_lab.planner.offline_rules.seen import make_out
from travel_lab.planner.offline_rules.task import Task, conversation, read_task

Plan = dict[int, list[str]]
"""Day → sights in order."""
ASK = {
    "zh": {
        "plan": "ASK: 我看不到原来的景点安排，请问{which}有哪些景点？",
        "which": "ASK: 请问您说的是哪个景点？",
        "more": "ASK: 请问想加哪个景点？",
    },
    "en": {
        "plan": "ASK: I cannot see the sights planned before. What was {which}?",
        "which": "ASK: Which sight do you mean?",
        "more": "ASK: Which sight shall I add?",
    },
}


def route(messages: Sequence[BaseMessage]) -> str:
    """Sights for each day, or the earlier plan with the change the words ask for."""
    task = read_task(messages[-1])
    followup = task.followup
    if not followup.kind.startswith("sight_"):
        return _answer(_fresh(task))
    plan = make_out(conversation(messages)).sights
    if not plan:
        return ASK[task.language]["plan"].format(which=_which(followup.day or followup.to_day, task.language))
    changed = _CHANGES[followup.kind](followup, {day: list(names) for day, names in plan.items()}, task)
    if changed is None:
        return ASK[task.language]["more" if followup.kind == "sight_add" else "which"]
    return _answer(changed)


def _which(day: int | None, language: Language) -> str:
    if day is None:
        return "原来" if language == "zh" else "in the plan"
    return f"第{day}天原来" if language == "zh" else f"on day {day}"


def _answer(plan: Plan) -> str:
    return json.dumps({"days": [{"day": day, "sights": names} for day, names in sorted(plan.items())]}, ensure_ascii=False)


def _fresh(task: Task) -> Plan:
    most = sights_a_day(task.preferences)
    return {
        day: [visit.name for visit in schedule_best([_stop(row) for row in task.rows if row[0] == str(day)], most)]
        for day in range(1, task.days + 1)
    }


def _stop(row: tuple[str, ...]) -> Stop:
    _, _, name, lat, lon, opens, closes, minutes, _ = row
    return Stop(name, Point(float(lat), float(lon)), time.fromisoformat(opens), time.fromisoformat(closes), int(minutes))


def _pointed(followup: FollowUp, plan: Plan) -> str | None:
    """The planned sight the words mean: by name, or by day and place in the list."""
    every = [name for names in plan.values() for name in names]
    named = closest(followup.name, every) if followup.name else None
    if named is not None:
        return named
    day = max(plan) if followup.day == -1 else followup.day
    of_day = plan.get(day or 0, [])
    at = followup.ordinal
    if at is None:
        return of_day[0] if len(of_day) == 1 else None
    return next(iter(of_day[at - 1 : at] if at > 0 else of_day[at:][:1]), None)


def _drop(followup: FollowUp, plan: Plan, task: Task) -> Plan | None:
    gone = _pointed(followup, plan)
    return None if gone is None else {day: [name for name in names if name != gone] for day, names in plan.items()}


def _add(followup: FollowUp, plan: Plan, task: Task) -> Plan | None:
    day = followup.day if followup.day in plan else min(plan, key=lambda d: (len(plan[d]), d))
    new = (closest(followup.name, task.names) or followup.name) if followup.name else _spare(day, plan, task)
    if new is None:
        return None
    return {d: [*names, new] if d == day and new not in names else names for d, names in plan.items()}


def _swap(followup: FollowUp, plan: Plan, task: Task) -> Plan | None:
    old = _pointed(followup, plan)
    if old is None:
        return None
    day = next(d for d, names in plan.items() if old in names)
    said = followup.new_name or (followup.name if followup.name and closest(followup.name, [old]) is None else None)
    new = (closest(said, task.names) or said) if said else _spare(day, plan, task)
    if new is None:
        return None
    return {d: [new if name == old else name for name in names] for d, names in plan.items()}


def _move(followup: FollowUp, plan: Plan, task: Task) -> Plan | None:
    moved, to = _pointed(followup, plan), max(plan) if followup.to_day == -1 else followup.to_day
    if moved is None or to not in plan:
        return None
    rest = {day: [name for name in names if name != moved] for day, names in plan.items()}
    return {day: [*names, moved] if day == to else names for day, names in rest.items()}


def _spare(day: int, plan: Plan, task: Task) -> str | None:
    """Something offered for the day, or for any, that is not planned yet."""
    planned = {name for names in plan.values() for name in names}
    offered = [row for row in task.rows if row[2] not in planned]
    return next((row[2] for row in sorted(offered, key=lambda row: row[0] != str(day))), None)


_CHANGES = {"sight_drop": _drop, "sight_add": _add, "sight_swap": _swap, "sight_move": _move}
