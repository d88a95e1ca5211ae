"""A trip: its sessions, the gates of the active one, and forks. Made by `Lab.start_trip`, `Lab.trip` and `Lab.trip_of`.

trip = lab.start_trip("帮我规划悉尼8天")
trip.confirm()
trip.select("R2")
child = trip.fork(reason="看看墨尔本", change={"destinations": ["melbourne"]})
"""

import secrets
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Literal, cast

from langchain_core.runnables import RunnableConfig

from travel_lab.errors import BadInput, NothingWaiting, SessionError, UnknownName
from travel_lab.itinerary import Requirements, language_of
from travel_lab.planner.gate_words import chosen_route, field_change, is_yes, places_by_name, read_change, say_answer
from travel_lab.planner.gates import DRAFT, Decision, missing_of, seeded
from travel_lab.planner.graph import GRAPH_NAME, GRAPH_VERSION, STEP_LIMIT
from travel_lab.planner.state import PlannerState, RouteOption, merge_requirements
from travel_lab.session import WAIT_SECONDS, Session, check_message
from travel_lab.trips import SessionRecord, TripRecord, TripStore, read_intent, without_kept
from travel_lab.trips.records import ACTIVE
from travel_lab.turn import Turn

Kind = Literal["CONFIRM", "MODIFY", "SELECT", "FORK", "ASK", "CHAT"]
_ASK = {
    "zh": {
        "gate": "没听明白：可以确认，或者直接说要改什么。\n{question}",
        "fork": "是把现在的方案改掉，还是保留它、另外做一个版本？可以说「改成…」，或「另外做一个…版本，这套留着」。",
    },
    "en": {
        "gate": "Not understood: confirm, or say what to change.\n{question}",
        "fork": "Shall the plan be changed, or kept beside a second one? Say 'change it to …' or 'another version …, keep it'.",
    },
}


@dataclass(frozen=True, kw_only=True)
class Gate:
    """What waits for an answer."""

    session_id: str
    pending: str
    """`REQUIREMENTS` or `ROUTE`."""
    question: str
    requirements: Mapping[str, Any]
    options: tuple[RouteOption, ...]
    """Of the gate ROUTE; empty at the other."""


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
        return cls._keep(store, opened, session_id, said, owner, session)

    @classmethod
    def _keep(
        cls, store: TripStore, opened: Callable[[str], Session], root: str, text: str, owner: str, session: Session
    ) -> "Trip":
        now, trip_id = session.context.clock.now().isoformat(), _fresh("trip")
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
        return _gate(session)

    def touch(self) -> None:
        """Start the active session when a crash left it without its first step; else nothing happens."""
        session = self.active
        if not _is_begun(session):
            with session.store.hold(session.session_id, wait=WAIT_SECONDS):
                self._start(session)

    def _start(self, session: Session) -> None:
        """The part of `touch` for who holds the session; another program may have started it, or have forked on, before."""
        record = self._store.session(session.session_id)
        if record is None or self.record.active_session_id != session.session_id or _is_begun(session):
            return
        if record.parent_session_id is None:
            _begin(session, PlannerState(user_input=self.record.original_user_input, stage=DRAFT))
        else:
            _begin(session, _seed_state(session, record), as_node="requirements")

    def confirm(self) -> Answer:
        """Agree to the requirements; the route options are drawn.

        Raises:
            NothingWaiting: The gate REQUIREMENTS does not wait.
            BadInput: A destination or the length is still missing.
        """
        return self._answer("REQUIREMENTS", lambda state: _decision("CONFIRM", _word(state, "确认", "confirm")))

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
            return _decision("SELECT", _word(state, f"选{route_id}", f"choose {route_id}"), route_id=route_id)

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
            fields = _change(self.active, state, change)
            return _decision(
                "MODIFY", change if isinstance(change, str) else _word(state, f"改：{fields}", f"change: {fields}"), fields
            )

        return self._answer("", edit)

    def say(self, text: str) -> Answer:
        """Say something to the trip: an answer or a change at a gate, a fork, or a message, read by rule; it says which."""
        self.touch()
        session, checked = self.active, check_message(text)
        state, gate = session.state(), _gate(session)
        language = language_of(checked, state.get("language"))
        places = places_by_name(session.context.provider, language)
        planned = bool(state.get("itinerary")) or gate is not None
        intent = read_intent(checked, places) if planned else "other"
        if intent == "unclear":
            return Answer(kind="ASK", said=_ASK[language]["fork"], session_id=session.session_id, turn=None)
        if intent == "fork":
            child = self.fork(reason=checked, change=_read(session, state, without_kept(checked)) or {}, force=True)
            return Answer(kind="FORK", said=child.state()["reply"], session_id=child.session_id, turn=None)
        if gate is None:
            turn = session.send(checked)
            return Answer(kind="CHAT", said=turn.reply, session_id=session.session_id, turn=turn)
        if gate.pending == "REQUIREMENTS" and is_yes(checked):
            return self._answer("REQUIREMENTS", lambda _: _decision("CONFIRM", checked))
        if gate.pending == "ROUTE" and (chosen := chosen_route(checked, gate.options)):
            return self._answer("ROUTE", lambda _: _decision("SELECT", checked, route_id=chosen))
        if _read(session, state, checked):
            return self.modify(checked)
        asked = _ASK[language]["gate"].format(question=gate.question)
        return Answer(kind="ASK", said=asked, session_id=session.session_id, turn=None)

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
        child = self._open(_fresh("sess"))
        while not self._forked(source, child, reason, change, force=force):
            pass
        return child

    def _forked(
        self, source: Session, child: Session, reason: str, change: Mapping[str, Any] | str | None, *, force: bool
    ) -> bool:
        """Make the child; False when another session became the active one before this one could be held."""
        active = self.active
        # Only the active session is ever written, so whoever holds it has the whole trip to himself; and who holds the child
        # before it can be seen starts it before anybody can fork on from it.
        with (
            active.store.hold(active.session_id, wait=WAIT_SECONDS),
            child.store.hold(child.session_id, wait=WAIT_SECONDS),
        ):
            self._start(active)
            record = self._child(source, child.session_id, reason, change, force=force)
            if not self._store.add_fork(record, active=active.session_id):
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
        fields = _change(source, state, change) if change else {}
        needed = merge_requirements(deepcopy(state.get("requirements", {})), fields)
        seed = {"requirements": needed, "language": state.get("language", "zh")}
        now = source.context.clock.now().isoformat()
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
            decision = decide(state)
            language = state["language"]
            if decision["kind"] == "CONFIRM" and (missing := missing_of(state["requirements"], language)):
                raise BadInput(f"The requirements lack {', '.join(missing)}. Add it with trip.modify(…); nothing was confirmed.")
            turn = session.play_answer(decision)
        said = f"{say_answer(decision, language)}\n{turn.reply}"
        return Answer(kind=decision["kind"], said=said, session_id=session.session_id, turn=turn)


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


def _is_begun(session: Session) -> bool:
    """Whether it has a step, and a gate that waits has asked its question."""
    now = session.graph.get_state(_config(session))
    on_the_way = now.values.get("stage") == DRAFT or session.waits_for()
    return bool(now.values) and not (on_the_way and now.next and not now.interrupts)


def _begin(session: Session, first: PlannerState, *, as_node: str = "__start__") -> None:
    """Play it up to its first gate or question, from wherever a crash left it; without a step, from `first` after that node."""
    if not session.graph.get_state(_config(session)).values:
        session.graph.update_state(_config(session), dict(first), as_node=as_node)
    session.graph.invoke(None, {**_config(session), "recursion_limit": STEP_LIMIT}, context=session.context)


def _config(session: Session) -> RunnableConfig:
    return {"configurable": {"thread_id": session.session_id}}


def _seed_state(session: Session, record: SessionRecord) -> PlannerState:
    seed = record.seed
    return cast(PlannerState, seeded(seed["requirements"], seed["language"], record.fork_reason, session.context.provider))


def _gate(session: Session) -> Gate | None:
    pending, state = session.waits_for(), session.state()
    if not pending:
        return None
    return Gate(
        session_id=session.session_id,
        pending=pending,
        question=state["reply"],
        requirements=state["requirements"],
        options=tuple(state["route_options"]) if pending == "ROUTE" else (),
    )


def _decision(
    kind: Literal["CONFIRM", "MODIFY", "SELECT"], words: str, change: Mapping[str, Any] | None = None, route_id: str = ""
) -> Decision:
    return Decision(kind=kind, words=words, change=cast(Requirements, dict(change or {})), route_id=route_id)


def _word(state: PlannerState, zh: str, en: str) -> str:
    return zh if state["language"] == "zh" else en


def _read(session: Session, state: PlannerState, words: str) -> dict[str, Any] | None:
    context = session.context
    language = language_of(words, state.get("language"))
    return read_change(words, state.get("requirements", {}), language, context.provider, context.clock.now().astimezone().date())


def _change(session: Session, state: PlannerState, change: Mapping[str, Any] | str) -> dict[str, Any]:
    fields = _read(session, state, change) if isinstance(change, str) else field_change(change, session.context.provider)
    if not fields:
        raise BadInput(
            f"{change!r} changes none of the requirements. Say a place, days, money, people or wishes; nothing was changed."
        )
    return fields
