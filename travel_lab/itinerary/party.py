"""What the requirements say of the party and its money, as numbers to calculate with."""

from travel_lab.itinerary.cost import CNY_PER, convert
from travel_lab.itinerary.results import Requirements


def travellers(requirements: Requirements) -> int:
    """Everybody who travels; one when nothing is known."""
    people = requirements.get("people")
    return max(1, people["adults"] + people["children"]) if people else 1


def rooms(requirements: Requirements) -> int:
    """Double rooms for the adults; children sleep with them."""
    people = requirements.get("people")
    return (max(1, people["adults"]) + 1) // 2 if people else 1


def stated_budget(requirements: Requirements, nights: int) -> tuple[float, str] | None:
    """The budget of the whole trip as it was stated, and its currency (blank: the destination's); None for no sum."""
    budget = requirements.get("budget")
    if budget is None or budget["basis"] == "per_night":
        return None
    amount = budget["amount"] or budget["high"] or budget["low"]
    if amount is None:
        return None
    times = {"total": 1, "per_person": travellers(requirements), "per_person_per_day": travellers(requirements) * (nights + 1)}
    return amount * times[budget["basis"]], budget["currency"]


def total_budget(requirements: Requirements, nights: int, currency: str) -> float | None:
    """The budget of the whole trip in that currency; None when no sum is known, or none that can be converted."""
    stated = stated_budget(requirements, nights)
    if stated is None:
        return None
    amount, own = stated[0], stated[1] or currency
    return convert(amount, own, currency) if own == currency or {own, currency} <= CNY_PER.keys() else None
