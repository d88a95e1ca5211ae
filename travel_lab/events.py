"""Typed events of a run and the log that collects them.

Agents run in threads, so a log is written from several at once; order of arrival is order of the log.
"""

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True)
class Event:
    """Something that happened in a turn."""

    agent: str
    """Who it happened to: an agent, or `aggregator` and `reply`."""
    turn: int
    """The turn it belongs to, from 1."""
    seconds: float = 0.0
    """Seconds on the run's clock."""


@dataclass(frozen=True, kw_only=True)
class AgentStarted(Event):
    """An agent began to work."""


@dataclass(frozen=True, kw_only=True)
class AgentFinished(Event):
    """An agent is done."""

    status: str = "ok"
    """`ok`, `degraded` or `failed`."""
    reason: str = ""
    """Why it is not `ok`; empty otherwise."""


@dataclass(frozen=True, kw_only=True)
class AttemptSucceeded(Event):
    """A model call brought an answer that can be read."""

    attempt: int
    """Number of the attempt, from 1."""
    began: float
    """Seconds on the run's clock when it was made."""


@dataclass(frozen=True, kw_only=True)
class AttemptFailed(Event):
    """A model call failed and will be tried again, or not."""

    attempt: int
    """Number of the failed attempt, from 1."""
    began: float = 0.0
    """Seconds on the run's clock when it was made."""
    error: str
    """Class and message of the error."""
    wait: float
    """Seconds until the next attempt; 0 when there is none."""


@dataclass(frozen=True, kw_only=True)
class Note(Event):
    """Something the run did that a reader should know, such as a dropped agent name."""

    text: str


@dataclass(frozen=True, kw_only=True)
class Reply(Event):
    """The words the traveller gets."""

    text: str
    kind: str
    """`plan`, `ask` or `reply`."""


@dataclass(frozen=True, kw_only=True)
class Card(Event):
    """The card of the turn is ready."""

    lines: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Failed(Event):
    """The turn ended without a reply; what was finished is kept."""

    error: Exception


@dataclass(frozen=True, kw_only=True)
class Done(Event):
    """The turn is over; always the last event of a stream that did not fail."""

    outcome: object
    """What `send` would have returned."""


Sink = Callable[[Event], None]
"""Takes each event as it happens; called from several threads."""


@dataclass
class EventLog:
    """Keeps every event and passes it on to `also`."""

    also: Sink | None = None
    events: list[Event] = field(default_factory=list)

    def __call__(self, event: Event) -> None:
        """Add one event; safe from any thread, because appending to a list is atomic."""
        self.events.append(event)
        if self.also is not None:
            self.also(event)


def ignore(event: Event) -> None:
    """A sink that drops everything."""
