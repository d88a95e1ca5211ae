"""Three ways to make one trip, different in kind, by rule from what the provider has: focused, wide, slow."""

from collections.abc import Sequence
from statistics import median

from travel_lab.catalogue import City, Language, Provider
from travel_lab.itinerary import Requirements
from travel_lab.itinerary.cost import CNY_PER, convert
from travel_lab.itinerary.party import rooms, travellers
from travel_lab.itinerary.places import Point, distance_km
from travel_lab.planner.state import RouteOption
from travel_lab.planner.tasks import cities_of, places_of

_SIGHTS_A_DAY = {"slow": 2, "": 3, "fast": 4}
_NAMES = {
    "zh": {"focused": "{places}深度游", "wide": "{places}多地游", "slow": "{places}慢游"},
    "en": {"focused": "{places} in depth", "wide": "Further afield: {places}", "slow": "{places} at an easy pace"},
}
_WHY = {
    "zh": {
        "focused": "只去你说的地方，每处时间最多",
        "wide": "多去一处：{extra}离得最近",
        "wide_alone": "天数不够多去一处，每天多看几个景点",
        "slow": "住同一个地方不换酒店，每天少看几处，花费也少",
    },
    "en": {
        "focused": "only where you asked to go, with the most time in each place",
        "wide": "one more place: {extra} is the nearest",
        "wide_alone": "too few days for one more place, so more sights a day",
        "slow": "one place without changing hotels, fewer sights a day, and cheaper",
    },
}


def draw_options(requirements: Requirements, provider: Provider, language: Language) -> list[RouteOption]:
    """The three options for requirements that name a place and a length."""
    cities = cities_of(requirements, provider)
    days = requirements["days"]
    extra = _nearest(cities, provider) if days >= 2 * (len(cities) + 1) else None
    wide = [*cities, extra] if extra else cities
    say = _WHY[language]
    whys = say["wide"].format(extra=extra.name.in_(language)) if extra else say["wide_alone"]
    return [
        _option("R1", "focused", cities, "", say["focused"], requirements, provider, language),
        _option("R2", "wide", wide, "fast", whys, requirements, provider, language),
        _option("R3", "slow", cities[:1], "slow", say["slow"], requirements, provider, language),
    ]


def _nearest(cities: Sequence[City], provider: Provider) -> City | None:
    """The nearest city of the same currency that is not on the way yet."""
    last = Point(*cities[-1].centre)
    others = [city for city in provider.cities() if city not in cities and city.currency == cities[-1].currency]
    return min(others, key=lambda city: distance_km(last, Point(*city.centre)), default=None)


def _option(  # noqa: PLR0913, PLR0917 (one word for each part of an option)
    route_id: str,
    kind: str,
    stops: Sequence[City],
    pace: str,
    why: str,
    requirements: Requirements,
    provider: Provider,
    language: Language,
) -> RouteOption:
    days = [requirements["days"] // len(stops) + (at < requirements["days"] % len(stops)) for at in range(len(stops))]
    return RouteOption(
        route_id=route_id,
        kind=kind,
        name=_NAMES[language][kind].format(places="+".join(places_of(stops, language))),
        stops=[city.id for city in stops],
        days=days,
        cost=_estimate(stops, days, pace, requirements, provider),
        currency=stops[0].currency,
        pace=pace,
        why=why,
    )


def _estimate(stops: Sequence[City], days: Sequence[int], pace: str, requirements: Requirements, provider: Provider) -> float:
    """Beds, two meals a day and tickets at the middle price of each place; at a slow pace beds and meals of the cheaper half."""
    own, total = stops[0].currency, 0.0
    people, beds = travellers(requirements), rooms(requirements)
    for at, (city, stay) in enumerate(zip(stops, days, strict=True)):
        nights = stay - (at == len(stops) - 1)
        hotel = _middle([hotel.price for hotel in provider.hotels(city.id)], cheap=pace == "slow")
        meal = _middle([place.price for place in provider.restaurants(city.id)], cheap=pace == "slow")
        ticket = _middle([sight.price for sight in provider.sights(city.id)], cheap=False)
        spent = nights * beds * hotel + stay * people * (2 * meal + _SIGHTS_A_DAY[pace] * ticket)
        total += convert(spent, city.currency, own) if {own, city.currency} <= CNY_PER.keys() else spent
    return round(total, 2)


def _middle(prices: Sequence[float], *, cheap: bool) -> float:
    chosen = sorted(prices)[: (len(prices) + 1) // 2] if cheap else prices
    return float(median(chosen)) if chosen else 0.0
