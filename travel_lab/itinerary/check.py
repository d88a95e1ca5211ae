"""PlanCheck: named rules a plan must keep, each answered pass, fail or cannot tell, with its reason.

The rules follow TravelPlanner's commonsense and hard constraints (Xie et al., ICML 2024) as far as the catalogue has data.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, time
from typing import Literal

from travel_lab.catalogue import City, Provider, Sight
from travel_lab.itinerary.areas import point_of
from travel_lab.itinerary.diet import is_banned, meets
from travel_lab.itinerary.places import distance_km, travel_minutes
from travel_lab.itinerary.plan import Itinerary, ItineraryDay
from travel_lab.itinerary.results import Requirements

Verdict = Literal["pass", "fail", "cannot tell"]


@dataclass(frozen=True, kw_only=True)
class Check:
    """What one rule says of a plan."""

    rule: str
    verdict: Verdict
    reason: str
    """In words, with what was found."""


@dataclass(frozen=True, kw_only=True)
class _Plan:
    itinerary: Itinerary
    requirements: Requirements
    provider: Provider

    @property
    def preferences(self) -> Sequence[str]:
        return self.requirements.get("preferences", [])

    def city(self, day: ItineraryDay) -> City | None:
        return self.provider.find_city(day["city"]) if day["city"] else None

    def sight(self, day: ItineraryDay, name: str) -> Sight | None:
        city = self.city(day)
        sights = self.provider.sights(city.id) if city else ()
        return next((s for s in sights if name in {s.name.zh, s.name.en}), None)


def check_plan(itinerary: Itinerary, requirements: Requirements, provider: Provider) -> tuple[Check, ...]:
    """Every rule's answer, in a fixed order."""
    plan = _Plan(itinerary=itinerary, requirements=requirements, provider=provider)
    return tuple(_answer(name, rule(plan)) for name, rule in RULES.items())


def _answer(name: str, found: Iterator[str | None]) -> Check:
    """A rule yields what is wrong; None when it cannot tell."""
    wrong = list(found)
    if None in wrong:
        return Check(rule=name, verdict="cannot tell", reason="The plan or the provider lacks what this rule looks at.")
    if wrong:
        return Check(rule=name, verdict="fail", reason="; ".join(str(fault) for fault in wrong))
    return Check(rule=name, verdict="pass", reason="Nothing against it was found.")


def _complete_days(plan: _Plan) -> Iterator[str | None]:
    wanted = plan.requirements.get("days")
    if wanted is None:
        yield None
        return
    days = [day["day"] for day in plan.itinerary["days"]]
    if days != list(range(1, wanted + 1)):
        yield f"{wanted} days were asked for, the plan has days {days}"
    for day in plan.itinerary["days"]:
        if not day["sights"]:
            yield f"day {day['day']} has no sight"


def _no_repeats(plan: _Plan) -> Iterator[str | None]:
    days = plan.itinerary["days"]
    sights = [sight["name"] for day in days for sight in day["sights"]]
    meals = [meal["name"] for day in days for meal in (day["lunch"], day["dinner"]) if meal]
    for name in dict.fromkeys(name for names in (sights, meals) for name in names if names.count(name) > 1):
        yield f"{name} comes more than once"


def _opening_hours(plan: _Plan) -> Iterator[str | None]:
    for day in plan.itinerary["days"]:
        for visit in day["sights"]:
            sight = plan.sight(day, visit["name"])
            if sight is not None and not (sight.opens <= _time(visit["start"]) < _time(visit["end"]) <= sight.closes):
                yield f"{visit['name']} is visited {visit['start']}-{visit['end']}, open {sight.opens:%H:%M}-{sight.closes:%H:%M}"


def _right_city(plan: _Plan) -> Iterator[str | None]:
    asked = {city.id for name in plan.requirements.get("destinations", []) if (city := plan.provider.find_city(name))}
    for day in plan.itinerary["days"]:
        city = plan.city(day)
        if city is None or city.id not in asked:
            yield f"day {day['day']} is in {day['city'] or 'no city'}, which was not asked for"
        for visit in day["sights"]:
            if plan.sight(day, visit["name"]) is None:
                yield f"{visit['name']} is no sight of {day['city']}"


def _travel_time(plan: _Plan) -> Iterator[str | None]:
    for day in plan.itinerary["days"]:
        for one, other in zip(day["sights"], day["sights"][1:], strict=False):
            here, there = plan.sight(day, one["name"]), plan.sight(day, other["name"])
            if here is None or there is None:
                continue
            needed = travel_minutes(distance_km(point_of(here), point_of(there)))
            if _minutes(other["start"]) - _minutes(one["end"]) < int(needed):
                yield f"from {one['name']} ({one['end']}) to {other['name']} ({other['start']}) takes {needed:.0f} minutes"


def _meals(plan: _Plan) -> Iterator[str | None]:
    for day in plan.itinerary["days"]:
        if day["lunch"] is None:
            yield f"day {day['day']} has no lunch"
        if day["dinner"] is None:
            yield f"day {day['day']} has no dinner"


def _nights(plan: _Plan) -> Iterator[str | None]:
    for day in plan.itinerary["days"][:-1]:
        if day["hotel"] is None:
            yield f"night {day['day']} has no hotel"
        elif day["city"] and day["hotel"]["city"] != day["city"]:
            yield f"night {day['day']} is spent in {day['hotel']['city']}, the day in {day['city']}"


def _budget(plan: _Plan) -> Iterator[str | None]:
    cost = plan.itinerary["cost"]
    if cost["left"] is None:
        yield None
    elif cost["left"] < 0:
        yield f"{-cost['left']:g} {cost['currency']} over the budget of {cost['budget']:g}"


def _diet(plan: _Plan) -> Iterator[str | None]:
    for day in plan.itinerary["days"]:
        city = plan.city(day)
        places = plan.provider.restaurants(city.id) if city else ()
        for meal in (day["lunch"], day["dinner"]):
            place = next((p for p in places if meal and meal["name"] in {p.name.zh, p.name.en}), None)
            if meal and place is None:
                yield f"{meal['name']} is no restaurant of {day['city']}"
            elif place is not None and not meets(place, plan.preferences):
                yield f"{place.name.en} on day {day['day']} does not keep to {', '.join(plan.preferences)}"


def _bans(plan: _Plan) -> Iterator[str | None]:
    for day in plan.itinerary["days"]:
        for visit in day["sights"]:
            sight = plan.sight(day, visit["name"])
            if sight is not None and is_banned(sight, plan.preferences):
                yield f"{visit['name']} ({sight.category}) was not wanted"


RULES: dict[str, Callable[[_Plan], Iterator[str | None]]] = {
    "complete days": _complete_days,
    "no repeats": _no_repeats,
    "opening hours": _opening_hours,
    "right city": _right_city,
    "travel time": _travel_time,
    "meals": _meals,
    "nights": _nights,
    "budget": _budget,
    "diet": _diet,
    "bans": _bans,
}
"""Every rule by name."""


def _time(text: str) -> time:
    return datetime.strptime(text, "%H:%M").time()  # noqa: DTZ007 (a time of day on the spot has no zone)


def _minutes(text: str) -> int:
    moment = _time(text)
    return moment.hour * 60 + moment.minute
