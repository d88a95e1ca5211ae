"""What a trimming would show under a budget, before any call: messages kept and gone, facts visible and lost."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import BaseMessage

from travel_lab.context.facts import Fact, bound_facts
from travel_lab.context.trimming import Trimmed, Trimming
from travel_lab.errors import OverBudget
from travel_lab.tokens import text_of


@dataclass(frozen=True, kw_only=True)
class Preview:
    """One history under one trimming and budget."""

    trimmed: Trimmed | None
    """What stays; None when what must stay is over the budget."""
    refused: str
    """Why there is no trimmed history; blank when there is one."""
    facts: tuple[Fact, ...]
    """Those looked for."""
    before: frozenset[Fact]
    """Bound in the whole history."""
    visible: frozenset[Fact]
    """Bound in what stays."""

    @property
    def lost(self) -> tuple[Fact, ...]:
        """Facts the trimming took away, in order."""
        return tuple(fact for fact in self.facts if fact in self.before and fact not in self.visible)

    @property
    def per_thousand(self) -> float:
        """Visible facts per 1,000 tokens; 0 when nothing stays."""
        tokens = self.trimmed.tokens if self.trimmed else 0
        return 1_000 * len(self.visible) / tokens if tokens else 0.0


def preview(
    trimming: Trimming,
    messages: Sequence[BaseMessage],
    results: Mapping[str, Any],
    question: str,
    budget: int | None,
    facts: Sequence[Fact],
) -> Preview:
    """Trim a history without calling a model, and measure what is left of `facts` in it."""
    wanted = tuple(dict.fromkeys(facts))
    before = _bound(messages, wanted)
    try:
        trimmed = trimming(messages, results, question, budget)
    except OverBudget as error:
        return Preview(trimmed=None, refused=str(error), facts=wanted, before=before, visible=frozenset())
    return Preview(trimmed=trimmed, refused="", facts=wanted, before=before, visible=_bound(trimmed.messages, wanted))


def _bound(messages: Sequence[BaseMessage], facts: Sequence[Fact]) -> frozenset[Fact]:
    return frozenset().union(*(bound_facts(text_of(message), facts) for message in messages))
