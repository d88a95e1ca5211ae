"""Two tables beside the checkpoints, in the same file, on a connection of their own.

The saver commits its connection at every write, whatever else stands in the transaction; so no transaction of ours is on it.
"""

import json
import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from travel_lab.errors import NotActive, SessionError, StoreClosed, UnknownName
from travel_lab.storage import BUSY_SECONDS, connect, named_errors
from travel_lab.trips.records import SessionRecord, TripRecord

_TABLES = """
CREATE TABLE IF NOT EXISTS trips (
    trip_id TEXT PRIMARY KEY, owner TEXT NOT NULL, original_user_input TEXT NOT NULL,
    root_session_id TEXT NOT NULL REFERENCES trip_sessions DEFERRABLE INITIALLY DEFERRED,
    active_session_id TEXT NOT NULL REFERENCES trip_sessions DEFERRABLE INITIALLY DEFERRED, created_at TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS trip_sessions (
    session_id TEXT PRIMARY KEY, trip_id TEXT NOT NULL REFERENCES trips DEFERRABLE INITIALLY DEFERRED,
    parent_session_id TEXT REFERENCES trip_sessions, fork_reason TEXT NOT NULL, status TEXT NOT NULL,
    graph TEXT NOT NULL, graph_version INTEGER NOT NULL, created_at TEXT NOT NULL, seed TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS sessions_of_trip ON trip_sessions (trip_id);
"""
_TRIP_FIELDS = ("trip_id", "owner", "original_user_input", "root_session_id", "active_session_id", "created_at")
_SESSION_FIELDS = (
    "session_id", "trip_id", "parent_session_id", "fork_reason", "status", "graph", "graph_version", "created_at", "seed",
)  # fmt: skip
"""Columns in the order of the tables above."""


class TripStore:
    """Keeps trips and their sessions; usable from any thread until it is closed."""

    def __init__(self, path: str | os.PathLike[str], *, busy_seconds: float = BUSY_SECONDS) -> None:
        """Open the file and create the tables where they are missing; errors as in `travel_lab.storage.connect`."""
        self.path = Path(path)
        self._connection = connect(path, busy_seconds=busy_seconds)
        self._guard, self._closed = threading.Lock(), False
        with named_errors(self.path):
            self._connection.executescript(_TABLES)
            self._connection.execute("PRAGMA foreign_keys=ON")

    def add_trip(self, trip: TripRecord, root: SessionRecord) -> None:
        """Keep a new trip with its root, both or neither.

        Raises:
            SessionError: The session is part of a trip already; nothing is changed.
        """
        with self._writing() as connection:
            if connection.execute("SELECT 1 FROM trip_sessions WHERE session_id = ?", (root.session_id,)).fetchone():
                raise SessionError(f"Session {root.session_id!r} belongs to a trip already. Nothing was changed.")
            connection.execute(
                "INSERT INTO trips VALUES (?, ?, ?, ?, ?, ?)",
                (
                    trip.trip_id,
                    trip.owner,
                    trip.original_user_input,
                    trip.root_session_id,
                    trip.active_session_id,
                    trip.created_at,
                ),
            )
            _insert(connection, root)

    def add_fork(self, child: SessionRecord, *, active: str) -> bool:
        """Keep a child and make it the active session, in one transaction.

        Args:
            child: The new session; its parent is a session of the same trip.
            active: Which session the caller believes to be the active one.

        Returns:
            False when another one has become active meanwhile; then nothing is changed.
        """
        with self._writing() as connection:
            moved = connection.execute(
                "UPDATE trips SET active_session_id = ? WHERE trip_id = ? AND active_session_id = ?",
                (child.session_id, child.trip_id, active),
            ).rowcount
            if moved:
                _insert(connection, child)
        return bool(moved)

    def trip(self, trip_id: str) -> TripRecord:
        """One trip.

        Raises:
            UnknownName: There is none of that id.
        """
        rows = self._rows("SELECT * FROM trips WHERE trip_id = ?", trip_id)
        if not rows:
            known = [str(row[0]) for row in self._rows("SELECT trip_id FROM trips ORDER BY rowid LIMIT 20")]
            raise UnknownName("trip", trip_id, known, "lab.start_trip('…') makes one.")
        return TripRecord(**dict(zip(_TRIP_FIELDS, rows[0], strict=True)))

    def trips(self, owner: str) -> tuple[TripRecord, ...]:
        """The trips of one user, oldest first."""
        rows = self._rows("SELECT * FROM trips WHERE owner = ? ORDER BY rowid", owner)
        return tuple(TripRecord(**dict(zip(_TRIP_FIELDS, row, strict=True))) for row in rows)

    def sessions(self, trip_id: str) -> tuple[SessionRecord, ...]:
        """The sessions of a trip, oldest first, so that a parent stands before its children."""
        return tuple(map(_session, self._rows("SELECT * FROM trip_sessions WHERE trip_id = ? ORDER BY rowid", trip_id)))

    def session(self, session_id: str) -> SessionRecord | None:
        """One session; None when it belongs to no trip, as a chat that was never forked."""
        rows = self._rows("SELECT * FROM trip_sessions WHERE session_id = ?", session_id)
        return _session(rows[0]) if rows else None

    def check_active(self, session_id: str) -> SessionRecord | None:
        """Its record, when it may be written; None when it belongs to no trip.

        Raises:
            NotActive: Another session of its trip is the active one.
        """
        record = self.session(session_id)
        active = self.trip(record.trip_id).active_session_id if record else session_id
        if active != session_id:
            raise NotActive(
                f"Session {session_id!r} can be read only: {active!r} is the active session of its trip. Nothing was stored. "
                f"Write there, or continue from here with trip.fork({session_id!r}, reason='…')."
            )
        return record

    def forget(self, session_id: str) -> None:
        """Drop the trip of a session that is to be deleted.

        Raises:
            SessionError: The trip has other sessions, whose tree would lose a member.
        """
        with self._writing() as connection:
            row = connection.execute("SELECT trip_id FROM trip_sessions WHERE session_id = ?", (session_id,)).fetchone()
            if row is None:
                return
            if connection.execute("SELECT count(*) FROM trip_sessions WHERE trip_id = ?", row).fetchone()[0] > 1:
                raise SessionError(
                    f"Session {session_id!r} is part of trip {row[0]!r}, which has other sessions. Nothing was deleted; the "
                    "tree of a trip stays whole."
                )
            connection.execute("DELETE FROM trip_sessions WHERE session_id = ?", (session_id,))
            connection.execute("DELETE FROM trips WHERE trip_id = ?", row)

    def close(self) -> None:
        """Give the connection back; closing twice is allowed."""
        with self._guard:
            self._closed = True
            self._connection.close()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._guard, named_errors(self.path):
            self._check_open()
            with self._connection as connection:
                connection.execute("BEGIN IMMEDIATE")
                yield connection

    def _rows(self, query: str, *values: str) -> list[tuple[Any, ...]]:
        with self._guard, named_errors(self.path):
            self._check_open()
            return self._connection.execute(query, values).fetchall()

    def _check_open(self) -> None:
        if self._closed:
            raise StoreClosed(f"The store {str(self.path)!r} is closed. Open it again with Lab.open({str(self.path)!r}).")


def _insert(connection: sqlite3.Connection, s: SessionRecord) -> None:
    connection.execute(
        "INSERT INTO trip_sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            s.session_id,
            s.trip_id,
            s.parent_session_id,
            s.fork_reason,
            s.status,
            s.graph,
            s.graph_version,
            s.created_at,
            json.dumps(s.seed, ensure_ascii=False),
        ),
    )


def _session(row: tuple[Any, ...]) -> SessionRecord:
    fields = dict(zip(_SESSION_FIELDS, row, strict=True))
    return SessionRecord(**{**fields, "seed": json.loads(str(fields["seed"]))})
