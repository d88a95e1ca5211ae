"""The chain: which steps there are, who led to them, how they branch, without decoding a state."""

import operator
import sqlite3
from datetime import UTC, datetime, timedelta
from typing import Annotated, TypedDict

import pytest
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.graph import START, StateGraph
from langgraph.types import Command, Send

from travel_lab.checkpoints import list_sessions, read_chain
from travel_lab.checkpoints.raw import send_target
from travel_lab.checkpoints.step import created_at
from travel_lab.lab import Lab


class Board(TypedDict):
    notes: Annotated[list[str], operator.add]


def test_a_turn_is_one_step_a_superstep(tmp_path, text):
    """The four specialists of a turn share one step, in plan order, each with the keys it wrote."""
    with Lab.open(tmp_path / "lab.db") as lab:
        lab.session("s").send(text)
        steps = lab.session("s").chain().steps

    assert [(step.number, step.source, step.nodes) for step in steps] == [
        (-1, "input", ()),
        (0, "loop", ()),
        (1, "loop", ("supervisor",)),
        (2, "loop", ("route", "hotel", "food", "info")),
        (3, "loop", ("aggregator",)),
    ]
    assert [(task.node, task.keys) for task in steps[3].tasks] == [
        ("route", ("route_result", "messages")),
        ("hotel", ("hotel_result", "messages")),
        ("food", ("food_result", "messages")),
        ("info", ("info_result", "messages")),
    ]


def test_branches_follow_the_parent_links(store, fan_graph, thread):
    """A step's first child goes on in its branch, every other child opens one, and places count from its start."""
    graph = fan_graph(store.saver)
    graph.invoke({"notes": ["go"]}, thread("s"))
    early = read_chain(store.connection, "s").at(1)
    graph.update_state(
        {"configurable": {"thread_id": "s", "checkpoint_ns": "", "checkpoint_id": early.checkpoint_id}},
        {"notes": ["by hand"]},
        as_node="merge",
    )
    chain = read_chain(store.connection, "s")

    assert [(step.source, step.branch, step.position) for step in chain.steps] == [
        ("input", 0, 0), ("loop", 0, 1), ("loop", 0, 2), ("loop", 0, 3), ("update", 1, 0),
    ]  # fmt: skip
    assert chain.steps[4].parent_id == early.checkpoint_id
    assert chain.steps[4].nodes == ()
    assert chain.branches == 2


def test_line_of_a_step_leaves_other_branches_out(store, fan_graph, thread):
    """The line of a step is its ancestors by parent links, oldest first."""
    graph = fan_graph(store.saver)
    graph.invoke({"notes": ["go"]}, thread("s"))
    early = read_chain(store.connection, "s").at(0)
    graph.update_state(
        {"configurable": {"thread_id": "s", "checkpoint_ns": "", "checkpoint_id": early.checkpoint_id}},
        {"notes": ["x"]},
        as_node="merge",
    )
    chain = read_chain(store.connection, "s")

    assert [chain.steps.index(step) for step in chain.line_of(chain.at(-1))] == [0, 4]


def test_subgraph_steps_are_a_chain_of_their_own(store, thread):
    """Steps of a subgraph stand in `nested`, tied to the task that ran it, and never among the session's own."""
    inner = StateGraph(Board).add_node("inside", lambda _state: {"notes": ["in"]}).add_edge(START, "inside").compile()
    outer = StateGraph(Board).add_node("child", inner).add_edge(START, "child").compile(checkpointer=store.saver)
    outer.invoke({"notes": []}, thread("s"))
    chain = read_chain(store.connection, "s")

    assert [step.nodes for step in chain.steps] == [(), (), ("child",)]
    assert [[step.nodes for step in nested.steps] for nested in chain.nested] == [[(), (), ("inside",)]]
    assert chain.nested[0].namespace == f"child:{chain.at(-1).tasks[0].task_id}"


def test_failed_task_is_named_with_its_error(store, fan_graph, thread):
    """A turn that failed shows who failed and who is done, at the step it stopped at."""
    with pytest.raises(RuntimeError, match="food is down"):
        fan_graph(store.saver, fail=("food",)).invoke({"notes": []}, thread("s"))
    head = read_chain(store.connection, "s").at(-1)

    assert head.errors == ("food: RuntimeError('food is down')",)
    assert [task.node for task in head.pending if task.finished] == ["route", "hotel"]


def test_resumed_task_stands_as_failed_then_done(store, fan_graph, thread):
    """After a resume the record keeps the failure beside the result, and counts it as no open error."""
    with pytest.raises(RuntimeError):
        fan_graph(store.saver, fail=("food",)).invoke({"notes": []}, thread("s"))
    fan_graph(store.saver).invoke(None, thread("s"))
    merged = read_chain(store.connection, "s").at(-2)

    assert [(task.node, task.error, task.finished) for task in merged.tasks] == [
        ("route", "", True), ("hotel", "", True), ("food", "RuntimeError('food is down')", True),
    ]  # fmt: skip
    assert read_chain(store.connection, "s").at(-3).errors == ()


def test_paused_task_waits_until_it_is_answered(store, fan_graph, thread):
    """A step whose task asks a person says who waits, and stops saying so once the answer ran."""
    graph = fan_graph(store.saver, ask=("hotel",))
    graph.invoke({"notes": []}, thread("s"))
    paused = read_chain(store.connection, "s").at(-1)
    graph.invoke(Command(resume="yes"), thread("s"))

    assert paused.waiting == ("hotel",)
    assert [step.waiting for step in read_chain(store.connection, "s").steps] == [()] * 4


def test_pages_have_no_gap_and_no_repeat(store, fan_graph, thread):
    """Pages laid end to end are the chain, whatever their size."""
    for _ in range(3):
        fan_graph(store.saver).invoke({"notes": []}, thread("s"))
    chain = read_chain(store.connection, "s")

    for size in (1, 2, 5, 100):
        pages = [chain.page(after, size) for after in range(-1, len(chain.steps), size)]
        assert sum(pages, ()) == chain.steps


def test_damaged_metadata_marks_one_step_only(store, fan_graph, thread):
    """A row whose metadata is noise is listed as damaged, and its neighbours are whole."""
    fan_graph(store.saver).invoke({"notes": []}, thread("s"))
    hurt = read_chain(store.connection, "s").at(2).checkpoint_id
    store.connection.execute("UPDATE checkpoints SET metadata = x'ff00' WHERE checkpoint_id = ?", (hurt,))
    store.connection.commit()

    assert [step.source for step in read_chain(store.connection, "s").steps] == ["input", "loop", "damaged", "loop"]


def test_sessions_are_counted_without_their_subgraphs(store, fan_graph, thread):
    """Each session is one row with its own steps, those of its subgraphs, and its first and last time."""
    fan_graph(store.saver).invoke({"notes": []}, thread("b"))
    fan_graph(store.saver).invoke({"notes": []}, thread("a"))
    rows = list_sessions(store.connection)

    assert [(row.session_id, row.steps, row.nested) for row in rows] == [("a", 4, 0), ("b", 4, 0)]
    assert rows[1].last < rows[0].first


def test_unknown_session_has_no_steps(store):
    """A session nobody started is an empty chain."""
    assert read_chain(store.connection, "nobody").steps == ()


def test_step_times_are_utc_with_offset(store, fan_graph, thread):
    """The time in a step's id is UTC, says so, and is that of the machine's clock."""
    fan_graph(store.saver).invoke({"notes": []}, thread("s"))
    created = read_chain(store.connection, "s").at(-1).created

    assert created.utcoffset() == timedelta(0)
    assert abs(datetime.now(UTC) - created) < timedelta(minutes=5)


@pytest.mark.parametrize("text", ["", "step-7", "3fa85f64-5717-4562-b3fc-2c963f66afa6"])
def test_id_without_a_time_has_none(text):
    """An id of another kind gives no time instead of a wrong one."""
    assert created_at(text) is None


@pytest.mark.parametrize("node", ["a", "x" * 31, "酒店" * 20, "n" * 300])
@pytest.mark.parametrize("arg", [None, {"big": "x" * 100_000}])
def test_send_is_known_by_its_first_bytes(node, arg):
    """The node of a stored Send is read from its first 400 bytes, whatever it carries."""
    data = JsonPlusSerializer().dumps_typed(Send(node, arg))[1]

    assert send_target(data[:400]) == node


def test_listing_decodes_no_state(store, fan_graph, thread):
    """A chain is listed although every state in it is noise."""
    fan_graph(store.saver).invoke({"notes": []}, thread("s"))
    store.connection.execute("UPDATE checkpoints SET checkpoint = x'c1c1c1'")
    store.connection.commit()

    assert [step.nodes for step in read_chain(store.connection, "s").steps] == [(), (), ("route", "hotel", "food"), ("merge",)]


def test_closed_connection_is_the_callers_error(tmp_path):
    """Reading through a closed connection stays Python's own error, not a claim about the file."""
    connection = sqlite3.connect(tmp_path / "lab.db")
    connection.close()

    with pytest.raises(sqlite3.ProgrammingError):
        read_chain(connection, "s")
