"""Foreign files: read-only, decoded to plain data, damage marked, nothing executed."""

import os
import pickle
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing

import ormsgpack
import pytest

from travel_lab.checkpoints import CheckpointFile, CheckpointStore, channel_sizes, inflate
from travel_lab.checkpoints.packing import squeeze
from travel_lab.errors import NotADatabase, OtherLayout, UnknownName, UnreadableStep
from travel_lab.lab import Lab

OPEN_STOCK = """
import sqlite3, sys, warnings
from langgraph.checkpoint.sqlite import SqliteSaver
warnings.simplefilter("ignore")
saver = SqliteSaver(sqlite3.connect(sys.argv[1], check_same_thread=False))
saver.get_tuple({"configurable": {"thread_id": "s"}})
"""


@pytest.fixture
def path(tmp_path, fan_graph, thread):
    """A closed file with the sessions `a` and `s`, four steps each."""
    with CheckpointStore(tmp_path / "lab.db") as store:
        for name in ("a", "s"):
            fan_graph(store.saver).invoke({"notes": []}, thread(name))
    return tmp_path / "lab.db"


def change(path, statement, *values):
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement, values)


def make_folder(code, path):
    """A state whose bytes describe a call that makes a folder."""
    call = ormsgpack.packb(("os", "mkdir", (str(path),)))
    return ormsgpack.packb({"v": 4, "id": "x", "channel_values": {"note": ormsgpack.Ext(code, call)}, "channel_versions": {}})


def test_path_opens_read_only(path):
    """A file opened by its path is read and cannot be written, and no byte of it or file beside it changes."""
    before = path.read_bytes()
    with CheckpointFile.open(path) as file:
        assert [row.session_id for row in file.sessions()] == ["a", "s"]
        assert len(file.chain("s").steps) == 4
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            file.connection.execute("DELETE FROM checkpoints")

    assert path.read_bytes() == before
    assert sorted(item.name for item in path.parent.iterdir()) == ["lab.db"]


def test_stock_and_compact_file_read_the_same(path, tmp_path):
    """Chain, opened steps and X-ray of a compact file are those of the same file in LangGraph's own form."""
    inflate(path, tmp_path / "stock.db")
    read = []
    for name in (path, tmp_path / "stock.db"):
        with CheckpointFile.open(name) as file:
            chain = file.chain("s")
            read.append((chain, file.page(chain, -1, 10), file.xray(chain, 1), channel_sizes(file.connection, "s")))

    assert read[0] == read[1]
    assert [step.nodes for step in read[0][0].steps] == [(), (), ("route", "hotel", "food"), ("merge",)]


def test_saver_and_graph_are_sources_too(tmp_path, fan_graph, thread):
    """The same chain comes from the path, the saver and the graph, also while the store is open."""
    with CheckpointStore(tmp_path / "lab.db") as store:
        graph = fan_graph(store.saver)
        graph.invoke({"notes": []}, thread("s"))
        files = [CheckpointFile.open(source) for source in (tmp_path / "lab.db", store.saver, graph)]
        chains = [file.chain("s") for file in files]
        files[0].close()

    assert chains[0] == chains[1] == chains[2]
    assert len(chains[0].steps) == 4


def test_stock_library_would_run_what_the_file_says(path, tmp_path):
    """The file of the next test is a real one: the library's own default settings execute it."""
    target = tmp_path / "made by the stock library"
    change(path, "UPDATE checkpoints SET type = 'msgpack', checkpoint = ? WHERE thread_id = 's'", make_folder(1, target))
    subprocess.run(
        [sys.executable, "-c", OPEN_STOCK, str(path)],
        check=True,
        timeout=60,
        env={**os.environ, "LANGGRAPH_STRICT_MSGPACK": "false"},
    )

    assert target.is_dir()


@pytest.mark.parametrize("code", [0, 1, 2, 3, 4, 5])
def test_nothing_in_a_foreign_file_is_executed(path, tmp_path, code):
    """A state that describes a call is shown as data, its type is listed as blocked, and the call is not made."""
    target = tmp_path / "made"
    change(path, "UPDATE checkpoints SET type = 'msgpack', checkpoint = ? WHERE thread_id = 's'", make_folder(code, target))
    with CheckpointFile.open(path) as file:
        chain = file.chain("s")
        opened = file.step(chain, chain.at(-1))

    assert opened.blocked == ("os.mkdir",)
    assert not target.exists()


@pytest.mark.parametrize("code", [0, 1, 2, 3, 4, 5])
def test_nothing_in_a_packed_state_is_executed(path, tmp_path, code):
    """A packed state that describes a call is data for the file and for the lab's own store; the call is not made."""
    target = tmp_path / "made"
    change(path, "UPDATE checkpoints SET type = 'compact', checkpoint = ?", squeeze(make_folder(code, target)))
    with CheckpointFile.open(path) as file:
        chain = file.chain("s")
        opened = file.step(chain, chain.at(-1))
    with CheckpointStore(path) as store:
        store.saver.get_tuple({"configurable": {"thread_id": "s"}})

    assert opened.blocked == ("os.mkdir",)
    assert not target.exists()


def test_missing_part_marks_the_steps_that_need_it(tmp_path, text):
    """A packed state whose part was removed by hand is marked, saying so."""
    with Lab.open(tmp_path / "lab.db") as lab:
        lab.session("s").send(text)
    change(tmp_path / "lab.db", "DELETE FROM blob_uses")
    with CheckpointFile.open(tmp_path / "lab.db") as file:
        chain = file.chain("s")
        damages = [opened.damage for opened in file.page(chain, -1, 10)]

    assert any("is missing from the database" in damage for damage in damages)


def test_pickled_state_is_not_loaded(path, tmp_path):
    """A state stored as a pickle is marked as one that only code of the file's choice could read."""

    class Call:
        def __reduce__(self):
            return (os.mkdir, (str(tmp_path / "made"),))

    change(path, "UPDATE checkpoints SET type = 'pickle', checkpoint = ? WHERE thread_id = 's'", pickle.dumps(Call()))
    with CheckpointFile.open(path) as file:
        chain = file.chain("s")
        with pytest.raises(UnreadableStep, match="only code that the file names could read it"):
            file.step(chain, chain.at(-1))

    assert not (tmp_path / "made").exists()


def test_store_runs_nothing_either(path, tmp_path, fan_graph, thread):
    """The lab's own store, which decodes by the library, is strict: the call in a state is not made."""
    change(
        path, "UPDATE checkpoints SET type = 'msgpack', checkpoint = ? WHERE thread_id = 's'", make_folder(1, tmp_path / "made")
    )
    with CheckpointStore(path) as store:
        store.saver.get_tuple(thread("s"))

    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize(
    "data", [b"", b"\xc1", b"hello", b"\x81\xa1a", b"\xdf\xff\xff\xff\xff", b"\x93" * 2_000, 7, "text", None]
)
def test_damaged_step_is_marked_and_the_rest_is_whole(path, data):
    """Overwritten bytes mark one step, with session, step and file in its words, and every other step opens."""
    with CheckpointFile.open(path) as file:
        hurt = file.chain("s").at(2).checkpoint_id
    change(path, "UPDATE checkpoints SET checkpoint = ? WHERE checkpoint_id = ?", data, hurt)
    with CheckpointFile.open(path) as file:
        chain = file.chain("s")
        page = file.page(chain, -1, 10)

    assert [bool(opened.damage) for opened in page] == [False, False, True, False]
    assert page[2].damage.startswith(f"Step {hurt!r} of session 's' in {str(path)!r} is unreadable: ")


def test_damaged_session_leaves_the_listing_whole(path):
    """All sessions are listed although every state of one is noise."""
    change(path, "UPDATE checkpoints SET checkpoint = x'c1', metadata = x'c1' WHERE thread_id = 'a'")
    with CheckpointFile.open(path) as file:
        assert [(row.session_id, row.steps) for row in file.sessions()] == [("a", 4), ("s", 4)]


@pytest.mark.parametrize("column", ["thread_id", "checkpoint_ns", "checkpoint_id"])
@pytest.mark.parametrize("name", [b"\xff\xfe", b"a", b""])
def test_rows_whose_names_are_no_text_are_left_out_and_counted(path, column, name):
    """The other session is listed and opened whole, and a note says how many rows there were."""
    change(path, f"UPDATE OR REPLACE checkpoints SET {column} = ? WHERE thread_id = 'a'", name)  # noqa: S608 (a parameter)
    with CheckpointFile.open(path) as file:
        listed = {row.session_id: row.steps for row in file.sessions()}
        damage = [opened.damage for opened in file.page(file.chain("s"), -1, 10)]
        notes = file.notes

    assert listed["s"] == 4
    assert damage == [""] * 4
    assert any("is no text are left out" in note for note in notes)


def test_encrypted_state_says_so(path):
    """A state of another kind is not guessed at."""
    change(path, "UPDATE checkpoints SET type = 'msgpack+aes' WHERE thread_id = 's'")
    with CheckpointFile.open(path) as file:
        chain = file.chain("s")

        assert "it is encrypted" in file.page(chain, -1, 1)[0].damage


@pytest.mark.parametrize(
    "columns",
    ["thread_id, thread_ts, parent_ts, checkpoint, metadata", "thread_id, checkpoint_id, parent_id, checkpoint, metadata"],
)
def test_older_layout_is_named(tmp_path, columns):
    """Tables of another version are named with the columns found and expected, and stay untouched."""
    path = tmp_path / "old.db"
    change(path, f"CREATE TABLE checkpoints ({columns})")
    before = path.read_bytes()

    with pytest.raises(OtherLayout) as caught:
        CheckpointFile.open(path)

    assert f"found columns {columns}; expected thread_id, checkpoint_ns" in str(caught.value)
    assert path.read_bytes() == before


def test_text_file_is_no_database(tmp_path):
    """A text file renamed .db is named as what it is not."""
    (tmp_path / "notes.db").write_text("my notes about Chengdu", encoding="utf-8")

    with pytest.raises(NotADatabase, match="is no SQLite database"):
        CheckpointFile.open(tmp_path / "notes.db")


def test_database_of_another_program_is_named(tmp_path):
    """A database without checkpoint tables says which ones it expects."""
    change(tmp_path / "other.db", "CREATE TABLE trips (city TEXT)")

    with pytest.raises(NotADatabase, match="no LangGraph checkpoint tables"):
        CheckpointFile.open(tmp_path / "other.db")


def test_copy_without_its_side_file_says_what_may_be_missing(tmp_path, fan_graph, thread):
    """A file copied alone while it was open either opens with a note or is refused with the reason."""
    with CheckpointStore(tmp_path / "lab.db") as store:
        fan_graph(store.saver).invoke({"notes": []}, thread("s"))
        store.connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
        shutil.copy(tmp_path / "lab.db", tmp_path / "copy.db")
        with CheckpointFile.open(tmp_path / "copy.db") as file:
            notes = file.notes

    assert len(notes) == 1
    assert "its newest steps are missing" in notes[0]


def test_empty_copy_explains_the_missing_side_file(tmp_path, fan_graph, thread):
    """When all rows were still in the side file, the refusal of the bare copy says where they are."""
    with CheckpointStore(tmp_path / "lab.db") as store:
        shutil.copy(tmp_path / "lab.db", tmp_path / "copy.db")
        fan_graph(store.saver).invoke({"notes": []}, thread("s"))

    with pytest.raises(NotADatabase, match="copy NAME-wal too, or use travel-lab export"):
        CheckpointFile.open(tmp_path / "copy.db")


def test_file_in_a_read_only_folder_opens(tmp_path, path):
    """A file whose folder takes no new file opens, and nothing appears beside it."""
    folder = tmp_path / "handed in"
    folder.mkdir()
    shutil.copy(path, folder / "lab.db")
    change(folder / "lab.db", "PRAGMA journal_mode=WAL")
    folder.chmod(0o500)
    try:
        with CheckpointFile.open(folder / "lab.db") as file:
            assert len(file.chain("s").steps) == 4
        assert [item.name for item in folder.iterdir()] == ["lab.db"]
    finally:
        folder.chmod(0o700)


@pytest.mark.parametrize("name", ["x", "%", "s%", "') OR 1=1 --", "_", "'"])
def test_session_names_are_taken_literally(path, name):
    """A session is found by its very name, and an unknown one is an error that lists what is there."""
    with CheckpointFile.open(path) as file, pytest.raises(UnknownName, match="Known: a, s"):
        file.chain(name)


def test_opened_step_counts_messages_and_bytes(path, tmp_path):
    """An opened step gives its values as plain data, its size, and what would run next."""
    with CheckpointFile.open(path) as file:
        chain = file.chain("s")
        opened = file.step(chain, chain.at(1))
        inflate(path, tmp_path / "stock.db")
        with closing(sqlite3.connect(tmp_path / "stock.db")) as stock:
            stored = stock.execute(
                "SELECT length(checkpoint) FROM checkpoints WHERE checkpoint_id = ?", (chain.at(1).checkpoint_id,)
            ).fetchone()[0]

        assert (opened.size, opened.messages, opened.next) == (stored, None, ("route", "hotel", "food"))
        assert file.step(chain, chain.at(-1)).values == {
            "notes": ["route: route", "hotel: hotel", "food: food"], "answer": "route: route + hotel: hotel + food: food",
        }  # fmt: skip


def test_question_of_a_paused_step_is_shown(tmp_path, fan_graph, thread):
    """What a paused task asked stands in the opened step."""
    with CheckpointStore(tmp_path / "lab.db") as store:
        fan_graph(store.saver, ask=("hotel",)).invoke({"notes": []}, thread("s"))
        file = CheckpointFile.open(store.saver)
        chain = file.chain("s")

        assert file.step(chain, chain.at(-1)).interrupts == ("hotel?",)
