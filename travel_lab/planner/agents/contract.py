"""What a specialist must be given and may write, checked when the graph is built and each time one runs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Protocol

from langgraph.errors import GraphBubbleUp
from langgraph.runtime import Runtime

from travel_lab.chat_models import scrub
from travel_lab.checkpoints import change_in, flaw_in
from travel_lab.errors import KeyConflict, MissingPayload, NotStorable
from travel_lab.events import AgentFinished, AgentStarted, Note
from travel_lab.planner.state import MERGED, Payload, PlannerContext, PlannerState


class Node(Protocol):
    """A node of the graph as LangGraph calls it."""

    def __call__(self, state: Payload, *, runtime: Runtime[PlannerContext]) -> dict[str, Any]:
        """The state update of one run."""


Work = Callable[[Payload, PlannerContext], dict[str, Any]]
STATE_KEYS = frozenset(PlannerState.__annotations__)


@dataclass(frozen=True, kw_only=True)
class Specialist:
    """An agent that runs beside others."""

    name: str
    """Also the name of its node."""
    needs: tuple[str, ...] = tuple(Payload.__annotations__)
    """Payload fields it reads."""
    writes: tuple[str, ...]
    """State fields it alone writes; fields with a merge rule need no mention."""
    work: Work
    """From payload and context to the state fields it changes."""


def check_specialists(specialists: Sequence[Specialist]) -> None:
    """Refuse two agents that write one field.

    Raises:
        KeyConflict: Names the field and both agents.
    """
    owner: dict[str, str] = {}
    for specialist in specialists:
        for key in specialist.writes:
            if key in owner and key not in MERGED:
                raise KeyConflict(
                    f"Agents {owner[key]!r} and {specialist.name!r} both write {key!r}, which has no merge rule. They run in "
                    f"one step, so give one of them another field, or one of the merged fields {sorted(MERGED)}."
                )
            owner[key] = specialist.name


def node_of(specialist: Specialist, others: Sequence[Specialist]) -> Node:
    """The graph node that runs a specialist under its contract."""
    owners = {key: other.name for other in others for key in other.writes}

    def node(state: Payload, *, runtime: Runtime[PlannerContext]) -> dict[str, Any]:
        context, payload = runtime.context, state
        _check_payload(specialist, payload)
        turn = payload.get("turn", 0)
        context.emit(AgentStarted(agent=specialist.name, turn=turn, seconds=context.clock.elapsed()))
        told = runtime.execution_info
        place = (told.checkpoint_id, told.task_id) if told else ("", "")
        context.siblings.started(*place)
        context.clock.begin([specialist.name])
        try:
            update = _allowed(specialist, payload, specialist.work(payload, context), owners, context)
            ended = context.clock.elapsed()  # before the clock may move on to whoever waits
        except BaseException as error:
            if not isinstance(error, GraphBubbleUp):  # a pause is no end
                _tell(specialist, turn, {"status": "failed", "reason": scrub(str(error))}, context.clock.elapsed(), context)
            # The clock first: a sibling on virtual time waits for whoever has begun and not ended.
            context.clock.end([specialist.name])
            context.siblings.fail(*place)
            raise
        _tell(specialist, turn, update.get(f"{specialist.name}_result", {"status": "ok", "reason": ""}), ended, context)
        context.clock.end([specialist.name])
        context.siblings.returned(*place)
        return update

    return node


def _tell(specialist: Specialist, turn: int, result: Mapping[str, str], seconds: float, context: PlannerContext) -> None:
    context.emit(
        AgentFinished(agent=specialist.name, turn=turn, seconds=seconds, status=result["status"], reason=result["reason"])
    )


def _check_payload(specialist: Specialist, payload: Mapping[str, Any]) -> None:
    missing = [key for key in specialist.needs if key not in payload]
    if missing:
        raise MissingPayload(
            f"Agent {specialist.name!r} needs {', '.join(map(repr, missing))} and was sent only "
            f"{', '.join(map(repr, payload)) or 'nothing'}. Put them into its Send; no model was called."
        )


def _allowed(
    specialist: Specialist, payload: Payload, update: Mapping[str, Any], owners: Mapping[str, str], context: PlannerContext
) -> dict[str, Any]:
    """The part of an update that may be stored; what is left out is told as a note."""
    kept: dict[str, Any] = {}
    for key, value in update.items():
        # First, and before LangGraph saves beside the run: by then other agents may have gone on with the value.
        if key in STATE_KEYS and (flaw := flaw_in(value) or change_in(value)):
            raise NotStorable(
                f"Agent {specialist.name!r} returned in {flaw.told(repr(key))} Nothing it returned was stored; mend the agent "
                "and resume the turn."
            )
        if key in specialist.writes or (key in MERGED and payload.get(key) != value):
            kept[key] = value
        elif key in payload and payload.get(key) == value:
            _note(specialist, payload, context, f"returned {key!r} as it was sent; not written")
        elif key not in STATE_KEYS:
            close = get_close_matches(key, STATE_KEYS, n=1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            _note(specialist, payload, context, f"returned {key!r}, which the state does not have; not stored{hint}")
        else:
            whose = f"; agent {owners[key]!r} writes it" if key in owners else ""
            raise KeyConflict(
                f"Agent {specialist.name!r} wrote {key!r}, which it does not declare{whose}. Declare it in `writes` or "
                f"leave it out; it may write {sorted({*specialist.writes, *MERGED})}."
            )
    return kept


def _note(specialist: Specialist, payload: Payload, context: PlannerContext, text: str) -> None:
    context.emit(
        Note(
            agent=specialist.name,
            turn=payload.get("turn", 0),
            seconds=context.clock.elapsed(),
            text=f"agent {specialist.name!r} {text}",
        )
    )
