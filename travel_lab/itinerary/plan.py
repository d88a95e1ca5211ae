"""Merges the specialists' results into one itinerary: sights, meals and a hotel for each day, with the cost."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from typing_extensions import TypedDict

from travel_lab.itinerary.cost import Cost, convert
from travel_lab.itinerary.excuses import Excuse
from travel_lab.itinerary.party import rooms, stated_budget, total_budget, travellers
from travel_lab.itinerary.provenance import requirements_hash, standing
from travel_lab.itinerary.results import (
    AgentResult,
    FoodDay,
    HotelOffer,
    InfoData,
    Meal,
    Party,
    Requirements,
    RouteDay,
    SightVisit,
)

AGENTS = ("route", "hotel", "food", "info")
"""The specialists, in the order their messages and parts stand everywhere."""


class Part(TypedDict):
    """Where one agent's part of an itinerary comes from."""

    standing: str
    """`current`, `carried over`, `stale` or `missing`."""
    status: str
    reason: str
    turn: int
    provider: str


class ItineraryDay(TypedDict):
    """One day of the card."""

    day: int
    city: str
    sights: list[SightVisit]
    lunch: Meal | None
    dinner: Meal | None
    hotel: HotelOffer | None
    """Where the night after this day is spent; None on the last day."""


class ItineraryCost(TypedDict):
    """What the plan costs, in one currency, for all travellers."""

    tickets: float
    meals: float
    hotels: float
    total: float
    currency: str
    budget: float | None
    left: float | None
    """Budget less total; None when no budget is known that can be compared."""


class Itinerary(TypedDict):
    """The whole card as plain data."""

    turn: int
    destinations: list[str]
    """Names in the session's language."""
    adults: int
    children: int
    days: list[ItineraryDay]
    hotels: list[HotelOffer]
    comparison: str
    info: InfoData | None
    cost: ItineraryCost
    parts: dict[str, Part]
    excuses: list[Excuse]


def build_itinerary(
    requirements: Requirements, results: Mapping[str, AgentResult], turn: int, places: Sequence[str], excuses: Sequence[Excuse]
) -> Itinerary:
    """Merge what fits the requirements; a stale result is named in `parts` and left out.

    Args:
        requirements: What is known of the trip.
        results: The state's results by agent.
        turn: The turn that makes this card.
        places: Names of the destinations in the session's language.
        excuses: Shortages no plan can avoid, for the card.
    """
    parts = {agent: _part(results.get(agent), requirements, turn) for agent in AGENTS}
    data = {agent: results[agent]["data"] for agent, part in parts.items() if part["standing"] in {"current", "carried over"}}
    days = _days(requirements.get("days", 0), data)
    people = requirements.get("people", Party(adults=1, children=0))
    return Itinerary(
        turn=turn,
        destinations=list(places),
        adults=people["adults"],
        children=people["children"],
        days=days,
        hotels=data.get("hotel", {}).get("hotels", []),
        comparison=data.get("hotel", {}).get("comparison", ""),
        info=cast(InfoData, data["info"]) if "info" in data else None,
        cost=_cost(days, _currency(data), requirements),
        parts=parts,
        excuses=list(excuses),
    )


def _part(result: AgentResult | None, requirements: Requirements, turn: int) -> Part:
    if result is None:
        return Part(standing="missing", status="", reason="", turn=0, provider="")
    return Part(
        standing=standing(result, turn, requirements_hash(requirements, result["agent"])),
        status=result["status"],
        reason=result["reason"],
        turn=result["turn"],
        provider=result["provider"],
    )


def _days(count: int, data: Mapping[str, dict[str, Any]]) -> list[ItineraryDay]:
    routes: dict[int, RouteDay] = {day["day"]: day for day in data.get("route", {}).get("days", [])}
    meals: dict[int, FoodDay] = {day["day"]: day for day in data.get("food", {}).get("days", [])}
    offers = {offer["name"]: offer for offer in data.get("hotel", {}).get("hotels", [])}
    nights = {night["night"]: night["hotel"] for night in data.get("hotel", {}).get("nights", [])}
    days = []
    for day in range(1, count + 1):
        route, food = routes.get(day), meals.get(day)
        days.append(
            ItineraryDay(
                day=day,
                city=route["city"] if route else "",
                sights=route["sights"] if route else [],
                lunch=food.get("lunch") if food else None,
                dinner=food.get("dinner") if food else None,
                hotel=offers.get(nights.get(day, "")) if day < count else None,
            )
        )
    return days


def _currency(data: Mapping[str, dict[str, Any]]) -> str:
    return next((part["currency"] for part in data.values() if part.get("currency")), "CNY")


def _cost(days: list[ItineraryDay], currency: str, requirements: Requirements) -> ItineraryCost:
    heads, beds = travellers(requirements), rooms(requirements)
    cost = Cost(
        tickets=sum(sight["ticket"] for day in days for sight in day["sights"]) * heads,
        meals=sum(meal["price"] for day in days for meal in (day["lunch"], day["dinner"]) if meal) * heads,
        hotels=sum(day["hotel"]["price"] for day in days if day["hotel"]) * beds,
        currency=currency,
    )
    stated = stated_budget(requirements, len(days) - 1)
    comparable = stated is not None and total_budget(requirements, len(days) - 1, currency) is not None
    # A budget in a currency without a rate cannot be compared; the trip is then added up in its own.
    to = stated[1] or currency if stated is not None and comparable else currency
    tickets, meals, hotels = (convert(amount, currency, to) for amount in (cost.tickets, cost.meals, cost.hotels))
    total = round(tickets + meals + hotels, 2)
    have = stated[0] if stated is not None and comparable else None
    return ItineraryCost(
        tickets=tickets,
        meals=meals,
        hotels=hotels,
        total=total,
        currency=to,
        budget=have,
        left=None if have is None else round(have - total, 2),
    )
