"""The forms of what people write to the state by hand.

`Session.edit` checks them before they are a step. LangGraph's own `update_state` does not, so a turn checks what it starts from.
"""

from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter, ValidationError

from travel_lab.errors import BadInput, UnknownName
from travel_lab.itinerary import AGENTS, MAX_DAYS, MAX_PEOPLE, AgentResult, Requirements

NEXT = "Nothing was changed by this call; session.edit({...}) writes a value that was put right."
_REQUIREMENTS = TypeAdapter(Requirements)
_RESULT = TypeAdapter(AgentResult)


def is_blank(value: object) -> bool:
    """Whether a value says nothing: blank, zero, missing or empty."""
    return not value or (isinstance(value, str) and not value.strip())


def check_requirements(found: object) -> None:
    """Refuse requirements that no turn could go on with.

    Raises:
        UnknownName: A requirement that there is none of.
        BadInput: Names the place, what was found and what is missing or allowed.
    """
    # A blank takes nothing away, so it needs no form.
    given: Any = {key: value for key, value in found.items() if not is_blank(value)} if isinstance(found, Mapping) else found
    _check(_REQUIREMENTS, given, "The requirements")
    known = list(Requirements.__annotations__)
    for key in given:
        if key not in known:
            raise UnknownName("requirement", key, known, NEXT)
    people, days = sum(given.get("people", {}).values()), given.get("days")
    if "people" in given and not 1 <= people <= MAX_PEOPLE:
        raise BadInput(f"The requirements name {people} people; allowed are 1 to {MAX_PEOPLE}. {NEXT}")
    if days is not None and not 1 <= days <= MAX_DAYS:
        raise BadInput(f"The requirements name {days} days; allowed are 1 to {MAX_DAYS}. {NEXT}")


def check_state(state: Mapping[str, Any]) -> None:
    """Refuse to go on from requirements or results that were written past `Session.edit` and lack something.

    Raises:
        UnknownName: As in `check_requirements`.
        BadInput: As in `check_requirements`.
    """
    check_requirements(state.get("requirements", {}))
    for agent in AGENTS:
        if (result := state.get(f"{agent}_result")) is not None:
            _check(_RESULT, result, f"The {agent} agent's result")


def _check(form: TypeAdapter[Any], found: object, what: str) -> None:
    try:
        form.validate_python(found, strict=True)
    except ValidationError as error:
        wrong = "; ".join(
            f"{'.'.join(map(str, one['loc'])) or 'it'} found {one['input']!r}, {one['msg'].lower()}" for one in error.errors()
        )
        raise BadInput(f"{what} cannot be used: {wrong}. {NEXT}") from error
