"""Checkpoints: every step a session has taken, each part of them stored once, and one writer at a time.

Reading order: raw, layout, step, chain, opened, diff, xray, snapshot, async_saver, file; saver, packing, unpacking, owned, blobs,
serializer, storable, refusals; lease, siblings, store; sizes, prune, export; shrink, survey; turn_ends; frame, plot, explorer.
"""

from travel_lab.checkpoints.chain import SessionRow, list_sessions, read_chain, sessions_in
from travel_lab.checkpoints.diff import MISSING, Change, diff
from travel_lab.checkpoints.export import export
from travel_lab.checkpoints.file import CheckpointFile, Source
from travel_lab.checkpoints.opened import OpenedStep, open_page, open_step
from travel_lab.checkpoints.prune import Pruning, plan_pruning, prune, vacuum
from travel_lab.checkpoints.saver import CompactSaver
from travel_lab.checkpoints.shrink import Shrinkage, inflate, shrink
from travel_lab.checkpoints.siblings import Siblings
from travel_lab.checkpoints.sizes import ChannelSize, channel_sizes
from travel_lab.checkpoints.step import CheckpointChain, Step, Task
from travel_lab.checkpoints.storable import Flaw, change_in, flaw_in
from travel_lab.checkpoints.store import CheckpointStore, Store
from travel_lab.checkpoints.survey import Share, survey
from travel_lab.checkpoints.turn_ends import TurnEnd, turn_ends
from travel_lab.checkpoints.xray import Superstep, TaskWrites, turns_of, xray

__all__ = [
    "MISSING",
    "Change",
    "ChannelSize",
    "CheckpointChain",
    "CheckpointFile",
    "CheckpointStore",
    "CompactSaver",
    "Flaw",
    "OpenedStep",
    "Pruning",
    "SessionRow",
    "Share",
    "Shrinkage",
    "Siblings",
    "Source",
    "Step",
    "Store",
    "Superstep",
    "Task",
    "TaskWrites",
    "TurnEnd",
    "change_in",
    "channel_sizes",
    "diff",
    "export",
    "flaw_in",
    "inflate",
    "list_sessions",
    "open_page",
    "open_step",
    "plan_pruning",
    "prune",
    "read_chain",
    "sessions_in",
    "shrink",
    "survey",
    "turn_ends",
    "turns_of",
    "vacuum",
    "xray",
]
