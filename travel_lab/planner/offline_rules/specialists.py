"""The offline model as food and info agent: works from its task, and asks back for an earlier plan it cannot see."""

import json
from collections.abc import Sequence

from langchain_core.messages import BaseMessage

from travel_lab.itinerary import FollowUp
from travel_lab.itinerary.pointing import closest
from travel_lab.planner.offline_rules.seen import make_out
from travel_lab.planner.offline_rules.task import Task, conversation, read_task

ASK_MEALS = {
    "zh": "ASK: 我看不到原来安排的餐厅，请问想换掉哪几家？",
    "en": "ASK: I cannot see the restaurants planned before. Which ones shall I change?",
}


def food(messages: Sequence[BaseMessage]) -> str:
    """Lunch and dinner for each day, or the earlier ones with those replaced that no longer fit."""
    task = read_task(messages[-1])
    followup = task.followup
    kept: dict[tuple[int, str], str] = {}
    used: set[str] = set()
    if followup.kind == "restaurant_change":
        seen = make_out(conversation(messages)).meals
        if not seen:
            return ASK_MEALS[task.language]
        kept = {slot: name for slot, name in seen.items() if not _to_change(slot, name, followup, task, list(seen.values()))}
        used = set(seen.values())
    days = []
    for day in range(1, task.days + 1):
        chosen: dict[str, object] = {"day": day}
        for meal in ("lunch", "dinner"):
            name = kept.get((day, meal)) or _nearest(task, day, meal, used)
            if name:
                chosen[meal] = name
                used.add(name)
        days.append(chosen)
    return json.dumps({"days": days}, ensure_ascii=False)


def _to_change(slot: tuple[int, str], name: str, followup: FollowUp, task: Task, planned: Sequence[str]) -> bool:
    day, meal = slot
    named = closest(followup.name, planned) if followup.name else None
    if named is not None:
        return name == named
    last = followup.day == -1 and day == task.days
    if followup.day is not None or followup.meal is not None:
        return (followup.day in (None, day) or last) and followup.meal in (None, meal)
    # A wish about all meals changes those the task, whose offers keep to the diet, no longer lists.
    return not followup.diet or name not in task.names


def _nearest(task: Task, day: int, meal: str, used: set[str]) -> str | None:
    """The nearest place of the day that is new and within the limit; failing that, what comes closest to it."""
    serving = [row for row in task.rows if meal in row[5].split(",")]

    def rank(at: int) -> tuple[bool, bool, bool, int]:
        row = serving[at]
        return (row[1] in used, task.limit is not None and float(row[3]) > task.limit, row[0] != str(day), at)

    best = min(range(len(serving)), key=rank, default=None)
    return None if best is None else serving[best][1]


def info(messages: Sequence[BaseMessage]) -> str:
    """The task's sentences by kind."""
    rows = read_task(messages[-1]).rows
    by_kind = {kind: [row[1] for row in rows if row[0] == kind] for kind in ("culture", "trivia", "etiquette")}
    return json.dumps(by_kind, ensure_ascii=False)
