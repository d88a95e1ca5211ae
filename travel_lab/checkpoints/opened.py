"""One step opened: its state as plain data, how big it is, and what is wrong with it.

Works on any file, because nothing stored is imported or called. A page of steps opens even when one of them is damaged.
"""

import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from travel_lab.checkpoints.blobs import BlobTable
from travel_lab.checkpoints.layout import table_errors
from travel_lab.checkpoints.raw import INNER, SENDS, START, Decoded, decode
from travel_lab.checkpoints.step import CheckpointChain, Step
from travel_lab.errors import UnreadableStep

_INTERRUPT = "__interrupt__"
_BRANCH = "branch:to:"


@dataclass(frozen=True, kw_only=True)
class OpenedStep:
    """A step's state as plain data."""

    step: Step
    values: Mapping[str, Any]
    """The state's fields; empty when the step is damaged."""
    input: Any
    """What the graph was given, for a step whose input is not taken up yet; None otherwise."""
    messages: int | None
    """How many messages the state holds; None when it has no list of that name."""
    size: int
    """Bytes of the state as LangGraph's own saver stores it, whichever saver stored it."""
    next: tuple[str, ...]
    """Nodes the graph meant to run from here, whether or not a graph of today has them."""
    interrupts: tuple[Any, ...]
    """What paused tasks asked."""
    blocked: tuple[str, ...]
    """Types the state names that were not imported; their data is in `values` as it was stored."""
    damage: str
    """Why it cannot be read, naming session and step; blank when it can."""


def open_step(connection: sqlite3.Connection, chain: CheckpointChain, step: Step) -> OpenedStep:
    """Read one step.

    Raises:
        UnreadableStep: Names file, session and step.
    """
    opened = _opened(connection, BlobTable(connection), chain, step)
    if opened.damage:
        raise UnreadableStep(opened.damage)
    return opened


def open_page(connection: sqlite3.Connection, chain: CheckpointChain, steps: Iterable[Step]) -> tuple[OpenedStep, ...]:
    """Read several steps; a damaged one is marked in `damage` and the rest are whole."""
    blobs = BlobTable(connection)
    return tuple(_opened(connection, blobs, chain, step) for step in steps)


def _opened(connection: sqlite3.Connection, blobs: BlobTable, chain: CheckpointChain, step: Step) -> OpenedStep:
    key = (chain.session_id, chain.namespace, step.checkpoint_id)
    with table_errors(connection):
        row = connection.execute(
            "SELECT type, checkpoint FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ?", key
        ).fetchone()
        asked = connection.execute(
            "SELECT type, value FROM writes WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ? AND channel = ? "
            "ORDER BY task_path, idx",
            (*key, _INTERRUPT),
        ).fetchall()
    size = len(row[1]) if row and isinstance(row[1], bytes) else 0
    try:
        state = _state(row, step, blobs)
        channels = _channels(state.value)
        interrupts = tuple(_question(entry) for kind, value in asked for entry in decode(kind, value, blobs).value)
        return opened_step(step, channels, size=state.size, interrupts=interrupts, blocked=state.blocked)
    except (UnreadableStep, TypeError, LookupError) as error:
        where = f"Step {step.checkpoint_id!r} of session {chain.session_id!r} in {_file_of(connection)!r} is unreadable: {error}"
        return _damaged(step, size, where)


def opened_step(
    step: Step, channels: Mapping[str, Any], *, size: int, interrupts: tuple[Any, ...], blocked: tuple[str, ...]
) -> OpenedStep:
    """A step from what its channels hold; a pending `Send` is a dictionary of `node` and `arg`."""
    values = {name: value for name, value in channels.items() if not name.startswith(INNER)}
    messages = values.get("messages")
    return OpenedStep(
        step=step,
        values=values,
        input=channels.get(START),
        messages=len(messages) if isinstance(messages, list) else None,
        size=size,
        next=_next(channels),
        interrupts=interrupts,
        blocked=blocked,
        damage="",
    )


def _damaged(step: Step, size: int, where: str) -> OpenedStep:
    return OpenedStep(
        step=step, values={}, input=None, messages=None, size=size, next=(), interrupts=(), blocked=(), damage=where
    )


def _state(row: tuple[object, object] | None, step: Step, blobs: BlobTable) -> Decoded:
    if row is None:
        raise UnreadableStep("It is no longer in the file.")
    if step.number is None:
        raise UnreadableStep("Its metadata cannot be read.")
    return decode(*row, blobs)


def _channels(state: Any) -> dict[str, Any]:
    channels = state.get("channel_values") if isinstance(state, dict) else None
    if not isinstance(channels, dict):
        raise UnreadableStep("It holds no channel values.")
    return channels


def _next(channels: Mapping[str, Any]) -> tuple[str, ...]:
    pulled = [START] if START in channels else sorted(name.removeprefix(_BRANCH) for name in channels if name.startswith(_BRANCH))
    joined = [name.rpartition(":")[2] for name, seen in channels.items() if name.startswith("join:") and _is_full(name, seen)]
    sent = [str(send["node"]) for send in channels.get(SENDS) or ()]
    return (*pulled, *joined, *sent)


def _is_full(name: str, seen: Any) -> bool:
    """Whether every node that `join:a+b:next` waits for has run."""
    awaited = name.removeprefix("join:").rpartition(":")[0].split("+")
    return isinstance(seen, list) and set(awaited) <= set(seen)


def _question(entry: Any) -> Any:
    """An interrupt is stored as its fields; what it asked is the field `value`."""
    data = entry.get("data", entry) if isinstance(entry, dict) else entry
    if isinstance(data, dict):
        return data.get("value", data)
    return data[0] if isinstance(data, list) and data else data


def _file_of(connection: sqlite3.Connection) -> str:
    return str(connection.execute("PRAGMA database_list").fetchone()[2])
