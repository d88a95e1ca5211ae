"""The X-ray of a turn: tasks, what each wrote, what was merged."""

import pytest

from travel_lab.checkpoints import turns_of, xray
from travel_lab.errors import AgentFailed, UnknownName
from travel_lab.lab import Lab


@pytest.fixture
def session(tmp_path, moody, once):
    with Lab.open(tmp_path / "lab.db", model=moody, retry=once) as lab:
        yield lab.session("s")


def shape(session, turn):
    return [[entry.task.node for entry in part.tasks] for part in xray(session.store.connection, session.chain(), turn)]


def test_turn_is_seen_superstep_by_superstep(session, text):
    """A turn with four specialists has four supersteps after its input, the specialists in plan order."""
    session.send(text)

    assert shape(session, 1) == [["__start__"], ["supervisor"], ["route", "hotel", "food", "info"], ["aggregator"]]


def test_writes_are_those_of_each_task(session, text):
    """What a task wrote is its own: one message and its result, before the merge."""
    session.send(text)
    specialists = xray(session.store.connection, session.chain(), 1)[2]

    assert [list(entry.wrote) for entry in specialists.tasks] == [
        ["route_result", "messages"], ["hotel_result", "messages"], ["food_result", "messages"], ["info_result", "messages"],
    ]  # fmt: skip
    assert [entry.wrote["messages"][0]["name"] for entry in specialists.tasks] == ["route", "hotel", "food", "info"]


def test_merge_is_seen_in_the_state(session, text):
    """The merged change of the parallel step is four results and four messages, in plan order."""
    session.send(text)
    merged = [change.path for change in xray(session.store.connection, session.chain(), 1)[2].merged]

    assert sorted(merged) == sorted(
        [f"{agent}_result" for agent in ("route", "hotel", "food", "info")]
        + [f"messages[id='turn-1-{agent}']" for agent in ("route", "hotel", "food", "info")]
    )


def test_turns_are_numbered_from_both_ends(session, text):
    """Turn 2 and turn -1 of two are the same."""
    session.send(text)
    session.send("把第二天的酒店换成便宜点的")

    assert shape(session, 2) == shape(session, -1) == [["__start__"], ["supervisor"], ["hotel"], ["aggregator"]]
    assert len(turns_of(session.chain())) == 2


@pytest.mark.parametrize("turn", [0, 2, -2])
def test_turn_that_was_not_played_is_named(session, turn):
    """A turn that is not there is an error with the turns there are."""
    session.send("hello")

    with pytest.raises(UnknownName, match="Known: 1"):
        xray(session.store.connection, session.chain(), turn)


def test_unfinished_superstep_is_the_last_one(session, moody, text):
    """Of a turn that stopped halfway the X-ray shows who is done and who failed."""
    moody.down.add("info")
    with pytest.raises(AgentFailed):
        session.send(text)
    last = xray(session.store.connection, session.chain(), 1)[-1]

    assert not last.finished
    assert [(entry.task.node, bool(entry.task.error), entry.task.finished) for entry in last.tasks] == [
        ("route", False, True), ("hotel", False, True), ("food", False, True), ("info", True, False),
    ]  # fmt: skip
