"""The food agent: lunch and dinner for each day."""

from collections.abc import Mapping
from typing import Any, NotRequired

from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict

from travel_lab.errors import UnreadableReply
from travel_lab.itinerary import DayArea
from travel_lab.itinerary.cost import priced
from travel_lab.itinerary.results import FoodData, FoodDay, Meal
from travel_lab.planner.agents.contract import Specialist
from travel_lab.planner.agents.reporting import consult_or
from travel_lab.planner.state import Payload, PlannerContext
from travel_lab.planner.tasks import areas_of, cities_of, find_place, food_rows, places_of, task_text


class _Day(TypedDict):
    day: int
    lunch: NotRequired[str]
    dinner: NotRequired[str]


class _Answer(TypedDict):
    days: list[_Day]


_ANSWER = TypeAdapter(_Answer)


def work(payload: Payload, context: PlannerContext) -> dict[str, Any]:
    """Choose restaurants; when that fails, an empty list of days marked degraded."""
    requirements = payload["requirements"]
    areas = areas_of(requirements, context.provider)
    rows = food_rows(areas, context.provider, requirements, payload["language"])
    task = task_text("food", payload, context.provider, rows)
    empty = _frame(payload, context, [])
    return consult_or(empty, "food", payload, context, task, lambda answer: _read(answer, areas, payload, context))


def _read(
    answer: Mapping[str, Any], areas: tuple[DayArea, ...], payload: Payload, context: PlannerContext
) -> tuple[dict[str, Any], list[str]]:
    try:
        chosen = {day["day"]: day for day in _ANSWER.validate_python(answer)["days"]}
    except ValidationError as error:
        raise UnreadableReply(f"The food agent's JSON does not fit its form: {error.error_count()} faults.") from error
    problems: list[str] = []
    days = []
    for area in areas:
        said = chosen.get(area.day, {"day": area.day})
        day = FoodDay(day=area.day)
        if (lunch := _meal(said.get("lunch"), f"lunch of day {area.day}", area, problems, payload, context)) is not None:
            day["lunch"] = lunch
        if (dinner := _meal(said.get("dinner"), f"dinner of day {area.day}", area, problems, payload, context)) is not None:
            day["dinner"] = dinner
        days.append(day)
    return dict(_frame(payload, context, days)), problems


def _meal(
    name: str | None, slot: str, area: DayArea, problems: list[str], payload: Payload, context: PlannerContext
) -> Meal | None:
    if name is None:
        problems.append(f"{slot} is missing")
        return None
    place = find_place(context.provider.restaurants(area.city.id), name)
    if place is None:
        problems.append(f"{name!r} is no restaurant of {area.city.name.en}")
        return None
    language, own = payload["language"], cities_of(payload["requirements"], context.provider)[0].currency
    return Meal(
        name=place.name.in_(language),
        cuisine=place.cuisine.in_(language),
        price=priced(place, area.city, own),
        tags=sorted(place.tags),
    )


def _frame(payload: Payload, context: PlannerContext, days: list[FoodDay]) -> FoodData:
    cities = cities_of(payload["requirements"], context.provider)
    return FoodData(destination="+".join(places_of(cities, payload["language"])), currency=cities[0].currency, days=days)


FOOD = Specialist(name="food", writes=("food_result",), work=work)
