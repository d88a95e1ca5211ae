"""The X-ray of a turn: superstep by superstep, the tasks, what each wrote, and what the state became.

A turn is the line of steps from an input to the last step before the next input.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from travel_lab.checkpoints.blobs import BlobTable
from travel_lab.checkpoints.diff import Change, diff
from travel_lab.checkpoints.layout import table_errors
from travel_lab.checkpoints.opened import open_page
from travel_lab.checkpoints.raw import INNER, decode
from travel_lab.checkpoints.step import CheckpointChain, Step, Task
from travel_lab.errors import UnknownName, UnreadableStep


@dataclass(frozen=True, kw_only=True)
class TaskWrites:
    """One task and what it wrote."""

    task: Task
    wrote: Mapping[str, Any]
    """Field to value as the task returned it, before any merge; several writes of one field are a list."""


@dataclass(frozen=True, kw_only=True)
class Superstep:
    """One superstep of a turn."""

    step: Step
    """The step it ended in; for a turn that stopped halfway, the last entry repeats the step it stopped at."""
    tasks: tuple[TaskWrites, ...]
    """In plan order, which is the order LangGraph merges them in, whoever finished first."""
    merged: tuple[Change, ...]
    """What changed in the state; empty while the superstep is unfinished."""
    finished: bool
    """Whether its step was stored."""


def xray(connection: sqlite3.Connection, chain: CheckpointChain, turn: int) -> tuple[Superstep, ...]:
    """The supersteps of a turn on the chain's newest line.

    Args:
        connection: Of the chain's file.
        chain: Of the session.
        turn: From 1; negative counts from the newest.

    Raises:
        UnknownName: The session has no such turn.
    """
    turns = turns_of(chain)
    if not turns or not (-len(turns) <= turn <= len(turns)) or turn == 0:
        known = [str(number) for number in range(1, len(turns) + 1)]
        raise UnknownName("turn", turn, known, f"Session {chain.session_id!r} has {len(turns)} turns.")
    steps = turns[turn - 1 if turn > 0 else turn]
    states = [opened.values for opened in open_page(connection, chain, steps)]
    found = [
        Superstep(step=step, tasks=_written(connection, chain, before, step.tasks), merged=diff(old, new), finished=True)
        for before, step, old, new in zip(steps, steps[1:], states, states[1:], strict=False)
    ]
    last = steps[-1]
    if last.pending and not any(step.parent_id == last.checkpoint_id for step in chain.steps):
        found.append(Superstep(step=last, tasks=_written(connection, chain, last, last.pending), merged=(), finished=False))
    return tuple(found)


def turns_of(chain: CheckpointChain) -> tuple[tuple[Step, ...], ...]:
    """The newest line of the chain, cut before each input; what stands before the first input is no turn."""
    turns: list[list[Step]] = []
    for step in chain.line_of(chain.steps[-1]) if chain.steps else ():
        if step.source == "input":
            turns.append([])
        if turns:
            turns[-1].append(step)
    return tuple(tuple(turn) for turn in turns)


def _written(
    connection: sqlite3.Connection, chain: CheckpointChain, before: Step, tasks: Sequence[Task]
) -> tuple[TaskWrites, ...]:
    with table_errors(connection):
        rows = connection.execute(
            "SELECT task_id, channel, type, value FROM writes WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ? "
            "ORDER BY task_path, task_id, idx",
            (chain.session_id, chain.namespace, before.checkpoint_id),
        ).fetchall()
    blobs = BlobTable(connection)
    fields = [row for row in rows if not row[1].startswith(INNER)]
    return tuple(
        TaskWrites(task=task, wrote=_by_field(blobs, [row[1:] for row in fields if row[0] == task.task_id])) for task in tasks
    )


def _by_field(blobs: BlobTable, rows: Sequence[tuple[str, str, bytes]]) -> dict[str, Any]:
    found: dict[str, list[Any]] = {}
    for channel, kind, data in rows:
        try:
            value = decode(kind, data, blobs).value
        except UnreadableStep as error:
            value = f"({error})"
        found.setdefault(channel, []).append(value)
    return {channel: values[0] if len(values) == 1 else values for channel, values in found.items()}
