"""The route agent: which sights on which day."""

from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict

from travel_lab.catalogue import Sight
from travel_lab.errors import UnreadableReply
from travel_lab.itinerary import DayArea
from travel_lab.itinerary.areas import stop_of
from travel_lab.itinerary.cost import priced
from travel_lab.itinerary.results import RouteData, RouteDay, SightVisit
from travel_lab.itinerary.schedule import MOST_SIGHTS, schedule_best
from travel_lab.planner.agents.contract import Specialist
from travel_lab.planner.agents.reporting import consult_or
from travel_lab.planner.state import Payload, PlannerContext
from travel_lab.planner.tasks import areas_of, cities_of, find_place, named_rows, places_of, sight_rows, task_text


class _Day(TypedDict):
    day: int
    sights: list[str]


class _Answer(TypedDict):
    days: list[_Day]


_ANSWER = TypeAdapter(_Answer)


def work(payload: Payload, context: PlannerContext) -> dict[str, Any]:
    """Choose sights for each day; when that fails, an empty plan marked degraded."""
    areas = areas_of(payload["requirements"], context.provider)
    rows = [*sight_rows(areas, payload["language"]), *named_rows(areas, context.provider, payload)]
    task = task_text("route", payload, context.provider, rows)
    empty = _frame(payload, context, [])
    return consult_or(empty, "route", payload, context, task, lambda answer: _read(answer, areas, payload, context))


def _read(
    answer: Mapping[str, Any], areas: tuple[DayArea, ...], payload: Payload, context: PlannerContext
) -> tuple[dict[str, Any], list[str]]:
    try:
        said = _ANSWER.validate_python(answer)["days"]
    except ValidationError as error:
        raise UnreadableReply(f"The route agent's JSON does not fit its form: {error.error_count()} faults.") from error
    chosen: dict[int, list[str]] = {}
    problems = []
    for day in said:
        if day["day"] in chosen:
            problems.append(f"day {day['day']} is given twice")
        else:
            chosen[day["day"]] = day["sights"]
    problems += [f"day {day} is not part of the trip" for day in sorted(chosen) if day not in {a.day for a in areas}]
    seen: set[str] = set()
    days = []
    for area in areas:
        if area.day not in chosen and area.sights:
            problems.append(f"day {area.day} has no sights")
        days.append(_day(area, chosen.get(area.day, []), seen, problems, payload, context))
    return dict(_frame(payload, context, days)), problems


def _day(
    area: DayArea, names: list[str], seen: set[str], problems: list[str], payload: Payload, context: PlannerContext
) -> RouteDay:
    known = {name: find_place(context.provider.sights(area.city.id), name) for name in names}
    problems += [f"{name!r} is no sight of {area.city.name.en}" for name, sight in known.items() if sight is None]
    sights = []
    for sight in (known[name] for name in names):
        if sight is not None and sight.id in seen:
            problems.append(f"{sight.name.in_(payload['language'])!r} is planned twice")
        elif sight is not None:
            sights.append(sight)
            seen.add(sight.id)
    by_name = {sight.name.zh: sight for sight in sights}
    own = cities_of(payload["requirements"], context.provider)[0].currency
    visits = schedule_best([stop_of(sight) for sight in sights], MOST_SIGHTS)
    fitting = {visit.name for visit in visits}
    problems += [f"{name} does not fit day {area.day}" for name in by_name if name not in fitting]
    return RouteDay(
        day=area.day,
        city=area.city.name.in_(payload["language"]),
        sights=[
            _visit(by_name[v.name], f"{v.start:%H:%M}", f"{v.end:%H:%M}", priced(by_name[v.name], area.city, own), payload)
            for v in visits
        ],
    )


def _visit(sight: Sight, start: str, end: str, ticket: float, payload: Payload) -> SightVisit:
    language = payload["language"]
    return SightVisit(name=sight.name.in_(language), start=start, end=end, ticket=ticket, about=sight.about.in_(language))


def _frame(payload: Payload, context: PlannerContext, days: list[RouteDay]) -> RouteData:
    cities = cities_of(payload["requirements"], context.provider)
    return RouteData(destination="+".join(places_of(cities, payload["language"])), currency=cities[0].currency, days=days)


ROUTE = Specialist(name="route", writes=("route_result",), work=work)
