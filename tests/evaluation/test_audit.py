"""The audit: what the models of any graph get of its state."""

import asyncio
import json
import math
import sqlite3
from contextlib import closing
from typing import Annotated, Any, TypedDict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.types import interrupt

from travel_lab.chat_models import OfflineChatModel
from travel_lab.errors import BadInput, NotADatabase, UnknownName
from travel_lab.evaluation import assert_context_complete, audit, audit_file, redacted

TURNS = ("Find me a hotel in Berlin", "Which one is cheaper?")
ROOMS = [{"title": "Hotel Adlon", "price": 310}, {"title": "Generator", "price": 60}]
TALKER = OfflineChatModel(rules=lambda messages: f"I read {len(messages)} messages.")


class State(TypedDict, total=False):
    """What the small graphs of this file keep."""

    messages: Annotated[list[AnyMessage], add_messages]
    rooms: Any


def build(rooms: Any = ROOMS, handoff: str = "Two hotels.", node: Any = None, saver: Any = None) -> Any:
    """A supervisor that reads the conversation, after a search that keeps rooms and leaves a handoff."""

    def search(state: State) -> State:
        return {} if state.get("rooms") else {"rooms": rooms, "messages": [AIMessage(handoff, name="search")]}

    graph = StateGraph(State)
    graph.add_node("search", node or search)
    graph.add_node("supervisor", lambda state: {"messages": [TALKER.invoke([SystemMessage("Be brief."), *state["messages"]])]})
    graph.add_edge(START, "search")
    graph.add_edge("search", "supervisor")
    return graph.compile(checkpointer=saver)


def stored(path, graph_of, turns=TURNS, thread="t-1") -> None:
    """Play turns into a stock SQLite file."""
    with SqliteSaver.from_conn_string(str(path)) as saver:
        graph = graph_of(saver)
        for text in turns:
            graph.invoke({"messages": [HumanMessage(text)]}, {"configurable": {"thread_id": thread}})


def verdict(audited) -> dict[str, Any]:
    """An audit in the form in which the expected verdicts are written down."""
    shares = {field.field: None if math.isnan(field.score.value) else field.score.value for field in audited.fields}
    measured = not math.isnan(audited.score.value)
    return {
        "visibility": shares,
        "never": list(audited.never),
        "measured": measured,
        "unrecorded": sorted(audited.unrecorded),
    }


class TestForeignGraphs:
    """Graphs after public patterns; their verdicts were committed before there was an audit."""

    def test_every_verdict_is_the_expected_one(self, shapes, expected):
        """Visibility of each field, what no model got, and what could not be measured."""
        found = {}
        for name in shapes.NAMES:
            with shapes.shape(name) as graph:
                key = "dialogue" if "dialogue" in graph.channels else "messages"
                found[name] = verdict(audit(graph, shapes.TURNS, messages=key))

        assert found == {name: {**said, "unrecorded": sorted(said["unrecorded"])} for name, said in expected.items()}

    def test_a_bare_client_is_said_not_to_be_measured(self, shapes):
        """Nothing is claimed of a model that told LangChain nothing."""
        with shapes.shape("bare_openai_client") as graph:
            audited = audit(graph, shapes.TURNS)

        assert "bare client" in audited.score.reason
        assert "advise" in audited.text()


class TestLive:
    """A graph that is played."""

    def test_its_own_saver_is_not_written_to(self):
        """The audit plays a copy."""
        saver = InMemorySaver()
        audit(build(saver=saver), TURNS)

        assert list(saver.list(None)) == []

    def test_the_largest_invisible_facts_are_named_longest_first(self):
        """At most ten of them in the report."""
        rooms = [{"title": f"Hotel {'x' * n}", "price": n} for n in range(1, 15)]
        audited = audit(build(rooms), TURNS)
        sizes = [found.size for found in audited.invisible()]

        assert sizes == sorted(sizes, reverse=True)
        assert len(audited.as_json()["largest invisible"]) == 10

    def test_handing_over_packed_costs_less_than_the_whole_field(self):
        """The tables hold every invisible fact."""
        rooms = [{"title": f"Hotel {n}", "price": 50 + n, "note": "x" * 40} for n in range(12)]
        cost = audit(build(rooms), TURNS).costs["rooms"]

        assert cost.kept == cost.facts == 24
        assert 0 < cost.packed < cost.full

    def test_a_budget_keeps_whole_facts(self):
        """What does not fit is counted, and the tables stay within the budget."""
        rooms = [{"title": f"Hotel {n}", "price": 50 + n} for n in range(12)]
        cost = audit(build(rooms), TURNS, budget=40).costs["rooms"]

        assert 0 < cost.kept < cost.facts
        assert cost.packed <= 44

    def test_a_field_left_out_is_not_audited(self):
        """It is no model's business."""
        assert audit(build(), TURNS, leave_out=["rooms"]).fields == ()

    def test_what_the_graph_raises_names_the_turn(self):
        """The error is the app's own, with a note."""

        def fails(state: State) -> State:
            if len(state["messages"]) > 2:
                raise RuntimeError("no rooms")
            return {}

        with pytest.raises(RuntimeError, match="no rooms") as raised:
            audit(build(node=fails), TURNS)
        assert raised.value.__notes__[-1] == "It was raised in turn 2 of the audit."

    def test_a_paused_graph_is_audited_as_far_as_it_went(self):
        """An interrupt ends the turn."""
        audited = audit(build(node=lambda _state: {"rooms": interrupt("which city?")}), TURNS[:1])

        assert math.isnan(audited.score.value)

    def test_works_inside_a_running_event_loop(self):
        """As in a notebook's cell."""

        async def cell() -> Any:
            return audit(build(), TURNS)

        assert asyncio.run(cell()).never == ("rooms",)


class TestWrongInput:
    """Every refusal names what was found and what to do."""

    def test_a_graph_that_is_not_compiled_is_refused(self):
        """It says to compile it."""
        with pytest.raises(BadInput, match=r"found StateGraph. Call .compile\(\) on it first"):
            audit(StateGraph(State), TURNS)

    @pytest.mark.parametrize("turns", [[], "Find me a hotel"])
    def test_turns_are_a_list_of_at_least_one(self, turns):
        """One text alone is no list of turns."""
        with pytest.raises(BadInput, match="a list of at least one turn"):
            audit(build(), turns)

    def test_an_unknown_field_of_messages_is_named_with_those_there_are(self):
        """And with the argument that names the right one."""
        with pytest.raises(UnknownName, match=r"'chat'.*messages, rooms"):
            audit(build(), TURNS, messages="chat")

    def test_a_text_file_is_no_database(self, tmp_path):
        """Named as such."""
        (tmp_path / "notes.db").write_text("no database at all, only words", encoding="utf-8")
        with pytest.raises(NotADatabase, match=r"notes\.db"):
            audit_file(tmp_path / "notes.db")


class TestGate:
    """`assert_context_complete` in somebody's tests."""

    def test_what_no_call_saw_is_named(self):
        """The message holds the facts and the share."""
        with pytest.raises(AssertionError, match=r"2 of 2 facts are invisible: 0\.00 is under 1\.00(.|\n)*Hotel Adlon"):
            assert_context_complete(audit(build(), TURNS))

    def test_a_whole_handoff_passes(self):
        """Nothing is raised."""
        assert_context_complete(audit(build(handoff=json.dumps(ROOMS)), TURNS))

    def test_nothing_measured_is_no_success(self, shapes):
        """A graph whose models were not heard fails the gate."""
        with shapes.shape("bare_openai_client") as graph, pytest.raises(AssertionError, match="was not measured"):
            assert_context_complete(audit(graph, shapes.TURNS), at_least=0.0)

    def test_an_unknown_field_is_named(self):
        """With those there are."""
        with pytest.raises(UnknownName, match=r"'hotels'.*rooms"):
            assert_context_complete(audit(build(), TURNS), fields=["hotels"])


class TestFile:
    """A stranger's file."""

    def test_shows_messages_not_views(self, tmp_path):
        """The words of the report say so."""
        stored(tmp_path / "app.db", lambda saver: build(saver=saver))
        audited = audit_file(tmp_path / "app.db")

        assert (audited.measured, audited.never) == ("stored", ("rooms",))
        assert "not in messages" in audited.text()
        assert "A file does not tell what a model was shown" in audited.definition

    def test_each_thread_is_looked_for_in_its_own_messages(self, tmp_path):
        """What one thread says does not make another thread's facts visible."""
        stored(tmp_path / "app.db", lambda saver: build(saver=saver), thread="silent")
        stored(tmp_path / "app.db", lambda saver: build(handoff=json.dumps(ROOMS), saver=saver), thread="told")
        audited = audit_file(tmp_path / "app.db")

        assert {(found.thread, bool(found.seen_by)) for found in audited.facts} == {("silent", False), ("told", True)}

    def test_is_not_touched(self, tmp_path):
        """Not a byte."""
        stored(tmp_path / "app.db", lambda saver: build(saver=saver))
        before = (tmp_path / "app.db").read_bytes()
        audit_file(tmp_path / "app.db")

        assert (tmp_path / "app.db").read_bytes() == before

    def test_a_damaged_step_is_told_and_the_rest_is_audited(self, tmp_path):
        """One thread's damage hides no other thread."""
        for thread in ("good", "bad"):
            stored(tmp_path / "app.db", lambda saver: build(saver=saver), thread=thread)
        with closing(sqlite3.connect(tmp_path / "app.db")) as connection:
            connection.execute("UPDATE checkpoints SET checkpoint = x'c1' WHERE thread_id = 'bad'")
            connection.commit()
        audited = audit_file(tmp_path / "app.db")

        assert {found.thread for found in audited.facts} == {"good"}
        assert any("bad" in note for note in audited.private_notes)

    def test_a_file_without_messages_is_not_measured(self, tmp_path):
        """Which is neither a zero nor a success."""

        class Silent(TypedDict, total=False):
            rooms: Any

        graph = StateGraph(Silent)
        graph.add_node("search", lambda _state: {"rooms": ROOMS})
        graph.add_edge(START, "search")
        with SqliteSaver.from_conn_string(str(tmp_path / "app.db")) as saver:
            graph.compile(checkpointer=saver).invoke({"rooms": []}, {"configurable": {"thread_id": "1"}})

        assert math.isnan(audit_file(tmp_path / "app.db").score.value)


NAMES = st.text("abcdefgh 成都酒店", min_size=4, max_size=12).map(lambda text: f"Zq{text.strip()}qZ")


@settings(max_examples=25, deadline=None)
@given(rooms=st.dictionaries(NAMES, st.one_of(st.integers(100_000, 999_999), NAMES), min_size=1, max_size=6))
def test_a_redacted_audit_holds_no_value_of_the_state(rooms):
    """Neither names nor numbers nor keys inside a field, in text, page or data."""
    shown = redacted(audit(build([{"title": name, name: value} for name, value in rooms.items()]), TURNS))
    said = shown.text() + shown.html() + json.dumps(shown.as_json(), ensure_ascii=False)

    assert [value for pair in rooms.items() for value in pair if str(value) in said] == []


def test_text_of_the_state_is_escaped_in_the_page():
    """A hotel's name is shown and not run."""
    page = audit(build([{"title": "<img src=x onerror=alert(1)>", "price": 1}]), TURNS).html()

    assert "<img src=x" not in page
    assert "&lt;img src=x" in page
