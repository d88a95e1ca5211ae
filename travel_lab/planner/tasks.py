"""What a specialist is told: the requirements, the traveller's words and what the provider offers."""

from collections.abc import Sequence
from typing import TypeVar

from travel_lab.catalogue import City, CultureFact, Language, Place, Provider, Restaurant
from travel_lab.itinerary import DayArea, Requirements, day_areas
from travel_lab.itinerary.areas import PER_DAY, PER_SLOW_DAY, point_of
from travel_lab.itinerary.places import distance_km, middle
from travel_lab.planner.prompts import OFFERS, TASK
from travel_lab.planner.state import Payload

MEALS_OFFERED = 8
"""Restaurants offered a day."""
P = TypeVar("P", bound=Place)
FORBIDDEN = {"no_spicy": "spicy", "no_peanuts": "peanuts", "no_seafood": "seafood"}
REQUIRED = {"vegetarian": "vegetarian", "halal": "halal"}


def cities_of(requirements: Requirements, provider: Provider) -> list[City]:
    """The destinations as records."""
    found = [provider.find_city(name) for name in requirements.get("destinations", [])]
    return [city for city in found if city is not None]


def places_of(cities: Sequence[City], language: Language) -> list[str]:
    """Names of the cities in a language."""
    return [city.name.in_(language) for city in cities]


def areas_of(requirements: Requirements, provider: Provider) -> tuple[DayArea, ...]:
    """What each day offers."""
    slow = "slow" in requirements.get("preferences", [])
    return day_areas(cities_of(requirements, provider), requirements.get("days", 0), provider, slow=slow)


def most_sights(requirements: Requirements) -> int:
    """Sights a day at most."""
    return PER_SLOW_DAY if "slow" in requirements.get("preferences", []) else PER_DAY


def task_text(agent: str, payload: Payload, provider: Provider, rows: Sequence[str]) -> str:
    """A specialist's task, in the session's language."""
    requirements, language = payload["requirements"], payload["language"]
    cities = cities_of(requirements, provider)
    budget = requirements.get("budget")
    days = requirements.get("days", 0)
    header = OFFERS[agent][language].format(source=provider.name, currency=cities[0].currency)
    return TASK[language].format(
        destination="+".join(places_of(cities, language)),
        days=days,
        nights=max(days - 1, 0),
        adults=requirements.get("adults", 1),
        budget=f"{budget['amount']:.15g} {budget['currency']}".strip() if budget else "-",
        preferences=", ".join(requirements.get("preferences", [])) or "-",
        words=payload["user_input"],
        offers="\n".join([header, *rows]),
    )


def sight_rows(areas: Sequence[DayArea], language: Language) -> list[str]:
    """A row a sight: the day's own first, then its spare ones."""
    return [
        f"{area.day}|{area.city.name.in_(language)}|{s.name.in_(language)}|{s.lat:.3f}|{s.lon:.3f}|{s.opens:%H:%M}|{s.closes:%H:%M}|{s.minutes}|{s.price:g}"
        for area in areas
        for s in (*area.sights, *area.spare)
    ]


def nights_of(areas: Sequence[DayArea], city: City) -> list[int]:
    """Numbers of the nights spent in a city: the night after each of its days, without the last day of the trip."""
    last = max((area.day for area in areas), default=0)
    return [area.day for area in areas if area.city == city and area.day != last]


def hotel_rows(areas: Sequence[DayArea], provider: Provider, language: Language) -> list[str]:
    """A row a hotel, city after city, with the nights spent there."""
    rows = []
    for city in dict.fromkeys(area.city for area in areas):
        centre = middle([area.centre for area in areas if area.city == city])
        nights = ",".join(map(str, nights_of(areas, city))) or "-"
        rows += [
            f"{city.name.in_(language)}|{nights}|{h.name.in_(language)}|{h.district.in_(language)}|{h.stars}|{h.price:g}|{h.rating:g}|"
            f"{distance_km(point_of(h), centre):.1f}"
            for h in provider.hotels(city.id)
        ]
    return rows


def food_rows(areas: Sequence[DayArea], provider: Provider, preferences: Sequence[str], language: Language) -> list[str]:
    """A row a restaurant that meets the diet: for each day the nearest not yet offered, then the nearest of all."""
    rows: list[str] = []
    offered: set[str] = set()
    for area in areas:
        ranked = sorted(
            (r.id in offered, distance_km(point_of(r), area.centre), at, r)
            for at, r in enumerate(provider.restaurants(area.city.id))
            if meets(r, preferences)
        )
        for _, km, _, r in ranked[:MEALS_OFFERED]:
            offered.add(r.id)
            tags, meals = ",".join(sorted(r.tags)), ",".join(sorted(r.meals))
            rows.append(f"{area.day}|{r.name.in_(language)}|{r.cuisine.in_(language)}|{r.price:g}|{tags}|{meals}|{km:.1f}")
    return rows


def meets(restaurant: Restaurant, preferences: Sequence[str]) -> bool:
    """Whether a restaurant keeps to the diet."""
    forbidden = {FORBIDDEN[name] for name in preferences if name in FORBIDDEN}
    required = {REQUIRED[name] for name in preferences if name in REQUIRED}
    return not forbidden & restaurant.tags and required <= restaurant.tags


def culture_rows(facts: Sequence[CultureFact], language: Language) -> list[str]:
    """A row a sentence."""
    return [f"{fact.kind}|{fact.text.in_(language)}" for fact in facts]


def find_place(places: Sequence[P], name: object) -> P | None:
    """The place of that name in either language."""
    wanted = str(name).strip().casefold()
    return next((p for p in places if wanted in {p.name.zh.casefold(), p.name.en.casefold()}), None)
