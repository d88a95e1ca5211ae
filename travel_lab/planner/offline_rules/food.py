"""The offline model as food agent: chooses meals within the limit, and changes earlier ones only when it sees them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from langchain_core.messages import BaseMessage

from travel_lab.itinerary import FollowUp
from travel_lab.itinerary.pointing import closest
from travel_lab.planner.offline_rules.seen import make_out
from travel_lab.planner.offline_rules.task import Task, conversation, read_task

MEALS = ("lunch", "dinner")
SCARCE = 4
"""With fewer restaurants than meals and this many more, those open for one meal only are taken first."""
ASK = {
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
            return ASK[task.language]
        kept = {slot: name for slot, name in seen.items() if not _to_change(slot, name, followup, task, list(seen.values()))}
        used = set(seen.values())
    slots = [(day, meal) for day in range(1, task.days + 1) for meal in MEALS]
    purse = _Purse(task, used, left=(task.limit or 0) * len(slots), open_slots=slots)
    days = []
    for day in range(1, task.days + 1):
        chosen: dict[str, object] = {"day": day}
        for meal in MEALS:
            name = kept.get((day, meal)) or purse.choose(day, meal)
            if name:
                chosen[meal] = name
                purse.pay(name)
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


@dataclass
class _Purse:
    """What is left of the limits of all meals together, and which places were taken."""

    task: Task
    used: set[str]
    left: float
    open_slots: list[tuple[int, str]]
    """Day and meal of those still to be chosen, the next one first."""
    prices: dict[str, float] = field(init=False)
    scarce: bool = field(init=False)

    def __post_init__(self) -> None:
        self.prices = {row[2]: float(row[4]) for row in self.task.rows}
        self.scarce = len(self.prices) < len(MEALS) * self.task.days + SCARCE

    def pay(self, name: str) -> None:
        self.used.add(name)
        self.left -= self.prices.get(name, 0.0)
        self.open_slots = self.open_slots[1:]

    def _serving(self, day: int, meal: str) -> list[tuple[str, ...]]:
        town = next((row[1] for row in self.task.rows if row[0] == str(day)), None)
        return [row for row in self.task.rows if row[1] == town and meal in row[6].split(",")]

    def _least(self, day: int, meal: str) -> float:
        """What that meal costs at least: in one town a dinner may never be as cheap as a lunch."""
        return min((self.prices[row[2]] for row in self._serving(day, meal)), default=0.0)

    def choose(self, day: int, meal: str) -> str | None:
        """In the day's town: new and affordable, within the limit first, near the day's sights; else used and affordable."""
        serving = self._serving(day, meal)
        kept_back = sum(self._least(*slot) for slot in self.open_slots[1:])
        most = self.left - kept_back if self.task.limit is not None else float("inf")
        limit = self.task.limit if self.task.limit is not None else float("inf")

        def rank(at: int) -> tuple[int, float, bool, bool, int]:
            name, price = serving[at][2], self.prices[serving[at][2]]
            group = 2 if price > most else 1 if name in self.used else 0
            flexible = self.scarce and "," in serving[at][6]
            return (group, price if price > limit or group else 0.0, flexible, serving[at][0] != str(day), at)

        best = min(range(len(serving)), key=rank, default=None)
        return None if best is None else serving[best][2]
