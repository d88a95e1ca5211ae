"""A checkpoint store in one call from a path: the compact saver on a connection of its own, and the leases beside it.

Decoding is strict: types the graph's state does not declare come back as plain data, and nothing stored is executed.
"""

import os
import sqlite3
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.pregel import Pregel

from travel_lab.checkpoints.chain import read_chain, sessions_in
from travel_lab.checkpoints.lease import Leases
from travel_lab.checkpoints.opened import OpenedStep, open_step
from travel_lab.checkpoints.saver import CompactSaver
from travel_lab.checkpoints.siblings import stored_in
from travel_lab.checkpoints.step import CheckpointChain, Step
from travel_lab.clock import Clock
from travel_lab.errors import StorageError, StoreClosed
from travel_lab.storage import BUSY_SECONDS, checked_path, connect


class Store(Protocol):
    """What a lab needs of the place its sessions are kept in."""

    @property
    def path(self) -> Path | str:
        """The file, or the server's address without the password."""

    @property
    def saver(self) -> BaseCheckpointSaver[str]:
        """The saver to compile a graph with."""

    def check_open(self) -> None:
        """Raise `StoreClosed` when the store was closed."""

    def sessions(self) -> tuple[str, ...]:
        """Ids of the sessions that have steps, sorted."""

    def chain(self, session_id: str, graph: Pregel[Any, Any, Any, Any]) -> CheckpointChain:
        """The chain of a session; the graph is needed where rows alone do not tell."""

    def open_step(self, chain: CheckpointChain, step: Step) -> OpenedStep:
        """One step of a chain with its state."""

    def stored_tasks(self, session_id: str) -> Callable[[str], frozenset[str]]:
        """From a step's id to the tasks whose writes are stored under it."""

    def hold(self, session_id: str, *, wait: float) -> AbstractContextManager[None]:
        """Be the only writer of a session until the block ends; `SessionBusy` after `wait` seconds."""

    def delete(self, session_id: str) -> bool:
        """Delete a session for good; whether there was one."""

    def close(self) -> None:
        """Close it; closing twice is allowed."""


class CheckpointStore:
    """Keeps every step of every session in one SQLite file; usable from any thread until it is closed."""

    def __init__(self, path: str | os.PathLike[str], *, clock: Clock | None = None, busy_seconds: float = BUSY_SECONDS) -> None:
        """Open or create the file.

        Args:
            path: The database file.
            clock: Dates the leases; left out, the machine's.
            busy_seconds: How long a write waits while another program holds the file's lock.

        Raises:
            StorageError: The path cannot be used; see `travel_lab.storage.connect`.
        """
        self.path: Path = checked_path(path)
        self._connection: sqlite3.Connection | None = connect(self.path, busy_seconds=busy_seconds)
        self._saver = CompactSaver(self._connection, serde=JsonPlusSerializer(allowed_msgpack_modules=[]))
        try:
            self._saver.setup()
            self.leases = Leases(self.path, self._connection, clock or Clock(), busy_seconds=busy_seconds)
        except sqlite3.Error as error:
            self._connection.close()
            raise StorageError(f"Cannot set up the checkpoint tables in {str(self.path)!r}: {error}.") from error

    @property
    def saver(self) -> CompactSaver:
        """The saver to compile a graph with.

        Raises:
            StoreClosed: The store was closed.
        """
        self.connection  # noqa: B018 (raises when closed)
        return self._saver

    @property
    def connection(self) -> sqlite3.Connection:
        """The saver's own connection; read with it, never leave a transaction open on it.

        Raises:
            StoreClosed: The store was closed.
        """
        if self._connection is None:
            raise StoreClosed(f"The store {str(self.path)!r} is closed. Open it again with Lab.open({str(self.path)!r}).")
        return self._connection

    def check_open(self) -> None:
        """Raise when the store was closed.

        Raises:
            StoreClosed: It was.
        """
        self.connection  # noqa: B018 (raises when closed)

    def sessions(self) -> tuple[str, ...]:
        """Ids of the sessions that have steps, sorted."""
        return sessions_in(self.connection)

    def chain(self, session_id: str, graph: Pregel[Any, Any, Any, Any]) -> CheckpointChain:
        """The chain of a session; the graph is needed by stores that cannot read it from their rows alone."""
        return read_chain(self.connection, session_id)

    def open_step(self, chain: CheckpointChain, step: Step) -> OpenedStep:
        """One step of a chain as plain data; see `travel_lab.checkpoints.open_step`."""
        return open_step(self.connection, chain, step)

    def stored_tasks(self, session_id: str) -> Callable[[str], frozenset[str]]:
        """From a step's id to the tasks whose writes are stored under it."""
        return stored_in(self.connection, session_id)

    def hold(self, session_id: str, *, wait: float) -> AbstractContextManager[None]:
        """Be the only writer of a session, across threads and processes; see `Leases.hold`."""
        return self.leases.hold(session_id, wait=wait)

    def delete(self, session_id: str) -> bool:
        """Delete a session for good; see `Leases.delete`."""
        return self.leases.delete(session_id)

    def close(self) -> None:
        """Fold the write-ahead log into the file and close it; closing twice is allowed."""
        if self._connection is not None:
            self.leases.close()
            # The last one to close leaves one plain file, so that a log that is missing later means a careless copy.
            self._connection.execute("PRAGMA busy_timeout=0")
            with suppress(sqlite3.OperationalError):
                self._connection.execute("PRAGMA journal_mode=DELETE")
            self._connection.close()
            self._connection = None

    def __enter__(self) -> Self:
        """The store itself."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Close the store."""
        self.close()
