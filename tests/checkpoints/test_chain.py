import operator
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langgraph.checkpoint.base import id as langgraph_id
from langgraph.graph import END, START, StateGraph
from langgraph.types import Send
from typing_extensions import TypedDict

from travel_lab.checkpoints import CheckpointChain, CheckpointStore, read_chain, sessions_in
from travel_lab.checkpoints.step import created_at
from travel_lab.errors import NotADatabase
from travel_lab.lab import Lab

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
ASKED = "帮我规划成都3天旅行，预算5000"


class Desk(TypedDict, total=False):
    topic: str
    drafts: Annotated[list[str], operator.add]
    final: str


def desk(store: CheckpointStore):
    """Not our planner: writer and critic in parallel by edges, three readers by Send, then the editor."""
    graph = StateGraph(Desk)
    graph.add_node("writer", lambda _: {"drafts": ["w"]})
    graph.add_node("critic", lambda _: {"drafts": ["c"]})
    graph.add_node("gather", lambda _: None)
    graph.add_node("reader", lambda sent: {"drafts": [sent["name"]]})
    graph.add_node("editor", lambda state: {"final": "".join(sorted(state["drafts"]))})
    graph.add_edge(START, "writer")
    graph.add_edge(START, "critic")
    graph.add_edge(["writer", "critic"], "gather")
    graph.add_conditional_edges("gather", lambda _: [Send("reader", {"name": name}) for name in "xyz"], ["reader"])
    graph.add_edge("reader", "editor")
    graph.add_edge("editor", END)
    return graph.compile(checkpointer=store.saver)


def thread(session_id: str, checkpoint_id: str | None = None):
    at = {} if checkpoint_id is None else {"checkpoint_id": checkpoint_id}
    return {"configurable": {"thread_id": session_id, "checkpoint_ns": "", **at}}


@pytest.fixture
def store(tmp_path):
    with CheckpointStore(tmp_path / "desk.db") as store:
        yield store


@pytest.fixture
def planned(tmp_path):
    """A session of the planner after one turn with all agents."""
    with Lab.open(tmp_path / "lab.db") as lab:
        session = lab.session("sess_1", strategy="summary/own")
        session.send(ASKED)
        yield session


class TestPlanner:
    def test_parallel_turn_gives_five_steps(self, planned):
        """One step a superstep and not one a node: input, start, supervisor, the agents, aggregator."""
        assert len(planned.chain().steps) == 5

    def test_chain_names_the_nodes_of_each_step(self, planned):
        """Each step names the nodes that ran to reach it, the parallel ones in plan order."""
        assert [step.nodes for step in planned.chain().steps] == [
            (),
            (),
            ("supervisor",),
            ("route", "hotel", "food", "info"),
            ("aggregator",),
        ]

    def test_chain_names_the_source_of_each_step(self, planned):
        """The first step is the input, the others are the graph's own."""
        assert [(step.number, step.source) for step in planned.chain().steps] == [
            (-1, "input"),
            (0, "loop"),
            (1, "loop"),
            (2, "loop"),
            (3, "loop"),
        ]

    def test_step_of_the_agents_names_each_ones_result(self, planned):
        """The step of the parallel agents lists the fields they wrote, each agent's in plan order."""
        keys = planned.chain().steps[3].keys

        assert [key for key in keys if key.endswith("_result")] == ["route_result", "hotel_result", "food_result", "info_result"]
        assert "messages" in keys

    def test_first_keys_are_what_the_traveller_said(self, planned):
        """Only the words of the turn went in, and only they are a key of the first step that writes."""
        assert planned.chain().steps[1].keys == ("user_input",)

    def test_supervisor_writes_what_it_decided(self, planned):
        """The supervisor's step names the requirements and the agents to call."""
        assert {"messages", "requirements", "agents_to_call", "turn"} <= set(planned.chain().steps[2].keys)

    def test_second_turn_adds_its_own_steps(self, planned):
        """A turn in which one agent runs adds five steps, with that agent alone in its own."""
        planned.send("把第二天的酒店换成便宜点的")
        added = planned.chain().steps[5:]

        assert [step.nodes for step in added] == [(), (), ("supervisor",), ("hotel",), ("aggregator",)]

    def test_each_step_follows_the_one_before(self, planned):
        """In a session without forks each step's parent is the step before it."""
        planned.send("把第二天的酒店换成便宜点的")
        steps = planned.chain().steps

        assert [step.parent_id for step in steps] == [None, *(step.checkpoint_id for step in steps[:-1])]

    def test_edit_by_hand_is_a_step_of_its_own(self, planned):
        """A change by hand stands in the chain as an update."""
        planned.edit({"requirements": {"days": 4}})

        assert planned.chain().steps[-1].source == "update"


class TestForeignApp:
    def test_chain_of_an_app_that_is_not_ours(self, store):
        """Parallel nodes by edges and by Send are named, each task once."""
        desk(store).invoke({"topic": "成都"}, thread("s1"))

        assert [step.nodes for step in read_chain(store.connection, "s1").steps] == [
            (),
            (),
            ("critic", "writer"),
            ("gather",),
            ("reader", "reader", "reader"),
            ("editor",),
        ]

    def test_keys_stand_once_each(self, store):
        """Three tasks that write one field give that field once."""
        desk(store).invoke({"topic": "成都"}, thread("s1"))

        assert [step.keys for step in read_chain(store.connection, "s1").steps] == [
            (),
            ("topic",),
            ("drafts",),
            (),
            ("drafts",),
            ("final",),
        ]

    def test_created_fits_langgraphs_own_times(self, store):
        """LangGraph reads the clock for `created_at` and at once again for the id, so a step's time lies between two of its."""
        graph = desk(store)
        graph.invoke({"topic": "成都"}, thread("s1"))
        told = [datetime.fromisoformat(state.created_at) for state in graph.get_state_history(thread("s1"))][::-1]
        created = [step.created for step in read_chain(store.connection, "s1").steps]

        assert [before <= at for before, at in zip(told, created, strict=True)] == [True] * 6
        assert [at <= after for at, after in zip(created, told[1:], strict=False)] == [True] * 5

    def test_steps_come_oldest_first(self, store):
        """The chain tells the story in order of time."""
        graph = desk(store)
        graph.invoke({"topic": "成都"}, thread("s1"))
        graph.invoke({"topic": "西安"}, thread("s1"))
        created = [step.created for step in read_chain(store.connection, "s1").steps]

        assert created == sorted(created)
        assert len(set(created)) == 12

    def test_chain_holds_one_session_only(self, store):
        """Another session's steps are not in it."""
        graph = desk(store)
        graph.invoke({"topic": "成都"}, thread("s1"))
        graph.invoke({"topic": "西安"}, thread("s2"))
        one, two = read_chain(store.connection, "s1"), read_chain(store.connection, "s2")

        assert {s.checkpoint_id for s in one.steps}.isdisjoint(s.checkpoint_id for s in two.steps)
        assert len(one.steps) == len(two.steps) == 6


class TestForks:
    def test_update_of_an_old_step_keeps_its_parent(self, store):
        """A change to an old step is a new step whose parent is the old one, and not the newest."""
        graph = desk(store)
        graph.invoke({"topic": "成都"}, thread("s1"))
        before = read_chain(store.connection, "s1").steps
        graph.update_state(thread("s1", before[2].checkpoint_id), {"topic": "西安"}, as_node="gather")
        forked = read_chain(store.connection, "s1").steps[-1]

        assert forked.parent_id == before[2].checkpoint_id
        assert forked.source == "update"

    def test_branches_of_one_session_keep_their_own_lines(self, store):
        """After a fork inside a session, following the parents from its end leads past the newer steps of the first line."""
        graph = desk(store)
        graph.invoke({"topic": "成都"}, thread("s1"))
        first = read_chain(store.connection, "s1").steps
        head = graph.update_state(thread("s1", first[1].checkpoint_id), {"topic": "西安"}, as_node="__start__")
        graph.invoke(None, head)
        steps = {step.checkpoint_id: step for step in read_chain(store.connection, "s1").steps}
        line, at = [], max(steps)
        while at is not None:
            line.append(at)
            at = steps[at].parent_id

        assert line[-2:] == [first[1].checkpoint_id, first[0].checkpoint_id]
        assert set(line).isdisjoint(step.checkpoint_id for step in first[2:])

    def test_both_branches_name_their_nodes(self, store):
        """Two branches from one step each name the nodes that ran in them, and no others."""
        graph = desk(store)
        graph.invoke({"topic": "成都"}, thread("s1"))
        first = read_chain(store.connection, "s1").steps
        head = graph.update_state(thread("s1", first[2].checkpoint_id), {"drafts": ["u"]}, as_node="writer")
        steps = read_chain(store.connection, "s1").steps

        assert [step.nodes for step in steps[:6]] == [step.nodes for step in first]
        assert steps[-1].checkpoint_id == head["configurable"]["checkpoint_id"]
        assert "critic" not in steps[-1].nodes

    def test_old_steps_are_unchanged_by_a_fork(self, store):
        """What was there before the fork is the same after it."""
        graph = desk(store)
        graph.invoke({"topic": "成都"}, thread("s1"))
        before = read_chain(store.connection, "s1").steps
        graph.update_state(thread("s1", before[2].checkpoint_id), {"topic": "西安"}, as_node="gather")

        assert read_chain(store.connection, "s1").steps[: len(before)] == before


class TestOtherFiles:
    @pytest.mark.parametrize("session_id", ["nobody", "", "' OR 1=1 --", "s1%", "S1"])
    def test_unknown_session_has_no_steps(self, store, session_id):
        """A session that is not there has a chain without steps, and no text in its id means anything but itself."""
        desk(store).invoke({"topic": "成都"}, thread("s1"))

        assert read_chain(store.connection, session_id) == CheckpointChain(
            session_id=session_id, namespace="", steps=(), nested=()
        )

    @pytest.mark.parametrize("read", [lambda c: read_chain(c, "s1"), sessions_in], ids=["chain", "sessions"])
    def test_database_of_something_else_is_named(self, tmp_path, read):
        """A database without LangGraph's tables is named as such, with the tables that were expected."""
        with closing(sqlite3.connect(tmp_path / "other.db")) as connection:
            connection.execute("CREATE TABLE notes (text)")
            with pytest.raises(NotADatabase) as caught:
                read(connection)

        assert str(caught.value).startswith(
            "The file has no LangGraph checkpoint tables. Expected tables checkpoints and writes."
        )

    def test_older_layout_is_named(self, tmp_path):
        """A checkpoints table with the columns of an old release is refused by name."""
        with closing(sqlite3.connect(tmp_path / "old.db")) as connection:
            connection.execute("CREATE TABLE checkpoints (thread_id TEXT, thread_ts TEXT, parent_ts TEXT, checkpoint BLOB)")
            with pytest.raises(NotADatabase, match="found columns thread_id, thread_ts, parent_ts, checkpoint; expected"):
                read_chain(connection, "s1")

    def test_sessions_are_listed_once_and_sorted(self, store):
        """Each session with steps is listed once."""
        graph = desk(store)
        for name in ("s2", "s1", "s2"):
            graph.invoke({"topic": "成都"}, thread(name))

        assert sessions_in(store.connection) == ("s1", "s2")

    def test_empty_store_has_no_sessions(self, store):
        """A fresh file lists nothing."""
        assert sessions_in(store.connection) == ()


class TestTimes:
    @given(st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC)))  # noqa: DTZ001 (bounds are naive)
    def test_time_is_that_of_the_id_to_the_microsecond(self, moment):
        """Whatever moment LangGraph's id is made at, that moment is read from it."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(langgraph_id, "_last_v6_timestamp", None)
            patch.setattr(langgraph_id.time, "time_ns", lambda: (moment - EPOCH) // timedelta(microseconds=1) * 1_000)
            made = langgraph_id.uuid6(clock_seq=3)

        assert created_at(str(made)) == moment

    def test_time_of_a_known_id(self):
        """The example of RFC 9562 for version 6 reads as the time the RFC gives for it."""
        assert created_at("1EC9414C-232A-6B00-B3C8-9F6BDECED846") == datetime(2022, 2, 22, 19, 22, 22, tzinfo=UTC)

    @pytest.mark.parametrize("text", ["", "1", "not-a-uuid", "第一步", "1EC9414C-232A-6B00-B3C8"])
    def test_id_that_is_no_uuid_has_no_time(self, text):
        """An id without a time in it gives none, so that the steps of another saver are listed all the same."""
        assert created_at(text) is None
