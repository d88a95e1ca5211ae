"""The one place that opens a database: for writing (write-ahead log, waits for locks) or strictly for reading."""

import os
import sqlite3
from pathlib import Path

from travel_lab.errors import NotADatabase, StorageError

BUSY_SECONDS = 10.0
"""How long a statement waits for another process's lock before it fails."""
_HEADER = b"SQLite format 3\x00"


def connect(path: str | os.PathLike[str]) -> sqlite3.Connection:
    """Open or create the database at `path`, usable from every thread of the process.

    `synchronous=NORMAL` with a write-ahead log: a crash of the process loses nothing that was committed; power loss may
    drop the last commits, never the file.

    Raises:
        NotADatabase: The file exists and is something else.
        StorageError: The path cannot be opened or written.
    """
    place = checked_path(path)
    if not place.parent.is_dir():
        raise StorageError(f"Cannot open {str(place)!r}: the folder {str(place.parent)!r} does not exist. Create it first.")
    refuse_other_files(place)
    try:
        connection = sqlite3.connect(place, check_same_thread=False, timeout=BUSY_SECONDS)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute("BEGIN IMMEDIATE")
        connection.rollback()
    except sqlite3.Error as error:
        raise StorageError(
            f"Cannot write the database {str(place)!r}: {error}. Choose a path you can write, or close the program that holds it."
        ) from error
    return connection


def connect_read_only(path: str | os.PathLike[str]) -> sqlite3.Connection:
    """Open an existing database so that nothing can be written to it.

    Raises:
        NotADatabase: The file is something else.
        StorageError: It does not exist or cannot be read.
    """
    place = checked_path(path)
    if not place.is_file():
        raise StorageError(f"No database at {str(place)!r}. Check the path; nothing was created.")
    refuse_other_files(place)
    try:
        return sqlite3.connect(f"{place.resolve().as_uri()}?mode=ro", uri=True, check_same_thread=False, timeout=BUSY_SECONDS)
    except sqlite3.Error as error:
        raise StorageError(f"Cannot read the database {str(place)!r}: {error}.") from error


def connect_untouched(path: str | os.PathLike[str]) -> sqlite3.Connection:
    """Like `connect_read_only`, and no file appears beside a database that nobody has open, as it does for a reader else.

    Raises:
        NotADatabase: The file is something else.
        StorageError: It does not exist or cannot be read.
    """
    connection = connect_read_only(path)
    place = Path(path)
    if Path(f"{place}-wal").exists():
        return connection
    connection.close()
    try:
        return sqlite3.connect(f"{place.resolve().as_uri()}?immutable=1", uri=True, check_same_thread=False)
    except sqlite3.Error as error:
        raise StorageError(f"Cannot read the database {str(place)!r}: {error}.") from error


def checked_path(path: str | os.PathLike[str]) -> Path:
    """The path as a `Path`; memory databases and URLs are refused with a hint."""
    text = os.fspath(path)
    if text == ":memory:":
        raise StorageError("':memory:' cannot be shared with a second reader. Leave the path out for a temporary file.")
    if "://" in text:
        raise StorageError(f"{text!r} looks like a URL. Give a plain file path such as 'checkpoints.db'.")
    if not text.strip():
        raise StorageError("The database path is blank. Give a file path, or leave it out for a temporary file.")
    place = Path(text)
    try:
        place.stat()
    except (FileNotFoundError, NotADirectoryError):
        pass
    except (OSError, ValueError) as error:  # a name that is too long, or holds a null character
        raise StorageError(f"The system cannot look up the path {text[:100]!r}: {error.args[-1]}. Give another path.") from error
    return place


def refuse_other_files(place: Path) -> None:
    """Raise unless `place` is missing, empty or an SQLite database."""
    if place.is_dir():
        raise StorageError(f"{str(place)!r} is a folder. Give the path of a file in it, such as 'checkpoints.db'.")
    try:
        with place.open("rb") as file:
            head = file.read(len(_HEADER))
    except FileNotFoundError:
        return
    except OSError as error:
        raise StorageError(f"Cannot read {str(place)!r}: {error.strerror}. Check its permissions.") from error
    if head and head != _HEADER:
        raise NotADatabase(f"{str(place)!r} is no SQLite database (it starts with {head[:12]!r}). The file is untouched.")
