"""Checkpoints: every step a session has taken. Reading order: store, chain, frame."""

from travel_lab.checkpoints.chain import CheckpointChain, Step, read_chain, sessions_in
from travel_lab.checkpoints.store import CheckpointStore

__all__ = ["CheckpointChain", "CheckpointStore", "Step", "read_chain", "sessions_in"]
