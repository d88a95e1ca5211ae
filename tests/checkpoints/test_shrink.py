"""A stranger's file made small and back, value by value the same; the source never touched."""

import hashlib
import importlib.util
import json
import sqlite3
import sys
from pathlib import Path

import pytest
from langgraph.checkpoint.sqlite import SqliteSaver

from travel_lab.checkpoints import CompactSaver, inflate, shrink, survey
from travel_lab.errors import NotADatabase, StorageError

spec = importlib.util.spec_from_file_location("differential", Path(__file__).with_name("test_saver_differential.py"))
differential = importlib.util.module_from_spec(spec)
sys.modules["differential"] = differential
spec.loader.exec_module(differential)


@pytest.fixture(scope="module")
def strangers(tmp_path_factory) -> Path:
    """A stock file with sends, a failure, an interrupt, a subgraph and a second thread, and a table of somebody else's."""
    path = tmp_path_factory.mktemp("stranger") / "stock.db"
    saver = SqliteSaver(sqlite3.connect(path, check_same_thread=False), serde=differential.strict())
    graph = differential.build(saver)
    for route in (["work", "work"], ["inner", "none"], ["ask", "work"]) * 3:
        graph.invoke({"text": "hello", "route": route}, differential.THREAD)
    graph.invoke({"text": "other", "route": ["work"]}, {"configurable": {"thread_id": "t"}})
    saver.conn.execute("CREATE TABLE notes (text TEXT)")
    saver.conn.execute("CREATE INDEX notes_text ON notes (text)")
    saver.conn.execute("INSERT INTO notes VALUES ('mine')")
    saver.conn.commit()
    saver.conn.close()
    return path


def rows(path: Path) -> list:
    connection = sqlite3.connect(path)
    found = [connection.execute(query).fetchall() for query in (*differential.ROWS, "SELECT * FROM notes")]
    connection.close()
    return found


def test_there_and_back_is_the_same_to_the_byte(strangers, tmp_path):
    """Shrunk and inflated again, every row of every table has the bytes it had, and stays in its order."""
    shrink(strangers, tmp_path / "small.db")
    inflate(tmp_path / "small.db", tmp_path / "back.db")

    assert rows(tmp_path / "back.db") == rows(strangers)


def test_small_file_reads_as_the_source(strangers, tmp_path):
    """Our saver gives the same steps from the small file as the stock saver from the source."""
    shrink(strangers, tmp_path / "small.db")
    ours = CompactSaver(sqlite3.connect(tmp_path / "small.db"), serde=differential.strict())
    (tmp_path / "stock.db").write_bytes(strangers.read_bytes())
    stock = SqliteSaver(sqlite3.connect(tmp_path / "stock.db"), serde=differential.strict())

    assert list(ours.list(None)) == list(stock.list(None))
    ours.conn.close()
    stock.conn.close()


def test_report_says_what_was_done(strangers, tmp_path):
    """Sizes and counts in the report are those of the files."""
    done = shrink(strangers, tmp_path / "small.db")
    connection = sqlite3.connect(strangers)
    counts = [connection.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0] for table in ("checkpoints", "writes")]  # noqa: S608
    connection.close()

    assert (done.bytes_before, done.bytes_after) == (strangers.stat().st_size, (tmp_path / "small.db").stat().st_size)
    assert [done.steps, done.writes, done.unchanged] == [*counts, 0]
    assert done.factor > 4


def test_dry_run_says_the_same_and_keeps_nothing(strangers, tmp_path):
    """Without a target the sizes are those of the real run, and no file is left."""
    real = shrink(strangers, tmp_path / "small.db")
    dry = shrink(strangers)

    assert (dry.bytes_after, dry.target) == (real.bytes_after, None)
    assert [child.name for child in strangers.parent.iterdir()] == ["stock.db"]


def test_source_is_never_touched(strangers, tmp_path):
    """The bytes of the source are what they were, and nothing lies beside it."""
    before = hashlib.sha256(strangers.read_bytes()).hexdigest()
    shrink(strangers, tmp_path / "small.db")
    survey(strangers)

    assert hashlib.sha256(strangers.read_bytes()).hexdigest() == before
    assert [child.name for child in strangers.parent.iterdir()] == ["stock.db"]


def test_survey_adds_up_to_what_is_stored(strangers):
    """The shares are disjoint: together they are all bytes of all values and metadata."""
    connection = sqlite3.connect(strangers)
    total = connection.execute("SELECT SUM(LENGTH(checkpoint) + LENGTH(metadata)) FROM checkpoints").fetchone()[0]
    total += connection.execute("SELECT SUM(LENGTH(value)) FROM writes").fetchone()[0]
    connection.close()
    shares = survey(strangers)

    assert sum(share.bytes for share in shares) == total
    assert {share.content for share in shares} == {"messages", "pending sends", "other fields", "bookkeeping", "metadata"}


def test_survey_of_the_small_file_is_the_same(strangers, tmp_path):
    """What is where does not depend on how it is stored."""
    shrink(strangers, tmp_path / "small.db")

    assert survey(tmp_path / "small.db") == survey(strangers)


def test_a_value_that_is_no_msgpack_is_kept_as_it_is(strangers, tmp_path):
    """Bytes that cannot be taken apart go over unchanged and are counted."""
    damaged = tmp_path / "damaged.db"
    damaged.write_bytes(strangers.read_bytes())
    connection = sqlite3.connect(damaged)
    connection.execute("UPDATE checkpoints SET checkpoint = x'C1FF' WHERE rowid = 3")
    connection.execute("UPDATE checkpoints SET type = 'msgpack+aes' WHERE rowid = 4")
    connection.commit()
    connection.close()
    done = shrink(damaged, tmp_path / "small.db")
    inflate(tmp_path / "small.db", tmp_path / "back.db")

    assert done.unchanged == 1
    assert rows(tmp_path / "back.db") == rows(damaged)


def test_existing_target_is_refused(strangers, tmp_path):
    """Nothing is ever overwritten."""
    target = tmp_path / "there.db"
    target.write_text("mine", encoding="utf-8")
    with pytest.raises(StorageError, match=r"there\.db' exists; nothing was written\. Give the path of a new file\."):
        shrink(strangers, target)

    assert target.read_text(encoding="utf-8") == "mine"


def test_other_databases_are_refused(tmp_path):
    """A database without LangGraph's tables is named with what it has, and no target is made."""
    sqlite3.connect(tmp_path / "x.db").execute("CREATE TABLE mine (a)").connection.close()
    with pytest.raises(NotADatabase, match="no table 'checkpoints', found mine"):
        shrink(tmp_path / "x.db", tmp_path / "y.db")

    assert not (tmp_path / "y.db").exists()


def test_failed_run_leaves_no_half_file(strangers, tmp_path):
    """When the source cannot be copied whole, the target is removed."""
    source = tmp_path / "virtual.db"
    source.write_bytes(strangers.read_bytes())
    connection = sqlite3.connect(source)
    connection.execute("CREATE VIRTUAL TABLE found USING fts5(text)")
    connection.commit()
    connection.close()
    with pytest.raises(StorageError, match="virtual table 'found', which cannot be copied"):
        shrink(source, tmp_path / "small.db")

    assert sorted(child.name for child in tmp_path.iterdir()) == ["virtual.db"]


def test_nothing_stored_is_imported(tmp_path):
    """A file that names a class to call is converted without calling it."""
    trap = tmp_path / "trap.db"
    saver = SqliteSaver(sqlite3.connect(trap))
    saver.setup()
    from_stranger = bytes.fromhex("c71e00") + b"\x93\xa7os.path\xa7abspath\xad/never/called"
    saver.conn.execute("INSERT INTO checkpoints VALUES ('s', '', 'c', NULL, 'msgpack', ?, ?)", (from_stranger, json.dumps({})))
    saver.conn.commit()
    saver.conn.close()
    shrink(trap, tmp_path / "small.db")
    inflate(tmp_path / "small.db", tmp_path / "back.db")

    back = sqlite3.connect(tmp_path / "back.db")
    assert back.execute("SELECT checkpoint FROM checkpoints").fetchone() == (from_stranger,)
    back.close()
