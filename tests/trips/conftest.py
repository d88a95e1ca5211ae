"""Plans to compare, and what stands in a file, read on a connection of its own."""

import hashlib
import sqlite3
from contextlib import closing
from types import SimpleNamespace

import pytest

from travel_lab.lab import Lab
from travel_lab.trips import Plan


def _play(*messages):
    with Lab.open() as lab:
        session = lab.session()
        turns = [session.send(text) for text in messages]
        state = session.state()
    calls = [call for turn in turns for call in turn.calls]
    return state, len(calls), sum(call.tokens for call in calls)


def _plan(name, *messages):
    state, calls, tokens = _play(*messages)
    return Plan(name=name, itinerary=state["itinerary"], requirements=state["requirements"], model_calls=calls, tokens=tokens)


@pytest.fixture(scope="session")
def whitsundays():
    return _plan("islands", "Plan 8 days in Sydney and Whitsundays, budget 5000 AUD, vegetarian")


@pytest.fixture(scope="session")
def melbourne():
    return _plan("Melbourne", "Plan 6 days in Sydney and Melbourne, budget 5000 AUD, no museums")


@pytest.fixture(scope="session")
def sydney_zh():
    return _plan("悉尼", "帮我规划悉尼和圣灵群岛8天旅行，预算5000澳元，吃素")


@pytest.fixture(scope="session")
def chengdu():
    return _plan("成都", "帮我规划成都3天旅行，预算5000")


def row_hashes(path, session_id):
    """A hash over the checkpoints and one over the writes of a session, all columns."""
    hashes = []
    with closing(sqlite3.connect(path)) as connection:
        for query in (
            "SELECT * FROM checkpoints WHERE thread_id = ? ORDER BY rowid",
            "SELECT * FROM writes WHERE thread_id = ? ORDER BY rowid",
        ):
            rows = connection.execute(query, (session_id,)).fetchall()
            hashes.append(hashlib.sha256(repr(rows).encode()).hexdigest())
    return tuple(hashes)


def cost(path, session_id):
    """Rows of a session, and the bytes of its state."""
    with closing(sqlite3.connect(path)) as connection:
        steps, size = connection.execute(
            "SELECT count(*), sum(length(checkpoint)) FROM checkpoints WHERE thread_id = ?", (session_id,)
        ).fetchone()
        return steps, size, connection.execute("SELECT count(*) FROM writes WHERE thread_id = ?", (session_id,)).fetchone()[0]


def broken(path):
    """What is wrong with the trips in a file; empty when every invariant holds."""
    found = []
    with closing(sqlite3.connect(path)) as connection:
        parents = dict(connection.execute("SELECT session_id, parent_session_id FROM trip_sessions"))
        trip_of = dict(connection.execute("SELECT session_id, trip_id FROM trip_sessions"))
        for trip_id, root, active in connection.execute("SELECT trip_id, root_session_id, active_session_id FROM trips"):
            mine = {session for session, trip in trip_of.items() if trip == trip_id}
            found += [f"{trip_id}: active {active} is not its own"] if active not in mine else []
            found += [f"{trip_id}: roots"] if [s for s in mine if parents[s] is None] != [root] else []
            found += [f"{session}: orphan" for session in mine if parents[session] is not None and parents[session] not in mine]
        found += [f"{session}: no trip" for session, trip in trip_of.items() if not trip]
    return found


@pytest.fixture
def rows():
    """The functions of this file."""
    return SimpleNamespace(hashes=row_hashes, cost=cost, broken=broken)
