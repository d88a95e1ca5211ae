"""A graph that leads in a circle (Z3): stopped soon, in words, and nothing is lost."""

from dataclasses import replace

import pytest

from travel_lab.errors import RunawayGraph, UnfinishedTurn
from travel_lab.lab import Lab
from travel_lab.planner import STEP_LIMIT

PLAN = "Plan 3 days in Sydney, budget 3000 AUD"


@pytest.fixture
def lab(tmp_path):
    """A lab on a file."""
    with Lab.open(tmp_path / "lab.db") as lab:
        yield lab


@pytest.fixture
def circle(lab):
    """A session whose graph goes from the aggregator back to the supervisor."""
    session = lab.session("s")
    builder = session.graph.builder
    builder.add_edge("aggregator", "supervisor")
    return replace(session, graph=builder.compile(checkpointer=session.graph.checkpointer))


def test_a_circle_ends_in_words_with_the_calls_counted(circle):
    """The error names the session, the limit and how often each agent's model was asked."""
    with pytest.raises(RunawayGraph, match=rf"'s' did not end within {STEP_LIMIT} steps.*supervisor 4, route 4") as raised:
        circle.send(PLAN)

    assert "session.chain()" in str(raised.value)


def test_every_step_of_a_circle_is_kept(circle):
    """The chain shows the nodes that follow each other."""
    with pytest.raises(RunawayGraph):
        circle.send(PLAN)
    ran = [task.node for step in circle.chain().steps for task in step.tasks]

    assert ran.count("supervisor") == 4
    assert circle.state()["route_result"]["status"] == "ok"


def test_the_message_of_a_circle_is_not_sent_twice(circle):
    """The turn stands unfinished, and the same words are no second copy."""
    with pytest.raises(RunawayGraph):
        circle.send(PLAN)
    with pytest.raises(UnfinishedTurn):
        circle.send(PLAN)


def test_the_corrected_graph_goes_on_with_what_was_found(lab, circle):
    """Another message after the correction is an ordinary turn that sees the plan."""
    with pytest.raises(RunawayGraph):
        circle.send(PLAN)
    turn = lab.session("s").send("a cheaper hotel for night 2, please")

    assert turn.reply_kind == "plan"
    assert turn.measure("supervisor").completeness.value == 1.0
