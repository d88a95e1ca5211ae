"""A session: one line of conversation with the planner, turn by turn, every view of it recorded.

Flow: words → graph → `Turn` (reply, card, events, views) → `CallMeasure` (what a call could see of what was there).
"""

import asyncio
import threading
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import copy_context
from dataclasses import dataclass, field, replace
from queue import SimpleQueue
from typing import Any, cast

from langchain_core.messages import RemoveMessage
from langchain_core.runnables import RunnableConfig
from langgraph.errors import GraphRecursionError
from langgraph.graph import END
from langgraph.types import Command, StateSnapshot

from travel_lab.chat_models import CallRecorder, ModelCall, counter_of
from travel_lab.checkpoints import CheckpointChain, OpenedStep, Siblings, Store
from travel_lab.context import Fact, bound_facts
from travel_lab.deadline import interruptible
from travel_lab.errors import BadMessage, GateWaiting, GraphChanged, NothingToResume, RunawayGraph, UnfinishedTurn
from travel_lab.events import Card, Done, Event, EventLog, Failed, Sink
from travel_lab.itinerary import AGENTS, Requirements, card_lines, read_followup
from travel_lab.planner import STEP_LIMIT, Graph, PlannerContext, PlannerState, facts_of, needs, results_of
from travel_lab.planner.by_hand import check_changes
from travel_lab.planner.gates import GATES, Decision
from travel_lab.planner.graph import GRAPH_NAME, GRAPH_VERSION
from travel_lab.planner.resent import Said, check_newest, read_conversation
from travel_lab.tokens import text_of
from travel_lab.trips import Profiles, TripStore, news
from travel_lab.turn import Turn

MAX_CHARACTERS = 20_000
"""The longest message a session takes."""
WAIT_SECONDS = 60.0
"""How long a message waits for another one to the same session."""


@dataclass(frozen=True, kw_only=True)
class Session:
    """One conversation; its id is LangGraph's `thread_id`. Made by `Lab.session`."""

    session_id: str
    graph: Graph = field(repr=False)
    store: Store = field(repr=False)
    context: PlannerContext = field(repr=False)
    user: str | None = None
    """Whose it is; their profile is read before a turn and written after it."""
    profiles: Profiles | None = field(default=None, repr=False)
    trips: TripStore | None = field(default=None, repr=False)
    """Says whether the session may be written; None where there are no trips."""

    def send(self, text: Said, watch: Sink | None = None, *, wait: float = WAIT_SECONDS) -> Turn:
        """Play one turn. One message at a time is written to a session, whichever thread or process sends it.

        Args:
            text: What the traveller says; or the whole conversation that ends with it, as chat front ends send it, of which only
                that last message is taken.
            watch: Told of every event as it happens; called from worker threads.
            wait: Seconds to wait while another message to the session is played; 0 refuses at once.

        Raises:
            BadMessage: The message is blank or longer than `MAX_CHARACTERS`; or the conversation is not the session's, or has
                nothing new.
            AgentFailed: An agent without a fallback failed; `resume` runs only what failed.
            UnfinishedTurn: The last turn stopped halfway with this very message; nothing was stored a second time.
            GateWaiting: A gate waits for an answer; `trip.say` gives it.
            NotActive: Another session of the trip is the active one.
            SessionBusy: Another message to the session is still being played.
            SessionDeleted: The session was deleted, before or during the turn.
            StoreLocked: Another program holds the file; the message can be sent again.
            StoreClosed: The lab was closed.
        """
        conversation = read_conversation(text)
        checked = check_message(text_of(conversation[-1]) if conversation else text)
        self.store.check_open()
        with self._writing(wait) as head:
            self._refuse_second_copy(checked, head)
            check_newest(conversation, cast(PlannerState, head.values), self.session_id)
            before = self._settled(head)
            # Only what the traveller said goes in: a field that is given, even blank, would count as said.
            return self._run(PlannerState(user_input=checked), checked, before, watch)

    async def asend(self, text: Said, watch: Sink | None = None, *, wait: float = WAIT_SECONDS) -> Turn:
        """`send`, awaitable: the turn is played in a worker thread, so that a notebook's event loop stays free."""
        return await asyncio.to_thread(self.send, text, watch, wait=wait)

    def resume(self, watch: Sink | None = None, *, wait: float = WAIT_SECONDS) -> Turn:
        """Finish a turn that stopped halfway: run only what failed or never ran; finished agents keep their results.

        Their writes are stored as each of them finishes (the lab never saves at the end of a turn only), so this holds after
        a killed process too; an agent whose writes were not stored yet runs again.

        Args:
            watch: Told of every event of this part of the turn.
            wait: As in `send`.

        Returns:
            The whole turn's reply and card, with the model calls of this part.

        Raises:
            NothingToResume: The last turn is complete, or there is none.
            GraphChanged: The turn stopped before a node that today's graph does not have; nothing was run.
            AgentFailed: It failed again.
            SessionBusy: As in `send`.
            SessionDeleted: As in `send`.
        """
        self.store.check_open()
        with self._writing(wait):
            chain = self.chain()
            stopped = self._stopped(chain)
            start = _began_at(chain)
            config: Any = {"configurable": {**self._config()["configurable"], "checkpoint_id": start}}
            before = self.graph.get_state(config).values if start else {}
            return self._run(None, _text_of(stopped), cast(PlannerState, before), watch)

    def stream(self, text: Said) -> Iterator[Event]:
        """Play one turn and hand out its events as they happen; the last is `Done`, or `Failed` before the error is raised.

        The turn plays on to its end in a thread of its own, also when nobody takes the events any more.
        """
        events: SimpleQueue[Event] = SimpleQueue()
        player = threading.Thread(target=copy_context().run, args=(self._play, text, events), daemon=True)
        player.start()
        while not isinstance(event := events.get(), Done | Failed):
            yield event
        yield event
        player.join()
        if isinstance(event, Failed):
            raise event.error

    def _play(self, text: Said, events: SimpleQueue[Event]) -> None:
        try:
            turn = self.send(text, watch=events.put)
        except Exception as error:  # noqa: BLE001 (whatever ends the turn ends the stream; `stream` raises it again)
            events.put(Failed(agent="session", turn=0, seconds=self.context.clock.elapsed(), error=error))
            return
        seconds = self.context.clock.elapsed()
        if turn.itinerary is not None:
            events.put(Card(agent="aggregator", turn=turn.number, seconds=seconds, lines=tuple(turn.card.split("\n"))))
        events.put(Done(agent="session", turn=turn.number, seconds=seconds, outcome=turn))

    def state(self) -> PlannerState:
        """What the session remembers now; empty before the first turn."""
        self.store.check_open()
        return cast(PlannerState, self._head().values)

    def edit(self, changes: Mapping[str, Any]) -> None:
        """Change fields of the state by hand, as a new step; merge rules apply.

        Raises:
            UnknownName: A field the state does not have; nothing is changed.
            BadInput: Requirements that are not of their form; nothing is changed.
        """
        check_changes(changes)
        self.store.check_open()
        with self._writing(WAIT_SECONDS) as head:
            self._settled(head)
            self.graph.update_state(self._config(), dict(changes), as_node="reply")

    def forget(self, message_ids: Collection[str]) -> int:
        """Take messages out of the history, as a new step; the steps before it keep them.

        Returns:
            How many were there; asking again takes none and makes no step.

        Raises:
            NotActive: Another session of its trip is the one that can be written to.
            GateWaiting: It waits for an answer.
        """
        self.store.check_open()
        with self._writing(WAIT_SECONDS) as head:
            said = self._settled(head).get("messages", [])
            markers = [RemoveMessage(id=str(message.id)) for message in said if message.id in message_ids]
            if markers:
                self.graph.update_state(self._config(), {"messages": markers}, as_node="reply")
        return len(markers)

    def chain(self) -> CheckpointChain:
        """The session's steps, oldest first."""
        return self.store.chain(self.session_id, self.graph)

    def waits_for(self) -> str:
        """The gate that waits: `REQUIREMENTS` or `ROUTE`; blank when none does.

        What the state says, not the list of open questions: that one is lost when a process ends before the gate.
        """
        self.store.check_open()
        return _gate_ahead(self._head())

    @contextmanager
    def writing(self, *, wait: float = WAIT_SECONDS) -> Iterator[None]:
        """Be the only writer of the session, and sure that it may be written.

        Raises:
            NotActive: Another session of its trip is the active one.
            GraphChanged: Another graph made it.
            SessionBusy: As in `send`.
        """
        self.store.check_open()
        with self.store.hold(self.session_id, wait=wait):
            record = self.trips.check_active(self.session_id) if self.trips else None
            if record and (record.graph, record.graph_version) != (GRAPH_NAME, GRAPH_VERSION):
                raise GraphChanged(
                    f"Session {self.session_id!r} was made by graph {record.graph!r} version {record.graph_version}; this is "
                    f"{GRAPH_NAME!r} version {GRAPH_VERSION}. Nothing was run; fork it to go on with this graph."
                )
            yield

    @contextmanager
    def _writing(self, wait: float) -> Iterator[StateSnapshot]:
        """`writing`, past any gate; the state as it stands, read once, for a long conversation takes time to read."""
        with self.writing(wait=wait):
            head = self._head()
            if gate := _gate_ahead(head):
                raise GateWaiting(
                    f"Session {self.session_id!r} waits at the gate {gate}. Nothing was stored; answer with trip.say('…'), "
                    "trip.confirm(), trip.modify(…) or trip.select(…)."
                )
            yield head

    def play_answer(self, decision: Decision, watch: Sink | None = None) -> Turn:
        """Go on from the gate that waits; call it inside `writing`, with a decision that was checked."""
        return self._run(Command(resume=dict(decision)), decision["words"], self.state(), watch)

    def play_on(self, text: str) -> Turn:
        """Play what comes after the newest step, said to be the turn of `text`; call it only while the session is held."""
        return self._run(None, text, self.state(), None)

    def _settled(self, head: StateSnapshot) -> PlannerState:
        """The state, with what the finished agents of a failed turn have found; LangGraph would drop it with the next input."""
        if not _is_unfinished(head):
            return cast(PlannerState, head.values)
        self.graph.update_state(self._config(), None, as_node=END)
        return self.state()

    def _head(self) -> StateSnapshot:
        return self.graph.get_state(self._config())

    def _config(self) -> RunnableConfig:
        return {"configurable": {"thread_id": self.session_id}}

    def _run(self, given: PlannerState | Command[Any] | None, text: str, before: PlannerState, watch: Sink | None) -> Turn:
        log, recorder = EventLog(also=watch), CallRecorder(counter=counter_of(self.context.model))
        siblings = Siblings(stored=self.store.stored_tasks(self.session_id))
        profile = self._profile()
        context = replace(self.context, emit=log, refusals=[], siblings=siblings, profile=profile)
        config = {**self._config(), "callbacks": [recorder], "recursion_limit": STEP_LIMIT}
        try:
            after = interruptible(lambda: self.graph.invoke(given, cast(RunnableConfig, config), context=context))
        except GraphRecursionError as error:
            raise self._runaway(recorder.calls) from error
        self._learn(before, after, profile)
        return self._turn(text, before, cast(PlannerState, after), log, recorder)

    def _runaway(self, calls: Sequence[ModelCall]) -> RunawayGraph:
        counted = Counter(call.agent for call in calls)
        made = ", ".join(f"{agent} {counted[agent]}" for agent in sorted(counted, key=_plan_order)) or "none"
        return RunawayGraph(
            f"The turn of session {self.session_id!r} did not end within {STEP_LIMIT} steps; a node seems to lead back to one "
            f"before it. Model calls: {made}. Every step is kept: tl.chain_frame(session.chain()) shows which nodes follow each "
            "other. Correct the graph's edges, then send another message."
        )

    def _profile(self) -> Requirements:
        return self.profiles.read(self.user) if self.profiles and self.user else Requirements()

    def _learn(self, before: Mapping[str, Any], after: Mapping[str, Any], profile: Requirements) -> None:
        if not (self.profiles and self.user):
            return
        said = news(before.get("requirements", {}), after.get("requirements", {}), profile)
        if "budget" in said and not said["budget"]["currency"] and after.get("itinerary"):
            # A sum without a currency is in that of its trip; the next trip may be elsewhere.
            said["budget"] = {**said["budget"], "currency": after["itinerary"]["cost"]["currency"]}
        if said:
            self.profiles.learn(self.user, said)

    def _refuse_second_copy(self, text: str, head: StateSnapshot) -> None:
        """Offer to resume when the last turn stopped halfway with this very message."""
        if _is_unfinished(head) and _text_of(stopped := self._stopped(self.chain())) == text:
            raise UnfinishedTurn(
                f"The turn of this message stopped before {', '.join(_to_run(stopped))} and was not sent a second time. "
                "session.resume() runs only what is missing; another message starts a new turn."
            )

    def _stopped(self, chain: CheckpointChain) -> OpenedStep:
        """The step the last turn stopped at."""
        head = self.store.open_step(chain, chain.steps[-1]) if chain.steps else None
        if head is None or not head.next:
            raise NothingToResume(
                f"Session {self.session_id!r} has {'no turn yet' if head is None else 'a complete last turn'}. "
                "Nothing was run; session.send() starts a turn."
            )
        gone = [node for node in head.next if node not in self.graph.nodes]
        if gone:
            raise GraphChanged(
                f"Session {self.session_id!r} stopped before {', '.join(map(repr, gone))}, which this graph does not have; it "
                f"has {', '.join(name for name in self.graph.nodes if name != '__start__')}. Nothing was run; resume it with "
                "the graph that made it."
            )
        return head

    def _turn(self, text: str, before: PlannerState, after: PlannerState, log: EventLog, recorder: CallRecorder) -> Turn:
        results = results_of(before)
        facts = facts_of(results)
        followup = read_followup(text, dict.fromkeys(fact.subject for fact in facts))
        itinerary = after.get("itinerary")
        return Turn(
            number=after["turn"],
            text=text,
            language=after["language"],
            strategy=self.context.strategy.name,
            reply=after["reply"],
            reply_kind=after["reply_kind"],
            itinerary=itinerary if itinerary and itinerary["turn"] == after["turn"] else None,
            calls=tuple(sorted(recorder.calls, key=lambda call: (call.step, _plan_order(call.agent)))),
            events=tuple(log.events),
            facts_before=facts,
            needed=needs(followup, results),
            about=followup.about or "",
            history=before.get("messages", ()),
            results_before=results,
            shown=_shown(before, facts),
        )


def _shown(before: PlannerState, facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """Those of `facts` that stand on the newest card, measured on its text as on any message."""
    card = before.get("itinerary")
    if not card:
        return ()
    bound = bound_facts("\n".join(card_lines(card, before["language"])), facts)
    return tuple(fact for fact in facts if fact in bound)


def _gate_ahead(head: StateSnapshot) -> str:
    return next((GATES[node] for node in head.next if node in GATES), "")


def _is_unfinished(head: StateSnapshot) -> bool:
    # Not `next`: it is empty when every task of the step is stored and only the step itself is missing.
    return bool(head.tasks)


def _began_at(chain: CheckpointChain) -> str | None:
    """The step before the last turn: before its input, or the gate it answers; None when it is the first."""
    for step in reversed(chain.line_of(chain.steps[-1])):
        if step.source == "input":
            return step.parent_id
        if any(task.paused for task in step.pending):
            return step.checkpoint_id
    return None


def _text_of(stopped: OpenedStep) -> str:
    """What the traveller said in the turn that stopped; until the graph takes it up it stands in the input."""
    given = stopped.input if isinstance(stopped.input, Mapping) else stopped.values
    return str(given.get("user_input", ""))


def _to_run(stopped: OpenedStep) -> list[str]:
    done = {task.node for task in stopped.step.pending if task.finished}
    return [node for node in stopped.next if node not in done] or list(stopped.next)


def _plan_order(agent: str) -> int:
    """Agents of one step run side by side; they are listed in the order of the plan."""
    return AGENTS.index(agent) if agent in AGENTS else -1


def check_message(text: object) -> str:
    """The text, when it can be sent; else `BadMessage`."""
    if not isinstance(text, str):
        raise BadMessage(f"A message is text, found {type(text).__name__}. Send a string.")
    if not text.strip():
        raise BadMessage("The message is blank. Say where you want to go, or what to change; nothing was stored.")
    if len(text) > MAX_CHARACTERS:
        raise BadMessage(
            f"The message has {len(text):,} characters; at most {MAX_CHARACTERS:,} are taken. Shorten it; nothing was stored."
        )
    return text
