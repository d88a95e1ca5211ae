"""A value that no checkpoint can hold ends in an error that names node, key, place and type, and says what to store instead."""

import asyncio
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Any, TypedDict
from uuid import uuid4

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, RemoveMessage
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.graph import START, StateGraph
from langgraph.types import Overwrite, Send, interrupt
from pydantic import BaseModel

from travel_lab.checkpoints import change_in, flaw_in
from travel_lab.checkpoints.storable import CANNOT
from travel_lab.errors import NotStorable

FRAME = pd.DataFrame({"price": [1]})


class State(TypedDict, total=False):
    x: Any
    ran: str


@dataclass
class Offer:
    price: Any


def one_node(saver, value, *, by_send=False):
    """START → pick → next; `pick` writes the value to `x`."""
    builder = StateGraph(State)
    builder.add_node("pick", lambda _: {"ran": "pick", "x": value})
    builder.add_node("next", lambda _: {"ran": "next"})
    if by_send:
        builder.add_conditional_edges(START, lambda _: [Send("pick", {})], ["pick"])
    else:
        builder.add_edge(START, "pick")
    builder.add_edge("pick", "next")
    return builder.compile(checkpointer=saver)


def holding_itself():
    value = []
    value.append(value)
    return value


REFUSED = {
    "frame": (FRAME, "'x' a value of type DataFrame", "value.to_dict('records')"),
    "series": (FRAME["price"], "'x' a value of type Series", "value.tolist()"),
    "numpy number": (np.float64(1.5), "'x' a value of type numpy.float64", "value.item()"),
    "function": (lambda: 1, "'x' a value of type function", "keep it in the node or in the graph's context="),
    "long integer": (2**70, "'x' a value of type int", "longer than 64 bits; store it as text"),
    "object": (object(), "'x' a value of type object", "Store plain data instead, such as texts"),
    "deep inside": ({"hotels": [{"price": 1}, {"price": np.int64(3)}]}, "'x' at hotels[1].price a value", "value.item()"),
    "in a record": (Offer(FRAME), "'x' at price a value of type DataFrame", "value.to_dict('records')"),
    "in a message": ([AIMessage("a", additional_kwargs={"f": FRAME})], "'x' at [0].additional_kwargs.f a value", "to_dict"),
    "key": ({"a": {frozenset(): 1}}, "'x' at a a value of type dict with a key of type frozenset", "Use texts as keys"),
    "itself": (holding_itself(), "'x' at [0][0]", "holds itself"),
}


@pytest.mark.parametrize(("value", "found", "advice"), REFUSED.values(), ids=REFUSED)
def test_refused_value_is_named(store, thread, value, found, advice):
    """The error names the node, the key, the place in the value and the type, and says what to store instead."""
    with pytest.raises(NotStorable) as refused:
        one_node(store.saver, value).invoke({}, thread("s"))

    assert str(refused.value).startswith(f"Node 'pick' wrote to {found}")
    assert advice in str(refused.value)


@pytest.mark.parametrize("by_send", [False, True], ids=["edge", "send"])
@pytest.mark.parametrize("durability", ["sync", "async"])
def test_node_is_named_however_it_was_started(store, thread, by_send, durability):
    """A node started by an edge or by a `Send` is named, saved at each step or beside the run."""
    with pytest.raises(NotStorable, match=r"Node 'pick' wrote to 'x' a value of type DataFrame"):
        one_node(store.saver, FRAME, by_send=by_send).invoke({}, thread("s"), durability=durability)


def test_refused_value_is_named_in_an_async_run(store, thread):
    """`ainvoke` ends in the same error."""
    with pytest.raises(NotStorable, match=r"Node 'pick' wrote to 'x' a value of type DataFrame"):
        asyncio.run(one_node(store.saver, FRAME).ainvoke({}, thread("s")))


def test_saved_at_each_step_the_next_node_does_not_run(store, thread):
    """With `durability="sync"` the run ends at the step of the refused value, and that node is the one to run again."""
    graph = one_node(store.saver, FRAME)
    with pytest.raises(NotStorable):
        graph.invoke({}, thread("s"), durability="sync")

    assert graph.get_state(thread("s")).next == ("pick",)


def test_saved_at_the_end_the_key_is_named(store, thread):
    """With `durability="exit"` no task is stored by itself; the key, the type and the way out are named all the same."""
    with pytest.raises(NotStorable, match=r"The state holds in 'x' a value of type DataFrame.*to_dict"):
        one_node(store.saver, FRAME).invoke({}, thread("s"), durability="exit")


def test_refused_input_is_named(store, thread):
    """What the caller gave is told from what a node wrote."""
    with pytest.raises(NotStorable, match="The state holds in its input at x a value of type DataFrame"):
        one_node(store.saver, 1).invoke({"x": FRAME}, thread("s"))


def test_refused_question_is_named(store, thread):
    """A pause whose question cannot be stored says so instead of getting lost."""
    builder = StateGraph(State)
    builder.add_node("ask", lambda _: {"x": interrupt({"offers": FRAME})})
    builder.add_edge(START, "ask")
    with pytest.raises(NotStorable, match=r"Node 'ask' wrote to the question of its interrupt at \[0\].value.offers"):
        builder.compile(checkpointer=store.saver).invoke({}, thread("s"))


def test_refused_payload_is_named(store, thread):
    """A `Send` that carries such a value is the write of the node that sent it."""
    builder = StateGraph(State)
    builder.add_node("share", lambda _: {})
    builder.add_node("work", lambda _: {})
    builder.add_edge(START, "share")
    builder.add_conditional_edges("share", lambda _: [Send("work", {"table": FRAME})], ["work"])
    with pytest.raises(NotStorable, match=r"Node 'share' wrote to a Send at arg.table a value of type DataFrame"):
        builder.compile(checkpointer=store.saver).invoke({}, thread("s"))


def test_refused_change_by_hand_leaves_the_session(store, thread):
    """A manual change with such a value is refused, and the session stays as it was."""
    graph = one_node(store.saver, 1)
    graph.invoke({}, thread("s"))
    with pytest.raises(NotStorable, match="wrote to 'x' a value of type DataFrame"):
        graph.update_state(thread("s"), {"x": FRAME})

    assert graph.get_state(thread("s")).values == {"x": 1, "ran": "next"}  # noqa: PD011 (of a step, not of a frame)


def test_other_errors_keep_their_name(store, thread):
    """A TypeError while values are stored that can be stored is not called a fault of theirs."""
    place = {"configurable": {"thread_id": "s", "checkpoint_ns": "", "checkpoint_id": "1"}}
    refusals = store.saver._refusals
    with pytest.raises(TypeError, match="of another kind"), refusals.of_writes(place, [("x", 1)], "~__pregel_pull, pick"):
        raise TypeError("of another kind")


class Kind(Enum):
    INN = "inn"


class Room(BaseModel):
    beds: int = 2


@pytest.mark.parametrize(
    ("value", "kind", "advice"),
    [
        (pd.Timestamp("2026-12-01"), "Timestamp", "value.isoformat()"),
        (pd.Timedelta("1D"), "Timedelta", "value.total_seconds()"),
        (pd.NaT, "NaTType", "value.isoformat()"),
        (Offer(480), "Offer", "dataclasses.asdict(value)"),
        (Room(), "Room", "value.model_dump()"),
        (Kind.INN, "Kind", "value.value"),
    ],
)
def test_what_comes_back_as_something_else_is_found(store, thread, value, kind, advice):
    """Such a value is stored in silence and read as text or parts; it is told beforehand, with its plain form."""
    found = change_in({"nights": [{"date": value}]})
    one_node(store.saver, value).invoke({}, thread("s"))

    assert type(store.saver.get_tuple(thread("s")).checkpoint["channel_values"]["x"]) is not type(value)
    assert (found.path, found.kind) == ("nights[0].date", kind)
    assert advice in found.advice


@pytest.mark.parametrize(
    "value",
    [
        {"a": [1, 2.5, "成都", None, True, (1, 2), b"x"]},
        date(2026, 12, 1),
        datetime(2026, 12, 1, tzinfo=UTC),
        Decimal("1.5"),
        {1, 2},
        uuid4(),
        Path("a/b"),
        np.arange(3),
        [AIMessage("a"), RemoveMessage(id="b")],
        Overwrite({"days": 3}),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_comes_back_as_it_was_is_left_alone(value):
    """Plain data, times, sets, arrays and messages are neither a flaw nor a change."""
    assert (flaw_in(value), change_in(value)) == (None, None)


ODD = st.sampled_from([object(), 2**70, np.int64(1)])
PLAIN = st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | st.text(max_size=9) | st.dates()
NESTED = st.recursive(
    PLAIN | ODD, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
)


@given(NESTED)
def test_flaw_is_found_exactly_in_what_the_serialiser_refuses(value):
    """Whatever the value, a flaw is told when LangGraph's serialiser refuses it, and never otherwise."""
    try:
        JsonPlusSerializer().dumps_typed(value)
        refused = False
    except CANNOT:
        refused = True

    assert (flaw_in(value) is not None) == refused
