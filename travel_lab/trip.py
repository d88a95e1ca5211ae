"""A trip: its sessions, the gates of the active one, and forks. Made by `Lab.start_trip`, `Lab.trip` and `Lab.trip_of`.

trip = lab.start_trip("帮我规划悉尼8天")
trip.confirm()
trip.select("R2")
child = trip.fork(reason="看看墨尔本", change={"destinations": ["melbourne"]})
"""

import asyncio
import secrets
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, Literal

from travel_lab.errors import BadInput, NothingWaiting, SessionError, UnknownName
from travel_lab.itinerary import language_of
from travel_lab.planner.gate_words import places_by_name, say_answer
from travel_lab.planner.gates import DRAFT, Decision, missing_of
from travel_lab.planner.graph import GRAPH_NAME, GRAPH_VERSION
from travel_lab.planner.option_words import chosen_option
from travel_lab.planner.state import PlannerState, merge_requirements
from travel_lab.session import WAIT_SECONDS, Session, check_message
from travel_lab.trip_steps import PinnedRead, begin, begin_at, find_step, is_begun, pinned
from travel_lab.trip_words import (
    Gate,
    decision,
    gate_of,
    read_at_gate,
    read_fields,
    read_or_refuse,
    say_back,
    say_which,
    seed_state,
    word_in,
)
from travel_lab.trips import SessionRecord, TripRecord, TripStore, read_choice, read_intent, without_kept
from travel_lab.trips.records import ACTIVE
from travel_lab.turn import Turn

Kind = Literal["CONFIRM", "MODIFY", "SELECT", "FORK", "RERUN", "ASK", "CHAT"]


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What became of words or of an answer."""

    kind: Kind
    said: str
    """How it was read and what is asked next, in the traveller's language."""
    session_id: str
    """The active session afterwards."""
    turn: Turn | None
    """None when no turn was played: a question back, or a fork."""


@dataclass(frozen=True)
class Trip:
    """One trip on its lab."""

    trip_id: str
    _store: TripStore
    _open: Callable[[str], Session]
    _draft: dict[str, Turn] = field(default_factory=dict, init=False, repr=False, compare=False)
    _unclear: dict[str, str] = field(default_factory=dict, init=False, repr=False, compare=False)
    """Session → the words it was asked about last: shall the plan be changed or forked? Kept with the handle only."""

    @classmethod
    def create(cls, store: TripStore, opened: Callable[[str], Session], text: str, *, owner: str) -> "Trip":
        """A new trip with a root that has no step yet; `touch` starts it."""
        root = _fresh("sess")
        return cls._keep(store, opened, root, text, owner, opened(root))

    @classmethod
    def around(cls, store: TripStore, opened: Callable[[str], Session], session_id: str, *, owner: str = "local") -> "Trip":
        """The trip of a session, made for it when it has none; see `Lab.trip_of`."""
        record = store.session(session_id)
        if record is not None:
            return cls(record.trip_id, store, opened)
        session = opened(session_id)
        state = session.state()
        if not state:
            raise UnknownName("session", session_id, session.store.sessions(), "lab.start_trip('…') makes one.")
        said = next((str(m.content) for m in state.get("messages", []) if m.type == "human"), "")
        try:
            return cls._keep(store, opened, session_id, said, owner, session)
        except SessionError:
            # Somebody else took it up at the same time; there is one trip, and it is theirs and ours.
            record = store.session(session_id)
            if record is None:
                raise
            return cls(record.trip_id, store, opened)

    @classmethod
    def _keep(
        cls, store: TripStore, opened: Callable[[str], Session], root: str, text: str, owner: str, session: Session
    ) -> "Trip":
        now, trip_id = session.context.clock.stamp(), _fresh("trip")
        trip = TripRecord(
            trip_id=trip_id,
            owner=owner,
            original_user_input=text,
            root_session_id=root,
            active_session_id=root,
            created_at=now,
        )
        store.add_trip(trip, _record(root, trip_id, None, "", now, {}))
        return cls(trip_id, store, opened)

    @property
    def record(self) -> TripRecord:
        """The trip as it stands in the file now."""
        return self._store.trip(self.trip_id)

    @property
    def active(self) -> Session:
        """The only session that can be written."""
        return self._open(self.record.active_session_id)

    @property
    def draft(self) -> Turn | None:
        """The turn that drafted the requirements of the active session; None when another program, or a handle, played it."""
        return self._draft.get(self.record.active_session_id)

    def pinned(self, at: int | str, session_id: str | None = None) -> PinnedRead:
        """A session (left out, the active one) as it stood at a step: its place or its id. Read only, and labelled.

        Raises:
            UnknownName: No such session, or no such step.
        """
        return pinned(self.active if session_id is None else self.session(session_id), at)

    def sessions(self) -> tuple[SessionRecord, ...]:
        """The sessions, oldest first: the tree of the trip, by `parent_session_id`."""
        return self._store.sessions(self.trip_id)

    def session(self, session_id: str) -> Session:
        """Any session of the trip, for reading.

        Raises:
            UnknownName: The trip has none of that id.
        """
        known = [record.session_id for record in self.sessions()]
        if session_id not in known:
            raise UnknownName("session", session_id, known, "trip.sessions() lists them.")
        return self._open(session_id)

    def gate(self, session_id: str | None = None) -> Gate | None:
        """What waits for an answer in a session (left out, the active one); None when nothing does."""
        session = self.session(session_id) if session_id is not None else self.active
        if session.session_id == self.record.active_session_id:
            self.touch()
        return gate_of(session)

    def touch(self) -> None:
        """Start the active session when a crash left it without its first step; else nothing happens."""
        session = self.active
        if not is_begun(session):
            with session.store.hold(session.session_id, wait=WAIT_SECONDS):
                self._start(session)

    def _start(self, session: Session) -> None:
        """The part of `touch` for who holds the session; another program may have started it, or have forked on, before."""
        record = self._store.session(session.session_id)
        if record is None or self.record.active_session_id != session.session_id or is_begun(session):
            return
        if record.parent_session_id is None:
            turn: Turn | None = begin(session, PlannerState(user_input=self.record.original_user_input, stage=DRAFT))
        elif "step" in record.seed:
            turn = begin_at(session, self.session(record.parent_session_id), record.seed["step"])
        else:
            turn = begin(session, seed_state(session, record), as_node="requirements")
        if turn is not None:
            self._draft[session.session_id] = turn

    def confirm(self) -> Answer:
        """Agree to the requirements; the route options are drawn.

        Raises:
            NothingWaiting: The gate REQUIREMENTS does not wait.
            BadInput: A destination or the length is still missing.
        """
        return self._answer("REQUIREMENTS", lambda state: decision("CONFIRM", word_in(state, "确认", "confirm")))

    def select(self, route_id: str) -> Answer:
        """Choose a route; the agents plan it.

        Raises:
            NothingWaiting: The gate ROUTE does not wait.
            UnknownName: No option of that id.
        """

        def choose(state: PlannerState) -> Decision:
            known = [option["route_id"] for option in state["route_options"]]
            if route_id not in known:
                raise UnknownName("route", route_id, known, "trip.gate().options lists them; nothing was chosen.")
            return decision("SELECT", word_in(state, f"选{route_id}", f"choose {route_id}"), route_id=route_id)

        return self._answer("ROUTE", choose)

    def modify(self, change: Mapping[str, Any] | str) -> Answer:
        """Change the requirements at a gate, in this session; at the gate ROUTE the options are drawn anew.

        Args:
            change: Requirement fields, or plain words.

        Raises:
            NothingWaiting: No gate waits; say a change to a finished plan with `say`.
            BadInput: Fields of another form, or words that change nothing.
        """

        def edit(state: PlannerState) -> Decision:
            fields = read_or_refuse(self.active, state, change)
            return decision(
                "MODIFY", change if isinstance(change, str) else word_in(state, f"改：{fields}", f"change: {fields}"), fields
            )

        return self._answer("", edit)

    def say(self, text: str) -> Answer:
        """Say something to the trip: an answer or a change at a gate, a fork, or a message, read by rule; it says which."""
        self.touch()
        session, checked = self.active, check_message(text)
        state, gate = session.state(), gate_of(session)
        language = language_of(checked, state.get("language"))
        places = places_by_name(session.context.provider, language)
        planned = bool(state.get("itinerary")) or gate is not None
        here = [places[place] for place in state.get("requirements", {}).get("destinations", []) if place in places]
        intent = read_intent(checked, places, here) if planned else "other"
        asked = self._unclear.pop(session.session_id, "")
        if asked and (choice := read_choice(checked)):
            return self._chosen(choice, asked, checked, session, gate)
        if intent == "unclear":
            self._unclear[session.session_id] = checked
            return Answer(kind="ASK", said=say_which(language), session_id=session.session_id, turn=None)
        if intent == "fork":
            return self._fork_from(checked, read_fields(session, state, without_kept(checked)))
        if gate is None:
            turn = session.send(checked)
            return Answer(kind="CHAT", said=turn.reply, session_id=session.session_id, turn=turn)
        kind = read_at_gate(checked, gate)
        if kind == "CONFIRM" and gate.pending == "REQUIREMENTS":
            return self._answer("REQUIREMENTS", lambda _: decision("CONFIRM", checked))
        if kind == "SELECT":
            chosen = chosen_option(checked, gate.options) or ""
            return self._answer("ROUTE", lambda _: decision("SELECT", checked, route_id=chosen))
        if kind == "OTHER" and read_fields(session, state, checked):
            return self.modify(checked)
        return Answer(kind="ASK", said=say_back(kind, checked, gate, language), session_id=session.session_id, turn=None)

    def _chosen(self, choice: str, asked: str, words: str, session: Session, gate: Gate | None) -> Answer:
        """What the traveller wants of the words that were unclear."""
        state = session.state()
        wanted = {**(read_fields(session, state, asked) or {}), **(read_fields(session, state, without_kept(words)) or {})}
        if choice == "fork":
            return self._fork_from(asked, wanted)
        if gate is not None and wanted:
            return self.modify(wanted)
        places = {city.id: city.name for city in session.context.provider.cities()}
        language = language_of(asked, state.get("language"))
        names = "+".join(places[place].in_(language) for place in wanted.get("destinations", []))
        turn = session.send((f"改成{names}" if language == "zh" else f"Change it to {names}") if names else asked)
        return Answer(kind="CHAT", said=turn.reply, session_id=session.session_id, turn=turn)

    def _fork_from(self, words: str, change: Mapping[str, Any] | None) -> Answer:
        child = self.fork(reason=words, change=change or {}, force=True)
        return Answer(kind="FORK", said=child.state()["reply"], session_id=child.session_id, turn=None)

    def fork(
        self,
        session_id: str | None = None,
        *,
        reason: str,
        change: Mapping[str, Any] | str | None = None,
        force: bool = False,
    ) -> Session:
        """A second version beside the first: a new session with the requirements and the change, at its first gate.

        No step is copied, and nothing of the parent changes: it costs the same whatever the parent's length. The child is the
        active session from the moment it exists; when this program ends before the child has started, it starts at the next
        touch.

        Args:
            session_id: Where to fork from, any session of the trip; left out, the active one.
            reason: Why, in a few words; stands on the edge of the tree.
            change: Requirement fields, or plain words; wishes are added to those there are.
            force: Fork also from a session whose requirements are not confirmed yet.

        Raises:
            UnknownName: No such session, or no such field.
            BadInput: A blank reason, or a change of another form.
            SessionError: The requirements of the source are not confirmed yet, and `force` is not given.
        """
        if not reason.strip():
            raise BadInput("A fork needs a reason, found a blank one. Say in a few words what it is for; nothing was changed.")
        self.touch()
        source = self.session(session_id) if session_id is not None else self.active
        return self._add_child(lambda child: self._child(source, child, reason, change, force=force))

    def rerun(self, session_id: str | None = None, *, at: int | str | None = None, reason: str) -> Answer:
        """Run again what came after a step, on a new session that becomes the active one; its source keeps every step.

        From a gate the new session waits at that gate; from the end of a turn nothing is left to run, and it goes on from there
        with the next message. `Answer.turn` is what was played; None when nothing was.

        Args:
            session_id: Any session of the trip; left out, the active one.
            at: The step to run from: its place in the chain, or its id; left out, where the last turn began.
            reason: Why; stands on the edge of the tree.

        Raises:
            UnknownName: No such session, or no such step; the steps are listed.
            BadInput: A blank reason.
            AgentFailed: As in `Session.send`; the new session is there, and its `resume` runs what is missing.
        """
        if not reason.strip():
            raise BadInput("A re-run needs a reason, found a blank one. Say in a few words what it is for; nothing was run.")
        self.touch()
        source = self.session(session_id) if session_id is not None else self.active
        step, now = find_step(source, at), source.context.clock.stamp()
        seed = {"step": step.checkpoint_id}
        child = self._add_child(lambda name: _record(name, self.trip_id, source.session_id, reason, now, seed))
        said = f"{source.session_id} → {child.session_id}: {reason}"
        return Answer(kind="RERUN", said=said, session_id=child.session_id, turn=self._draft.get(child.session_id))

    async def arerun(self, session_id: str | None = None, *, at: int | str | None = None, reason: str) -> Answer:
        """`rerun`, awaitable: played in a worker thread, so that a notebook's event loop stays free."""
        return await asyncio.to_thread(self.rerun, session_id, at=at, reason=reason)

    def _add_child(self, make: Callable[[str], SessionRecord]) -> Session:
        child = self._open(_fresh("sess"))
        while not self._added(child, make):
            pass
        return child

    def _added(self, child: Session, make: Callable[[str], SessionRecord]) -> bool:
        """Make the child; False when another session became the active one before this one could be held."""
        active = self.active
        # Only the active session is ever written, so whoever holds it has the whole trip to himself; and who holds the child
        # before it can be seen starts it before anybody can fork on from it.
        with (
            active.store.hold(active.session_id, wait=WAIT_SECONDS),
            child.store.hold(child.session_id, wait=WAIT_SECONDS),
        ):
            self._start(active)
            if not self._store.add_fork(make(child.session_id), active=active.session_id):
                return False
            self._start(child)
        return True

    def _child(
        self, source: Session, child_id: str, reason: str, change: Mapping[str, Any] | str | None, *, force: bool
    ) -> SessionRecord:
        state = source.state()
        if state.get("stage") == DRAFT and not force:
            raise SessionError(
                f"The requirements of session {source.session_id!r} are not confirmed yet, so a fork has nothing of its own. "
                "Change them there with trip.modify(…), or fork anyway with force=True. Nothing was changed."
            )
        fields = read_or_refuse(source, state, change) if change else {}
        needed = merge_requirements(deepcopy(state.get("requirements", {})), fields)
        seed = {"requirements": needed, "language": state.get("language", "zh")}
        now = source.context.clock.stamp()
        return _record(child_id, self.trip_id, source.session_id, reason, now, seed)

    def _answer(self, pending: str, decide: Callable[[PlannerState], Decision]) -> Answer:
        self.touch()
        session = self.active
        with session.writing():
            waits, state = session.waits_for(), session.state()
            if not waits or (pending and waits != pending):
                raise NothingWaiting(
                    f"Session {session.session_id!r}: the gate {pending or 'for a change'} does not wait "
                    f"({waits or 'nothing'} does); it may have been answered already. Nothing was stored."
                )
            decided = decide(state)
            language = state["language"]
            if decided["kind"] == "CONFIRM" and (missing := missing_of(state["requirements"], language)):
                raise BadInput(f"The requirements lack {', '.join(missing)}. Add it with trip.modify(…); nothing was confirmed.")
            turn = session.play_answer(decided)
        said = f"{say_answer(decided, language)}\n{turn.reply}"
        return Answer(kind=decided["kind"], said=said, session_id=session.session_id, turn=turn)


def _fresh(kind: str) -> str:
    return f"{kind}_{secrets.token_hex(8)}"


def _record(session_id: str, trip_id: str, parent: str | None, reason: str, now: str, seed: Mapping[str, Any]) -> SessionRecord:
    return SessionRecord(
        session_id=session_id,
        trip_id=trip_id,
        parent_session_id=parent,
        fork_reason=reason,
        status=ACTIVE,
        graph=GRAPH_NAME,
        graph_version=GRAPH_VERSION,
        created_at=now,
        seed=seed,
    )
