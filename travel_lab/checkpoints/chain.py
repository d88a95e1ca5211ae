"""The chain of a session: its steps oldest first, which nodes ran and what they wrote. No state is decoded for it.

LangGraph writes one checkpoint a superstep. The stored metadata has no node name; who ran stands in the `writes` table,
under the step the tasks started from. A task started by a `Send` is known there by a number only, its node's name stands
in the `Send` itself.
"""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

import ormsgpack

from travel_lab.checkpoints.packing import COMPACT, unsqueeze
from travel_lab.checkpoints.unpacking import send_target
from travel_lab.errors import NotADatabase, StorageError

_SENDS = "__pregel_tasks"
_INNER = ("__", "branch:", "join:")
"""How the channels begin that LangGraph writes for itself; all others are state fields."""
_GREGORIAN = datetime(1582, 10, 15, tzinfo=UTC)


@dataclass(frozen=True, kw_only=True)
class Step:
    """One checkpoint of a session."""

    checkpoint_id: str
    parent_id: str | None
    """The step it came from; None for the first."""
    number: int
    """LangGraph's count, from -1; it repeats across branches."""
    source: str
    """`input`, `loop`, `update` or `fork`."""
    nodes: tuple[str, ...]
    """The nodes that ran to reach it, in task order."""
    keys: tuple[str, ...]
    """The state fields they wrote, each once, in task order."""
    created: datetime
    """In UTC, read from the id."""


@dataclass(frozen=True, kw_only=True)
class CheckpointChain:
    """All steps of one session, oldest first."""

    session_id: str
    steps: tuple[Step, ...]


class _Write(NamedTuple):
    path: str
    channel: str
    type: str
    value: bytes


def read_chain(connection: sqlite3.Connection, session_id: str) -> CheckpointChain:
    """The chain of a session; without steps when the session is unknown.

    Raises:
        NotADatabase: The tables are not those of a LangGraph SQLite store.
    """
    try:
        rows = connection.execute(
            "SELECT checkpoint_id, parent_checkpoint_id, CAST(metadata AS TEXT) FROM checkpoints "
            "WHERE thread_id = ? AND checkpoint_ns = '' ORDER BY checkpoint_id",
            (session_id,),
        ).fetchall()
        writes = _read_writes(connection, session_id)
    except sqlite3.DatabaseError as error:
        raise NotADatabase(
            f"This is no LangGraph checkpoint database: {error}. Expected tables checkpoints and writes."
        ) from error
    parents = {checkpoint_id: parent_id for checkpoint_id, parent_id, _ in rows}
    steps = [_step(row, parents, writes) for row in rows]
    return CheckpointChain(session_id=session_id, steps=tuple(steps))


def sessions_in(connection: sqlite3.Connection) -> tuple[str, ...]:
    """Ids of the sessions that have steps, sorted."""
    try:
        rows = connection.execute("SELECT DISTINCT thread_id FROM checkpoints ORDER BY thread_id").fetchall()
    except sqlite3.DatabaseError as error:
        raise NotADatabase(
            f"This is no LangGraph checkpoint database: {error}. Expected tables checkpoints and writes."
        ) from error
    return tuple(row[0] for row in rows)


def _read_writes(connection: sqlite3.Connection, session_id: str) -> dict[str, list[_Write]]:
    """Writes by the step their tasks started from, in task order; values of pending Sends only."""
    found: dict[str, list[_Write]] = {}
    for checkpoint_id, *write in connection.execute(
        "SELECT checkpoint_id, task_path, channel, type, CASE channel WHEN ? THEN value END FROM writes "
        "WHERE thread_id = ? AND checkpoint_ns = '' ORDER BY checkpoint_id, task_path, idx",
        (_SENDS, session_id),
    ):
        found.setdefault(checkpoint_id, []).append(_Write(*write))
    return found


def _step(row: Sequence[Any], parents: dict[str, str | None], writes: dict[str, list[_Write]]) -> Step:
    checkpoint_id, parent_id, metadata = row
    told = json.loads(metadata)
    made = writes.get(parent_id or "", [])
    sends = [_send_target(w) for w in writes.get(parents.get(parent_id or "") or "", []) if w.channel == _SENDS]
    return Step(
        checkpoint_id=checkpoint_id,
        parent_id=parent_id,
        number=told["step"],
        source=told["source"],
        nodes=tuple(name for path in dict.fromkeys(w.path for w in made) if (name := _node(path, sends)) != "__start__"),
        keys=tuple(dict.fromkeys(w.channel for w in made if not w.channel.startswith(_INNER))),
        created=created_at(checkpoint_id),
    )


def _node(path: str, sends: Sequence[str]) -> str:
    """The node of a task path such as `~__pregel_pull, supervisor` or `~__pregel_push, 0000000001, 0000000000`."""
    kind, name, *_ = path.split(", ")
    if not kind.endswith("push"):
        return name
    at = int(name)
    return sends[at] if at < len(sends) else f"send {at}"


def _send_target(write: _Write) -> str:
    """The node a stored `Send` names; read as plain data, no class is imported."""
    if write.type == COMPACT:
        return send_target(unsqueeze(write.value)) or "?"
    if write.type != "msgpack":
        return "?"
    value = ormsgpack.unpackb(write.value, ext_hook=_plain, option=ormsgpack.OPT_NON_STR_KEYS)
    return str(value[0]) if isinstance(value, list) and value else "?"


def _plain(code: int, data: bytes) -> object:
    """An extension value as the arguments it was stored with: (module, name, arguments, …)."""
    stored = ormsgpack.unpackb(data, ext_hook=_plain, option=ormsgpack.OPT_NON_STR_KEYS)
    return stored[2] if isinstance(stored, list) and len(stored) > 2 else stored


def created_at(checkpoint_id: str) -> datetime:
    """The time in a checkpoint id (a version 6 UUID: 60 bits of 100 ns since 1582, RFC 9562).

    Raises:
        StorageError: The id is no such UUID.
    """
    try:
        value = UUID(checkpoint_id).int
    except ValueError as error:
        raise StorageError(f"Checkpoint id {checkpoint_id!r} is no UUID, so it has no time.") from error
    ticks = (value >> 80) << 12 | (value >> 64) & 0xFFF
    return _GREGORIAN + timedelta(microseconds=ticks // 10)
