"""Fields of the state that a person changes by hand: checked before they are a step."""

from collections.abc import Mapping
from typing import Any

from travel_lab.checkpoints import change_in, flaw_in
from travel_lab.errors import NotStorable, UnknownName
from travel_lab.planner.state import PlannerState
from travel_lab.planner.written_forms import check_requirements


def check_changes(changes: Mapping[str, Any]) -> None:
    """Refuse what no node could have written.

    Raises:
        UnknownName: A field the state, or the requirements, do not have.
        BadInput: Requirements of another form; names the place, what was found and what is allowed.
        NotStorable: A value that a checkpoint cannot hold, or would give back as another type.
    """
    known = list(PlannerState.__annotations__)
    for key, value in changes.items():
        if key not in known:
            raise UnknownName("state field", key, known, "Nothing was changed.")
        if flaw := flaw_in(value) or change_in(value):
            raise NotStorable(f"The change puts into {flaw.told(repr(key))} Nothing was changed.")
    if "requirements" in changes:
        check_requirements(changes["requirements"])
