"""One writer a session: threads, processes, crashes, locks, deletion."""

import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from travel_lab.checkpoints import CheckpointStore, export
from travel_lab.clock import Clock
from travel_lab.errors import SessionBusy, SessionDeleted, StoreLocked
from travel_lab.lab import Lab
from travel_lab.storage import connect

HOLD = """
import sys
from pathlib import Path
from travel_lab.checkpoints import CheckpointStore
with CheckpointStore(Path(sys.argv[1])) as store, store.leases.hold("s", wait=0):
    print("held", flush=True)
    sys.stdin.read()
"""
LOCK = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
connection.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def other_process():
    """Starts a second Python that says when it holds what it should; it lets go when it is told or killed."""
    started = []

    def start(code, path):
        process = subprocess.Popen([sys.executable, "-c", code, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        started.append(process)
        assert process.stdout.readline() == b"held\n"
        return process

    yield start
    for process in started:
        process.kill()
        process.wait(timeout=20)
        process.stdin.close()
        process.stdout.close()


def test_six_threads_keep_all_twelve_messages(tmp_path, moody):
    """Six threads with one message each to one session: six questions and six answers, one after the other."""
    moody.seconds = 0.02
    with Lab.open(tmp_path / "lab.db", model=moody) as lab, ThreadPoolExecutor(6) as pool:
        turns = list(pool.map(lambda at: lab.session("s").send(f"hello {at}"), range(6)))
        messages = lab.session("s").state()["messages"]

    assert len(messages) == 12
    assert sorted(turn.number for turn in turns) == [1, 2, 3, 4, 5, 6]
    assert [message.type for message in messages] == ["human", "ai"] * 6


def test_two_labs_on_one_file_keep_all_messages(tmp_path):
    """Two labs in one process, as in two notebooks, are writers like any two."""
    with Lab.open(tmp_path / "lab.db") as one, Lab.open(tmp_path / "lab.db") as two, ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda at: (one, two)[at % 2].session("s").send(f"hello {at}"), range(6)))
        messages = one.session("s").state()["messages"]

    assert len(messages) == 12


def test_second_thread_is_refused_when_it_asks_not_to_wait(tmp_path):
    """With wait=0 a second caller of a session gets its name at once."""
    with CheckpointStore(tmp_path / "lab.db") as store, store.leases.hold("s", wait=0), ThreadPoolExecutor(1) as pool:

        def second():
            with store.leases.hold("s", wait=0):
                pass

        with pytest.raises(SessionBusy, match="Session 's' is busy: another thread of this program is writing to it"):
            pool.submit(second).result()


def test_other_sessions_are_free(tmp_path):
    """A lease is one session's; another session of the file is written meanwhile."""
    with Lab.open(tmp_path / "lab.db") as lab:
        store = lab.session("other").store
        with store.leases.hold("s", wait=0):
            assert lab.session("other").send("hello", wait=0).number == 1


def test_second_process_is_refused_by_name(tmp_path, other_process):
    """A session that another process writes to is busy, says which process, and nothing is stored."""
    process = other_process(HOLD, tmp_path / "lab.db")
    with Lab.open(tmp_path / "lab.db") as lab:
        with pytest.raises(SessionBusy, match=f"process {process.pid} on "):
            lab.session("s").send("hello", wait=0.05)

        assert lab.session("s").chain().steps == ()


def test_waiting_ends_when_the_other_process_is_done(tmp_path, other_process):
    """A caller that waits gets its turn as soon as the other process lets go."""
    process = other_process(HOLD, tmp_path / "lab.db")
    with Lab.open(tmp_path / "lab.db") as lab:
        threading.Timer(0.1, process.stdin.close).start()

        assert lab.session("s").send("hello", wait=20).number == 1
        process.wait(timeout=20)


def test_lease_of_a_killed_process_is_taken_over_at_once(tmp_path, other_process):
    """After kill -9 nobody waits for the limit."""
    process = other_process(HOLD, tmp_path / "lab.db")
    process.kill()
    process.wait(timeout=20)
    with Lab.open(tmp_path / "lab.db") as lab:
        assert lab.session("s").send("hello", wait=0).number == 1


@pytest.mark.parametrize(("age", "taken"), [(29, False), (31, True)])
def test_lease_of_an_unreachable_writer_ends_after_the_limit(tmp_path, age, taken):
    """A writer of another machine that was not heard of for more than 30 s is taken over, and not before."""
    now = datetime(2026, 1, 1, tzinfo=UTC)
    with CheckpointStore(tmp_path / "lab.db", clock=Clock(now=lambda: now)) as store:
        renewed = (now - timedelta(seconds=age)).isoformat()
        store.connection.execute("INSERT INTO session_leases VALUES ('s', 'other', 'elsewhere', 1, ?)", (renewed,))
        store.connection.commit()
        try:
            with store.leases.hold("s", wait=0):
                held = True
        except SessionBusy:
            held = False

    assert held is taken


def test_writer_that_was_taken_over_can_no_longer_write(tmp_path, moody):
    """A turn whose lease went to somebody else stops at its next write, and the other's session is not touched by it."""
    with Lab.open(tmp_path / "lab.db", model=moody) as lab, closing(connect(tmp_path / "lab.db")) as thief:
        session = lab.session("s")
        session.send("hello")
        before = len(session.chain().steps)

        def steal(event):
            with thief:
                thief.execute("UPDATE session_leases SET holder = 'thief', machine = 'elsewhere'")

        with pytest.raises(SessionBusy, match="Another writer took the session over"):
            session.send("hello again", watch=steal)

        assert [step.nodes for step in session.chain().steps[before:]] in ([()], [(), ()])


def test_deleted_session_stays_deleted(tmp_path, text):
    """A turn that runs while its session is deleted ends by name, and no row of the session comes back."""
    with Lab.open(tmp_path / "lab.db") as lab:
        session = lab.session("s")
        session.send("hello")

        with pytest.raises(SessionDeleted):
            session.send(text, watch=lambda _event: lab.delete("s"))

        assert session.chain().steps == ()
        assert session.store.connection.execute("SELECT count(*) FROM writes").fetchone() == (0,)
        with pytest.raises(SessionDeleted, match="Session 's' was deleted"):
            session.send("hello")


def test_deleting_an_unknown_session_is_no_event(tmp_path):
    """Deleting what is not there says so, on a new file too, and its id stays usable."""
    with Lab.open(tmp_path / "lab.db") as lab:
        assert lab.delete("s") is False
        assert lab.session("s").send("hello").number == 1
        assert lab.delete("s") is True
        assert lab.sessions() == ()


def test_short_lock_is_waited_for(tmp_path, other_process):
    """While another program locks the file for a moment, the turn waits and succeeds."""
    with Lab.open(tmp_path / "lab.db") as lab:
        process = other_process(LOCK, tmp_path / "lab.db")
        threading.Timer(0.2, process.stdin.close).start()

        assert lab.session("s").send("hello").number == 1


def test_long_lock_is_a_named_error_and_the_message_can_be_sent_again(tmp_path, other_process):
    """A lock that outlasts the wait is named with the file, nothing is stored, and the same message works afterwards."""
    with Lab.open(tmp_path / "lab.db", busy_seconds=0.1) as lab:
        process = other_process(LOCK, tmp_path / "lab.db")
        with pytest.raises(StoreLocked, match="is locked by another program"):
            lab.session("s").send("hello")
        process.kill()
        process.wait(timeout=20)

        assert lab.session("s").send("hello").number == 1
        assert len(lab.session("s").state()["messages"]) == 2


def test_lock_in_the_middle_of_a_turn_leaves_it_to_be_resumed(tmp_path, text):
    """When the lock comes while agents work, the turn ends by name, and resuming it gives the state of an undisturbed one."""
    path = tmp_path / "lab.db"
    with Lab.open(path, busy_seconds=0.1) as lab, closing(sqlite3.connect(path, check_same_thread=False)) as locker:
        session = lab.session("s")

        def lock(event):
            if event.agent == "hotel" and not locker.in_transaction:
                locker.execute("BEGIN IMMEDIATE")

        with pytest.raises(StoreLocked):
            session.send(text, watch=lock)
        locker.rollback()
        session.resume()

        with Lab.open() as other:
            other.session("s").send(text)
            assert session.state() == other.session("s").state()


def test_export_carries_no_lease(tmp_path):
    """A copy made while a turn runs can be written to at once."""
    with CheckpointStore(tmp_path / "lab.db") as store, store.leases.hold("s", wait=0):
        export(tmp_path / "lab.db", tmp_path / "copy.db")

    with Lab.open(tmp_path / "copy.db") as lab:
        assert lab.session("s").send("hello", wait=0).number == 1


def test_changing_the_state_by_hand_waits_its_turn(tmp_path):
    """An edit is a write like a message: it is refused while somebody else holds the session."""
    with Lab.open(tmp_path / "lab.db") as one, Lab.open(tmp_path / "lab.db") as two:
        session = one.session("s")
        session.send("hello")
        with two.session("s").store.leases.hold("s", wait=0), pytest.raises(SessionBusy), session.store.leases.hold("s", wait=0):
            pass


def test_clock_of_the_lab_dates_its_leases(tmp_path):
    """Leases are dated by the clock that is passed in."""
    day = datetime(2030, 5, 1, tzinfo=UTC)
    with Lab.open(tmp_path / "lab.db", clock=replace(Clock(), now=lambda: day)) as lab:
        store = lab.session("s").store
        with store.leases.hold("s", wait=0):
            assert store.connection.execute("SELECT renewed FROM session_leases").fetchall() == [
                ("2030-05-01T00:00:00.000000+00:00",)
            ]
