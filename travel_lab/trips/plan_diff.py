"""What differs between two plans, by day and slot. Symmetric: the other way round the two sides are exchanged, nothing else."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from travel_lab.catalogue import Language, Place, Provider
from travel_lab.itinerary import Itinerary

FIELDS = {
    "sight": ("start", "end", "ticket"),
    "lunch": ("price", "tags"),
    "dinner": ("price", "tags"),
    "hotel": ("price", "rating", "stars"),
}
"""What is compared of a place both plans have; descriptions are left out, because they change with the language only."""


@dataclass(frozen=True, kw_only=True)
class PlanChange:
    """One difference; a side is None where that plan has nothing there."""

    day: int
    slot: str
    """`city`, `sight`, `lunch`, `dinner` or `hotel`."""
    field: str
    """`name` when it is another city or place, else the field of the place that differs."""
    place: str
    """The place both plans have there; blank when `field` is `name`."""
    a: Any
    b: Any


def plan_diff(a: Itinerary, b: Itinerary, provider: Provider, language: Language = "en") -> tuple[PlanChange, ...]:
    """Every difference, in the order of days and slots; empty for equal plans.

    A place is the same in both languages when the provider knows it, and is then called by its name in `language`.
    A sight on another day is one difference on each of the two days.
    """
    days = range(1, max((day["day"] for plan in (a, b) for day in plan["days"]), default=0) + 1)
    names = PlaceNames(provider, language)
    found: list[PlanChange] = []
    for day in days:
        one, other = (_slots(plan, day, names) for plan in (a, b))
        for key in sorted(one.keys() | other.keys(), key=_order):
            found.extend(_changes(day, key[0], one.get(key), other.get(key)))
    return tuple(found)


@dataclass(frozen=True, kw_only=True)
class _Entry:
    """What stands in one slot: its name as shown, and its fields."""

    name: str
    fields: Mapping[str, Any]


class PlaceNames:
    """Names of places as one plan says them → ids and names in one language; what the provider lacks keeps its own name."""

    def __init__(self, provider: Provider, language: Language) -> None:
        """Names in `language`, from `provider`."""
        self._provider, self._language = provider, language
        self._known: dict[tuple[str, str], dict[str, Place]] = {}

    def city(self, name: str) -> str:
        """A city's name."""
        city = self._provider.find_city(name) if name else None
        return city.name.in_(self._language) if city else name

    def place(self, kind: str, city: str, name: str) -> Place | None:
        """The `sight`, `hotel` or restaurant of that name; None when the provider lacks it."""
        key = (kind, city)
        if key not in self._known:
            known = self._provider.find_city(city) if city else None
            places = self._places(kind, known.id) if known else ()
            self._known[key] = {text: place for place in places for text in (place.name.zh, place.name.en)}
        return self._known[key].get(name)

    def _places(self, kind: str, city: str) -> Sequence[Place]:
        if kind == "sight":
            return self._provider.sights(city)
        return self._provider.hotels(city) if kind == "hotel" else self._provider.restaurants(city)

    def name(self, kind: str, city: str, name: str) -> str:
        """The place's name in the language."""
        place = self.place(kind, city, name)
        return place.name.in_(self._language) if place else name


_Key = tuple[str, str, int]
"""Slot; the sight's name, and which visit of it that day it is."""


def _slots(plan: Itinerary, number: int, names: PlaceNames) -> dict[_Key, _Entry]:
    day = next((day for day in plan["days"] if day["day"] == number), None)
    if day is None:
        return {}
    slots = {("city", "", 0): _Entry(name=names.city(day["city"]), fields={})}
    visits: Counter[str] = Counter()
    for sight in day["sights"]:
        name = names.name("sight", day["city"], sight["name"])
        slots["sight", name, visits[name]] = _entry("sight", name, sight)
        visits[name] += 1
    places: tuple[tuple[str, str, Mapping[str, Any] | None], ...] = (
        ("lunch", day["city"], day["lunch"]),
        ("dinner", day["city"], day["dinner"]),
        ("hotel", day["hotel"]["city"] if day["hotel"] else "", day["hotel"]),
    )
    for slot, city, place in places:
        if place is not None:
            slots[slot, "", 0] = _entry(slot, names.name(slot, city, place["name"]), place)
    return slots


def _entry(slot: str, name: str, place: Mapping[str, Any]) -> _Entry:
    return _Entry(name=name, fields={field: place[field] for field in FIELDS[slot]})


def _changes(day: int, slot: str, one: _Entry | None, other: _Entry | None) -> Iterator[PlanChange]:
    if one is None or other is None or one.name != other.name:
        yield PlanChange(
            day=day,
            slot=slot,
            field="name",
            place="",
            a=None if one is None else one.name,
            b=None if other is None else other.name,
        )
        return
    for field, value in one.fields.items():
        if value != other.fields[field]:
            yield PlanChange(day=day, slot=slot, field=field, place=one.name, a=value, b=other.fields[field])


def _order(key: _Key) -> tuple[int, str, int]:
    return ["city", *FIELDS].index(key[0]), key[1], key[2]
