"""Divides a trip among its stops and each stop's sights among its days, so that a day stays in one part of town.

The specialists work in parallel and cannot see each other's choice; all of them are offered places by day from here, so
that meals end up near the sights.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from travel_lab.catalogue import City, Place, Provider, Sight
from travel_lab.itinerary.diet import is_banned, is_liked
from travel_lab.itinerary.places import Point, distance_km, middle
from travel_lab.itinerary.schedule import Stop, schedule_day

NEAR_KM, FAR_KM = 6.0, 20.0
"""Sights within NEAR_KM of the day's first one are taken by rank; when too few, the nearest within FAR_KM follow."""
SPARE = 2
"""Further sights offered a day, so that there is something to choose."""
PER_DAY, PER_SLOW_DAY, PER_FAST_DAY = 3, 2, 4


@dataclass(frozen=True, kw_only=True)
class DayArea:
    """What is offered for one day."""

    day: int
    city: City
    sights: tuple[Sight, ...]
    """Those that fit the day together, by rank; empty when the city has no more."""
    spare: tuple[Sight, ...]
    """Others nearby."""

    @property
    def centre(self) -> Point:
        """The middle of the day's sights, or of the city."""
        return middle([point_of(sight) for sight in self.sights]) if self.sights else Point(*self.city.centre)


def point_of(place: Place) -> Point:
    """Where a place lies."""
    return Point(place.lat, place.lon)


def stop_of(sight: Sight) -> Stop:
    """A sight as the schedule needs it."""
    return Stop(sight.name.zh, point_of(sight), sight.opens, sight.closes, sight.minutes)


def sights_a_day(preferences: Sequence[str]) -> int:
    """Sights a day at most, by the pace."""
    return PER_SLOW_DAY if "slow" in preferences else PER_FAST_DAY if "fast" in preferences else PER_DAY


def day_areas(
    cities: Sequence[City], days: int, provider: Provider, preferences: Sequence[str], ticket_limit: float | None = None
) -> tuple[DayArea, ...]:
    """One area a day, stop after stop; the days are shared evenly, earlier stops get the odd ones.

    Args:
        cities: The stops in order.
        days: Of the whole trip.
        provider: Where sights come from.
        preferences: Bans take sights away, likings bring them forward, the pace says how many a day.
        ticket_limit: What one person's tickets may cost in all, in the first stop's currency; None is no limit.
    """
    areas: list[DayArea] = []
    for at, city in enumerate(cities):
        share = days // len(cities) + (1 if at < days % len(cities) else 0)
        sights = _wanted(provider.sights(city.id), preferences)
        limit = None if ticket_limit is None else ticket_limit * share / days
        areas += _areas_of(
            city, _within(sights, limit, share), first_day=len(areas) + 1, days=share, most=sights_a_day(preferences)
        )
    return tuple(areas)


def _wanted(sights: Sequence[Sight], preferences: Sequence[str]) -> list[Sight]:
    """Without what is banned, liked ones first, otherwise by rank."""
    kept = [sight for sight in sights if not is_banned(sight, preferences)]
    return sorted(kept, key=lambda sight: not is_liked(sight, preferences))


def _within(sights: Sequence[Sight], limit: float | None, at_least: int) -> list[Sight]:
    """By rank as long as the tickets fit the limit together; free ones always do, and the cheapest fill up to `at_least`."""
    if limit is None:
        return list(sights)
    kept, left = [], limit
    for sight in sights:
        if sight.price <= left:
            kept.append(sight)
            left -= sight.price
    rest = sorted((sight for sight in sights if sight not in kept), key=lambda sight: sight.price)
    return [*kept, *rest[: max(0, at_least - len(kept))]]


def _areas_of(city: City, sights: Sequence[Sight], *, first_day: int, days: int, most: int) -> list[DayArea]:
    if days == 0:
        return []
    per_day = max(1, min(most, len(sights) // days))
    rest = list(sights)
    chosen: list[list[Sight]] = []
    for _ in range(days):
        chosen.append(_take_day(rest, per_day))
        rest = [sight for sight in rest if sight not in chosen[-1]]
    areas: list[DayArea] = []
    for offset, of_day in enumerate(chosen):
        spare = _nearest(of_day, rest)[:SPARE] if of_day else []
        rest = [sight for sight in rest if sight not in spare]
        areas.append(DayArea(day=first_day + offset, city=city, sights=tuple(of_day), spare=tuple(spare)))
    return areas


def _take_day(rest: Sequence[Sight], most: int) -> list[Sight]:
    if not rest:
        return []
    day = [rest[0]]
    near = [s for s in rest[1:] if _km(rest[0], s) <= NEAR_KM]
    for sight in [*near, *(s for s in _nearest(day, rest[1:]) if s not in near)]:
        if len(day) < most and schedule_day([stop_of(s) for s in (*day, sight)]) is not None:
            day.append(sight)
    return day


def _nearest(of_day: Sequence[Sight], rest: Sequence[Sight]) -> list[Sight]:
    return sorted((s for s in rest if _km(of_day[0], s) <= FAR_KM), key=lambda s: _km(of_day[0], s))


def _km(one: Place, other: Place) -> float:
    return distance_km(point_of(one), point_of(other))
