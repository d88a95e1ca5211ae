"""An agent that returns what no checkpoint can hold, or would give back as another type, is told so by name."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from travel_lab.checkpoints import CheckpointStore, Siblings
from travel_lab.errors import NotStorable
from travel_lab.events import AgentStarted
from travel_lab.lab import Lab
from travel_lab.planner import SPECIALISTS

ROUTE, HOTEL, FOOD, INFO = SPECIALISTS
PLAN = "帮我规划成都3天旅行，预算5000"


@pytest.fixture
def store(tmp_path):
    with CheckpointStore(tmp_path / "lab.db") as store:
        yield store


def returning(change):
    """The hotel agent with its result handed through `change`."""
    return replace(HOTEL, work=lambda payload, context: {"hotel_result": change(HOTEL.work(payload, context)["hotel_result"])})


def in_a_table(_result):
    return pd.DataFrame({"price": [480]})


@pytest.mark.parametrize(
    ("value", "kind", "advice"),
    [
        (pd.DataFrame({"price": [480]}), "DataFrame", r"value.to_dict\('records'\)"),
        (np.float64(480.0), "numpy.float64", r"value.item\(\)"),
        (pd.Timestamp("2026-12-01"), "Timestamp", r"value.isoformat\(\)"),
        (lambda: 480, "function", "keep it in the node"),
        (2**70, "int", r"str\(value\)"),
    ],
    ids=["frame", "numpy number", "timestamp", "function", "long integer"],
)
def test_a_value_no_checkpoint_holds_names_agent_key_and_type(planner, store, value, kind, advice):
    """The turn ends at the agent, before anybody else works with the value, and says what to return instead."""
    scholar = returning(lambda result: {**result, "data": {"hotels": [{"price": value}]}})
    team = planner(specialists=(ROUTE, scholar, FOOD, INFO), checkpointer=store.saver)

    with pytest.raises(
        NotStorable, match=rf"'hotel' returned in 'hotel_result' at data.hotels\[0\].price a value of type {kind}.*{advice}"
    ):
        team.say(PLAN)
    assert team.graph.get_state(team.config).next == ("hotel",)


def test_a_whole_result_no_checkpoint_holds_is_refused(planner):
    """A result that is a table by itself is refused by the same error, without a store too."""
    with pytest.raises(NotStorable, match="'hotel' returned in 'hotel_result' a value of type DataFrame"):
        planner(specialists=(returning(in_a_table), ROUTE)).say(PLAN)


def test_the_siblings_of_such_an_agent_are_kept(planner, store):
    """Resumed with the agent mended, the turn runs that agent only."""
    table = returning(in_a_table)
    broken = planner(specialists=(ROUTE, table, FOOD, INFO), checkpointer=store.saver)
    broken.context = replace(broken.context, siblings=Siblings(stored=store.stored_tasks("trip")))
    with pytest.raises(NotStorable):
        broken.say(PLAN)

    mended = planner(checkpointer=store.saver)
    state = mended.graph.invoke(None, mended.config, context=mended.context)

    assert {event.agent for event in mended.events if isinstance(event, AgentStarted)} == {"hotel"}
    assert state["itinerary"] is not None


@pytest.mark.parametrize("value", [pd.DataFrame(), np.float64(1), pd.Timestamp("2026-12-01")], ids=["frame", "number", "time"])
def test_editing_in_such_a_value_is_refused(tmp_path, value):
    """A manual edit with it names key and type, and adds no step."""
    with Lab.open(tmp_path / "lab.db") as lab, pytest.raises(NotStorable, match="into 'itinerary' at cost a value of type"):
        lab.session().edit({"itinerary": {"cost": value}})
