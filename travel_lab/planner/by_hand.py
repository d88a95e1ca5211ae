"""Fields of the state that a person changes by hand: checked before they are a step."""

from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter, ValidationError

from travel_lab.errors import BadInput, UnknownName
from travel_lab.itinerary import MAX_DAYS, MAX_PEOPLE, Requirements
from travel_lab.planner.state import PlannerState

_REQUIREMENTS = TypeAdapter(Requirements)


def check_changes(changes: Mapping[str, Any]) -> None:
    """Refuse what no node could have written.

    Raises:
        UnknownName: A field the state, or the requirements, do not have.
        BadInput: Requirements of another form; names the place, what was found and what is allowed.
    """
    known = list(PlannerState.__annotations__)
    for key in changes:
        if key not in known:
            raise UnknownName("state field", key, known, "Nothing was changed.")
    if "requirements" in changes:
        _check_requirements(changes["requirements"])


def _check_requirements(found: object) -> None:
    # A blank takes nothing away, so it needs no form.
    given: Any = {key: value for key, value in found.items() if value} if isinstance(found, Mapping) else found
    try:
        _REQUIREMENTS.validate_python(given, strict=True)
    except ValidationError as error:
        wrong = "; ".join(
            f"{'.'.join(map(str, one['loc'])) or 'they'} found {one['input']!r}, {one['msg'].lower()}" for one in error.errors()
        )
        raise BadInput(f"The requirements cannot be used: {wrong}. Nothing was changed.") from error
    known = list(Requirements.__annotations__)
    for key in given:
        if key not in known:
            raise UnknownName("requirement", key, known, "Nothing was changed.")
    people, days = sum(given.get("people", {}).values()), given.get("days")
    if "people" in given and not 1 <= people <= MAX_PEOPLE:
        raise BadInput(f"The requirements name {people} people; allowed are 1 to {MAX_PEOPLE}. Nothing was changed.")
    if days is not None and not 1 <= days <= MAX_DAYS:
        raise BadInput(f"The requirements name {days} days; allowed are 1 to {MAX_DAYS}. Nothing was changed.")
