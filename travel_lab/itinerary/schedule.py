"""Puts the sights of one day in an order that fits their opening hours, a lunch break and the length of a day."""

from collections.abc import Sequence
from datetime import time
from itertools import permutations
from typing import NamedTuple

from travel_lab.itinerary.places import Point, distance_km, travel_minutes

DAY_STARTS, DAY_ENDS = 9 * 60, 21 * 60
"""Minutes after midnight."""
LUNCH_FROM, LUNCH_MINUTES = 11 * 60 + 30, 60
MOST_SIGHTS = 4


class Stop(NamedTuple):
    """A sight as a schedule needs it."""

    name: str
    at: Point
    opens: time
    closes: time
    minutes: int


class Visit(NamedTuple):
    """A stop with its times."""

    name: str
    start: time
    end: time


def schedule_day(stops: Sequence[Stop]) -> tuple[Visit, ...] | None:
    """All stops with times, in the order that ends first; None when no order fits. At most `MOST_SIGHTS` stops."""
    if not stops:
        return ()
    if len(stops) > MOST_SIGHTS:
        return None
    plans = [visits for order in permutations(stops) if (visits := _visits(order)) is not None]
    return min(plans, key=lambda visits: visits[-1].end, default=None)


def schedule_best(stops: Sequence[Stop], most: int) -> tuple[Visit, ...]:
    """As many of the stops as fit one day, earlier ones first, at most `most`."""
    chosen: list[Stop] = []
    for stop in stops:
        if len(chosen) < most and schedule_day([*chosen, stop]) is not None:
            chosen.append(stop)
    return schedule_day(chosen) or ()


def _visits(order: Sequence[Stop]) -> tuple[Visit, ...] | None:
    now, lunched, before = float(DAY_STARTS), False, None
    visits: list[Visit] = []
    for stop in order:
        if before is not None:
            now += travel_minutes(distance_km(before.at, stop.at))
        if not lunched and before is not None and now >= LUNCH_FROM:
            now, lunched = now + LUNCH_MINUTES, True
        start = max(_round_up(now), _minutes(stop.opens))
        now = start + stop.minutes
        if now > min(_minutes(stop.closes), DAY_ENDS):
            return None
        visits.append(Visit(stop.name, _time(start), _time(int(now))))
        before = stop
    return tuple(visits)


def _round_up(minutes: float) -> int:
    return -int(-minutes // 5) * 5


def _minutes(moment: time) -> int:
    return moment.hour * 60 + moment.minute


def _time(minutes: int) -> time:
    return time(minutes // 60, minutes % 60)
