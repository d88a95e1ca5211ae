"""The clock that is passed in: wall time, elapsed time and sleep in one record, so that tests hold all three."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime


def _utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, kw_only=True)
class Clock:
    """Where a run gets its times from."""

    now: Callable[[], datetime] = _utc_now
    """Wall time, with offset."""
    elapsed: Callable[[], float] = time.perf_counter
    """Seconds since some fixed moment."""
    sleep: Callable[[float], None] = time.sleep
    """Waits that many seconds."""
