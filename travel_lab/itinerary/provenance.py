"""Where a result comes from and whether it still fits what the traveller asks for."""

import hashlib
import json
from typing import Literal

from travel_lab.itinerary.results import AgentResult, Requirements

Standing = Literal["current", "carried over", "stale"]
DECISIVE = ("destinations", "days", "people")
"""A result made for another destination, length or party does not fit any more."""


def requirements_hash(requirements: Requirements) -> str:
    """A short hash of the parts of the requirements a result must have been made for."""
    decisive = {key: requirements.get(key) for key in DECISIVE}
    return hashlib.sha256(json.dumps(decisive, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:12]


def standing(result: AgentResult, turn: int, current_hash: str) -> Standing:
    """Made this turn, kept from an earlier one, or made for something else."""
    if result["requirements_hash"] != current_hash:
        return "stale"
    return "current" if result["turn"] == turn else "carried over"
