"""A strategy: a named triple of handoff, trimming and briefing."""

from dataclasses import dataclass, field

from travel_lab.context.briefing import Briefing, own_handoff
from travel_lab.context.handoff import Handoff
from travel_lab.context.trimming import Everything, Trimming


@dataclass(frozen=True, kw_only=True)
class Strategy:
    """How results travel to later model calls."""

    name: str
    """Shown in every table."""
    handoff: Handoff
    """What a specialist writes into `messages`."""
    trimming: Trimming = field(default_factory=Everything)
    """How the supervisor's history is built."""
    budget: int | None = None
    """Tokens of that history; None is no limit."""
    briefing: Briefing = own_handoff
    """What a specialist's own call gets of the conversation."""
