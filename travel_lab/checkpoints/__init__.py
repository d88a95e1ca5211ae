"""Checkpoints: every step a session has taken, and one writer at a time.

Reading order: raw, layout, step, chain, opened, diff, xray, file; awaitable, lease, siblings, store; sizes, prune, export;
frame, plot, explorer.
"""

from travel_lab.checkpoints.chain import SessionRow, list_sessions, read_chain, sessions_in
from travel_lab.checkpoints.diff import MISSING, Change, diff
from travel_lab.checkpoints.export import export
from travel_lab.checkpoints.file import CheckpointFile, Source
from travel_lab.checkpoints.opened import OpenedStep, open_page, open_step
from travel_lab.checkpoints.prune import Pruning, plan_pruning, prune, vacuum
from travel_lab.checkpoints.siblings import Siblings, stored_in
from travel_lab.checkpoints.sizes import ChannelSize, channel_sizes
from travel_lab.checkpoints.step import CheckpointChain, Step, Task
from travel_lab.checkpoints.store import CheckpointStore
from travel_lab.checkpoints.xray import Superstep, TaskWrites, turns_of, xray

__all__ = [
    "MISSING",
    "Change",
    "ChannelSize",
    "CheckpointChain",
    "CheckpointFile",
    "CheckpointStore",
    "OpenedStep",
    "Pruning",
    "SessionRow",
    "Siblings",
    "Source",
    "Step",
    "Superstep",
    "Task",
    "TaskWrites",
    "channel_sizes",
    "diff",
    "export",
    "list_sessions",
    "open_page",
    "open_step",
    "plan_pruning",
    "prune",
    "read_chain",
    "sessions_in",
    "stored_in",
    "turns_of",
    "vacuum",
    "xray",
]
