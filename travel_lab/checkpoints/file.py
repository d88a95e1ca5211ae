"""Anybody's checkpoints, opened strictly for reading: from a path, a saver or a compiled graph.

A file from elsewhere is opened read-only and decoded to plain data; nothing stored in it is imported, called or changed.
"""

import os
import sqlite3
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph.state import CompiledStateGraph

from travel_lab.checkpoints.async_saver import copy_of, path_of
from travel_lab.checkpoints.chain import SessionRow, list_sessions, nameless_rows, read_chain
from travel_lab.checkpoints.layout import check_layout
from travel_lab.checkpoints.opened import OpenedStep, open_page, open_step
from travel_lab.checkpoints.snapshot import snapshot
from travel_lab.checkpoints.step import CheckpointChain, Step
from travel_lab.checkpoints.xray import Superstep, xray
from travel_lab.errors import BadInput, UnknownName
from travel_lab.storage import checked_path, connect_read_only, side_file_note

Source = str | os.PathLike[str] | BaseCheckpointSaver[Any] | CompiledStateGraph[Any, Any, Any, Any]
"""A path, any LangGraph saver, or a graph compiled with one; a saver without a SQLite file is copied as it stands."""


@dataclass(frozen=True, kw_only=True)
class CheckpointFile:
    """The checkpoints of one database; made by `CheckpointFile.open`."""

    name: str
    """Its path; the saver's class when it keeps no file."""
    connection: sqlite3.Connection
    """For reading; the saver's own when the file was opened from one that has it."""
    opening_notes: tuple[str, ...]
    """What was seen when it was opened, such as a side file that is missing."""
    owned: bool
    """Whether `close` closes the connection."""

    @classmethod
    def open(cls, source: Source) -> Self:
        """Open checkpoints for reading.

        Raises:
            NotADatabase: The file is something else, or its tables are another program's.
            StorageError: It does not exist or cannot be read.
            BadInput: The graph was compiled without a saver, or the saver cannot be read from here.
        """
        if isinstance(source, str | os.PathLike):
            connection = connect_read_only(source)
            try:
                check_layout(connection)
            except BaseException:  # Ctrl-C too must not leave it open
                connection.close()
                raise
            note = side_file_note(source)
            return cls(name=str(checked_path(source)), connection=connection, opening_notes=(note,) if note else (), owned=True)
        graph = source if isinstance(source, CompiledStateGraph) else None
        saver = graph.checkpointer if graph else source
        if not isinstance(saver, BaseCheckpointSaver):
            raise BadInput(
                f"Checkpoints are read from a path, a saver, or a graph compiled with one; found {type(source).__name__} with "
                f"{type(saver).__name__}. Compile it with checkpointer=..."
            )
        if isinstance(saver, AsyncSqliteSaver) and (file := path_of(saver)):
            return cls.open(file)
        found = getattr(saver, "conn", None)
        if not isinstance(found, sqlite3.Connection):
            copy = copy_of(saver) if isinstance(saver, AsyncSqliteSaver) else snapshot(saver, graph)
            note = f"{type(saver).__name__} as it stood when it was opened; what it saves later is not here"
            return cls(name=type(saver).__name__, connection=copy, opening_notes=(note,), owned=True)
        check_layout(found)
        path = str(found.execute("PRAGMA database_list").fetchone()[2])
        return cls(name=path, connection=found, opening_notes=(), owned=False)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know of the file."""
        nameless = nameless_rows(self.connection)
        odd = f"{nameless} steps whose session, namespace or id is no text are left out"
        return (*self.opening_notes, odd) if nameless else self.opening_notes

    def sessions(self) -> tuple[SessionRow, ...]:
        """Every session, by id; no state is decoded."""
        return list_sessions(self.connection)

    def chain(self, session_id: str) -> CheckpointChain:
        """The chain of a session; no state is decoded.

        Raises:
            UnknownName: No session of that name.
        """
        try:
            chain = read_chain(self.connection, session_id)
        except UnicodeEncodeError:  # half of a surrogate pair, which no database holds
            chain = None
        if chain is None or (not chain.steps and not chain.nested):
            known = [row.session_id for row in self.sessions()]
            raise UnknownName("session", session_id, known[:20] or ["(none)"], "`sessions()` lists all of them.")
        return chain

    def step(self, chain: CheckpointChain, step: Step) -> OpenedStep:
        """One step with its state; see `open_step`."""
        return open_step(self.connection, chain, step)

    def page(self, chain: CheckpointChain, after: int, size: int) -> tuple[OpenedStep, ...]:
        """At most `size` steps after place `after` with their states; damaged ones are marked, the rest are whole."""
        return open_page(self.connection, chain, chain.page(after, size))

    def xray(self, chain: CheckpointChain, turn: int) -> tuple[Superstep, ...]:
        """The supersteps of a turn; see `travel_lab.checkpoints.xray`."""
        return xray(self.connection, chain, turn)

    def close(self) -> None:
        """Close the file when it was opened from a path; closing twice is allowed."""
        if self.owned:
            self.connection.close()

    def __enter__(self) -> Self:
        """The file itself."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Close it."""
        self.close()
