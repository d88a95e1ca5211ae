"""What a specialist is told: the requirements, the traveller's words and what the provider offers."""

from collections.abc import Sequence
from typing import TypeVar

from travel_lab.catalogue import City, CultureFact, Language, Place, Provider, Sight
from travel_lab.itinerary import Budget, DayArea, People, Requirements, day_areas
from travel_lab.itinerary.areas import point_of, sights_a_day
from travel_lab.itinerary.cost import priced
from travel_lab.itinerary.diet import meets
from travel_lab.itinerary.excuses import least_beds, least_meals
from travel_lab.itinerary.party import total_budget, travellers
from travel_lab.itinerary.places import distance_km, middle
from travel_lab.itinerary.pointing import names_in
from travel_lab.itinerary.shares import shares_of
from travel_lab.itinerary.wishes import say_wish
from travel_lab.planner.columns import say_budget, say_people
from travel_lab.planner.prompts import OFFERS, TASK
from travel_lab.planner.state import Payload

MEALS_OFFERED = 10
"""Restaurants offered a day."""
P = TypeVar("P", bound=Place)
TICKETS_SHARE = 0.35
"""Part of the budget that tickets may take."""


def cities_of(requirements: Requirements, provider: Provider) -> list[City]:
    """The destinations as records."""
    found = [provider.find_city(name) for name in requirements.get("destinations", [])]
    return [city for city in found if city is not None]


def places_of(cities: Sequence[City], language: Language) -> list[str]:
    """Names of the cities in a language."""
    return [city.name.in_(language) for city in cities]


def areas_of(requirements: Requirements, provider: Provider) -> tuple[DayArea, ...]:
    """What each day offers, with tickets that leave room in the budget."""
    cities, days = cities_of(requirements, provider), requirements.get("days", 0)
    own = cities[0].currency if cities else ""
    budget, limit = total_budget(requirements, days - 1, own), None
    if budget is not None and cities:
        shared = [(city, days // len(cities) + (at < days % len(cities))) for at, city in enumerate(cities)]
        needed = least_beds(requirements, shared, provider, own) + least_meals(
            requirements, shared, provider, own, different=True
        )
        spare = budget - needed
        limit = max(0.0, min(budget * TICKETS_SHARE, spare)) / travellers(requirements)
    return day_areas(cities, days, provider, requirements.get("preferences", []), limit)


def stays_of(requirements: Requirements, provider: Provider) -> list[tuple[City, int]]:
    """Each destination with the days spent there, in order."""
    cities = [area.city for area in areas_of(requirements, provider)]
    return [(city, cities.count(city)) for city in dict.fromkeys(cities)]


def most_sights(requirements: Requirements) -> int:
    """Sights a day at most."""
    return sights_a_day(requirements.get("preferences", []))


def task_text(agent: str, payload: Payload, provider: Provider, rows: Sequence[str]) -> str:
    """A specialist's task, in the session's language."""
    requirements, language = payload["requirements"], payload["language"]
    cities = cities_of(requirements, provider)
    days = requirements.get("days", 0)
    header = OFFERS[agent][language].format(source=provider.name, currency=cities[0].currency)
    return TASK[language].format(
        destination="+".join(places_of(cities, language)),
        days=days,
        nights=max(days - 1, 0),
        people=_people(requirements, language),
        budget=_budget(requirements, language),
        limit=_limit(agent, requirements, provider, language),
        preferences=", ".join(say_wish(wish, language) for wish in requirements.get("preferences", [])) or "-",
        words=payload["user_input"],
        offers="\n".join([header, *rows]),
    )


def _people(requirements: Requirements, language: Language) -> str:
    party = requirements.get("people")
    return say_people(People(**party), language) if party else "-"


def say_profile(profile: Requirements, provider: Provider, language: Language) -> str:
    """What a profile knows in one line; blank when it knows nothing."""
    places = places_of(cities_of(profile, provider), language)
    wishes = [say_wish(wish, language) for wish in profile.get("preferences", [])]
    budget = [_budget(profile, language)] if "budget" in profile else []
    return "; ".join(part for part in ("+".join(places), *budget, ", ".join(wishes)) if part)


def _budget(requirements: Requirements, language: Language) -> str:
    note = requirements.get("budget")
    if note is None:
        return "-"
    budget = Budget(
        amount=note["amount"],
        low=note["low"],
        high=note["high"],
        currency=note["currency"],
        basis=note["basis"],
        approximate=note["approximate"],
        words="unlimited" if note["unlimited"] else "",
    )
    return say_budget(budget, language)


def _limit(agent: str, requirements: Requirements, provider: Provider, language: Language) -> str:
    """What a night, or a meal for one, may cost, in the destination's currency."""
    shares = shares_of(requirements, areas_of(requirements, provider), provider)
    most = {"hotel": shares.per_night, "food": shares.per_meal}.get(agent)
    if most is None:
        return "-"
    unit = {"hotel": {"zh": "每间每晚", "en": "a room and night"}, "food": {"zh": "每人每餐", "en": "a person and meal"}}[agent][
        language
    ]
    return f"{most:.0f} ({unit})"


def sight_rows(areas: Sequence[DayArea], language: Language) -> list[str]:
    """A row a sight: the day's own first, then its spare ones."""
    own = areas[0].city.currency
    return [
        _sight_row(str(area.day), area.city, sight, priced(sight, area.city, own), language)
        for area in areas
        for sight in (*area.sights, *area.spare)
    ]


def named_rows(areas: Sequence[DayArea], provider: Provider, payload: Payload) -> list[str]:
    """Rows for sights the traveller names that no day offers yet; for any day."""
    offered = {sight.id for area in areas for sight in (*area.sights, *area.spare)}
    language = payload["language"]
    rows = []
    for city in dict.fromkeys(area.city for area in areas):
        by_name = {sight.name.in_(language): sight for sight in provider.sights(city.id) if sight.id not in offered}
        rows += [
            _sight_row("-", city, by_name[name], priced(by_name[name], city, areas[0].city.currency), language)
            for name in names_in(payload["user_input"], by_name)
        ]
    return rows


def _sight_row(day: str, city: City, s: Sight, price: float, language: Language) -> str:
    hours = f"{s.opens:%H:%M}|{s.closes:%H:%M}"
    return f"{day}|{city.name.in_(language)}|{s.name.in_(language)}|{s.lat:.3f}|{s.lon:.3f}|{hours}|{s.minutes}|{price:g}"


def nights_of(areas: Sequence[DayArea], city: City) -> list[int]:
    """Numbers of the nights spent in a city: the night after each of its days, without the last day of the trip."""
    last = max((area.day for area in areas), default=0)
    return [area.day for area in areas if area.city == city and area.day != last]


def hotel_rows(areas: Sequence[DayArea], provider: Provider, language: Language) -> list[str]:
    """A row a hotel, city after city, with the nights spent there."""
    rows, own = [], areas[0].city.currency
    for city in dict.fromkeys(area.city for area in areas):
        centre = middle([area.centre for area in areas if area.city == city])
        nights = ",".join(map(str, nights_of(areas, city))) or "-"
        rows += [
            f"{city.name.in_(language)}|{nights}|{h.name.in_(language)}|{h.district.in_(language)}|{h.stars}|"
            f"{priced(h, city, own):g}|{h.rating:g}|{distance_km(point_of(h), centre):.1f}"
            for h in provider.hotels(city.id)
        ]
    return rows


def food_rows(areas: Sequence[DayArea], provider: Provider, requirements: Requirements, language: Language) -> list[str]:
    """A row a restaurant that meets the diet: for each day first those not yet offered and within the limit, then by distance."""
    preferences = requirements.get("preferences", [])
    most, own = shares_of(requirements, areas, provider).per_meal, areas[0].city.currency
    rows: list[str] = []
    offered: set[str] = set()
    for area in areas:
        ranked = sorted(
            (r.id in offered, most is not None and priced(r, area.city, own) > most, distance_km(point_of(r), area.centre), at, r)
            for at, r in enumerate(provider.restaurants(area.city.id))
            if meets(r, preferences)
        )
        for *_, km, _, r in ranked[:MEALS_OFFERED]:
            offered.add(r.id)
            tags, meals = ",".join(sorted(r.tags)), ",".join(sorted(r.meals))
            place = f"{area.day}|{area.city.name.in_(language)}|{r.name.in_(language)}"
            rows.append(f"{place}|{r.cuisine.in_(language)}|{priced(r, area.city, own):g}|{tags}|{meals}|{km:.1f}")
    return rows


def culture_rows(facts: Sequence[CultureFact], language: Language) -> list[str]:
    """A row a sentence."""
    return [f"{fact.kind}|{fact.text.in_(language)}" for fact in facts]


def find_place(places: Sequence[P], name: object) -> P | None:
    """The place of that name in either language."""
    wanted = str(name).strip().casefold()
    return next((p for p in places if wanted in {p.name.zh.casefold(), p.name.en.casefold()}), None)
