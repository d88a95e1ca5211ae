"""Messages keep their identity: stable ids, no doubled history, reads at the head unless a step is asked for."""

from travel_lab.checkpoints import CheckpointFile
from travel_lab.lab import Lab


def ids(session):
    return [message.id for message in session.state()["messages"]]


def test_message_ids_are_stable(tmp_path, text):
    """Read three times and after reopening the file, every message has the same id, named after its turn and author."""
    with Lab.open(tmp_path / "lab.db") as lab:
        session = lab.session("s")
        session.send(text)
        first = [ids(session) for _ in range(3)]
    with Lab.open(tmp_path / "lab.db") as lab:
        again = ids(lab.session("s"))

    assert first == [again] * 3
    assert again == [f"turn-1-{who}" for who in ("user", "supervisor", "route", "hotel", "food", "info", "aggregator")]


def test_second_turn_adds_its_own_messages_only(tmp_path):
    """A second turn leaves the first one's messages where they are, once each."""
    with Lab.open(tmp_path / "lab.db") as lab:
        session = lab.session("s")
        session.send("hello")
        session.send("hello")

        assert ids(session) == ["turn-1-user", "turn-1-supervisor", "turn-2-user", "turn-2-supervisor"]


def test_session_reads_its_head_and_a_step_reads_itself(tmp_path):
    """After another turn the session shows the new state, and the step that was kept at hand still shows the old one."""
    with Lab.open(tmp_path / "lab.db") as lab:
        session = lab.session("s")
        session.send("hello")
        file = CheckpointFile.open(session.store.saver)
        pinned = file.chain("s").at(-1)
        session.send("hello again")

        assert session.state()["turn"] == 2
        assert file.step(file.chain("s"), pinned).values["turn"] == 1
