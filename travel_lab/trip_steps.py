"""Steps of a trip's sessions: reading one as it was, starting a session, and starting one from another's step."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver

from travel_lab.checkpoints import Step, turns_of
from travel_lab.errors import SessionError, UnknownName
from travel_lab.planner.gates import DRAFT
from travel_lab.planner.state import PlannerState
from travel_lab.session import Session
from travel_lab.turn import Turn


@dataclass(frozen=True, kw_only=True)
class PinnedRead:
    """A session as it stood at one step. It is read only: nothing that is done with it reaches the session."""

    session_id: str
    step_id: str
    position: int
    """Of the step among all steps of the session, from 0."""
    steps: int
    """How many steps the session had when it was read."""
    nodes: tuple[str, ...]
    """What ran to reach the step."""
    next: tuple[str, ...]
    """What ran, or would run, from there."""
    state: Mapping[str, Any]

    @property
    def is_newest(self) -> bool:
        """Whether nothing came after it."""
        return self.position == self.steps - 1

    @property
    def label(self) -> str:
        """What to write beside anything shown of it."""
        later = "the newest" if self.is_newest else f"{self.steps - 1 - self.position} newer not shown"
        return f"{self.session_id} pinned to step {self.position} of 0–{self.steps - 1} (after {self._after}): {later}"

    @property
    def _after(self) -> str:
        return ", ".join(self.nodes) or "input"


def pinned(session: Session, at: int | str) -> PinnedRead:
    """A session as it stood at a step; see `find_step`."""
    step = find_step(session, at)
    steps, found = session.chain().steps, session.graph.get_state(config_of(session, step))
    return PinnedRead(
        session_id=session.session_id,
        step_id=step.checkpoint_id,
        position=steps.index(step),
        steps=len(steps),
        nodes=step.nodes,
        next=found.next,
        state=found.values,
    )


def find_step(session: Session, at: int | str | None) -> Step:
    """A step by its id or its place in the chain (negative counts from the newest); None: where the last turn began.

    Raises:
        UnknownName: There is none.
        SessionError: The session has no step yet.
    """
    chain = session.chain()
    if not chain.steps:
        raise SessionError(f"Session {session.session_id!r} has no step yet. Send a message first; nothing was run.")
    if at is None:
        turns = turns_of(chain)
        return turns[-1][0] if turns else chain.steps[0]
    if isinstance(at, int) and -len(chain.steps) <= at < len(chain.steps):
        return chain.steps[at]
    known = {step.checkpoint_id: step for step in chain.steps}
    if at not in known:
        places = [f"{place} ({', '.join(step.nodes) or 'input'})" for place, step in enumerate(chain.steps)]
        raise UnknownName("step", str(at), places, "A place or an id from session.chain().steps; nothing was run.")
    return known[str(at)]


def is_begun(session: Session) -> bool:
    """Whether it has a step, and a gate that waits has asked its question."""
    now = session.graph.get_state(config_of(session))
    on_the_way = now.values.get("stage") == DRAFT or session.waits_for()
    return bool(now.values or now.next) and not (on_the_way and now.next and not now.interrupts)


def begin(session: Session, first: PlannerState, *, as_node: str = "__start__") -> Turn:
    """Play it up to its first gate or question, from wherever a crash left it; without a step, from `first` after that node."""
    if not session.graph.get_state(config_of(session)).values:
        session.graph.update_state(config_of(session), dict(first), as_node=as_node)
    return session.play_on(first.get("user_input", ""))


def begin_at(session: Session, source: Session, step_id: str) -> Turn | None:
    """Give a new session the step of another as its first, and play what comes after it; None when nothing does.

    The step is copied as it is stored, with whom it would call next: no node has to be named, and no merge rule runs.
    """
    if not session.graph.get_state(config_of(session)).config["configurable"].get("checkpoint_id"):
        saver = cast(BaseCheckpointSaver[Any], session.graph.checkpointer)
        step = next(step for step in source.chain().steps if step.checkpoint_id == step_id)
        held = saver.get_tuple(config_of(source, step))
        if held is None:
            raise SessionError(f"Session {source.session_id!r} has lost step {step_id!r}; it was pruned. Nothing was run.")
        to: RunnableConfig = {"configurable": {"thread_id": session.session_id, "checkpoint_ns": ""}}
        saver.put(to, held.checkpoint, {**held.metadata, "source": "fork"}, held.checkpoint["channel_versions"])
    now = session.graph.get_state(config_of(session))
    return session.play_on(str(now.values.get("user_input", ""))) if now.next else None


def config_of(session: Session, step: Step | None = None) -> RunnableConfig:
    """Where LangGraph finds the session, or one step of it."""
    at = {} if step is None else {"checkpoint_id": step.checkpoint_id}
    return {"configurable": {"thread_id": session.session_id, **at}}
