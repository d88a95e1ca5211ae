"""One writer per session, across threads and processes; and deleted sessions stay deleted.

Flow: `Leases.hold(session)` → a row in the table `session_leases`, renewed by a thread while it is held → writes → row gone.
The rule is held by the database itself: the store's own connection refuses a write to a session that somebody else holds, so
a writer that was paused for longer than its lease and taken over can no longer write. A writer that is killed leaves its row
behind; it is taken over at once when its process is seen to be gone, and otherwise when the row is older than the limit.
"""

import os
import secrets
import socket
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from travel_lab.checkpoints.blobs import BlobTable, has_blobs
from travel_lab.clock import Clock
from travel_lab.errors import SessionBusy, SessionDeleted
from travel_lab.storage import BUSY_SECONDS, connect, named_errors

LEASE_SECONDS = 30.0
"""Age of the last renewal after which a lease of an unreachable writer is taken over."""
RENEWALS = 3
"""Renewals within that time."""
_POLL_SECONDS = 0.02
_TABLES = """
CREATE TABLE IF NOT EXISTS session_leases (
    session_id TEXT PRIMARY KEY, holder TEXT NOT NULL, machine TEXT NOT NULL, pid INTEGER NOT NULL, renewed TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS deleted_sessions (session_id TEXT PRIMARY KEY, deleted TEXT NOT NULL);
CREATE TRIGGER IF NOT EXISTS deleted_stays_deleted BEFORE INSERT ON checkpoints
WHEN EXISTS (SELECT 1 FROM deleted_sessions WHERE session_id = NEW.thread_id)
BEGIN SELECT RAISE(ABORT, 'session deleted'); END;
CREATE TRIGGER IF NOT EXISTS deleted_writes_nothing BEFORE INSERT ON writes
WHEN EXISTS (SELECT 1 FROM deleted_sessions WHERE session_id = NEW.thread_id)
BEGIN SELECT RAISE(ABORT, 'session deleted'); END;
"""


class Leases:
    """Hands out the right to write to a session of one database file."""

    def __init__(self, path: Path, writer: sqlite3.Connection, clock: Clock, *, busy_seconds: float = BUSY_SECONDS) -> None:
        """Set up the tables and the guard.

        Args:
            path: The database file; its checkpoint tables exist.
            writer: The connection that writes checkpoints; from now on it refuses sessions that somebody else holds.
            clock: Its `now` dates the leases; it must agree between the machines that share the file.
            busy_seconds: How long a statement waits for the file's lock.
        """
        self._path, self._clock = path, clock
        self._holder = secrets.token_hex(8)
        # Of its own: the saver commits its connection at every write, whatever else stands in the transaction.
        self._connection = connect(path, busy_seconds=busy_seconds)
        self._guard = threading.Lock()
        self._threads: dict[str, threading.Lock] = {}
        with named_errors(path):
            self._connection.executescript(_TABLES)
            # The writer has to learn of the new tables now: a trigger is compiled with what its connection knows.
            writer.execute("SELECT count(*) FROM session_leases").fetchone()
            for table in ("checkpoints", "writes"):
                writer.execute(
                    f"CREATE TEMP TRIGGER one_writer_{table} BEFORE INSERT ON main.{table} WHEN EXISTS "
                    f"(SELECT 1 FROM main.session_leases WHERE session_id = NEW.thread_id AND holder <> '{self._holder}') "
                    "BEGIN SELECT RAISE(ABORT, 'session busy'); END"
                )

    @contextmanager
    def hold(self, session_id: str, *, wait: float) -> Iterator[None]:
        """Be the only writer of a session until the block ends.

        Args:
            session_id: Whose turn it is.
            wait: Seconds to wait for another writer; 0 refuses at once.

        Raises:
            SessionBusy: Somebody else still writes after that time.
            SessionDeleted: The session was deleted.
            StoreLocked: Another program holds the whole file.
        """
        end = time.monotonic() + wait
        with self._guard:
            thread = self._threads.setdefault(session_id, threading.Lock())
        if not thread.acquire(timeout=wait) if wait > 0 else not thread.acquire(blocking=False):
            raise _busy(session_id, "another thread of this program", wait)
        try:
            while (other := self._take(session_id)) is not None:
                if time.monotonic() >= end:
                    raise _busy(session_id, other, wait)
                time.sleep(_POLL_SECONDS)
            stop = threading.Event()
            renewing = threading.Thread(target=self._renew, args=(session_id, stop), name=f"lease {session_id}", daemon=True)
            renewing.start()
            try:
                with named_errors(self._path):
                    yield
            finally:
                stop.set()
                renewing.join()
                self._execute("DELETE FROM session_leases WHERE session_id = ? AND holder = ?", (session_id, self._holder))
        finally:
            thread.release()

    def delete(self, session_id: str) -> bool:
        """Delete a session for good: a turn that is still running ends with `SessionDeleted`, and its id stays unused.

        Returns:
            Whether there was such a session.
        """
        with self._guard, named_errors(self._path), self._connection as connection:
            connection.execute("BEGIN IMMEDIATE")
            counted = [
                connection.execute(f"DELETE FROM {table} WHERE thread_id = ?", (session_id,)).rowcount
                for table in ("writes", "checkpoints")
            ]
            if not any(counted):
                return False
            if has_blobs(connection):
                BlobTable(connection).forget_thread(session_id)
            connection.execute("INSERT OR IGNORE INTO deleted_sessions VALUES (?, ?)", (session_id, self._clock.stamp()))
        return True

    def close(self) -> None:
        """Give the connection back; closing twice is allowed."""
        self._connection.close()

    def _take(self, session_id: str) -> str | None:
        """Take the lease, or say who has it."""
        with self._guard, named_errors(self._path), self._connection as connection:
            connection.execute("BEGIN IMMEDIATE")
            if connection.execute("SELECT 1 FROM deleted_sessions WHERE session_id = ?", (session_id,)).fetchone():
                raise SessionDeleted(f"Session {session_id!r} was deleted. Start another one; the id stays unused.")
            row = connection.execute(
                "SELECT machine, pid, renewed FROM session_leases WHERE session_id = ? AND holder <> ?",
                (session_id, self._holder),
            ).fetchone()
            if row is not None and self._alive(*row):
                return f"process {row[1]} on {row[0].split(' ')[0]}"
            connection.execute(
                "INSERT OR REPLACE INTO session_leases VALUES (?, ?, ?, ?, ?)",
                (session_id, self._holder, _machine(), os.getpid(), self._clock.stamp()),
            )
        return None

    def _alive(self, machine: str, pid: int, renewed: str) -> bool:
        age = (datetime.fromisoformat(self._clock.stamp()) - datetime.fromisoformat(renewed)).total_seconds()
        return age < LEASE_SECONDS and not (machine == _machine() and _gone(pid))

    def _renew(self, session_id: str, stop: threading.Event) -> None:
        while not stop.wait(LEASE_SECONDS / RENEWALS):
            self._execute(
                "UPDATE session_leases SET renewed = ? WHERE session_id = ? AND holder = ?",
                (self._clock.stamp(), session_id, self._holder),
            )

    def _execute(self, statement: str, values: tuple[str, ...]) -> None:
        try:
            with self._guard, self._connection as connection:
                connection.execute(statement, values)
        except sqlite3.Error:
            # A locked or closed file: the next renewal tries again, and a row left behind is taken over like a killed writer's.
            return


def _busy(session_id: str, other: str, wait: float) -> SessionBusy:
    return SessionBusy(
        f"Session {session_id!r} is busy: {other} is writing to it, and waiting {wait:g} s did not help. Nothing was stored; "
        "send the message again, or wait longer with wait=."
    )


def _machine() -> str:
    """The host and, where there is one, the process namespace: in two containers one number names two processes."""
    try:
        space = str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        space = ""
    return f"{socket.gethostname()} {space}".strip()


def _gone(pid: int) -> bool:
    """Whether no process of that number runs here; False where that cannot be asked without harm."""
    if os.name != "posix":
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return _is_zombie(pid)


def _is_zombie(pid: int) -> bool:
    """A killed process whose parent has not asked for it yet; it writes nothing any more."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] == "Z"
