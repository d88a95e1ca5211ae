"""The numbers of one call: what its view binds of the facts there were, what it cost, whether it asked back."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from langchain_core.messages import BaseMessage

from travel_lab.context.facts import Fact
from travel_lab.context.visibility import Score, visibility


@dataclass(frozen=True, kw_only=True)
class CallMeasure:
    """What one agent's call could see of what earlier turns had produced."""

    strategy: str
    agent: str
    called: bool
    """Whether the agent made a call this turn; when not, what the view would have held is missing, not zero."""
    produced: int
    """Facts earlier turns had produced."""
    bound: int | None
    """Those the view binds."""
    in_conversation: int | None
    """Those its history or briefing binds; the rest stands in the call's own task, such as a provider's offers."""
    needed: int
    """Facts an answer must rest on."""
    needed_bound: int | None
    """Those the view binds."""
    visibility: Score
    """bound / produced."""
    completeness: Score
    """needed_bound / needed."""
    tokens: int | None
    """Of the view."""
    asked_back: bool | None
    """Whether the call answered with a question."""


def measure_call(  # noqa: PLR0913 (all by name; a record for them would only repeat CallMeasure)
    *,
    strategy: str,
    agent: str,
    produced: Sequence[Fact],
    needed: Sequence[Fact],
    view: Sequence[BaseMessage] | None,
    tokens: int | None,
    asked_back: bool | None,
) -> CallMeasure:
    """Measure one call on its recorded view.

    Args:
        strategy: Name of the strategy it ran under.
        agent: Who made it.
        produced: Facts to look for.
        needed: Facts an answer must rest on.
        view: The exact messages of the call; None when the agent made none.
        tokens: Of the view.
        asked_back: Whether the answer was a question.
    """
    if view is None:
        none = Score(value=math.nan, reason=f"The {agent} agent made no call, so there is no view to measure.")
        return CallMeasure(
            strategy=strategy,
            agent=agent,
            called=False,
            produced=len(produced),
            bound=None,
            in_conversation=None,
            needed=len(needed),
            needed_bound=None,
            visibility=none,
            completeness=none,
            tokens=None,
            asked_back=None,
        )
    seen, answer = visibility(view, produced), visibility(view, needed)
    return CallMeasure(
        strategy=strategy,
        agent=agent,
        called=True,
        produced=len(seen.produced),
        bound=len(seen.in_view),
        in_conversation=len(seen.in_conversation),
        needed=len(answer.produced),
        needed_bound=len(answer.in_view),
        visibility=seen.score,
        completeness=answer.completeness(needed),
        tokens=tokens,
        asked_back=asked_back,
    )
