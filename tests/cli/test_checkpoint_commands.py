"""The commands that look after a checkpoint file."""

import json
import time
from datetime import UTC, datetime

import pytest

from travel_lab.cli import main
from travel_lab.cli.reading import local
from travel_lab.lab import Lab


@pytest.fixture
def path(tmp_path, monkeypatch):
    """A closed file with the sessions `one` (two turns) and 会话 (one turn)."""
    monkeypatch.setenv("COLUMNS", "160")
    with Lab.open(tmp_path / "lab.db") as lab:
        lab.session("one").send("hello")
        lab.session("one").send("帮我规划成都3天旅行，预算5000")
        lab.session("会话").send("hello")
    return tmp_path / "lab.db"


@pytest.fixture
def said(capsys):
    """Runs a command and gives what it printed."""

    def run(*arguments):
        assert main([str(argument) for argument in arguments]) == 0
        return capsys.readouterr().out

    return run


def test_sessions_are_listed_aligned(path, said):
    """Every session is a row, and a Chinese name moves no column."""
    lines = said("sessions", path).splitlines()
    rows = [line for line in lines if line.startswith(("one", "会话"))]

    assert [row.split()[:3] for row in rows] == [["one", "9", "0"], ["会话", "4", "0"]]
    # A Chinese character is as wide as two others.
    assert rows[0].index(" 9") - rows[1].index(" 4") == 2


def test_sessions_as_json_are_in_utc(path, said):
    """As JSON, times carry the offset +00:00, whatever the reader's zone."""
    listed = json.loads(said("sessions", path, "--json"))

    assert [(row["session"], row["steps"]) for row in listed] == [("one", 9), ("会话", 4)]
    assert all(row["last"].endswith("+00:00") for row in listed)


@pytest.mark.parametrize(("zone", "offset"), [("UTC", "+00:00"), ("Asia/Shanghai", "+08:00")])
def test_times_are_shown_in_the_readers_zone(path, said, monkeypatch, zone, offset):
    """The table shows local time and its offset, the same instant in every zone."""
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        assert offset in said("sessions", path)
    finally:
        monkeypatch.delenv("TZ")
        time.tzset()


def test_sessions_since_a_moment(path, said):
    """Only sessions with a step since then are listed; the moment may have an offset."""
    listed = json.loads(said("sessions", path, "--json"))
    latest = max(listed, key=lambda row: row["last"])

    assert [row["session"] for row in json.loads(said("sessions", path, "--json", "--since", latest["last"]))] == ["会话"]
    assert json.loads(said("sessions", path, "--json", "--since", "2199-01-01T00:00+08:00")) == []


@pytest.mark.parametrize("zone", ["UTC", "Asia/Shanghai", "America/Los_Angeles"])
def test_a_moment_without_an_offset_is_local_and_shown_with_it(path, said, monkeypatch, zone):
    """What is typed without an offset is read on the reader's clock, and the title says so with the offset."""
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        last = max(row["last"] for row in json.loads(said("sessions", path, "--json")))
        typed = datetime.fromisoformat(last).astimezone().replace(tzinfo=None).isoformat()
        shown = said("sessions", path, "--since", typed)
        offset = datetime.fromisoformat(last).astimezone().isoformat()[-6:]
    finally:
        monkeypatch.delenv("TZ")
        time.tzset()

    assert shown.startswith("1 sessions in ")
    assert f"{typed[:19].replace('T', ' ')}{offset}" in " ".join(shown.split())


@pytest.mark.parametrize("typed", ["yesterday", "", "0001-01-01"])
def test_a_moment_that_is_none_is_refused(path, capsys, monkeypatch, typed):
    """The error shows how a time is written; a time before the calendar's first in UTC is none either."""
    monkeypatch.setenv("TZ", "Asia/Shanghai")
    time.tzset()
    code = main(["sessions", str(path), "--since", typed])
    monkeypatch.delenv("TZ")
    time.tzset()

    assert code == 1
    assert f"No time {typed!r}. Write it as 2026-12-01" in capsys.readouterr().err


@pytest.mark.parametrize("moment", [datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)], ids=["first", "last"])
def test_a_time_at_the_ends_of_the_calendar_is_shown(monkeypatch, moment):
    """A file may say it was written in the year 1 or 9999: a time that cannot be moved is shown with its own offset."""
    for zone in ("Asia/Shanghai", "America/New_York"):
        monkeypatch.setenv("TZ", zone)
        time.tzset()
        assert local(moment)[:2] in {"00", "99"}
    monkeypatch.delenv("TZ")
    time.tzset()


@pytest.mark.parametrize("command", ["history", "prune", "diff"])
@pytest.mark.parametrize("name", ["", "\udcff", "no"], ids=["blank", "undecodable", "unknown"])
def test_a_session_that_is_none_is_refused(path, capsys, command, name):
    """A name that no session has is refused with the list; a blank one does not stand for all of them."""
    before = path.read_bytes()
    asked = {"history": [name], "prune": ["--session", name, "--keep", "1"], "diff": [name, "one"]}[command]

    assert main([command, str(path), *asked]) == 1
    assert f"No session {name!r}. Known: one, 会话." in capsys.readouterr().err
    assert path.read_bytes() == before


def test_history_shows_nodes_messages_and_bytes(path, said):
    """As JSON a step tells who ran, what each wrote, and how many messages and bytes there are."""
    steps = json.loads(said("history", path, "one", "--json"))

    assert [task["node"] for task in steps[7]["tasks"]] == ["route", "hotel", "food", "info"]
    assert steps[7]["tasks"][0]["wrote"] == ["route_result", "messages"]
    assert [step["messages"] for step in steps] == [None, None, 2, 2, 2, 2, 4, 8, 9]
    assert all(step["bytes"] > 100 for step in steps)


def test_history_goes_page_by_page(path, said):
    """Pages of two steps laid end to end are the whole history."""
    pages = [json.loads(said("history", path, "one", "--json", "--limit", 2, "--after", after)) for after in range(-1, 9, 2)]

    assert [step["at"] for page in pages for step in page] == list(range(9))


def test_history_of_several_sessions_wants_a_name(path, capsys):
    """A file of two sessions lists them instead of guessing."""
    assert main(["history", str(path)]) == 1
    assert "Known: one, 会话. Name one of them." in capsys.readouterr().err


def test_diff_between_two_steps(path, said):
    """The difference between two steps of a session is one row a leaf, whole as JSON."""
    changes = json.loads(said("diff", path, "one:7", "one", "--json"))

    assert "itinerary" in {change["path"] for change in changes}


def test_diff_between_two_sessions(path, said):
    """Two sessions are compared at their newest steps."""
    changes = {change["path"]: change for change in json.loads(said("diff", path, "会话", "one", "--json"))}

    assert (changes["turn"]["before"], changes["turn"]["after"]) == (1, 2)


def test_dry_run_of_prune_leaves_the_file(path, said):
    """The dry run names what would go; the file stays."""
    before = path.read_bytes()

    assert "nothing was changed" in said("prune", path, "--keep", 2, "--dry-run")
    assert path.read_bytes() == before


def test_prune_and_vacuum(path, said):
    """Pruning keeps the newest steps of each session and gives the space back."""
    done = json.loads(said("prune", path, "--keep", 2, "--vacuum", "--json"))

    assert [(plan["session_id"], len(plan["kept"]), len(plan["dropped"])) for plan in done["sessions"]] == [
        ("one", 2, 7),
        ("会话", 2, 2),
    ]
    assert done["freed"] > 0


def test_export_makes_one_file(path, said, tmp_path):
    """The exported file holds the same sessions."""
    said("export", path, tmp_path / "copy.db")

    assert [row["steps"] for row in json.loads(said("sessions", tmp_path / "copy.db", "--json"))] == [9, 4]


@pytest.mark.parametrize("command", ["sessions", "history", "prune"])
def test_other_files_are_a_named_error(tmp_path, capsys, command):
    """A file that is no database ends the command with its name and code 1."""
    (tmp_path / "notes.db").write_text("notes", encoding="utf-8")

    assert main([command, str(tmp_path / "notes.db")]) == 1
    assert "is no SQLite database" in capsys.readouterr().err
