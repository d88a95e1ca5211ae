"""Why a failing agent waits for its siblings before it fails.

When a task of a parallel step raises, LangGraph waits for the running siblings and then shuts its executor down. A sibling's
writes are handed to that executor by a callback that runs just after the sibling counts as done, so the shutdown can come
first; then the sibling's work is lost (`RuntimeError: cannot schedule new futures after shutdown` in the log, measured with
langgraph 1.2.24). A node that knows it will fail therefore waits here until what its siblings returned is stored.
"""

import sqlite3
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from travel_lab.storage import BUSY_SECONDS

_POLL_SECONDS = 0.005


@dataclass(kw_only=True)
class Siblings:
    """The tasks of one run that are at work, and those that have returned."""

    stored: Callable[[str], frozenset[str]] | None = None
    """From a checkpoint id to the ids of the tasks whose writes are stored under it; None in a run that stores nothing."""
    _expected: int = 0
    _working: set[tuple[str, str]] = field(default_factory=set)
    _returned: set[tuple[str, str]] = field(default_factory=set)
    _failed: set[tuple[str, str]] = field(default_factory=set)
    _guard: threading.Lock = field(default_factory=threading.Lock)

    def expect(self, count: int) -> None:
        """So many tasks will begin side by side; the first may fail before the last has begun."""
        self._expected = count

    def started(self, checkpoint_id: str, task_id: str) -> None:
        """A task began to work from that step."""
        with self._guard:
            self._working.add((checkpoint_id, task_id))

    def returned(self, checkpoint_id: str, task_id: str) -> None:
        """It is about to return its update."""
        with self._guard:
            self._working.discard((checkpoint_id, task_id))
            self._returned.add((checkpoint_id, task_id))

    def fail(self, checkpoint_id: str, task_id: str) -> None:
        """It is about to raise: wait until every sibling has begun, has returned and is stored, or failed too.

        Gives up on the beginning and the storing (not on the work) after as long as a locked database is waited for.
        """
        with self._guard:
            self._working.discard((checkpoint_id, task_id))
            self._failed.add((checkpoint_id, task_id))
        end = time.monotonic() + BUSY_SECONDS
        while self._begun(checkpoint_id) < self._expected and time.monotonic() < end:
            time.sleep(_POLL_SECONDS)
        while self._of(checkpoint_id, self._working):
            time.sleep(_POLL_SECONDS)
        if self.stored is None:
            return
        end = time.monotonic() + BUSY_SECONDS
        while self._of(checkpoint_id, self._returned) - self.stored(checkpoint_id) and time.monotonic() < end:
            time.sleep(_POLL_SECONDS)

    def _begun(self, checkpoint_id: str) -> int:
        states = (self._working, self._returned, self._failed)
        return len(set().union(*(self._of(checkpoint_id, tasks) for tasks in states)))

    def _of(self, checkpoint_id: str, tasks: set[tuple[str, str]]) -> set[str]:
        with self._guard:
            return {task for step, task in tasks if step == checkpoint_id}


def stored_in(connection: sqlite3.Connection, session_id: str) -> Callable[[str], frozenset[str]]:
    """Which tasks of a session are stored, step by step."""

    def stored(checkpoint_id: str) -> frozenset[str]:
        rows = connection.execute(
            "SELECT DISTINCT task_id FROM writes WHERE thread_id = ? AND checkpoint_ns = '' AND checkpoint_id = ?",
            (session_id, checkpoint_id),
        )
        return frozenset(row[0] for row in rows.fetchall())

    return stored
