"""Chains, opened steps, differences, X-rays and sizes as DataFrames."""

from collections.abc import Iterable

import pandas as pd

from travel_lab.checkpoints.diff import Change
from travel_lab.checkpoints.opened import OpenedStep
from travel_lab.checkpoints.sizes import ChannelSize
from travel_lab.checkpoints.step import CheckpointChain
from travel_lab.checkpoints.xray import Superstep

DTYPES = {
    "position": "int64",
    "step": "Int64",
    "parent": "int64",
    "branch": "int64",
    "in branch": "int64",
    "source": "str",
    "nodes": "str",
    "keys": "str",
    "created": "datetime64[us, UTC]",
    "stopped": "str",
}
"""Every column in order, with its type; the same for a chain without steps. `step` is missing for a damaged row."""


def chain_frame(chain: CheckpointChain) -> pd.DataFrame:
    """One row a step, oldest first.

    Columns: `position` in the chain from 0; LangGraph's `step`; `parent` as the parent's position (-1 for the first, and for
    one whose parent was pruned); `branch` from 0 and the place `in branch`; `source`; the `nodes` that ran and the `keys` they
    wrote, joined by commas; `created` in UTC; `stopped`: who failed or waits at this step.
    """
    positions = {step.checkpoint_id: at for at, step in enumerate(chain.steps)}
    rows = [
        (
            *(at, step.number, positions.get(step.parent_id or "", -1), step.branch, step.position, step.source),
            *(", ".join(step.nodes), ", ".join(step.keys), step.created),
            "; ".join([*step.errors, *(f"{node} waits" for node in step.waiting)]),
        )
        for at, step in enumerate(chain.steps)
    ]
    return pd.DataFrame(rows, columns=list(DTYPES)).astype(DTYPES)


def steps_frame(opened: Iterable[OpenedStep]) -> pd.DataFrame:
    """One row an opened step: LangGraph's `step`, `messages` in its state, `bytes` stored, what comes `next`, `damage`."""
    rows = [(o.step.number, o.messages, o.size, ", ".join(o.next), o.damage) for o in opened]
    return pd.DataFrame(rows, columns=["step", "messages", "bytes", "next", "damage"])


def diff_frame(changes: Iterable[Change]) -> pd.DataFrame:
    """One row a changed leaf: `kind`, `path`, and the whole text of `before` and `after`."""
    rows = [(change.kind, change.path, str(change.before), str(change.after)) for change in changes]
    return pd.DataFrame(rows, columns=["kind", "path", "before", "after"])


def xray_frame(supersteps: Iterable[Superstep]) -> pd.DataFrame:
    """One row a task, in plan order: the `step` its superstep ended in, `node`, the fields it `wrote`, how it ended (`state`)."""
    rows = [
        (
            part.step.number if part.finished else None,
            entry.task.node,
            ", ".join(entry.wrote),
            _state(entry.task.error, entry.task.finished),
        )
        for part in supersteps
        for entry in part.tasks
    ]
    return pd.DataFrame(rows, columns=["step", "node", "wrote", "state"]).astype({"step": "Int64"})


def _state(error: str, finished: bool) -> str:  # noqa: FBT001 (two facts of one task)
    if error:
        return f"failed, then done: {error}" if finished else f"failed: {error}"
    return "done" if finished else "waits"


def sizes_frame(sizes: Iterable[ChannelSize]) -> pd.DataFrame:
    """One row a channel, largest first: bytes in all stored states and in all task writes."""
    rows = [(size.channel, size.in_states, size.in_writes) for size in sizes]
    return pd.DataFrame(rows, columns=["channel", "bytes in states", "bytes in writes"])
