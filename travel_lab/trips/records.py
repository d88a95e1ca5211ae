"""What is kept of a trip and of each of its sessions, beside the checkpoints."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

ACTIVE = "ACTIVE"
"""The status of every session: a fork leaves its parent's as it is. Which one is *the* active session stands in the trip."""


@dataclass(frozen=True, kw_only=True)
class TripRecord:
    """One trip."""

    trip_id: str
    owner: str
    original_user_input: str
    """What the traveller said first."""
    root_session_id: str
    active_session_id: str
    """The only session that can be written."""
    created_at: str
    """ISO 8601 in UTC."""


@dataclass(frozen=True, kw_only=True)
class SessionRecord:
    """One session of a trip; its id is LangGraph's `thread_id`."""

    session_id: str
    trip_id: str
    parent_session_id: str | None
    """Where it was forked from; None for the root."""
    fork_reason: str
    """Blank for the root."""
    status: str
    graph: str
    """Name of the graph that runs it."""
    graph_version: int
    created_at: str
    """ISO 8601 in UTC."""
    seed: Mapping[str, Any]
    """What its state starts with; empty for a root, which starts with the traveller's words."""
