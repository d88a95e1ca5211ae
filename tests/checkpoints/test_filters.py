"""Filters are taken literally: text of a user never becomes SQL or a pattern, and what is not known finds nothing."""

import sqlite3

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.checkpoint.sqlite import SqliteSaver

from travel_lab.checkpoints import CompactSaver
from travel_lab.errors import NotYourSession
from travel_lab.lab import Lab

TITLES = ["plain", "%", "_", "pl%", "'", '"', "') OR 1=1 --", 'Ann\'s "trip"', "a\\b", "成都"]
KINDS = [SqliteSaver, CompactSaver]


def titled(kind):
    """A saver with a step for each title."""
    saver = kind(sqlite3.connect(":memory:", check_same_thread=False))
    for at, title in enumerate(TITLES):
        place = {"configurable": {"thread_id": f"t{at}", "checkpoint_ns": ""}}
        saver.put(place, empty_checkpoint(), {"source": "input", "step": -1, "parents": {}, "title": title}, {})
    return saver


def found(saver, metadata):
    steps = list(saver.list(None, filter=metadata))
    return sorted(step.metadata["title"] for step in steps)


@pytest.mark.parametrize("title", TITLES)
def test_a_title_finds_itself_and_nothing_else(title):
    """Quotes, wildcards and pieces of SQL in a value mean themselves, for the stock saver and for ours."""
    for kind in KINDS:
        saver = titled(kind)
        assert found(saver, {"title": title}) == [title]
        saver.conn.close()


@pytest.mark.parametrize("metadata", [{"titel": "plain"}, {"title": "nobody's"}, {"title.x": "plain"}, {"title": 1}])
def test_an_unknown_field_or_value_finds_nothing(metadata):
    """What no step has is not the full list, for the stock saver and for ours."""
    for kind in KINDS:
        saver = titled(kind)
        assert found(saver, metadata) == []
        saver.conn.close()


@pytest.mark.parametrize("key", ["title') OR 1=1 --", "title'", "ti tle", "$", ""])
def test_a_field_that_is_no_name_is_refused(key):
    """A key that could be a piece of SQL is an error, for the stock saver and for ours."""
    for kind in KINDS:
        saver = titled(kind)
        with pytest.raises(ValueError, match="Invalid filter key"):
            found(saver, {key: "plain"})
        saver.conn.close()


@pytest.fixture
def lab(tmp_path):
    with Lab.open(tmp_path / "lab.db") as opened:
        opened.session("mine", user="ann").send("hello")
        opened.start_trip("帮我规划成都3天旅行", user="ann")
        yield opened


@pytest.mark.parametrize("user", ["%", "a%", "_nn", "') OR 1=1 --", "ANN", "ann'"])
def test_a_user_is_found_by_name_only(lab, user):
    """Sessions and trips are those of the very user; any other text finds none."""
    assert (lab.sessions(user=user), lab.trips(user)) == ((), ())
    assert len(lab.trips("ann")) == 1
    assert "mine" in lab.sessions(user="ann")
    with pytest.raises(NotYourSession):
        lab.session("mine", user=user)


def test_an_unknown_field_of_a_listing_is_an_error(lab):
    """A misspelt or unknown filter never lists everything."""
    for listing in (lab.sessions, lab.trips):
        with pytest.raises(TypeError, match="title"):
            listing(title="成都")


@given(name=st.text(min_size=1, max_size=20).filter(lambda text: text.strip() not in {"", "None", "s"}))
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_deleting_takes_the_named_session_only(store, fan_graph, thread, name):
    """Whatever text names a session, deleting it leaves the other ones."""
    saver = store.saver
    if not store.chain("s", None).steps:
        fan_graph(saver, nodes=("route",)).invoke({"notes": []}, thread("s"))

    saver.delete_thread(name)

    assert len(store.chain("s", None).steps) == 4
