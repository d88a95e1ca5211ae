"""Times of trips, sessions, leases and steps: one zone and one order, whatever zone the machine or the lab's clock speaks of."""

import sqlite3
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta, timezone

import pytest

from travel_lab.clock import Clock
from travel_lab.lab import Lab
from travel_lab.planner import offline_model

ASKED = "帮我规划悉尼和圣灵群岛8天，不吃辣"


def in_shanghai():
    return datetime.now(timezone(timedelta(hours=8)))


def without_a_zone():
    return datetime.now()  # noqa: DTZ005 (a clock as careless users write it)


CLOCKS = {"UTC": Clock(), "Shanghai": Clock(now=in_shanghai), "without a zone": Clock(now=without_a_zone)}


@pytest.fixture
def machine(monkeypatch):
    """Puts the machine into a zone for the length of the test."""

    def machine(zone):
        monkeypatch.setenv("TZ", zone)
        time.tzset()

    yield machine
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize("zone", ["UTC", "Asia/Shanghai", "America/Los_Angeles"])
@pytest.mark.parametrize("clock", CLOCKS.values(), ids=CLOCKS)
def test_times_of_all_tables_are_in_one_zone_and_one_order(tmp_path, machine, zone, clock):
    """Trip, root, its first and last step, fork, its first step: in this order as moments and as texts, all in UTC."""
    machine(zone)
    with Lab.open(tmp_path / "lab.db", clock=clock) as lab:
        trip = lab.start_trip(ASKED)
        trip.confirm()
        root = trip.active
        child = trip.fork(reason="看看墨尔本")
        made, records = trip.record, trip.sessions()
        steps = [session.chain().steps for session in (root, child)]

    told = [
        made.created_at,
        records[0].created_at,
        steps[0][0].created.isoformat(timespec="microseconds"),
        steps[0][-1].created.isoformat(timespec="microseconds"),
        records[1].created_at,
        steps[1][0].created.isoformat(timespec="microseconds"),
    ]
    assert told == sorted(told)
    assert [datetime.fromisoformat(text).utcoffset() for text in told] == [timedelta(0)] * len(told)
    assert len({len(text) for text in told}) == 1


def test_every_stored_text_of_a_time_is_utc(tmp_path):
    """Whatever column of the file holds a time, it says +00:00, with a clock that speaks of another zone."""
    with Lab.open(tmp_path / "lab.db", clock=Clock(now=in_shanghai)) as lab:
        lab.start_trip(ASKED).fork(reason="x", force=True)
        lab.session("gone", user="ann").send("hello")
        lab.delete("gone", user="ann")
        with closing(sqlite3.connect(lab.path)) as file, lab.session("held").writing():
            columns = [
                (table, column[1])
                for (table,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
                for column in file.execute(f"PRAGMA table_info({table})").fetchall()
                if column[1] in {"created_at", "renewed", "deleted"}
            ]
            times = [row[0] for table, column in columns for row in file.execute(f"SELECT {column} FROM {table}")]  # noqa: S608 (the file's own names)

    assert {table for table, _ in columns} == {"trips", "trip_sessions", "session_leases", "deleted_sessions"}
    assert len(times) == 5
    assert all(text.endswith("+00:00") for text in times)


@pytest.mark.parametrize(("zone", "day"), [("UTC", "2026-12-01"), ("Asia/Shanghai", "2026-12-02")])
def test_today_is_the_readers(tmp_path, machine, zone, day):
    """At 20:00 UTC the prompt says tomorrow's date in Shanghai, where it is four in the morning."""
    machine(zone)
    clock = Clock(now=lambda: datetime(2026, 12, 1, 20, tzinfo=UTC))
    with Lab.open(tmp_path / "lab.db", model=offline_model(), clock=clock) as lab:
        turn = lab.session("s").send("hello")

    assert day in str(turn.call("supervisor").view[0].content)
