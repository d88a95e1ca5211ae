"""One row of an evaluation: one probe, one call, one strategy, one budget, one reader, one replicate."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

DEFINITION = (
    "completeness = facts the probe needs that are bound in the view / facts it needs. The view is every message the call "
    "would be sent, system prompt and the call's own words included. A fact is bound when its parts stand in the same JSON "
    "object, in the same table row under its header, or in the same clause of one message. Probes that need no fact have no "
    "completeness and are left out of its mean; they count in what readers answer."
)
"""Printed beside every figure."""
OUTCOMES = ("answered", "abstained", "made up", "vague", "failed", "not measured")
"""What a reader made of a view; `abstained` includes asking back."""


@dataclass(frozen=True, kw_only=True)
class Observation:
    """What was measured of one call; what was not measured is None, never zero."""

    app: str
    case_id: str
    language: str
    split: str
    probe_id: str
    kind: str
    call: str
    strategy: str
    budget: int | None
    """Tokens of the history part; None is the strategy's own."""
    reads_state: bool | None
    """Whether the trimming took anything from the results."""
    produced: int | None
    """Facts the conversation had produced by then."""
    bound: int | None
    """Those the view binds."""
    needed: int
    needed_bound: int | None
    tokens: int | None
    """Of the whole view."""
    messages: int | None
    """Of the whole view."""
    reader: str = ""
    """Blank without one."""
    replicate: int = 0
    outcome: str = "not measured"
    reply: str = ""
    error: str = ""
    """Why there is nothing to measure; blank when there is."""

    @property
    def completeness(self) -> float | None:
        """needed_bound / needed; None without needed facts or without a view."""
        return self.needed_bound / self.needed if self.needed and self.needed_bound is not None else None

    def as_row(self) -> dict[str, Any]:
        """As plain data, for a JSON line."""
        return asdict(self)


def observation_of(row: Mapping[str, Any]) -> Observation:
    """From a JSON line back."""
    return Observation(**{field.name: row[field.name] for field in fields(Observation) if field.name in row})
