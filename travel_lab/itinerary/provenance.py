"""Where a result comes from and whether it still fits what the traveller asks for."""

import hashlib
import json
from collections.abc import Mapping
from typing import Literal

from travel_lab.itinerary.results import AgentResult, Requirements

Standing = Literal["current", "carried over", "stale"]
DECISIVE: Mapping[str, tuple[str, ...]] = {
    "route": ("destinations", "days"),
    "hotel": ("destinations", "days", "people"),
    "food": ("destinations", "days", "people"),
    "info": ("destinations",),
}
"""Agent → what its result must have been made for; made for another one it does not fit any more."""


def requirements_hash(requirements: Requirements, agent: str) -> str:
    """A short hash of the parts of the requirements that decide whether a result of `agent` fits."""
    decisive = {key: requirements.get(key) for key in DECISIVE[agent]}
    return hashlib.sha256(json.dumps(decisive, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:12]


def standing(result: AgentResult, turn: int, current_hash: str) -> Standing:
    """Made this turn, kept from an earlier one, or made for something else."""
    if result["requirements_hash"] != current_hash:
        return "stale"
    return "current" if result["turn"] == turn else "carried over"
