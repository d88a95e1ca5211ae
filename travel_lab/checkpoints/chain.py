"""The chain of a session, read by SQL: its steps oldest first, which nodes ran and what they wrote. No state is decoded.

LangGraph writes one checkpoint a superstep. The stored metadata has no node name; who ran stands in the `writes` table,
under the step the tasks started from. A task started by a `Send` is known there by a number only, its node's name stands
in the `Send` itself.
"""

import json
import sqlite3
import zlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from travel_lab.checkpoints.blobs import BlobTable
from travel_lab.checkpoints.layout import table_errors
from travel_lab.checkpoints.packing import COMPACT, unsqueeze
from travel_lab.checkpoints.raw import INNER, PREFIX_BYTES, SENDS, decode, send_target
from travel_lab.checkpoints.step import CheckpointChain, Step, Task, created_at
from travel_lab.checkpoints.unpacking import send_target as packed_send_target
from travel_lab.errors import UnreadableStep

ERROR, INTERRUPT, RESUME = "__error__", "__interrupt__", "__resume__"
"""Channels of failed, paused and answered tasks."""
_NAMED = " AND ".join(f"typeof({column}) = 'text'" for column in ("thread_id", "checkpoint_ns", "checkpoint_id"))
HAND_MADE = "(update)"
"""Stands for a node in a task that a person's `update_state` recorded."""


class _Write(NamedTuple):
    task_id: str
    path: str
    channel: str
    type: str
    error: bytes | None
    rowid: int


_Writes = Mapping[str, Sequence[_Write]]


@dataclass(frozen=True, kw_only=True)
class SessionRow:
    """One session of a file, without its steps."""

    session_id: str
    steps: int
    """Of the session's own graph."""
    nested: int
    """Of its subgraphs."""
    first: datetime | None
    """When its oldest step was made, in UTC; None when the id holds no time."""
    last: datetime | None
    """When its newest step was made, in UTC."""


def read_chain(connection: sqlite3.Connection, session_id: str) -> CheckpointChain:
    """The chain of a session; without steps when the session is unknown.

    Raises:
        NotADatabase: The tables are not those of a LangGraph SQLite store.
    """
    with table_errors(connection):
        rows: dict[str, list[Any]] = defaultdict(list)
        for namespace, *row in connection.execute(
            "SELECT checkpoint_ns, checkpoint_id, parent_checkpoint_id, metadata FROM checkpoints "  # noqa: S608 (our own clause)
            f"WHERE thread_id = ? AND {_NAMED} ORDER BY checkpoint_ns, checkpoint_id",
            (session_id,),
        ):
            rows[namespace].append(row)
        writes = _read_writes(connection, session_id)
        made = {name: _steps(connection, rows[name], writes.get(name, {})) for name in sorted({"", *rows})}
    nested = tuple(_chain(session_id, name, steps) for name, steps in made.items() if name)
    return CheckpointChain(session_id=session_id, namespace="", steps=made[""], nested=nested)


def _chain(session_id: str, namespace: str, steps: tuple[Step, ...]) -> CheckpointChain:
    return CheckpointChain(session_id=session_id, namespace=namespace, steps=steps, nested=())


def list_sessions(connection: sqlite3.Connection) -> tuple[SessionRow, ...]:
    """Every session of the file, by id, from the index alone; rows whose names are no text are nobody's (`nameless_rows`).

    Raises:
        NotADatabase: The tables are not those of a LangGraph SQLite store.
    """
    with table_errors(connection):
        rows = connection.execute(
            "SELECT thread_id, sum(checkpoint_ns = ''), "  # noqa: S608 (our own clause)
            "sum(checkpoint_ns <> ''), min(checkpoint_id), max(checkpoint_id) "
            f"FROM checkpoints WHERE {_NAMED} GROUP BY thread_id ORDER BY thread_id"
        ).fetchall()
    return tuple(
        SessionRow(session_id=name, steps=steps, nested=nested, first=created_at(str(first)), last=created_at(str(last)))
        for name, steps, nested, first, last in rows
    )


def nameless_rows(connection: sqlite3.Connection) -> int:
    """Steps of the file whose session, namespace or id is no text; no LangGraph saver writes such a row."""
    with table_errors(connection):
        return int(connection.execute(f"SELECT count(*) FROM checkpoints WHERE NOT ({_NAMED})").fetchone()[0])  # noqa: S608 (ours)


def sessions_in(connection: sqlite3.Connection) -> tuple[str, ...]:
    """Ids of the sessions that have steps, sorted."""
    return tuple(row.session_id for row in list_sessions(connection))


def _read_writes(connection: sqlite3.Connection, session_id: str) -> dict[str, _Writes]:
    """Writes by namespace and by the step their tasks started from, in task order; values of errors only."""
    found: dict[str, dict[str, list[_Write]]] = defaultdict(lambda: defaultdict(list))
    for namespace, checkpoint_id, *write in connection.execute(
        "SELECT checkpoint_ns, checkpoint_id, task_id, task_path, channel, type, CASE channel WHEN ? THEN value END, rowid "
        "FROM writes WHERE thread_id = ? ORDER BY checkpoint_ns, checkpoint_id, task_path, task_id, idx",
        (ERROR, session_id),
    ):
        found[namespace][checkpoint_id].append(_Write(*write))
    return dict(found)


def _steps(connection: sqlite3.Connection, rows: Sequence[Sequence[Any]], writes: _Writes) -> tuple[Step, ...]:
    parents = {checkpoint_id: parent_id for checkpoint_id, parent_id, _ in rows}
    told = {checkpoint_id: _told(metadata) for checkpoint_id, _, metadata in rows}
    recorded: dict[str, tuple[Task, ...]] = {}
    blobs = BlobTable(connection)
    for checkpoint_id, made in writes.items():
        # The Sends that a person's update leads to stand at the step it made, without a path; all others at its parent.
        own = [write for write in made if write.channel == SENDS and not write.path]
        sent = own if _is_by_hand(told.get(checkpoint_id)) else writes.get(parents.get(checkpoint_id) or "", ())
        recorded[checkpoint_id] = _tasks(blobs, [write for write in made if write not in own], _send_targets(connection, sent))
    return arrange(parents, told, recorded)


def arrange(
    parents: Mapping[str, str | None], told: Mapping[str, tuple[int | None, str]], recorded: Mapping[str, tuple[Task, ...]]
) -> tuple[Step, ...]:
    """Steps with their branches and tasks.

    Args:
        parents: Every step's id and its parent's, oldest first.
        told: Every step's number and source.
        recorded: The tasks that started from a step, where there are any.
    """
    places: dict[str, tuple[int, int]] = {}
    continued: set[str] = set()
    branches, steps = 0, []
    for checkpoint_id, parent_id in parents.items():
        if parent_id in places and parent_id not in continued:
            continued.add(parent_id)
            branch, position = places[parent_id]
            place = (branch, position + 1)
        else:
            place, branches = (branches, 0), branches + 1
        places[checkpoint_id] = place
        number, source = told[checkpoint_id]
        steps.append(
            Step(
                checkpoint_id=checkpoint_id,
                parent_id=parent_id,
                number=number,
                source=source,
                tasks=tuple(
                    task
                    for task in recorded.get(parent_id or "", ())
                    if task.finished and (task.node == HAND_MADE) == _is_by_hand((number, source))
                ),
                pending=recorded.get(checkpoint_id, ()),
                branch=place[0],
                position=place[1],
                created=created_at(checkpoint_id),
            )
        )
    return tuple(steps)


def _is_by_hand(told: tuple[int | None, str] | None) -> bool:
    """Whether a person made the step; then what the nodes wrote at its parent did not lead to it."""
    return told is not None and told[1] in {"update", "fork"}


def _told(metadata: str | bytes | None) -> tuple[int | None, str]:
    try:
        told = json.loads(metadata or "")
        return int(told["step"]), str(told["source"])
    except (ValueError, TypeError, KeyError):
        return None, "damaged"


def _tasks(blobs: BlobTable, writes: Sequence[_Write], sends: Sequence[str]) -> tuple[Task, ...]:
    grouped: dict[str, list[_Write]] = {}
    for write in writes:
        grouped.setdefault(write.task_id, []).append(write)
    return tuple(_task(blobs, made, sends) for made in grouped.values())


def _task(blobs: BlobTable, writes: Sequence[_Write], sends: Sequence[str]) -> Task:
    error = next((_error_text(blobs, write) for write in writes if write.channel == ERROR), "")
    node = node_of_path(next((write.path for write in writes if write.path), ""), sends)
    return task_of(writes[0].task_id, node, [write.channel for write in writes], error)


def task_of(task_id: str, node: str, channels: Sequence[str], error: str) -> Task:
    """A task by the channels it wrote to, in order, LangGraph's own included."""
    written = set(channels)
    return Task(
        task_id=task_id,
        node=node,
        keys=tuple(dict.fromkeys(channel for channel in channels if not channel.startswith(INNER))),
        error=error,
        finished=bool(written - {ERROR, INTERRUPT, RESUME, "__scheduled__", "__error_source_node__"}),
        paused=INTERRUPT in written,
        answered=RESUME in written,
    )


def _error_text(blobs: BlobTable, write: _Write) -> str:
    try:
        return str(decode(write.type, write.error, blobs).value)
    except UnreadableStep:
        return "(an error that cannot be read)"


def node_of_path(path: str, sends: Sequence[str]) -> str:
    """The node of a task path such as `~__pregel_pull, supervisor` or `~__pregel_push, 0000000001, 0000000000`."""
    kind, *rest = path.split(", ")
    if not rest or kind == "~__interrupt__":  # how LangGraph marks what update_state wrote
        return HAND_MADE
    if not kind.endswith("push"):
        return rest[0]
    # A push inside a push names its task path first; only the plain one is an index of the Sends.
    at = int(rest[0]) if rest[0].isdecimal() else len(sends)
    return sends[at] if at < len(sends) else f"send {rest[0].lstrip('0') or '0'}"


def _send_targets(connection: sqlite3.Connection, writes: Sequence[_Write]) -> list[str]:
    return [_target(connection, write) for write in writes if write.channel == SENDS]


def _target(connection: sqlite3.Connection, write: _Write) -> str:
    """Of LangGraph's form only the first bytes are read: such a Send may carry the whole state; a packed one is short."""
    try:
        with connection.blobopen("writes", "value", write.rowid, readonly=True) as blob:
            if write.type == COMPACT:
                return packed_send_target(unsqueeze(blob.read())) or "?"
            return send_target(blob.read(PREFIX_BYTES))
    except (sqlite3.Error, zlib.error, ValueError):
        return "?"
