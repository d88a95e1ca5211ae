"""Checkpoints: every step a session has taken, and a store that keeps each part of them once.

Reading order: chain, frame; saver, packing, unpacking, owned, blobs, serializer, store; shrink, survey.
"""

from travel_lab.checkpoints.chain import CheckpointChain, Step, read_chain, sessions_in
from travel_lab.checkpoints.saver import CompactSaver
from travel_lab.checkpoints.shrink import Shrinkage, inflate, shrink
from travel_lab.checkpoints.store import CheckpointStore, Store
from travel_lab.checkpoints.survey import Share, survey

__all__ = [
    "CheckpointChain",
    "CheckpointStore",
    "CompactSaver",
    "Share",
    "Shrinkage",
    "Step",
    "Store",
    "inflate",
    "read_chain",
    "sessions_in",
    "shrink",
    "survey",
]
