"""Two or more plans compared: what each costs and holds, and slot by slot what differs between two of them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from travel_lab.catalogue import Provider, Sight
from travel_lab.errors import BadInput
from travel_lab.itinerary import Itinerary, Requirements
from travel_lab.itinerary.areas import point_of
from travel_lab.itinerary.check import check_plan
from travel_lab.itinerary.cost import convert
from travel_lab.itinerary.places import distance_km, travel_minutes
from travel_lab.itinerary.plan import ItineraryDay

COST_KINDS: tuple[Literal["tickets", "meals", "hotels", "total", "budget", "left"], ...] = (
    "tickets", "meals", "hotels", "total", "budget", "left",
)  # fmt: skip
Slot = Literal["city", "sight", "lunch", "dinner", "hotel"]


@dataclass(frozen=True, kw_only=True)
class Plan:
    """A plan with what it was made for, as `session.state()` holds both."""

    itinerary: Itinerary
    requirements: Requirements
    tokens: int | None = None
    """Of every view that was sent to make it; None: not measured."""
    calls: int | None = None
    """Model calls it took; None: not measured."""


@dataclass(frozen=True, kw_only=True)
class Line:
    """One thing plans are compared by, with its value in each."""

    group: str
    """`cost`, `days`, `hotels`, `rules`, `parts` or `effort`."""
    name: str
    unit: str
    values: Mapping[str, float | str | None]
    """By plan; None where it cannot be told."""


@dataclass(frozen=True, kw_only=True)
class SlotChange:
    """What differs between two plans in one slot of one day."""

    day: int
    slot: Slot
    before: str
    """Name in the first plan; blank when the slot is empty there."""
    after: str
    """Name in the second plan; blank when the slot is empty there."""


def compare_plans(plans: Mapping[str, Plan], provider: Provider, *, currency: str) -> tuple[Line, ...]:
    """Every line of the comparison, in a fixed order whatever the order of the plans.

    Args:
        plans: By the name they shall have in the tables.
        provider: Knows the places of the plans.
        currency: ISO 4217 code that all sums are told in.

    Raises:
        BadInput: No plan is given.
        UnknownName: No exchange rate for the currency.
    """
    if not plans:
        raise BadInput("Plans are compared, found none. Give at least one Plan(itinerary=..., requirements=...) by name.")
    rows = {name: list(_lines(plan, provider, currency)) for name, plan in plans.items()}
    first = next(iter(rows.values()))
    return tuple(
        Line(group=group, name=what, unit=unit, values={name: made[at][3] for name, made in rows.items()})
        for at, (group, what, unit, _) in enumerate(first)
    )


_Row = tuple[str, str, str, float | str | None]


def _lines(plan: Plan, provider: Provider, currency: str) -> Iterator[_Row]:
    card = plan.itinerary
    cost = card["cost"]
    sums = {kind: cost[kind] for kind in COST_KINDS}
    for kind, amount in sums.items():
        yield "cost", kind, currency, None if amount is None else convert(amount, cost["currency"], currency)
    days = card["days"]
    sights = [visit for day in days for visit in day["sights"]]
    yield "days", "days", "", float(len(days))
    yield "days", "sights a day", "", round(len(sights) / len(days), 2) if days else None
    yield "days", "travel between sights", "minutes", _travel(days, provider)
    hotels = [day["hotel"] for day in days if day["hotel"]]
    own = cost["currency"]
    nightly = [convert(hotel["price"], own, currency) for hotel in hotels]
    yield "hotels", "price a night", currency, _mean(nightly)
    yield "hotels", "rating", "of 5", _mean([hotel["rating"] for hotel in hotels])
    for check in check_plan(card, plan.requirements, provider):
        yield "rules", check.rule, "", check.verdict
    for agent, part in card["parts"].items():
        yield "parts", agent, "", part["standing"] if part["status"] in {"ok", ""} else f"{part['standing']}, {part['status']}"
    yield "effort", "tokens in views", "tokens", plan.tokens
    yield "effort", "model calls", "", plan.calls


def _mean(values: Sequence[float]) -> float | None:
    return round(sum(values) / len(values), 2) if values else None


def _travel(days: Sequence[ItineraryDay], provider: Provider) -> float | None:
    """Minutes between the sights of each day, in their order; None when a place is not the provider's."""
    total = 0.0
    for day in days:
        sights = sights_of(day, provider)
        if None in sights:
            return None
        points = [point_of(sight) for sight in sights if sight]
        total += sum(travel_minutes(distance_km(one, other)) for one, other in pairwise(points))
    return round(total)


def sights_of(day: ItineraryDay, provider: Provider) -> list[Sight | None]:
    """The sights of a day in their order, as the provider knows them; None for one it does not know."""
    city = provider.find_city(day["city"]) if day["city"] else None
    known = {name: sight for sight in (provider.sights(city.id) if city else ()) for name in (sight.name.zh, sight.name.en)}
    return [known.get(visit["name"]) for visit in day["sights"]]


def changed_slots(before: Itinerary, after: Itinerary) -> tuple[SlotChange, ...]:
    """What differs between two plans, day by day; nothing for equal plans, and the mirror image the other way round.

    Sights of a day are compared as a set: their order and times are no difference, a sight on another day is one on each day.
    """
    days = {day["day"] for plan in (before, after) for day in plan["days"]}
    one, other = ({day["day"]: day for day in plan["days"]} for plan in (before, after))
    return tuple(change for day in sorted(days) for change in _of_day(day, one.get(day), other.get(day)))


def _of_day(day: int, before: ItineraryDay | None, after: ItineraryDay | None) -> Iterator[SlotChange]:
    one, other = _slots(before), _slots(after)
    if one["city"] != other["city"]:
        yield SlotChange(day=day, slot="city", before=one["city"], after=other["city"])
    was, now = ([visit["name"] for visit in plan["sights"]] if plan else [] for plan in (before, after))
    yield from (SlotChange(day=day, slot="sight", before=name, after="") for name in was if name not in now)
    yield from (SlotChange(day=day, slot="sight", before="", after=name) for name in now if name not in was)
    for slot in HELD:
        if one[slot] != other[slot]:
            yield SlotChange(day=day, slot=slot, before=one[slot], after=other[slot])


HELD: tuple[Literal["lunch", "dinner", "hotel"], ...] = ("lunch", "dinner", "hotel")


def _slots(day: ItineraryDay | None) -> dict[str, str]:
    if day is None:
        return dict.fromkeys(("city", "lunch", "dinner", "hotel"), "")
    lunch, dinner, hotel = day["lunch"], day["dinner"], day["hotel"]
    named = {"lunch": lunch, "dinner": dinner, "hotel": hotel}
    return {"city": day["city"], **{slot: held["name"] if held else "" for slot, held in named.items()}}
