"""Any number of plans side by side: cost in one currency, pace, ways, hotels, rules kept, sights shared, what each one spent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from travel_lab.catalogue import CuratedProvider, Language, Provider
from travel_lab.errors import BadInput
from travel_lab.itinerary import Itinerary, Requirements
from travel_lab.itinerary.areas import point_of
from travel_lab.itinerary.check import Check, check_plan
from travel_lab.itinerary.cost import convert
from travel_lab.itinerary.party import rooms
from travel_lab.itinerary.places import Point, distance_km, travel_minutes
from travel_lab.trips.plan_diff import PlaceNames

WALK_KM, WALK_MINUTES_PER_KM = 1.5, 12.5
"""Ways up to WALK_KM are walked, at 4.8 km/h; longer ones are ridden, see `itinerary.places.travel_minutes`."""
COMMON_CURRENCY = "CNY"
"""Of a comparison whose plans do not share one."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """A plan to compare, and what its session spent on it; None is not measured, which is not zero."""

    name: str
    itinerary: Itinerary
    requirements: Requirements
    model_calls: int | None = None
    tokens: int | None = None
    """Of every view its model calls received."""
    visibility: float | None = None
    """Share of its facts its newest call could see, 0 to 1."""


@dataclass(frozen=True, kw_only=True)
class Stop:
    """A sight on the map."""

    day: int
    city: str
    name: str
    point: Point | None
    """None when the provider does not know the sight."""


@dataclass(frozen=True, kw_only=True)
class PlanLine:
    """What a comparison says of one plan. Money is in the comparison's currency, for all travellers."""

    name: str
    places: tuple[str, ...]
    days: int
    tickets: float
    meals: float
    hotels: float
    total: float
    budget: float | None
    left: float | None
    """Budget less total; None when there is no budget to compare with."""
    sights: int
    sights_a_day: float
    walking_minutes: float
    """Between sights of a day, as far as both ends are known."""
    travel_minutes: float
    unknown_ways: int
    """Ways between sights the provider cannot place; in neither sum."""
    hotel_price: float | None
    """Mean of one room and night; None without a night."""
    hotel_rating: float | None
    checks: tuple[Check, ...]
    """Every rule of PlanCheck, `diet` and `bans` among them."""
    flawed_parts: tuple[str, ...]
    """Parts that are stale, missing, degraded or failed, such as `food: stale`."""
    model_calls: int | None
    tokens: int | None
    visibility: float | None
    stops: tuple[Stop, ...]

    def verdict(self, rule: str) -> str:
        """What PlanCheck says of one rule: `pass`, `fail` or `cannot tell`."""
        return next(check.verdict for check in self.checks if check.rule == rule)


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Plans side by side."""

    currency: str
    lines: tuple[PlanLine, ...]
    """In the order given."""
    shared: tuple[str, ...]
    """Sights every plan has, sorted."""
    only: Mapping[str, tuple[str, ...]]
    """By plan: sights no other plan has, sorted."""


def compare(
    plans: Sequence[Plan], provider: Provider | None = None, *, currency: str | None = None, language: Language = "en"
) -> Comparison:
    """Put plans side by side; their order changes the order of the lines and nothing else.

    Args:
        plans: At least one, each with a name of its own.
        provider: Where the places come from; left out, the curated catalogue.
        currency: For all sums; left out, the plans' own if they share one, else `COMMON_CURRENCY`.
        language: Of the names of places.

    Raises:
        BadInput: No plan, or two of one name.
        UnknownName: A currency without an exchange rate.
    """
    names = [plan.name for plan in plans]
    if not names or len(set(names)) < len(names):
        raise BadInput(f"A comparison takes plans with a name each, found {names}. Give every plan a name of its own.")
    places = provider or CuratedProvider()
    currencies = {plan.itinerary["cost"]["currency"] for plan in plans}
    to = currency or (currencies.pop() if len(currencies) == 1 else COMMON_CURRENCY)
    lines = tuple(_line(plan, places, to, language) for plan in plans)
    sights = {line.name: {stop.name for stop in line.stops} for line in lines}
    others = {name: set().union(*(found for other, found in sights.items() if other != name)) for name in sights}
    return Comparison(
        currency=to,
        lines=lines,
        shared=tuple(sorted(set.intersection(*sights.values()))),
        only={name: tuple(sorted(found - others[name])) for name, found in sights.items()},
    )


def _line(plan: Plan, provider: Provider, to: str, language: Language) -> PlanLine:
    itinerary, cost = plan.itinerary, plan.itinerary["cost"]
    days = itinerary["days"]
    nights = [day["hotel"] for day in days if day["hotel"]]
    names = PlaceNames(provider, language)
    stops = _stops(itinerary, names)
    walking, riding, unknown = _ways(stops)
    tickets, meals, hotels = (convert(cost[kind], cost["currency"], to) for kind in ("tickets", "meals", "hotels"))
    budget, left = (None if sum_ is None else convert(sum_, cost["currency"], to) for sum_ in (cost["budget"], cost["left"]))
    return PlanLine(
        name=plan.name,
        places=tuple(names.city(place) for place in itinerary["destinations"]),
        days=len(days),
        tickets=tickets,
        meals=meals,
        hotels=hotels,
        total=convert(cost["total"], cost["currency"], to),
        budget=budget,
        left=left,
        sights=len(stops),
        sights_a_day=len(stops) / len(days) if days else 0.0,
        walking_minutes=walking,
        travel_minutes=riding,
        unknown_ways=unknown,
        hotel_price=round(hotels / rooms(plan.requirements) / len(nights), 2) if nights else None,
        hotel_rating=sum(hotel["rating"] for hotel in nights) / len(nights) if nights else None,
        checks=check_plan(itinerary, plan.requirements, provider),
        flawed_parts=_flawed(itinerary),
        model_calls=plan.model_calls,
        tokens=plan.tokens,
        visibility=plan.visibility,
        stops=stops,
    )


def _flawed(itinerary: Itinerary) -> tuple[str, ...]:
    flaws = {
        agent: part["standing"] if part["standing"] in {"stale", "missing"} else part["status"]
        for agent, part in itinerary["parts"].items()
    }
    return tuple(f"{agent}: {flaw}" for agent, flaw in flaws.items() if flaw != "ok")


def _stops(itinerary: Itinerary, names: PlaceNames) -> tuple[Stop, ...]:
    stops = []
    for day in itinerary["days"]:
        for sight in day["sights"]:
            place = names.place("sight", day["city"], sight["name"])
            stops.append(
                Stop(
                    day=day["day"],
                    city=names.city(day["city"]),
                    name=names.name("sight", day["city"], sight["name"]),
                    point=point_of(place) if place else None,
                )
            )
    return tuple(stops)


def _ways(stops: Sequence[Stop]) -> tuple[float, float, int]:
    """Minutes walked, minutes ridden, ways that cannot be measured."""
    walking = riding = 0.0
    unknown = 0
    for one, other in pairwise(stops):
        if one.day != other.day:
            continue
        if one.point is None or other.point is None:
            unknown += 1
        elif (km := distance_km(one.point, other.point)) <= WALK_KM:
            walking += km * WALK_MINUTES_PER_KM
        else:
            riding += travel_minutes(km)
    return walking, riding, unknown
