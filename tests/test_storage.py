import os
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from travel_lab.errors import NotADatabase, StorageError
from travel_lab.storage import MANY, checked_path, connect, connect_read_only, refuse_other_files

OPENERS = [pytest.param(connect, id="write"), pytest.param(connect_read_only, id="read-only")]
either = pytest.mark.parametrize("opener", OPENERS)


@pytest.fixture
def database(tmp_path) -> Path:
    """A database with one row."""
    path = tmp_path / "lab.db"
    with closing(connect(path)) as connection:
        connection.execute("CREATE TABLE trip (city TEXT)")
        connection.execute("INSERT INTO trip VALUES ('成都')")
        connection.commit()
    return path


def test_new_file_can_be_written(tmp_path):
    """One call makes a file that keeps what is committed."""
    path = tmp_path / "new.db"
    with closing(connect(path)) as connection:
        connection.execute("CREATE TABLE trip (city TEXT)")
        connection.execute("INSERT INTO trip VALUES ('西安')")
        connection.commit()

    with closing(connect(path)) as again:
        assert again.execute("SELECT city FROM trip").fetchall() == [("西安",)]


def test_empty_file_becomes_a_database(tmp_path):
    """A file of no bytes, as `touch` leaves it, is taken."""
    path = tmp_path / "empty.db"
    path.touch()

    with closing(connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (0,)


@pytest.mark.parametrize("name", ["旅行 计划.db", "a#b?c%20d.db", "lab", "-x.db", "'; DROP TABLE trip; --.db"])
def test_odd_file_names_are_plain_names(tmp_path, name):
    """Blanks, Chinese and the signs of a URL in a name mean nothing but themselves, for writing and reading."""
    path = tmp_path / name
    with closing(connect(path)) as connection:
        connection.execute("CREATE TABLE trip (city TEXT)")
        connection.commit()

    with closing(connect_read_only(path)) as reader:
        assert reader.execute("SELECT name FROM sqlite_master").fetchall() == [("trip",)]
    assert [child.name for child in tmp_path.iterdir() if not child.name.endswith(("-wal", "-shm"))] == [name]


def test_path_may_be_text_or_path(database):
    """`str` and `Path` open the same file."""
    with closing(connect(str(database))) as one, closing(connect(database)) as two:
        assert one.execute("SELECT city FROM trip").fetchall() == two.execute("SELECT city FROM trip").fetchall() == [("成都",)]


def test_writer_uses_a_write_ahead_log(tmp_path):
    """Readers and a writer do not wait for each other."""
    with closing(connect(tmp_path / "lab.db")) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_no_transaction_is_left_open(tmp_path):
    """The trial write that opening makes is taken back, so a second writer need not wait."""
    with closing(connect(tmp_path / "lab.db")) as one, closing(connect(tmp_path / "lab.db")) as two:
        assert not one.in_transaction
        two.execute("CREATE TABLE trip (city TEXT)")


@either
def test_connection_works_in_another_thread(database, opener):
    """A connection made in one thread is used in another."""
    found: list[object] = []
    with closing(opener(database)) as connection:
        worker = threading.Thread(target=lambda: found.extend(connection.execute("SELECT city FROM trip").fetchall()))
        worker.start()
        worker.join()

    assert found == [("成都",)]


@either
def test_text_file_renamed_is_named_as_no_database(tmp_path, opener):
    """A text file called .db is refused by name, with its first bytes and the promise that it is untouched."""
    path = tmp_path / "notes.db"
    path.write_text("第一天去宽窄巷子，第二天去武侯祠", encoding="utf-8")

    with pytest.raises(NotADatabase) as caught:
        opener(path)

    start = "第一天去".encode()[:12]
    assert str(caught.value) == f"{str(path)!r} is no SQLite database (it starts with {start!r}). The file is untouched."


@either
@pytest.mark.parametrize(
    "content",
    [b"x", b"hello", b"SQLite format 3", b"SQLite format 2\x00", b"PK\x03\x04" + bytes(2_000), b"\x00" * 5_000],
    ids=["one byte", "short", "header cut off", "older format", "zip", "zeros"],
)
def test_other_file_is_untouched_byte_for_byte(tmp_path, opener, content):
    """A file that is no database keeps its bytes and its time, and no side file appears."""
    path = tmp_path / "other.db"
    path.write_bytes(content)
    os.utime(path, (1_700_000_000, 1_700_000_000))

    with pytest.raises(NotADatabase):
        opener(path)

    assert path.read_bytes() == content
    assert path.stat().st_mtime == 1_700_000_000
    assert list(tmp_path.iterdir()) == [path]


def test_damaged_database_is_a_storage_error(tmp_path):
    """A file that starts like a database and goes on as noise is refused by name."""
    path = tmp_path / "broken.db"
    path.write_bytes(b"SQLite format 3\x00" + b"\x07" * 4_096)

    with pytest.raises(StorageError, match="Cannot write the database"):
        connect(path)


def test_folder_is_refused_with_a_hint(tmp_path):
    """A folder is no file, and the message says what to give instead."""
    with pytest.raises(StorageError) as caught:
        connect(tmp_path)

    assert str(caught.value) == f"{str(tmp_path)!r} is a folder. Give the path of a file in it, such as 'checkpoints.db'."


def test_reading_a_folder_is_refused(tmp_path):
    """A folder cannot be read as a database."""
    with pytest.raises(StorageError, match="No database at"):
        connect_read_only(tmp_path)


def test_path_below_a_missing_folder_is_refused(tmp_path):
    """The folder is named, and it is not created."""
    path = tmp_path / "missing" / "lab.db"

    with pytest.raises(StorageError) as caught:
        connect(path)

    folder = str(tmp_path / "missing")
    assert str(caught.value) == f"Cannot open {str(path)!r}: the folder {folder!r} does not exist. Create it first."
    assert not (tmp_path / "missing").exists()


@either
def test_path_below_a_file_is_refused(tmp_path, opener):
    """A path that goes through a file cannot be opened by anybody, the superuser included."""
    (tmp_path / "file").write_text("text", encoding="utf-8")

    with pytest.raises(StorageError):
        opener(tmp_path / "file" / "lab.db")


@either
def test_name_that_is_too_long_is_a_storage_error(tmp_path, opener):
    """A name no file system takes is refused by name."""
    with pytest.raises(StorageError):
        opener(tmp_path / ("x" * 5_000))


@either
@pytest.mark.parametrize("path", [":memory:", "sqlite:///x.db", "file:///tmp/x.db", "postgresql://lab@host/db", "", "   ", "\n"])
def test_path_that_is_no_path_is_refused(opener, path, tmp_path, monkeypatch):
    """Memory databases, URLs and blanks are refused, and nothing is created."""
    monkeypatch.chdir(tmp_path)

    with pytest.raises(StorageError):
        opener(path)

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("path", "hint"),
    [
        (":memory:", "Leave the path out for a temporary file."),
        ("sqlite:///x.db", "Give a plain file path such as 'checkpoints.db'."),
        (" ", "Give a file path, or leave it out for a temporary file."),
    ],
)
def test_refusal_says_what_to_do_instead(path, hint):
    """Each refused kind of path comes with its own next step."""
    with pytest.raises(StorageError) as caught:
        checked_path(path)

    assert str(caught.value).endswith(hint)


@either
def test_path_with_a_null_character_is_a_storage_error(opener):
    """A path that the system cannot even look up is refused by name."""
    with pytest.raises(StorageError):
        opener("lab\x00.db")


def test_checked_path_keeps_the_path(tmp_path):
    """A usable path comes back as it is."""
    assert checked_path(str(tmp_path / "lab.db")) == tmp_path / "lab.db"


def test_reader_reads(database):
    """What was committed can be read."""
    with closing(connect_read_only(database)) as connection:
        assert connection.execute("SELECT city FROM trip").fetchall() == [("成都",)]


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO trip VALUES ('西安')",
        "UPDATE trip SET city = '西安'",
        "DELETE FROM trip",
        "DROP TABLE trip",
        "CREATE TABLE other (x)",
        "PRAGMA user_version = 7",
    ],
)
def test_reader_refuses_every_write(database, statement):
    """A read-only connection changes nothing, whatever statement it is given."""
    with closing(connect_read_only(database)) as connection, pytest.raises(sqlite3.OperationalError, match="readonly"):
        connection.execute(statement)

    with closing(connect(database)) as connection:
        assert connection.execute("SELECT city FROM trip").fetchall() == [("成都",)]


def test_reading_a_missing_file_creates_nothing(tmp_path):
    """A path that was misspelt is named, and no empty database appears there."""
    path = tmp_path / "missing.db"

    with pytest.raises(StorageError) as caught:
        connect_read_only(path)

    assert str(caught.value) == f"No database at {str(path)!r}. Check the path; nothing was created."
    assert list(tmp_path.iterdir()) == []


def test_reader_leaves_the_file_as_it_is(database):
    """Reading changes no byte of the database."""
    before = database.read_bytes()
    with closing(connect_read_only(database)) as connection:
        connection.execute("SELECT * FROM trip").fetchall()

    assert database.read_bytes() == before


def test_reader_sees_what_the_writer_commits(database):
    """An open reader sees the next commit of an open writer."""
    with closing(connect(database)) as writer, closing(connect_read_only(database)) as reader:
        writer.execute("INSERT INTO trip VALUES ('西安')")
        writer.commit()

        assert reader.execute("SELECT count(*) FROM trip").fetchone() == (2,)


HOLDER = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], timeout=0.1)
try:
    connection.execute("BEGIN EXCLUSIVE")
    print("taken")
except sqlite3.OperationalError as error:
    print(error)
"""


def test_looking_into_a_file_keeps_the_locks_of_its_open_connections(tmp_path):
    """After a second connection has looked into the file, another process still finds the first one's lock."""
    path = tmp_path / "lab.db"
    held = sqlite3.connect(path, isolation_level=None)
    held.execute("CREATE TABLE t (x)")
    held.execute("BEGIN EXCLUSIVE")  # no write-ahead log: the lock is on the file itself
    refuse_other_files(path)
    found = subprocess.run([sys.executable, "-c", HOLDER, str(path)], capture_output=True, text=True, check=True).stdout
    held.close()

    assert found.strip() == "database is locked"


def test_descriptors_of_removed_files_are_given_back(tmp_path):
    """Looking into many files that come and go keeps no more than a few descriptors of removed ones."""
    before = len(list(Path("/proc/self/fd").iterdir()))
    for at in range(3 * MANY):
        path = tmp_path / f"{at}.db"
        path.write_bytes(b"SQLite format 3\x00")
        refuse_other_files(path)
        path.unlink()

    assert len(list(Path("/proc/self/fd").iterdir())) <= before + MANY
