"""The hotel agent: a list, a comparison in words, and a hotel for each night."""

from collections.abc import Collection, Mapping
from typing import Any

from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict

from travel_lab.catalogue import City, Hotel
from travel_lab.errors import UnreadableReply
from travel_lab.itinerary.cost import priced
from travel_lab.itinerary.results import HotelData, HotelNight, HotelOffer
from travel_lab.planner.agents.contract import Specialist
from travel_lab.planner.agents.reporting import consult_or
from travel_lab.planner.state import Payload, PlannerContext
from travel_lab.planner.tasks import areas_of, cities_of, find_place, hotel_rows, places_of, task_text

FEWEST = 5
"""Hotels a result must list."""


class _Night(TypedDict):
    night: int
    hotel: str


class _Answer(TypedDict):
    hotels: list[str]
    nights: list[_Night]
    comparison: str


_ANSWER = TypeAdapter(_Answer)


def work(payload: Payload, context: PlannerContext) -> dict[str, Any]:
    """Choose and compare hotels; when that fails, no hotels and no comparison, marked degraded."""
    areas = areas_of(payload["requirements"], context.provider)
    task = task_text("hotel", payload, context.provider, hotel_rows(areas, context.provider, payload["language"]))
    empty = _frame(payload, context, [], [], "")
    return consult_or(empty, "hotel", payload, context, task, lambda answer: _read(answer, payload, context))


def _read(answer: Mapping[str, Any], payload: Payload, context: PlannerContext) -> tuple[dict[str, Any], list[str]]:
    try:
        said = _ANSWER.validate_python(answer)
    except ValidationError as error:
        raise UnreadableReply(f"The hotel agent's JSON does not fit its form: {error.error_count()} faults.") from error
    cities = cities_of(payload["requirements"], context.provider)
    offered = [(city, hotel) for city in cities for hotel in context.provider.hotels(city.id)]
    problems: list[str] = []
    listed = [_offer(name, offered, payload, problems) for name in dict.fromkeys(said["hotels"])]
    offers = {offer["name"]: offer for offer in listed if offer is not None}
    nights: dict[int, HotelNight] = {}
    for night in said["nights"]:
        offer = _offer(night["hotel"], offered, payload, problems)
        if night["night"] in nights:
            problems.append(f"night {night['night']} is given twice")
        elif offer is not None:
            nights[night["night"]] = HotelNight(night=night["night"], hotel=offer["name"])
            offers.setdefault(offer["name"], offer)
    problems += _gaps(offers, nights, payload)
    return dict(_frame(payload, context, [*offers.values()], [*nights.values()], said["comparison"])), problems


def _offer(name: str, offered: list[tuple[City, Hotel]], payload: Payload, problems: list[str]) -> HotelOffer | None:
    hotel = find_place([hotel for _, hotel in offered], name)
    if hotel is None:
        problems.append(f"{name!r} is no hotel that was offered")
        return None
    city = next(city for city, known in offered if known == hotel)
    language = payload["language"]
    return HotelOffer(
        name=hotel.name.in_(language),
        city=city.name.in_(language),
        district=hotel.district.in_(language),
        stars=hotel.stars,
        price=priced(hotel, city, offered[0][0].currency),
        rating=hotel.rating,
    )


def _gaps(offers: Collection[str], nights: Collection[int], payload: Payload) -> list[str]:
    wanted = range(1, payload["requirements"].get("days", 0))
    problems = [f"night {night} has no hotel" for night in wanted if night not in nights]
    problems += [f"night {night} is not part of the trip" for night in nights if night not in wanted]
    if len(offers) < FEWEST:
        problems.append(f"{len(offers)} hotels instead of at least {FEWEST}")
    return problems


def _frame(
    payload: Payload, context: PlannerContext, hotels: list[HotelOffer], nights: list[HotelNight], comparison: str
) -> HotelData:
    cities = cities_of(payload["requirements"], context.provider)
    return HotelData(
        destination="+".join(places_of(cities, payload["language"])),
        currency=cities[0].currency,
        hotels=hotels,
        nights=nights,
        comparison=comparison,
    )


HOTEL = Specialist(name="hotel", writes=("hotel_result",), work=work)
