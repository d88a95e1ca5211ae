"""One line that says which agents are at work."""

from dataclasses import dataclass, field
from typing import Self

from rich.console import Console
from rich.status import Status

from travel_lab.display import printable
from travel_lab.events import AgentFinished, AgentStarted, AttemptFailed, Event

MARKS = {"ok": "✓", "degraded": "~", "failed": "✗"}


@dataclass
class ProgressLine:
    """An event sink; on a terminal the line moves, elsewhere it is printed once at the end."""

    console: Console
    label: str
    _marks: dict[str, str] = field(default_factory=dict)
    _status: Status | None = None

    def __enter__(self) -> Self:
        """Show the line."""
        self._status = self.console.status(self.label)
        self._status.start()
        return self

    def __exit__(self, *error: object) -> None:
        """Leave the finished line behind."""
        if self._status is not None:
            self._status.stop()
        self.console.print(f"{self.label}  {self._line()}", markup=False, highlight=False)

    def __call__(self, event: Event) -> None:
        """Take an event; called from worker threads, which only replace an entry and the line's text."""
        if isinstance(event, AgentStarted):
            self._marks[event.agent] = "…"
        elif isinstance(event, AgentFinished):
            self._marks[event.agent] = MARKS[event.status]
        elif isinstance(event, AttemptFailed):
            self._marks[event.agent] = f"retry {event.attempt} in {event.wait:g} s"
        if self._status is not None:
            self._status.update(f"{self.label}  {self._line()}")

    def _line(self) -> str:
        return printable("  ".join(f"{agent} {mark}" for agent, mark in self._marks.copy().items()))
