"""What a reply rests on: which facts it states, the turn each came from, and what no turn has produced."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from travel_lab.context.facts import Fact, bound_facts
from travel_lab.context.lint import contradictions
from travel_lab.context.visibility import Score


@dataclass(frozen=True, kw_only=True)
class Grounding:
    """The facts a reply states, by where they come from."""

    sources: Mapping[Fact, int]
    """The turn that first produced each fact the reply binds, in any turn so far and not only the newest."""
    unfounded: tuple[Fact, ...]
    """What the reply says of a known name and no turn has produced, such as another price."""

    @property
    def score(self) -> Score:
        """Grounded facts / facts stated; nan when the reply states none."""
        stated = len(self.sources) + len(self.unfounded)
        if not stated:
            return Score(value=math.nan, reason="The reply states no fact of a result.")
        reason = f"{len(self.sources)} of {stated} facts stated come from a turn"
        wrong = "; unfounded: " + "; ".join(map(str, self.unfounded)) if self.unfounded else ""
        return Score(value=len(self.sources) / stated, reason=f"{reason}{wrong}.")


def grounding(reply: str, produced: Mapping[int, Sequence[Fact]]) -> Grounding:
    """Where the facts of a reply come from.

    A name that no turn has produced is not found: it is no fact's name. Only numbers and places of known names can be unfounded.

    Args:
        reply: What the traveller read.
        produced: Facts of the results by turn, every turn up to the reply's own.
    """
    first: dict[Fact, int] = {}
    for turn in sorted(produced):
        for fact in produced[turn]:
            first.setdefault(fact, turn)
    bound = bound_facts(reply, tuple(first))
    wrong = [finding.fact for finding in contradictions(reply, tuple(first)) if finding.fact is not None]
    return Grounding(sources={fact: turn for fact, turn in first.items() if fact in bound}, unfounded=tuple(wrong))
