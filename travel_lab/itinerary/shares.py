"""Divides a budget among hotels and meals, in the destination's currency, before anybody chooses.

The agents work in parallel and cannot see what the others spend. All of them are given limits from here: what the tickets of
the offered sights leave is divided so that both the cheapest hotels and the cheapest meals stay possible.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from travel_lab.catalogue import Provider, Restaurant
from travel_lab.itinerary.areas import DayArea
from travel_lab.itinerary.cost import convert
from travel_lab.itinerary.diet import meets
from travel_lab.itinerary.party import rooms, total_budget, travellers
from travel_lab.itinerary.results import Requirements

HOTEL_SHARE = 0.6
"""Part of what is left for hotels, where both shares are more than the least."""
CHEAP_SHARE = 0.5
"""Part of the limits that a wish for something cheap leaves."""


@dataclass(frozen=True, kw_only=True)
class Shares:
    """Limits for one room and night and for one person and meal; None: no limit is known."""

    per_night: float | None
    per_meal: float | None
    least_total: float
    """What the cheapest hotels and meals would cost with the offered sights, for all travellers."""


def shares_of(requirements: Requirements, areas: Sequence[DayArea], provider: Provider) -> Shares:
    """The limits that keep a plan over these areas within the budget, as far as that is possible."""
    nights = max((area.day for area in areas), default=1) - 1
    heads, beds = travellers(requirements), rooms(requirements)
    tickets = heads * sum(sight.price for area in areas for sight in area.sights)
    least_hotels = beds * sum(min((h.price for h in provider.hotels(area.city.id)), default=0) for area in areas[:-1])
    least_meals = heads * sum(_cheapest_meals(requirements, area, provider) for area in areas)
    total = total_budget(requirements, nights)
    per_night = _nightly(requirements, areas)
    per_meal: float | None = None
    if total is not None:
        budget = convert(total[0], total[1] or areas[0].city.currency, areas[0].city.currency)
        left = max(budget - tickets, 0.0)
        spare = max(left - least_hotels - least_meals, 0.0)
        if nights and per_night is None:
            per_night = (least_hotels + spare * HOTEL_SHARE) / (beds * nights)
        per_meal = (least_meals + spare * (1 - HOTEL_SHARE)) / (heads * 2 * len(areas))
    if "cheap" in requirements.get("preferences", []):
        per_night = None if per_night is None else per_night * CHEAP_SHARE
        per_meal = None if per_meal is None else per_meal * CHEAP_SHARE
    return Shares(per_night=per_night, per_meal=per_meal, least_total=tickets + least_hotels + least_meals)


def _nightly(requirements: Requirements, areas: Sequence[DayArea]) -> float | None:
    budget = requirements.get("budget")
    if budget is None or budget["basis"] != "per_night":
        return None
    amount = budget["amount"] or budget["high"] or budget["low"]
    own = areas[0].city.currency
    return None if amount is None else convert(amount, budget["currency"] or own, own)


def _cheapest_meals(requirements: Requirements, area: DayArea, provider: Provider) -> float:
    fitting = [r for r in provider.restaurants(area.city.id) if meets(r, requirements.get("preferences", []))]
    return sum(min((r.price for r in _serving(fitting, meal)), default=0.0) for meal in ("lunch", "dinner"))


def _serving(places: Sequence[Restaurant], meal: str) -> list[Restaurant]:
    return [place for place in places if meal in place.meals]
