"""What a user's conversations have in common: last destination, budget and preferences, and which sessions are theirs.

Two tables in the lab's file, read and written on connections of their own. Nothing is created before a user is named.
"""

import json
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, cast

from travel_lab.errors import BadUser, NotYourSession, UnknownName
from travel_lab.itinerary import Requirements
from travel_lab.itinerary.wishes import add_wishes
from travel_lab.storage import BUSY_SECONDS, connect, connect_read_only, named_errors

KEPT = ("destinations", "budget", "preferences")
"""What is kept of the requirements; days, dates and party are of one trip."""
MAX_USER = 200
_TABLES = (
    "CREATE TABLE IF NOT EXISTS profiles (user TEXT PRIMARY KEY, known TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS owners (session_id TEXT PRIMARY KEY, user TEXT NOT NULL)",
)


class Profiles:
    """Users' profiles and sessions in one database file; usable from any thread and beside other processes."""

    def __init__(self, path: str | os.PathLike[str], *, busy_seconds: float = BUSY_SECONDS) -> None:
        """Of the file at `path`; a write waits up to `busy_seconds` for another one."""
        self._path, self._busy_seconds = Path(path), busy_seconds

    def read(self, user: str) -> Requirements:
        """What is known of a user; empty for a new one.

        Raises:
            BadUser: The name is blank or no text.
        """
        found = self._first("SELECT known FROM profiles WHERE user = ?", checked_user(user))
        return cast(Requirements, json.loads(found)) if found is not None else Requirements()

    def learn(self, user: str, said: Mapping[str, Any]) -> Requirements:
        """Add what a turn said: preferences add up as in a session, the rest replaces; fields not in `KEPT` are of the trip.

        Reading and writing are one transaction, so that two updates at once lose nothing.

        Returns:
            What is known now.
        """
        with self._write() as connection:
            row = connection.execute("SELECT known FROM profiles WHERE user = ?", (checked_user(user),)).fetchone()
            known: dict[str, Any] = json.loads(row[0]) if row else {}
            for field in KEPT:
                if said.get(field):
                    known[field] = add_wishes(known.get(field, []), said[field]) if field == "preferences" else said[field]
            _put(connection, user, known)
        return cast(Requirements, known)

    def edit(self, user: str, changes: Mapping[str, Any]) -> Requirements:
        """Replace fields by hand; None takes a field away.

        Raises:
            UnknownName: A field a profile does not have; nothing is changed.
        """
        for field in changes:
            if field not in KEPT:
                raise UnknownName("profile field", field, KEPT, "Nothing was changed.")
        with self._write() as connection:
            row = connection.execute("SELECT known FROM profiles WHERE user = ?", (checked_user(user),)).fetchone()
            known = {**(json.loads(row[0]) if row else {}), **changes}
            known = {field: value for field, value in known.items() if value is not None}
            _put(connection, user, known)
        return cast(Requirements, known)

    def delete(self, user: str) -> bool:
        """Forget what is known of a user; their sessions stay theirs. Returns whether anything was known."""
        with self._write() as connection:
            return connection.execute("DELETE FROM profiles WHERE user = ?", (checked_user(user),)).rowcount > 0

    def claim(self, session_id: str, user: str, *, is_new: bool) -> None:
        """Make a new session the user's, or see that it is.

        Raises:
            NotYourSession: It is another user's, or was begun without a user.
        """
        with self._write() as connection:
            name = checked_user(user)
            if is_new:
                connection.execute("INSERT OR IGNORE INTO owners VALUES (?, ?)", (session_id, name))
            row = connection.execute("SELECT user FROM owners WHERE session_id = ?", (session_id,)).fetchone()
        if row is None or row[0] != name:
            raise _not_yours(session_id)

    def check(self, session_id: str, user: str | None) -> None:
        """Raise unless the session is the user's, or nobody's when no user is named.

        Raises:
            NotYourSession: It is not.
        """
        if self._first("SELECT user FROM owners WHERE session_id = ?", session_id) != user:
            raise _not_yours(session_id)

    def sessions(self, user: str) -> frozenset[str]:
        """Ids of the user's sessions, also of those nothing was said in yet."""
        name = checked_user(user)
        with self._reading() as connection:
            rows = connection.execute("SELECT session_id FROM owners WHERE user = ?", (name,)) if connection else ()
            return frozenset(row[0] for row in rows)

    def _first(self, query: str, key: str) -> str | None:
        with self._reading() as connection:
            row = connection.execute(query, (key,)).fetchone() if connection else None
        return None if row is None else str(row[0])

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection | None]:
        """A connection that only reads; None as long as no user was ever named."""
        with closing(connect_read_only(self._path)) as connection:
            made = connection.execute("SELECT count(*) FROM sqlite_master WHERE name IN ('profiles', 'owners')").fetchone()[0]
            yield connection if made == len(_TABLES) else None

    @contextmanager
    def _write(self) -> Iterator[sqlite3.Connection]:
        with named_errors(self._path), closing(connect(self._path, busy_seconds=self._busy_seconds)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            for table in _TABLES:
                connection.execute(table)
            with connection:
                yield connection


def checked_user(user: object) -> str:
    """The name as it is.

    Raises:
        BadUser: It is blank, the word None, too long or no text: all such callers would share one profile.
    """
    if not isinstance(user, str) or user.strip() in {"", "None"} or len(user) > MAX_USER:
        raise BadUser(
            f"A user is a text of 1 to {MAX_USER} characters that is neither blank nor the word None, found {str(user)[:40]!r}. "
            "Give the user's id."
        )
    return user


def news(before: Mapping[str, Any], after: Mapping[str, Any], profile: Mapping[str, Any]) -> dict[str, Any]:
    """What a turn has said that a profile keeps: neither remembered by the session before nor taken from the profile."""
    said: dict[str, Any] = {}
    for field in KEPT:
        value, old = after.get(field), (before.get(field), profile.get(field))
        if field == "preferences":
            value = [wish for wish in value or [] if all(wish not in (wishes or []) for wishes in old)]
        if value and value not in old:
            said[field] = value
    return said


def _put(connection: sqlite3.Connection, user: str, known: Mapping[str, Any]) -> None:
    text = json.dumps(known, ensure_ascii=False)
    connection.execute("INSERT INTO profiles VALUES (?, ?) ON CONFLICT (user) DO UPDATE SET known = excluded.known", (user, text))


def _not_yours(session_id: str) -> NotYourSession:
    return NotYourSession(
        f"The session {session_id!r} belongs to another user, or was begun without one. Open it as its owner, or leave the id "
        "out for a fresh one."
    )
