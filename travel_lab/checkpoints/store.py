"""A checkpoint store in one call from a path: the compact saver on a connection of its own.

Decoding is strict: types the graph's state does not declare come back as plain data, and nothing stored is executed.
"""

import os
import sqlite3
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.pregel import Pregel

from travel_lab.checkpoints.chain import CheckpointChain, read_chain, sessions_in
from travel_lab.checkpoints.saver import CompactSaver
from travel_lab.errors import StorageError, StoreClosed
from travel_lab.storage import checked_path, connect


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

    def close(self) -> None:
        """Close it; closing twice is allowed."""


class CheckpointStore:
    """Keeps every step of every session in one SQLite file; usable from any thread until it is closed."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Open or create the file.

        Raises:
            StorageError: The path cannot be used; see `travel_lab.storage.connect`.
        """
        self.path: Path = checked_path(path)
        self._connection: sqlite3.Connection | None = connect(self.path)
        self._saver = CompactSaver(self._connection, serde=JsonPlusSerializer(allowed_msgpack_modules=[]))
        try:
            self._saver.setup()
        except sqlite3.Error as error:
            self.close()
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

    def close(self) -> None:
        """Fold the write-ahead log into the file and close it; closing twice is allowed."""
        if self._connection is not None:
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self._connection.close()
            self._connection = None

    def __enter__(self) -> Self:
        """The store itself."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Close the store."""
        self.close()
