"""What of the facts a recorded view binds: visibility, and with a probe completeness.

Measured on the exact messages one model call received. Three spans are kept apart: the whole view; its conversation part
(everything between the system prompt and the call's own last message); and, through both, what the call's own task
happens to list, such as a provider's offers.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from langchain_core.messages import BaseMessage

from travel_lab.context.facts import Fact, bound_facts
from travel_lab.tokens import text_of


@dataclass(frozen=True, kw_only=True)
class Score:
    """A share of facts and its reason in words."""

    value: float
    """Between 0 and 1; nan when there is nothing to measure, which is not zero."""
    reason: str


@dataclass(frozen=True, kw_only=True)
class Visibility:
    """Which of the produced facts one view binds."""

    produced: tuple[Fact, ...]
    """Every fact that was looked for."""
    in_view: frozenset[Fact]
    """Bound somewhere in the view."""
    in_conversation: frozenset[Fact]
    """Bound in the history or briefing part."""

    def bound(self, facts: Sequence[Fact]) -> tuple[Fact, ...]:
        """Those of `facts` that the view binds, in order."""
        return tuple(fact for fact in facts if fact in self.in_view)

    @property
    def score(self) -> Score:
        """Visibility: facts bound in the view / facts produced."""
        return _share(self.in_view, self.produced, "No facts were produced, so there is nothing to see.")

    def completeness(self, needed: Sequence[Fact]) -> Score:
        """Facts a probe needs that are bound in the view / facts it needs."""
        return _share(self.in_view, needed, "The question needs no fact of a result.")


def asymmetry(view: Sequence[BaseMessage], shown: Sequence[Fact]) -> Score:
    """Facts the traveller was shown but the view does not bind / facts the traveller was shown; nan when none were."""
    facts = tuple(dict.fromkeys(shown))
    if not facts:
        return Score(value=math.nan, reason="The traveller was shown no facts, so there is nothing to compare.")
    seen = visibility(view, facts)
    hidden = [fact for fact in facts if fact not in seen.in_view]
    reason = f"{len(hidden)} of {len(facts)} facts the traveller was shown are not bound in the view"
    return Score(value=len(hidden) / len(facts), reason=reason + _named(hidden) + ".")


def verdict(score: Score) -> str:
    """A score of completeness in a word: `complete`, `incomplete`, or `not enough evidence` when there is none."""
    if math.isnan(score.value):
        return "not enough evidence"
    return "complete" if score.value == 1 else "incomplete"


def visibility(view: Sequence[BaseMessage], facts: Sequence[Fact]) -> Visibility:
    """Look for `facts` in a view: the exact messages one model call received, system prompt first, own task last."""
    produced = tuple(dict.fromkeys(facts))
    bound = [bound_facts(text_of(message), produced) for message in view]
    last = len(view) - 1
    conversation = [found for at, found in enumerate(bound) if view[at].type != "system" and at != last]
    return Visibility(
        produced=produced,
        in_view=frozenset().union(*bound),
        in_conversation=frozenset().union(*conversation),
    )


def _share(bound: frozenset[Fact], facts: Sequence[Fact], nothing: str) -> Score:
    if not facts:
        return Score(value=math.nan, reason=nothing)
    missing = [fact for fact in facts if fact not in bound]
    seen = len(facts) - len(missing)
    reason = f"{seen} of {len(facts)} facts are bound in the view"
    if missing:
        reason += "; missing" + _named(missing)
    return Score(value=seen / len(facts), reason=reason + ".")


def _named(facts: Sequence[Fact]) -> str:
    """The first five by name; blank for none."""
    if not facts:
        return ""
    more = f" and {len(facts) - 5} more" if len(facts) > 5 else ""
    return ": " + "; ".join(str(fact) for fact in facts[:5]) + more
