"""Divides a budget among hotels and meals, in the destination's currency, before anybody chooses.

The agents work in parallel and cannot see what the others spend. All of them are given limits from here: first the cheapest
beds, then meals that need not repeat, and what is left is divided.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from travel_lab.catalogue import Provider
from travel_lab.itinerary.areas import DayArea
from travel_lab.itinerary.cost import CNY_PER, convert
from travel_lab.itinerary.excuses import least_beds, least_meals
from travel_lab.itinerary.party import rooms, total_budget, travellers
from travel_lab.itinerary.results import Requirements

HOTEL_SHARE = 0.6
"""Part of what is left for hotels."""
CHEAP_SHARE = 0.5
"""Part of the limits that a wish for something cheap leaves."""


@dataclass(frozen=True, kw_only=True)
class Shares:
    """Limits for one room and night and for one person and meal; None: no limit is known."""

    per_night: float | None
    per_meal: float | None


def shares_of(requirements: Requirements, areas: Sequence[DayArea], provider: Provider) -> Shares:
    """The limits that keep a plan over these areas within the budget, as far as that is possible."""
    nights, own = len(areas) - 1, areas[0].city.currency
    per_night, per_meal = _nightly(requirements, own), None
    total = total_budget(requirements, nights, own)
    if total is not None:
        cities = [area.city for area in areas]
        stays = [(city, cities.count(city)) for city in dict.fromkeys(cities)]
        heads, beds = travellers(requirements), least_beds(requirements, stays, provider, own)
        tickets = heads * sum(convert(s.price, area.city.currency, own) for area in areas for s in area.sights)
        left = max(total - tickets - beds, 0.0)
        meals = min(left, least_meals(requirements, stays, provider, own, different=True))
        spare = left - meals
        if nights and per_night is None:
            per_night = (beds + spare * HOTEL_SHARE) / (rooms(requirements) * nights)
        per_meal = (meals + spare * (1 - HOTEL_SHARE)) / (heads * 2 * len(areas))
    if "cheap" in requirements.get("preferences", []):
        per_night = None if per_night is None else per_night * CHEAP_SHARE
        per_meal = None if per_meal is None else per_meal * CHEAP_SHARE
    return Shares(per_night=per_night, per_meal=per_meal)


def _nightly(requirements: Requirements, own: str) -> float | None:
    budget = requirements.get("budget")
    if budget is None or budget["basis"] != "per_night":
        return None
    amount = budget["amount"] or budget["high"] or budget["low"]
    currency = budget["currency"] or own
    known = currency == own or {currency, own} <= CNY_PER.keys()
    return convert(amount, currency, own) if amount is not None and known else None
