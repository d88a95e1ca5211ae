"""The one place that opens a database: for writing (write-ahead log, waits for locks) or strictly for reading."""

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from travel_lab.errors import NotADatabase, SessionBusy, SessionDeleted, StorageError, StoreLocked

BUSY_SECONDS = 10.0
"""How long a statement waits for another process's lock before it fails."""
MAPPED_BYTES = 2**31
"""How much of a file that is only read is mapped into memory; it is no use of memory in itself."""
_HEADER = b"SQLite format 3\x00"
MANY = 64
_LOOKED_INTO: dict[tuple[int, int], int] = {}
"""Device and inode of a file → the descriptor it was looked into with."""
_GUARD = threading.Lock()


def connect(path: str | os.PathLike[str], *, busy_seconds: float = BUSY_SECONDS) -> sqlite3.Connection:
    """Open or create the database at `path`, usable from every thread of the process.

    `synchronous=NORMAL` with a write-ahead log: a crash of the process loses nothing that was committed; power loss may
    drop the last commits, never the file. A statement waits up to `busy_seconds` for another program's lock.

    Raises:
        StoreLocked: Another program holds the file longer than that.
        NotADatabase: The file exists and is something else.
        StorageError: The path cannot be opened or written.
    """
    place = checked_path(path)
    if not place.parent.is_dir():
        raise StorageError(f"Cannot open {str(place)!r}: the folder {str(place.parent)!r} does not exist. Create it first.")
    refuse_other_files(place)
    try:
        connection = sqlite3.connect(place, check_same_thread=False, timeout=busy_seconds)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute("BEGIN IMMEDIATE")
        connection.rollback()
    except sqlite3.Error as error:
        if _is_locked(error):
            raise _locked(place) from error
        raise StorageError(
            f"Cannot write the database {str(place)!r}: {error}. Choose a path you can write, or close the program that holds it."
        ) from error
    return connection


@contextmanager
def named_errors(path: Path) -> Iterator[None]:
    """Give what the database refuses a name of this package; `path` is its file.

    Raises:
        StoreLocked: Another program held its lock longer than the wait.
        SessionDeleted: The write was for a deleted session.
        SessionBusy: The write was for a session that another writer took over.
    """
    try:
        yield
    except sqlite3.IntegrityError as error:
        if str(error) == "session deleted":
            raise SessionDeleted("The session was deleted while its turn was running; nothing of the turn is kept.") from error
        if str(error) == "session busy":
            raise SessionBusy(
                f"Another writer took the session over in {str(path)!r}, because this one had not been heard of for too long. "
                "What was stored before that is kept."
            ) from error
        raise
    except sqlite3.OperationalError as error:
        if _is_locked(error):
            raise _locked(path) from error
        raise


def _is_locked(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorname", "").startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))


def _locked(path: Path) -> StoreLocked:
    return StoreLocked(
        f"The database {str(path)!r} is locked by another program, and waiting did not help. Close that program or wait for it, "
        "then send the message again; what was stored before is kept."
    )


def connect_read_only(path: str | os.PathLike[str]) -> sqlite3.Connection:
    """Open an existing database so that nothing can be written to it, neither to the file nor beside it.

    Works in a folder that cannot be written, too; `side_file_note` says what may then be missing.

    Raises:
        NotADatabase: The file is something else.
        StorageError: It does not exist or cannot be read.
    """
    place = checked_path(path)
    if not place.is_file():
        raise StorageError(f"No database at {str(place)!r}. Check the path; nothing was created.")
    refuse_other_files(place)
    # Without its log nobody has the file open, and SQLite would have to create one; with `immutable` it does not.
    modes = ["mode=ro"] if _log_of(place).is_file() or not _keeps_log(place) else ["mode=ro&immutable=1"]
    for mode in (*modes, "mode=ro&immutable=1"):
        connection = None
        try:
            connection = sqlite3.connect(
                f"{place.resolve().as_uri()}?{mode}", uri=True, check_same_thread=False, timeout=BUSY_SECONDS
            )
            # What a stranger's schema names is not called for us.
            connection.execute("PRAGMA trusted_schema=OFF")
            # A row's last columns stand behind its large one; mapped, they are reached three times as fast.
            connection.execute(f"PRAGMA mmap_size={MAPPED_BYTES}")
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except sqlite3.OperationalError as error:
            if connection is not None:
                connection.close()
            problem = error
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # the latter: a damaged schema in SQLite's own words
            if connection is not None:
                connection.close()
            raise NotADatabase(f"{str(place)!r} is no readable SQLite database: {error}. The file is untouched.") from error
        else:
            return connection
    raise StorageError(f"Cannot read the database {str(place)!r}: {problem}.") from problem


def side_file_note(path: str | os.PathLike[str]) -> str:
    """What a reader of the file should know about its side file `NAME-wal`; blank when nothing can be missing."""
    place = checked_path(path)
    log = _log_of(place)
    if not _keeps_log(place):
        return ""
    if not log.is_file():
        return (
            f"No side file {log.name!r} stands beside {place.name!r}. If the file was copied while a program had it open, its "
            "newest steps are missing; `travel-lab export` makes one complete file."
        )
    if log.stat().st_size and not os.access(place.parent, os.W_OK) and not place.with_name(f"{place.name}-shm").is_file():
        return f"The side file {log.name!r} cannot be used in a folder that is read-only; the newest steps may be missing."
    return ""


def _log_of(place: Path) -> Path:
    return place.with_name(f"{place.name}-wal")


def _keeps_log(place: Path) -> bool:
    """Whether the database keeps a write-ahead log, as its header says."""
    return _first_bytes(place, 20)[18:20] == b"\x02\x02"


def _first_bytes(place: Path, size: int) -> bytes:
    """The head of a file, read without ever closing it while it may be a database in use.

    Closing any descriptor of a file drops all locks the process holds on it (POSIX), those of its open connections too; another
    program could then take the file's log away under them. The descriptors of removed files are closed once there are many.
    """
    if not hasattr(os, "pread"):  # Windows locks by handle
        with place.open("rb") as file:
            return file.read(size)
    status = place.stat()
    with _GUARD:
        if (status.st_dev, status.st_ino) not in _LOOKED_INTO:
            if len(_LOOKED_INTO) >= MANY:
                for key in [key for key, descriptor in _LOOKED_INTO.items() if os.fstat(descriptor).st_nlink == 0]:
                    os.close(_LOOKED_INTO.pop(key))
            _LOOKED_INTO[status.st_dev, status.st_ino] = os.open(place, os.O_RDONLY)
        return os.pread(_LOOKED_INTO[status.st_dev, status.st_ino], size, 0)


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
        head = _first_bytes(place, len(_HEADER))
    except FileNotFoundError:
        return
    except OSError as error:
        raise StorageError(f"Cannot read {str(place)!r}: {error.strerror}. Check its permissions.") from error
    if head and head != _HEADER:
        raise NotADatabase(f"{str(place)!r} is no SQLite database (it starts with {head[:12]!r}). The file is untouched.")
