"""The clock that is passed in: wall time, elapsed time and sleep in one record, so that tests hold all three.

Virtual time lets a lesson play seven seconds of waiting in none: it moves on only when every agent at work waits.
"""

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from travel_lab.deadline import pause
from travel_lab.errors import ClockStuck


def _utc_now() -> datetime:
    return datetime.now(UTC)


def _nobody_counts(names: Iterable[str]) -> None:
    """Real time passes whoever works."""


@dataclass(frozen=True, kw_only=True)
class Clock:
    """Where a run gets its times from."""

    now: Callable[[], datetime] = _utc_now
    """Wall time, in any zone; without an offset it is read as local time."""
    elapsed: Callable[[], float] = time.perf_counter
    """Seconds since some fixed moment."""
    sleep: Callable[[float], None] = pause
    """Waits that many seconds."""
    begin: Callable[[Iterable[str]], None] = _nobody_counts
    """Told who is about to work, side by side."""
    end: Callable[[Iterable[str]], None] = _nobody_counts
    """Told who is done."""

    def stamp(self) -> str:
        """Now as every table holds it: ISO 8601 in UTC, of one length, so that texts sort as the moments do."""
        return self.now().astimezone(UTC).isoformat(timespec="microseconds")

    def today(self) -> date:
        """The date on the calendar of whoever sits at this machine."""
        return self.now().astimezone().date()


FIRST_MOMENT = datetime(2026, 1, 1, 8, tzinfo=UTC)
REAL_LIMIT = 30.0
"""Real seconds a waiter trusts that the others will come to wait or end."""


class VirtualTime:
    """One clock for all agents of a run; it advances to the earliest waiter once every agent at work waits.

    Four agents that wait 1, 2 and 4 seconds at the same time end at 7 s and not at 28. For one turn at a time, with all
    agents of a fan-out really side by side (LangGraph's default).
    """

    def __init__(self) -> None:
        self._time = 0.0
        self._at_work: set[str] = set()
        self._waiting: list[float] = []
        self._changed = threading.Condition()

    def clock(self) -> Clock:
        """The clock to pass in."""
        return Clock(now=self._now, elapsed=self._elapsed, sleep=self._sleep, begin=self._begin, end=self._end)

    def _now(self) -> datetime:
        return FIRST_MOMENT + timedelta(seconds=self._elapsed())

    def _elapsed(self) -> float:
        with self._changed:
            return self._time

    def _begin(self, names: Iterable[str]) -> None:
        with self._changed:
            self._at_work.update(names)

    def _end(self, names: Iterable[str]) -> None:
        with self._changed:
            self._at_work.difference_update(names)
            self._advance()

    def _sleep(self, seconds: float) -> None:
        with self._changed:
            until = self._time + max(seconds, 0.0)
            self._waiting.append(until)
            self._advance()
            woken = self._changed.wait_for(lambda: self._time >= until, timeout=REAL_LIMIT)
            if not woken:
                self._waiting.remove(until)
                raise ClockStuck(
                    f"Virtual time stands at {self._time:g} s: {len(self._waiting) + 1} of {sorted(self._at_work)} wait and the "
                    f"others neither waited nor ended in {REAL_LIMIT:g} real seconds. Use the real clock for slow models."
                )

    def _advance(self) -> None:
        """Move to the earliest waiter when nobody is left who could act before; several may be due at once."""
        if self._waiting and len(self._waiting) >= len(self._at_work):
            self._time = max(self._time, min(self._waiting))
            self._waiting = [until for until in self._waiting if until > self._time]
            self._changed.notify_all()
