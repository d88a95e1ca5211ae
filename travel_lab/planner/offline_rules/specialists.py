"""The offline model as route, food and info agent: works from its task, and asks back for an earlier plan it cannot see."""

import json
from collections.abc import Sequence
from datetime import time

from langchain_core.messages import BaseMessage

from travel_lab.itinerary import FollowUp
from travel_lab.itinerary.areas import PER_DAY, PER_SLOW_DAY
from travel_lab.itinerary.places import Point
from travel_lab.itinerary.schedule import Stop, schedule_best
from travel_lab.planner.offline_rules.seen import Seen, make_out
from travel_lab.planner.offline_rules.task import Task, conversation, read_task

MEALS_SHARE = 0.3
"""Part of the budget that may go into meals."""
ASK = {
    "route": {"zh": "ASK: 我看不到原来的景点安排，请问第{day}天原来有哪些景点？", "en": "ASK: I cannot see the sights planned before. What was on day {day}?"},
    "food": {"zh": "ASK: 我看不到原来安排的餐厅，请问想换掉哪几家？", "en": "ASK: I cannot see the restaurants planned before. Which ones shall I change?"},
}  # fmt: skip


def route(messages: Sequence[BaseMessage]) -> str:
    """Sights for each day, or the earlier plan without the one to drop."""
    task = read_task(messages[-1])
    followup = task.followup
    if followup.kind == "sight_drop":
        return _without(followup, make_out(conversation(messages)), task)
    most = PER_SLOW_DAY if "slow" in task.preferences else PER_DAY
    days: list[dict[str, object]] = []
    for day in range(1, task.days + 1):
        stops = [_stop(row) for row in task.rows if row[0] == str(day)]
        days.append({"day": day, "sights": [visit.name for visit in schedule_best(stops, most)]})
    return _json({"days": days})


def _stop(row: tuple[str, ...]) -> Stop:
    _, _, name, lat, lon, opens, closes, minutes, _ = row
    return Stop(name, Point(float(lat), float(lon)), time.fromisoformat(opens), time.fromisoformat(closes), int(minutes))


def _without(followup: FollowUp, seen: Seen, task: Task) -> str:
    named = [name for names in seen.sights.values() for name in names if name.casefold() in followup.words.casefold()]
    of_day = seen.sights.get(followup.day or 0, [])
    at = followup.ordinal or 1
    at = len(of_day) + 1 + at if at < 0 else at
    dropped = named or of_day[at - 1 : at]
    if not dropped:
        return ASK["route"][task.language].format(day=followup.day or "?")
    days = [{"day": day, "sights": [n for n in names if n not in dropped]} for day, names in sorted(seen.sights.items())]
    return _json({"days": days})


def food(messages: Sequence[BaseMessage]) -> str:
    """Lunch and dinner for each day, or the earlier ones with those replaced that no longer fit."""
    task = read_task(messages[-1])
    followup = task.followup
    kept: dict[tuple[int, str], str] = {}
    if followup.kind == "restaurant_change":
        seen = make_out(conversation(messages)).meals
        if not seen:
            return ASK["food"][task.language]
        kept = {slot: name for slot, name in seen.items() if not _to_change(slot, name, followup, task)}
    used = set(kept.values()) | ({*make_out(conversation(messages)).meals.values()} if kept else set())
    days = []
    for day in range(1, task.days + 1):
        chosen: dict[str, object] = {"day": day}
        for meal in ("lunch", "dinner"):
            name = kept.get((day, meal)) or _nearest(task, day, meal, used)
            if name:
                chosen[meal] = name
                used.add(name)
        days.append(chosen)
    return _json({"days": days})


def _to_change(slot: tuple[int, str], name: str, followup: FollowUp, task: Task) -> bool:
    day, meal = slot
    if followup.day is not None or followup.meal is not None:
        return followup.day in (None, day) and followup.meal in (None, meal)
    # A wish about all meals changes those the task, whose offers keep to the diet, no longer lists.
    return name not in {row[1] for row in task.rows}


def _nearest(task: Task, day: int, meal: str, used: set[str]) -> str | None:
    """The nearest place of the day that is new and within the budget; failing that, what comes closest to it."""
    serving = [row for row in task.rows if meal in row[5].split(",")]
    cap = task.budget * MEALS_SHARE / (2 * task.days) if task.budget else None

    def rank(at: int) -> tuple[bool, bool, bool, int]:
        row = serving[at]
        return (row[1] in used, row[0] != str(day), cap is not None and float(row[3]) > cap, at)

    best = min(range(len(serving)), key=rank, default=None)
    return None if best is None else serving[best][1]


def info(messages: Sequence[BaseMessage]) -> str:
    """The task's sentences by kind."""
    rows = read_task(messages[-1]).rows
    return _json({kind: [row[1] for row in rows if row[0] == kind] for kind in ("culture", "trivia", "etiquette")})


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
