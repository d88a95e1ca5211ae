"""Why a plan cannot do better: shortages that hold whatever is chosen, each counted over everything the provider has."""

from collections.abc import Iterator, Sequence
from typing import Literal

from typing_extensions import TypedDict

from travel_lab.catalogue import City, Provider, Restaurant
from travel_lab.itinerary.cost import convert
from travel_lab.itinerary.diet import is_banned, meets
from travel_lab.itinerary.party import rooms, stated_budget, total_budget, travellers
from travel_lab.itinerary.results import Requirements

Shortage = Literal["budget", "restaurants", "lunch", "dinner", "sights"]


class Excuse(TypedDict):
    """One shortage; true of every possible plan, not only of this one."""

    shortage: Shortage
    city: str
    """Id; blank when it is about the whole trip."""
    needed: float
    """Sum of money, or number of places, that would be needed."""
    there: float
    """What there is."""
    currency: str
    """Of the sums; blank for numbers."""


def excuses_for(requirements: Requirements, stays: Sequence[tuple[City, int]], provider: Provider) -> list[Excuse]:
    """Every shortage of a trip over `stays` (city and days spent there, in order)."""
    found = [excuse for city, days in stays for excuse in _of_city(requirements, city, days, provider)]
    return [*_of_budget(requirements, stays, provider), *found]


def least_cost(requirements: Requirements, stays: Sequence[tuple[City, int]], provider: Provider, currency: str) -> float:
    """What the cheapest possible plan costs: cheapest bed each night, cheapest meals that keep the diet, free sights."""
    beds = least_beds(requirements, stays, provider, currency)
    return round(beds + least_meals(requirements, stays, provider, currency, different=False), 2)


def least_beds(requirements: Requirements, stays: Sequence[tuple[City, int]], provider: Provider, currency: str) -> float:
    """The cheapest hotel each night, for all travellers."""
    total = 0.0
    for at, (city, days) in enumerate(stays):
        nights = days - 1 if at == len(stays) - 1 else days
        bed = min((hotel.price for hotel in provider.hotels(city.id)), default=0.0)
        total += convert(bed * nights * rooms(requirements), city.currency, currency)
    return total


def least_meals(
    requirements: Requirements, stays: Sequence[tuple[City, int]], provider: Provider, currency: str, *, different: bool
) -> float:
    """The cheapest meals that keep the diet, for all travellers; `different` takes no restaurant twice while there are enough."""
    total = 0.0
    for city, days in stays:
        serving = [_serving(requirements, city, provider, meal) for meal in ("lunch", "dinner")]
        one_day = sum(min((place.price for place in places), default=0.0) for places in serving)
        meals = one_day * days
        if different:
            prices = sorted({place.id: place.price for places in serving for place in places}.values())[: 2 * days]
            meals = max(meals, sum(prices) + (2 * days - len(prices)) * (prices[0] if prices else 0.0))
        total += convert(meals * travellers(requirements), city.currency, currency)
    return total


def _of_budget(requirements: Requirements, stays: Sequence[tuple[City, int]], provider: Provider) -> Iterator[Excuse]:
    nights = sum(days for _, days in stays) - 1
    stated = stated_budget(requirements, nights)
    if not stays or stated is None or total_budget(requirements, nights, stays[0][0].currency) is None:
        return
    amount, currency = stated[0], stated[1] or stays[0][0].currency
    least = least_cost(requirements, stays, provider, currency)
    if least > amount:
        yield Excuse(shortage="budget", city="", needed=least, there=amount, currency=currency)


def _of_city(requirements: Requirements, city: City, days: int, provider: Provider) -> Iterator[Excuse]:
    preferences = requirements.get("preferences", [])
    sights = [sight for sight in provider.sights(city.id) if not is_banned(sight, preferences)]
    if len(sights) < days:
        yield Excuse(shortage="sights", city=city.id, needed=days, there=len(sights), currency="")
    serving = {meal: _serving(requirements, city, provider, meal) for meal in ("lunch", "dinner")}
    if not serving["lunch"]:
        yield Excuse(shortage="lunch", city=city.id, needed=days, there=0, currency="")
    if not serving["dinner"]:
        yield Excuse(shortage="dinner", city=city.id, needed=days, there=0, currency="")
    different = {place.id for places in serving.values() for place in places}
    fewest = min(len(different) - 2 * days, *(len(places) - days for places in serving.values()))
    if different and fewest < 0:
        yield Excuse(shortage="restaurants", city=city.id, needed=2 * days, there=2 * days + fewest, currency="")


def _serving(requirements: Requirements, city: City, provider: Provider, meal: str) -> list[Restaurant]:
    preferences = requirements.get("preferences", [])
    return [place for place in provider.restaurants(city.id) if meal in place.meals and meets(place, preferences)]
