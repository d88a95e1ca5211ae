"""Plays turns on any LangGraph graph and notes two things in one order: when a model call began, and when a fact appeared."""

import asyncio
import contextvars
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.pregel import Pregel
from langgraph.types import Command

from travel_lab.chat_models import CallRecorder, ModelCall
from travel_lab.checkpoints.raw import INNER
from travel_lab.context import Fact, FactRule
from travel_lab.errors import BadInput, UnknownName
from travel_lab.evaluation.state_facts import Plain, facts_of_field, holds_messages, nodes_of, plain
from travel_lab.tokens import TokenCounter

Turn = str | Mapping[str, Any] | Command[Any]
"""What the user says, or anything else the graph takes as input."""
THREAD = "audit"


@dataclass(frozen=True, kw_only=True)
class Appearance:
    """When a fact was first in the state."""

    turn: int
    """From 1."""
    after: int
    """How many model calls had begun by then; those that follow are its later calls."""


@dataclass
class Watch:
    """What is noted while a graph runs."""

    recorder: CallRecorder
    own_fields: frozenset[str]
    """Fields of the outermost graph; those a subgraph alone has are named after it."""
    rules: Sequence[FactRule] | None
    leave_out: frozenset[str]
    conversations: set[str]
    """Fields that hold messages, also while they are empty."""
    turn: int = 0
    appeared: dict[tuple[str, Fact], Appearance] = field(default_factory=dict)
    """(field, fact) → when it was first there."""
    values: dict[str, Plain] = field(default_factory=dict)
    """What each field holds at the end."""

    def see(self, namespace: str, values: Mapping[str, Any]) -> None:
        """Note the facts of a state; `namespace` is the subgraph's, blank for the outermost graph."""
        nodes = nodes_of(namespace)
        for name, value in values.items():
            named = name if name in self.own_fields else ".".join([*nodes, name])
            if holds_messages(value):
                self.conversations.add(named)
                self.values.pop(named, None)
            if name.startswith(INNER) or named in self.leave_out or named in self.conversations:
                continue
            self.values[named] = held = plain(value)
            for fact in facts_of_field(named, held, self.rules):
                self.appeared.setdefault((named, fact), Appearance(turn=self.turn, after=self.recorder.begun))


class WatchedSaver(InMemorySaver):
    """Keeps steps in memory and shows each of them to a watch, those of subgraphs too."""

    def __init__(self, watch: Watch) -> None:
        super().__init__(serde=JsonPlusSerializer(pickle_fallback=True))
        self.watch = watch

    def put(
        self, config: RunnableConfig, checkpoint: Checkpoint, metadata: CheckpointMetadata, new_versions: ChannelVersions
    ) -> RunnableConfig:
        """Store a step, and show the fields that are new in it."""
        held = checkpoint["channel_values"]
        self.watch.see(config["configurable"].get("checkpoint_ns", ""), {key: held[key] for key in new_versions if key in held})
        return super().put(config, checkpoint, metadata, new_versions)


@dataclass(frozen=True, kw_only=True)
class Played:
    """What a graph did with the turns."""

    calls: tuple[ModelCall, ...]
    """In the order in which they began."""
    turn_of: tuple[int, ...]
    """The turn of each call, from 1."""
    appeared: Mapping[tuple[str, Fact], Appearance]
    values: Mapping[str, Plain]
    nodes: tuple[str, ...]
    """Nodes of the outermost graph that ran, in the order of their first end."""


def play(  # noqa: PLR0913 (all by name; a record for them would only repeat the arguments of `audit`)
    graph: Pregel[Any, Any, Any, Any],
    turns: Sequence[Turn],
    *,
    messages: str,
    config: RunnableConfig | None,
    context: object,
    rules: Sequence[FactRule] | None,
    leave_out: frozenset[str],
    counter: TokenCounter,
) -> Played:
    """Play the turns on a copy of the graph that keeps its steps in memory; nothing is written to the graph's own saver.

    Nodes may be async or not. What the app raises is raised, with a note that names the turn.

    Raises:
        BadInput: The graph is not compiled, or there are no turns.
        UnknownName: It has no field of that name for what the user says.
    """
    if not isinstance(graph, Pregel):
        raise BadInput(f"An audit needs a compiled LangGraph graph, found {type(graph).__name__}. Call .compile() on it first.")
    if not turns or isinstance(turns, str):
        raise BadInput("An audit needs a list of at least one turn, such as ['Find a hotel', 'Which one is cheaper?'].")
    fields = frozenset(name for name in graph.channels if not name.startswith(INNER))
    if messages not in fields and any(isinstance(turn, str) for turn in turns):
        raise UnknownName("field", messages, sorted(fields), "Name the one for what the user says: messages='...'.")
    watch = Watch(CallRecorder(counter=counter), fields, rules, leave_out, {messages})
    copy = graph.copy({"checkpointer": WatchedSaver(watch)})
    playing = _play(copy, watch, [_input(turn, messages) for turn in turns], config or {}, context)
    # In a thread of its own, because a notebook's has a running loop already.
    with ThreadPoolExecutor(1) as pool:
        nodes, ends = pool.submit(contextvars.copy_context().run, asyncio.run, playing).result()
    calls = tuple(sorted(watch.recorder.calls, key=lambda call: call.order))
    turn_of = tuple(1 + sum(call.order >= end for end in ends) for call in calls)
    return Played(calls=calls, turn_of=turn_of, appeared=watch.appeared, values=watch.values, nodes=nodes)


def _input(turn: Turn, messages: str) -> Any:  # noqa: ANN401 (what a graph takes is the app's)
    return {messages: [HumanMessage(turn)]} if isinstance(turn, str) else turn


async def _play(
    graph: Pregel[Any, Any, Any, Any],
    watch: Watch,
    inputs: Sequence[Any],
    config: RunnableConfig,
    context: Any,  # noqa: ANN401
) -> tuple[tuple[str, ...], list[int]]:
    """The nodes that ran, and the number of calls at the end of each turn."""
    given = config.get("callbacks") or []
    callbacks = [*(given if isinstance(given, list) else given.handlers), watch.recorder]
    configurable = {**config.get("configurable", {}), "thread_id": THREAD}
    told: RunnableConfig = {**config, "callbacks": callbacks, "configurable": configurable}
    nodes: dict[str, None] = {}
    ends = []
    for number, given_input in enumerate(inputs, 1):
        watch.turn = number
        try:
            # A step is stored, and so seen, before the next one begins.
            async for ended in graph.astream(given_input, told, context=context, stream_mode="updates", durability="sync"):
                nodes.update(dict.fromkeys(name for name in ended if not name.startswith("__")))
            watch.see("", (await graph.aget_state(told)).values)
        except Exception as error:
            error.add_note(f"It was raised in turn {number} of the audit.")
            raise
        ends.append(watch.recorder.begun)
    return tuple(nodes), ends
