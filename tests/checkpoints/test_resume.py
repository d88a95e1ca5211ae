"""A turn that stopped halfway: what is kept, what runs again, what is refused."""

import pytest

from travel_lab.errors import AgentFailed, GraphChanged, NothingToResume, UnfinishedTurn
from travel_lab.events import AgentStarted
from travel_lab.lab import Lab
from travel_lab.planner import SPECIALISTS, build_graph


@pytest.fixture
def lab(tmp_path, moody, once):
    with Lab.open(tmp_path / "lab.db", model=moody, retry=once) as lab:
        yield lab


@pytest.fixture
def failed(lab, moody, text):
    """A session whose first turn failed at info, the other three done; the model is well again."""
    moody.down.add("info")
    session = lab.session("s")
    with pytest.raises(AgentFailed):
        session.send(text)
    moody.down.clear()
    moody.calls.clear()
    return session


def test_resume_runs_only_what_failed(failed, moody):
    """The finished siblings make no second model call, and nobody is asked twice."""
    failed.resume()

    assert moody.calls == ["info"]


def test_resumed_turn_equals_an_undisturbed_one(failed, text):
    """After the resume the whole state is that of a turn in which nothing failed."""
    with Lab.open() as other:
        calm = other.session("s")
        calm.send(text)

        failed.resume()
        assert failed.state() == calm.state()


def test_resume_gives_the_whole_turn(failed, text):
    """The turn that comes back has the traveller's words, the card and the calls of this part."""
    turn = failed.resume()

    assert (turn.number, turn.text, turn.agents, turn.itinerary is not None) == (1, text, ("info",), True)
    assert [event.agent for event in turn.events if isinstance(event, AgentStarted)] == ["info"]


def test_resume_measures_from_the_turns_beginning(lab, moody, text):
    """Facts before a resumed second turn are those of the first turn, not those its finished siblings just wrote."""
    session = lab.session("s")
    session.send(text)
    before = session.state()
    moody.down.add("info")
    with pytest.raises(AgentFailed):
        session.send("改成西安4天")
    moody.down.clear()
    turn = session.resume()

    with Lab.open() as other:
        other.session("t").send(text)
        reference = other.session("t").send("改成西安4天")
    assert turn.facts_before == reference.facts_before
    assert before["turn"] == 1


def test_same_message_after_a_failure_is_no_second_copy(failed, text):
    """Sent again, the message is refused with the way to go on, and nothing is stored."""
    before = failed.chain()

    with pytest.raises(UnfinishedTurn) as caught:
        failed.send(text)

    assert str(caught.value) == (
        "The turn of this message stopped before info and was not sent a second time. session.resume() runs only what is "
        "missing; another message starts a new turn."
    )
    assert failed.chain() == before


def test_resume_can_fail_and_be_repeated(failed, moody):
    """A resume that fails again leaves the siblings where they are, for the next resume."""
    moody.down.add("info")
    with pytest.raises(AgentFailed):
        failed.resume()
    moody.down.clear()
    failed.resume()

    assert moody.calls == ["info", "info"]


def test_resume_survives_reopening(tmp_path, moody, once, text):
    """Another lab on the same file takes the turn up where it was left."""
    moody.down.add("info")
    with Lab.open(tmp_path / "a.db", model=moody, retry=once) as lab, pytest.raises(AgentFailed):
        lab.session("s").send(text)
    moody.down.clear()
    moody.calls.clear()
    with Lab.open(tmp_path / "a.db", model=moody, retry=once) as lab:
        lab.session("s").resume()

    assert moody.calls == ["info"]


def test_complete_turn_is_not_resumed(lab, text):
    """After a turn that ended well there is nothing to resume, and nothing runs."""
    session = lab.session("s")
    session.send(text)

    with pytest.raises(NothingToResume, match="has a complete last turn"):
        session.resume()


def test_new_session_is_not_resumed(lab):
    """A session without a turn says so."""
    with pytest.raises(NothingToResume, match="has no turn yet"):
        lab.session("new").resume()


def test_other_graph_is_refused(failed, moody, monkeypatch):
    """A turn that stopped before a node this graph does not have is not resumed, and nothing of it counts as complete."""
    others = [agent for agent in SPECIALISTS if agent.name != "info"]
    object.__setattr__(failed, "graph", build_graph(failed.store.saver, others))
    before = failed.chain()

    with pytest.raises(
        GraphChanged, match="stopped before 'info', which this graph does not have; it has supervisor, aggregator"
    ):
        failed.resume()

    assert failed.chain() == before
    assert moody.calls == []


def test_record_shows_failed_then_done(failed):
    """The chain keeps that info failed first and was done later."""
    failed.resume()
    tasks = {task.node: task for task in failed.chain().at(3).tasks}

    assert "info is down" in tasks["info"].error
    assert tasks["info"].finished
    assert [tasks[name].error for name in ("route", "hotel", "food")] == ["", "", ""]
