"""Whatever is typed and whatever a file holds, a command ends in words: a named error or an exit code, never a traceback."""

import json
import operator
import os
import shutil
import sqlite3
import subprocess
import sysconfig
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any, TypedDict

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langgraph.graph import START, StateGraph

from travel_lab.checkpoints import CheckpointStore
from travel_lab.cli import main
from travel_lab.lab import Lab

COMMAND = Path(sysconfig.get_path("scripts")) / "travel-lab"


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A closed file with the sessions `one` (two turns), `a:b` and `a:b:1`."""
    path = tmp_path_factory.mktemp("played") / "lab.db"
    with Lab.open(path) as lab:
        lab.session("one").send("hello")
        lab.session("one").send("帮我规划成都3天旅行，预算5000")
        lab.session("a:b").send("hello")
        lab.session("a:b:1").send("帮我规划成都3天旅行")
    return path


@pytest.fixture
def path(played, tmp_path):
    return shutil.copy(played, tmp_path / "lab.db")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["history", "one", "--limit", "0"], 2, "argument --limit: at least 1, found 0"),
        (["history", "one", "--limit", "-3"], 2, "argument --limit"),
        (["history", "one", "--limit", "many"], 2, "argument --limit: invalid number value: 'many'"),
        (["history", "one", "--since", "yesterday"], 1, "No time 'yesterday'. Write it as 2026-12-01"),
        (["history", "one", "--since", ""], 1, "No time ''"),
        (["history", "one", "--since", "2026-02-30"], 1, "No time '2026-02-30'"),
        (["history", "') OR 1=1 --"], 1, """No session "') OR 1=1 --". Known: a:b, a:b:1, one."""),
        (["history", ""], 1, "No session ''"),
        (["sessions", "--since", ""], 1, "No time ''"),
        (["sessions", "--title", "%"], 2, "unrecognized arguments: --title %"),
        (["diff", "one:99", "one"], 1, "No step 'one:99'. Known: 0 to 8"),
        (["diff", "one:-99", "one"], 1, "No step 'one:-99'"),
        (["diff", "one", "nobody"], 1, "No session 'nobody'"),
        (["prune", "--session", ""], 1, "No session ''"),
        (["prune", "--session", "nobody"], 1, "No session 'nobody'"),
        (["prune", "--keep", "0"], 1, "keeps at least the last step"),
        (["prune", "--keep", "few"], 2, "argument --keep"),
        (["export", "."], 1, "exists"),
        (["export", "nowhere/copy.db"], 1, "the folder 'nowhere' does not exist"),
        (["export", ""], 1, "The database path is blank"),
    ],
    ids=lambda given: " ".join(given) if isinstance(given, list) else "",
)
def test_wrong_input_is_refused_in_words(travel_lab, path, arguments, code, said):
    """Code 1 for a named error and 2 for a wrong command line, words that name what was typed, and an untouched file."""
    before = path.read_bytes()
    command, *rest = arguments

    done = travel_lab(command, str(path), *rest)

    assert done.code == code
    assert said in done.err
    assert path.read_bytes() == before


@pytest.mark.parametrize("moment", ["0001-01-01", "9999-12-31T23:59:59+14:00", "9999-12-31", "2026-W01"])
@pytest.mark.parametrize("command", ["sessions", "history"])
def test_edges_of_the_calendar_are_a_time_or_refused(travel_lab, path, command, moment):
    """The first and the last day there are end in a listing or in the error for a time that cannot be used."""
    done = travel_lab(command, str(path), *(["one"] if command == "history" else []), "--since", moment)

    assert done.code == 0 or f"No time '{moment}'" in done.err


def test_history_since_a_moment(travel_lab, path):
    """Only steps made since then are shown, with the places they have in the whole chain."""
    whole = json.loads(travel_lab("history", str(path), "one", "--json").out)

    for step in whole:
        since = json.loads(travel_lab("history", str(path), "one", "--json", "--since", step["created"]).out)
        assert since == whole[step["at"] :]


def test_history_since_goes_page_by_page(travel_lab, path):
    """Without --after the newest of them are shown, with it the ones that follow that place."""
    whole = json.loads(travel_lab("history", str(path), "one", "--json").out)
    since = ("--json", "--since", whole[4]["created"], "--limit", "2")

    assert [step["at"] for step in json.loads(travel_lab("history", str(path), "one", *since).out)] == [7, 8]
    assert [step["at"] for step in json.loads(travel_lab("history", str(path), "one", *since, "--after", "-1").out)] == [4, 5]
    assert [step["at"] for step in json.loads(travel_lab("history", str(path), "one", *since, "--after", "5").out)] == [6, 7]


def test_history_since_the_future_is_empty_and_says_so(travel_lab, path):
    """A moment after the last step shows none of the steps, and the title repeats the moment with its offset."""
    shown = travel_lab("history", str(path), "one", "--since", "2199-01-01T00:00+08:00")

    assert (shown.code, json.loads(travel_lab("history", str(path), "one", "--since", "2199-01-01", "--json").out)) == (0, [])
    assert "those since" in shown.out


def test_a_session_named_like_a_position_is_found_by_its_name(travel_lab, path):
    """`a:b:1` is that session when there is one, not place 1 of `a:b`; a place of it has one more colon."""
    assert json.loads(travel_lab("diff", str(path), "a:b:1", "a:b:1:-1", "--json").out) == []
    assert "itinerary" in {change["path"] for change in json.loads(travel_lab("diff", str(path), "a:b", "a:b:1", "--json").out)}


class Odd(TypedDict, total=False):
    seen: Annotated[list[Any], operator.add]
    by_place: dict[Any, Any]


def test_values_json_does_not_know_are_shown_as_text(travel_lab, tmp_path):
    """A state with tuple keys, bytes, sets and not-a-number still gives strict JSON."""
    builder = StateGraph(Odd)
    builder.add_node("see", lambda _: {"seen": [b"\xff", {1}, float("nan")], "by_place": {(1, 2): "x"}})
    builder.add_edge(START, "see")
    with CheckpointStore(tmp_path / "odd.db") as store:
        builder.compile(checkpointer=store.saver).invoke({}, {"configurable": {"thread_id": "s"}})

    def refuse(constant):
        raise ValueError(constant)

    done = travel_lab("diff", "odd.db", "s:0", "s", "--json")
    changes = json.loads(done.out, parse_constant=refuse)

    assert (done.code, {change["path"] for change in changes}) == (0, {"seen", "by_place"})


@pytest.mark.parametrize("command", [["prune", "--keep", "1"], ["prune", "--keep", "1", "--vacuum"]])
def test_a_locked_file_is_named(travel_lab, path, command, monkeypatch):
    """While another program holds the file, pruning ends with its name, and nothing is dropped."""
    monkeypatch.setattr("travel_lab.storage.connect.__kwdefaults__", {"busy_seconds": 0.1})
    with closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN IMMEDIATE")
        done = travel_lab(command[0], str(path), *command[1:])

    assert (done.code, "lab.db" in done.err) == (1, True)
    assert len(json.loads(travel_lab("history", str(path), "one", "--json").out)) == 9


def test_an_export_of_a_damaged_file_is_not_called_complete(travel_lab, path, tmp_path):
    """A file with noise in its pages is refused by name, and no copy is left behind."""
    content = bytearray(path.read_bytes())
    content[4096:24576] = b"\x55" * 20480
    path.write_bytes(content)

    done = travel_lab("export", str(path), "copy.db")

    assert (done.code, "is damaged" in done.err) == (1, True)
    assert not (tmp_path / "copy.db").exists()


@pytest.mark.parametrize("command", [["history", "lab.db", "one", "--json"], ["diff", "lab.db", "one:0", "one", "--full"]])
def test_a_reader_that_has_seen_enough_ends_the_command_quietly(path, command):
    """Piped into a program that reads nothing, a command ends without a traceback."""
    with subprocess.Popen([COMMAND, *command], cwd=path.parent, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        said = process.stderr.read()

    assert said == b""


def test_a_terminal_without_chinese_shows_codes(path):
    """Where the terminal's encoding has no Chinese, the table still comes."""
    with Lab.open(path) as lab:
        lab.session("会话").send("hello")
    encoding = {**os.environ, "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii", "COLUMNS": "160"}
    done = subprocess.run([COMMAND, "sessions", "lab.db"], cwd=path.parent, env=encoding, capture_output=True, check=False)

    assert (done.returncode, rb"\u4f1a\u8bdd" in done.stdout) == (0, True)


COMMANDS = (
    ["sessions"],
    ["sessions", "--sizes", "--json"],
    ["history", "one"],
    ["diff", "one:4", "one", "--json"],
    ["export", "copy.db"],
    ["prune", "--keep", "1", "--dry-run"],
    ["prune", "--keep", "1", "--vacuum"],
)


@given(
    damage=st.lists(st.tuples(st.floats(0, 1), st.binary(min_size=1, max_size=64)), min_size=1, max_size=40), cut=st.floats(0, 4)
)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_damaged_file_ends_in_words(travel_lab, played, tmp_path, damage, cut):
    """Wherever a file is overwritten or cut, every command shows what can be read or ends in a named error."""
    content = bytearray(played.read_bytes())
    for place, noise in damage:
        at = int(place * (len(content) - len(noise)))
        content[at : at + len(noise)] = noise
    for command, *rest in COMMANDS:
        (tmp_path / "damaged.db").write_bytes(content[: int(len(content) * min(cut, 1))])
        for left in ("copy.db", "damaged.db-wal", "damaged.db-shm"):
            (tmp_path / left).unlink(missing_ok=True)
        assert main([command, str(tmp_path / "damaged.db"), *rest]) in {0, 1}
