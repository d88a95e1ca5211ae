"""Our saver beside LangGraph's, fed the same steps by the same run: everything read back is equal."""

import contextlib
import operator
import random
import sqlite3
import threading
from typing import Annotated, Any, TypedDict
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, RemoveMessage
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.types import Command, Send, interrupt

from travel_lab.checkpoints.packing import COMPACT, unsqueeze
from travel_lab.checkpoints.saver import CompactSaver
from travel_lab.checkpoints.unpacking import stock_bytes

THREAD: Any = {"configurable": {"thread_id": "s"}, "recursion_limit": 30}
LONG = "宽窄巷子到人民公园步行约二十分钟，中间可以喝茶。" * 8


def said(kind, text: str, **fields):
    """A message with its id: LangGraph would set it later, while the two savers are writing."""
    return kind(text + LONG, id=str(uuid4()), **fields)


def merged(old: dict, new: dict) -> dict:
    return {**old, **new}


class State(TypedDict, total=False):
    text: str
    messages: Annotated[list, add_messages]
    log: Annotated[list, operator.add]
    results: Annotated[dict, merged]
    route: list[str]


def open_state(state: State) -> dict:
    """Changes a message in place when asked to, as careless nodes do."""
    if state["text"] == "mutate" and state.get("messages"):
        with WRITING:
            state["messages"][0].additional_kwargs["seen"] = len(state["messages"])
        return {"messages": [state["messages"][0]]}
    if state["text"] == "forget" and len(state.get("messages", [])) > 2:
        return {"messages": [RemoveMessage(id=message.id) for message in state["messages"][:2]]}
    return {"messages": [said(HumanMessage, state["text"])], "log": [{"said": state["text"], "n": at} for at in range(9)]}


def work(state: State) -> dict:
    if "fail" in state.get("route", []) and FAILING:
        raise RuntimeError(LONG)
    return {
        "messages": [said(AIMessage, f"{len(state['messages'])} ", name="work")],
        "results": {f"r{len(state['messages'])}": {"hotels": [{"name": LONG, "price": at} for at in range(6)]}},
    }


def ask(state: State) -> dict:
    return {"log": [{"answer": interrupt({"question": LONG, "seen": len(state["messages"])})}]}


def close_state(state: State) -> dict:
    return {"messages": [said(AIMessage, "done ")], "results": {"latest": {"count": len(state["messages"]), "text": LONG}}}


def inner_graph():
    inner = StateGraph(State)
    inner.add_node("first", lambda _: {"messages": [said(AIMessage, "inner ")]})
    inner.add_node("second", lambda state: {"log": [{"inner": len(state["messages"])}]})
    inner.add_edge(START, "first")
    inner.add_edge("first", "second")
    return inner.compile()


def chosen(state: State) -> list:
    sends = [Send("work", dict(state)) for name in state.get("route", []) if name in {"work", "fail"}]
    return [*sends, *[name for name in state.get("route", []) if name in {"ask", "inner"}]] or ["close"]


def build(saver):
    graph = StateGraph(State)
    for name, node in [("open", open_state), ("work", work), ("ask", ask), ("inner", inner_graph()), ("close", close_state)]:
        graph.add_node(name, node)
    graph.add_edge(START, "open")
    graph.add_conditional_edges("open", chosen, ["work", "ask", "inner", "close"])
    for name in ("work", "ask", "inner"):
        graph.add_edge(name, "close")
    graph.add_edge("close", END)
    return graph.compile(checkpointer=saver)


FAILING: list[bool] = []
# LangGraph stores in the background; both savers must see a message before or after it is changed, not one each.
WRITING = threading.Lock()


class Tee(CompactSaver):
    """Stores everything in LangGraph's saver as well."""

    stock: SqliteSaver

    def put(self, *args, **options):
        with WRITING:
            self.stock.put(*args, **options)
            return super().put(*args, **options)

    def put_writes(self, *args, **options):
        with WRITING:
            self.stock.put_writes(*args, **options)
            super().put_writes(*args, **options)


def strict() -> JsonPlusSerializer:
    return JsonPlusSerializer(allowed_msgpack_modules=[])


class Pair:
    """Two files, one run."""

    def __init__(self, folder):
        self.folder = folder
        self.open()

    def open(self):
        self.saver = Tee(sqlite3.connect(self.folder / "ours.db", check_same_thread=False), serde=strict())
        self.saver.stock = SqliteSaver(sqlite3.connect(self.folder / "stock.db", check_same_thread=False), serde=strict())
        self.graph, self.stock_graph = build(self.saver), build(self.saver.stock)

    def close(self):
        self.saver.conn.close()
        self.saver.stock.conn.close()

    def reopen(self):
        self.close()
        self.open()

    def play(self, action: tuple[str, ...], pick: random.Random) -> None:
        kind, *rest = action
        FAILING[:] = [True]
        with contextlib.suppress(RuntimeError):
            if kind == "say":
                text, *route = rest
                self.graph.invoke({"text": text, "route": route}, THREAD, durability="sync")
            elif kind == "reopen":
                self.reopen()
            elif self.graph.get_state(THREAD).values:
                self.carry_on(kind, pick)

    def carry_on(self, kind: str, pick: random.Random) -> None:
        old = pick.choice(list(self.graph.get_state_history(THREAD))).config
        if kind == "repair":
            FAILING.clear()
            self.graph.invoke(None, THREAD)
        elif kind == "answer" and self.graph.get_state(THREAD).interrupts:
            self.graph.invoke(Command(resume=LONG), THREAD)
        elif kind == "fork":
            forked = self.graph.update_state(old, {"log": [{"forked": LONG}]}, as_node="close")
            assert forked["configurable"]["checkpoint_id"]
        elif kind == "rerun":
            FAILING.clear()
            self.graph.invoke(None, {**old, "recursion_limit": 30})


def assert_equal_everywhere(pair: Pair) -> None:
    ours, stock = list(pair.saver.list(None)), list(pair.saver.stock.list(None))
    assert ours == stock
    assert [pair.saver.get_tuple(step.config) for step in stock] == [pair.saver.stock.get_tuple(step.config) for step in stock]
    for one, other in zip(pair.graph.get_state_history(THREAD), pair.stock_graph.get_state_history(THREAD), strict=True):
        assert one == other
    assert pair.graph.get_state(THREAD, subgraphs=True) == pair.stock_graph.get_state(THREAD, subgraphs=True)
    assert_same_rows(pair.saver, pair.saver.stock)


STEP_ROWS = """
    SELECT thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, metadata, type, checkpoint
    FROM checkpoints ORDER BY 1, 2, 3
"""
WRITE_ROWS = """
    SELECT thread_id, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, value
    FROM writes ORDER BY 1, 2, 3, 4, 6
"""
ROWS = (STEP_ROWS, WRITE_ROWS)


def as_stock(saver: CompactSaver, row: tuple) -> tuple:
    *rest, form, stored = row
    return (*rest, "msgpack", stock_bytes(unsqueeze(stored), saver._blobs.fetch)) if form == COMPACT else row


def assert_same_rows(ours: CompactSaver, stock: SqliteSaver) -> None:
    for query in ROWS:
        assert [as_stock(ours, row) for row in ours.conn.execute(query)] == stock.conn.execute(query).fetchall()


sayings = st.tuples(
    st.just("say"),
    st.sampled_from(["hello", "mutate", "forget", "again"]),
    *[st.sampled_from(["work", "fail", "ask", "inner", "none"])] * 2,
)
others = st.sampled_from([("repair",), ("answer",), ("fork",), ("rerun",), ("reopen",)])
scripts = st.lists(sayings | others, min_size=1, max_size=7)


def check(folder, script, seed):
    pair = Pair(folder)
    pick = random.Random(seed)
    try:
        for action in script:
            pair.play(action, pick)
        pair.reopen()
        assert_equal_everywhere(pair)
    finally:
        pair.close()


relaxed = settings(suppress_health_check=[HealthCheck.too_slow], max_examples=25)


@relaxed
@given(script=scripts, seed=st.integers(0, 99))
def test_random_runs_read_back_as_from_the_stock_saver(tmp_path_factory, script, seed):
    """Turns, failures, interrupts, subgraphs, forks, reruns and reopening leave the same steps, tasks, writes and bytes."""
    check(tmp_path_factory.mktemp("pair"), script, seed)


@pytest.mark.slow
@settings(relaxed, max_examples=400)
@given(script=st.lists(sayings | others, min_size=5, max_size=25), seed=st.integers(0, 10_000))
def test_long_random_runs_read_back_as_from_the_stock_saver(tmp_path_factory, script, seed):
    """The same over longer scripts."""
    check(tmp_path_factory.mktemp("pair"), script, seed)


def test_a_long_conversation_reads_back_as_from_the_stock_saver(tmp_path):
    """A thread of 24 turns, whose lists are long enough to be lazy, is equal as well, and so is its continuation."""
    script = [("say", "hello", "work", "work")] * 39 + [
        ("reopen",),
        ("say", "mutate", "work", "inner"),
        ("say", "forget", "none"),
    ]
    check(tmp_path, script, 1)
