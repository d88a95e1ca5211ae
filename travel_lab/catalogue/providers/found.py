"""What an outside source found, and how it is asked: from memory when it answered before, again when that can help."""

from collections.abc import Callable
from dataclasses import dataclass, field

from travel_lab.clock import Clock
from travel_lab.retry import FailedAttempt, RetryPolicy, call_with_retry


@dataclass(frozen=True, kw_only=True)
class FoundPlace:
    """A place as an outside source knows it. What the source does not say is None, never 0."""

    name: str
    source: str
    """Who is to be named beside it."""
    lat: float | None = None
    lon: float | None = None
    price: float | None = None
    """In CNY: a ticket for one adult or a room for one night; 0 is free of charge."""


@dataclass(frozen=True, kw_only=True)
class Search:
    """An outside source: every question is asked once, again when that can help; a failure is not kept."""

    seconds: float = 30.0
    """How long one attempt may take."""
    retry: RetryPolicy = field(default_factory=lambda: RetryPolicy(attempts=3))
    clock: Clock = field(default_factory=Clock)
    answers: dict[str, tuple[FoundPlace, ...]] = field(default_factory=dict, init=False, repr=False, compare=False)
    """What was found so far, by question."""

    def _ask(self, question: str, call: Callable[[], tuple[FoundPlace, ...]]) -> tuple[FoundPlace, ...]:
        """The answer kept for the question, or a new one from `call`."""
        if question not in self.answers:
            self.answers[question] = call_with_retry(
                lambda _: call(), self.retry, times=self.clock, chance=self.retry.chance(question), on_failure=_ignore
            )
        return self.answers[question]


def _ignore(failed: FailedAttempt) -> None:
    """The last error is raised and says enough."""
