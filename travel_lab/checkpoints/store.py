"""A checkpoint store in one call from a path: LangGraph's SQLite saver on a connection of its own, and the leases beside it.

Decoding is strict: types the graph's state does not declare come back as plain data, and nothing stored is executed.
"""

import os
import sqlite3
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from travel_lab.checkpoints.awaitable import AwaitableSqliteSaver
from travel_lab.checkpoints.lease import Leases
from travel_lab.clock import Clock
from travel_lab.errors import StorageError, StoreClosed
from travel_lab.storage import BUSY_SECONDS, checked_path, connect


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
        self._saver = AwaitableSqliteSaver(self._connection, serde=JsonPlusSerializer(allowed_msgpack_modules=[]))
        try:
            self._saver.setup()
            self.leases = Leases(self.path, self._connection, clock or Clock(), busy_seconds=busy_seconds)
        except sqlite3.Error as error:
            self._connection.close()
            raise StorageError(f"Cannot set up the checkpoint tables in {str(self.path)!r}: {error}.") from error

    @property
    def saver(self) -> AwaitableSqliteSaver:
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
