"""What specialists produce: plain data in a state field, with its status and where it comes from."""

from typing import Any, Literal, NotRequired

# pydantic checks model output against these records and needs this TypedDict before Python 3.12.
from typing_extensions import TypedDict

Status = Literal["ok", "degraded", "failed"]


class BudgetNote(TypedDict):
    """What is known of the money; all three sums None and `unlimited` says that the traveller took the limit away."""

    amount: float | None
    low: float | None
    high: float | None
    currency: str
    """Blank: that of the destination."""
    basis: Literal["total", "per_person", "per_person_per_day", "per_night"]
    approximate: bool
    unlimited: bool


class Party(TypedDict):
    """Who travels."""

    adults: int
    children: int


class Requirements(TypedDict, total=False):
    """What is known of the trip; a missing key is unknown."""

    destinations: list[str]
    """Ids of cities."""
    days: int
    origin: str
    date: str
    """First day, ISO 8601."""
    budget: BudgetNote
    people: Party
    preferences: list[str]
    """Codes of wishes, see `itinerary.wishes`."""


class AgentResult(TypedDict):
    """A specialist's result as it stands in its state field."""

    agent: str
    status: Status
    reason: str
    """Why it is not ok; blank otherwise."""
    turn: int
    """The turn that made it."""
    requirements_hash: str
    """Of the requirements it was made for."""
    provider: str
    """Where its places come from."""
    data: dict[str, Any]
    """The content: `RouteData`, `HotelData`, `FoodData` or `InfoData`."""


class SightVisit(TypedDict):
    """A sight with its times (HH:MM), ticket for one adult and description."""

    name: str
    start: str
    end: str
    ticket: float
    about: str


class RouteDay(TypedDict):
    """The sights of one day."""

    day: int
    city: str
    sights: list[SightVisit]


class RouteData(TypedDict):
    """The route agent's result."""

    destination: str
    currency: str
    days: list[RouteDay]


class HotelOffer(TypedDict):
    """A hotel with its price for one room and night."""

    name: str
    city: str
    district: str
    stars: int
    price: float
    rating: float


class HotelNight(TypedDict):
    """Which hotel a night is spent in."""

    night: int
    hotel: str


class HotelData(TypedDict):
    """The hotel agent's result: the list, the comparison in words and the choice for each night."""

    destination: str
    currency: str
    hotels: list[HotelOffer]
    nights: list[HotelNight]
    comparison: str


class Meal(TypedDict):
    """A restaurant with its price for one person."""

    name: str
    cuisine: str
    price: float
    tags: list[str]


class FoodDay(TypedDict):
    """Lunch and dinner of one day."""

    day: int
    lunch: NotRequired[Meal]
    dinner: NotRequired[Meal]


class FoodData(TypedDict):
    """The food agent's result."""

    destination: str
    currency: str
    days: list[FoodDay]


class InfoData(TypedDict):
    """The info agent's result: sentences by kind."""

    destination: str
    culture: list[str]
    trivia: list[str]
    etiquette: list[str]


def plain(number: float) -> float:
    """A whole number without its decimal point, so that JSON says `500` and not `500.0`."""
    return int(number) if number == int(number) else number
