"""Pruning: keep the last steps of a session, every branch point and every paused step, drop the rest."""

import os
import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import dataclass

from travel_lab.checkpoints.blobs import BlobTable, has_blobs
from travel_lab.checkpoints.chain import read_chain
from travel_lab.checkpoints.layout import check_layout, table_errors
from travel_lab.checkpoints.raw import INNER, decode
from travel_lab.checkpoints.step import CheckpointChain
from travel_lab.errors import BadInput, UnreadableStep
from travel_lab.storage import checked_path, connect, connect_read_only, named_errors


@dataclass(frozen=True, kw_only=True)
class Pruning:
    """What pruning one session keeps and drops."""

    session_id: str
    kept: tuple[str, ...]
    """Ids of the steps that stay, oldest first."""
    dropped: tuple[str, ...]
    """Ids of the steps that go, oldest first; empty when there is nothing to do."""
    namespaces: tuple[str, ...]
    """Chains of subgraphs that go, because the step they ran at goes."""
    size: int
    """Bytes of what goes: states, writes and, in a compact file, the parts that nothing else needs. The file itself shrinks
    with `vacuum`."""


def plan_pruning(connection: sqlite3.Connection, session_id: str, keep_last: int) -> Pruning:
    """The dry run: what `prune` would keep and drop.

    Raises:
        BadInput: `keep_last` is below 1, or the session has a channel that lives in the writes of earlier steps.
        UnreadableStep: A step that stays is damaged, so what it rests on is not known.
    """
    if keep_last < 1:
        raise BadInput(f"Pruning keeps at least the last step, found keep_last={keep_last}. Lab.delete removes a whole session.")
    chain = read_chain(connection, session_id)
    children = Counter(step.parent_id for step in chain.steps)
    newest = {step.checkpoint_id for step in chain.steps[-keep_last:]}
    kept = {
        step.checkpoint_id
        for step in chain.steps
        if step.checkpoint_id in newest or children[step.checkpoint_id] > 1 or step.waiting
    }
    dropped = tuple(step.checkpoint_id for step in chain.steps if step.checkpoint_id not in kept)
    gone = {task.task_id for step in chain.steps if step.checkpoint_id not in kept for task in step.pending}
    namespaces = tuple(nested.namespace for nested in chain.nested if _task_of(nested.namespace) in gone)
    with table_errors(connection):
        if dropped:
            _refuse_deltas(connection, chain)
        size = _size(connection, session_id, dropped, namespaces)
    return Pruning(
        session_id=session_id,
        kept=tuple(step.checkpoint_id for step in chain.steps if step.checkpoint_id in kept),
        dropped=dropped,
        namespaces=namespaces,
        size=size,
    )


def prune(path: str | os.PathLike[str], session_id: str, keep_last: int, *, dry_run: bool = False) -> Pruning:
    """Prune one session of a file in one transaction; a second time there is nothing to drop. A running turn is not disturbed.

    Args:
        path: The database file.
        session_id: The session.
        keep_last: How many of the newest steps stay.
        dry_run: Only say what would go.

    Raises:
        BadInput: See `plan_pruning`.
        NotADatabase: The file is something else.
        StoreLocked: Another program holds the file.
    """
    with closing(connect_read_only(path)) as reader:
        check_layout(reader)
        plan = plan_pruning(reader, session_id, keep_last)
    if dry_run or not plan.dropped:
        return plan
    with closing(connect(path)) as connection, table_errors(connection), named_errors(checked_path(path)), connection:
        connection.execute("BEGIN IMMEDIATE")
        plan = plan_pruning(connection, session_id, keep_last)
        for table in ("checkpoints", "writes"):
            connection.executemany(
                f"DELETE FROM {table} WHERE thread_id = ? AND checkpoint_ns = '' AND checkpoint_id = ?",
                [(session_id, step) for step in plan.dropped],
            )
            connection.executemany(
                f"DELETE FROM {table} WHERE thread_id = ? AND checkpoint_ns = ?", [(session_id, name) for name in plan.namespaces]
            )
        if has_blobs(connection):
            BlobTable(connection).collect(session_id)
    return plan


def vacuum(path: str | os.PathLike[str]) -> int:
    """Give the space of dropped rows back to the disk.

    Returns:
        By how many bytes the file shrank.
    """
    place = checked_path(path)
    with closing(connect(place)) as connection, table_errors(connection), named_errors(place):
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        before = place.stat().st_size
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return before - place.stat().st_size


def _task_of(namespace: str) -> str:
    """The task of the session's own graph that a nested chain belongs to; blank for a subgraph that keeps its own memory."""
    return namespace.split("|", maxsplit=1)[0].partition(":")[2]


def _size(connection: sqlite3.Connection, session_id: str, steps: tuple[str, ...], namespaces: tuple[str, ...]) -> int:
    total = 0
    for table, column in (("checkpoints", "checkpoint"), ("writes", "value")):
        by_step = f"SELECT sum(length({column})) FROM {table} WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ?"
        by_name = f"SELECT sum(length({column})) FROM {table} WHERE thread_id = ? AND checkpoint_ns = ?"
        total += sum(connection.execute(by_step, (session_id, "", step)).fetchone()[0] or 0 for step in steps)
        total += sum(connection.execute(by_name, (session_id, name)).fetchone()[0] or 0 for name in namespaces)
    if has_blobs(connection):
        gone = set(steps)
        total += BlobTable(connection).freed(session_id, lambda name, step: name not in namespaces if name else step not in gone)
    return total


def _refuse_deltas(connection: sqlite3.Connection, chain: CheckpointChain) -> None:
    """A `DeltaChannel` stores changes only; without the steps before it, its value would be gone."""
    kind, data = connection.execute(
        "SELECT type, checkpoint FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = '' ORDER BY checkpoint_id DESC LIMIT 1",
        (chain.session_id,),
    ).fetchone()
    state = decode(kind, data, BlobTable(connection)).value
    versions, values = (state.get(part) if isinstance(state, dict) else None for part in ("channel_versions", "channel_values"))
    if not isinstance(versions, dict) or not isinstance(values, dict):
        raise UnreadableStep(
            f"The newest step of session {chain.session_id!r} is damaged, so what it rests on is not known. Nothing was dropped."
        )
    missing = [name for name in versions if name not in values and not str(name).startswith(INNER)]
    if missing:
        raise BadInput(
            f"Session {chain.session_id!r} cannot be pruned: {', '.join(map(repr, missing))} is not stored in its newest step, "
            "so its value may live in the writes of the steps before (a DeltaChannel). Nothing was dropped."
        )
