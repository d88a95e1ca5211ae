"""Whether a database holds LangGraph's checkpoint tables, and if not, what it holds instead."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from travel_lab.errors import NotADatabase, OtherLayout, StorageError

EXPECTED = {
    "checkpoints": ("thread_id", "checkpoint_ns", "checkpoint_id", "parent_checkpoint_id", "type", "checkpoint", "metadata"),
    "writes": ("thread_id", "checkpoint_ns", "checkpoint_id", "task_id", "task_path", "idx", "channel", "type", "value"),
}
"""Tables and columns of langgraph-checkpoint-sqlite 3."""


def check_layout(connection: sqlite3.Connection) -> None:
    """Refuse a database whose checkpoint tables are missing or have other columns; nothing is changed.

    Raises:
        OtherLayout: Names the columns that were found and those that were expected.
        NotADatabase: It cannot be read as a database, or has none of the tables.
    """
    found = {table: _columns(connection, table) for table in EXPECTED}
    if not any(found.values()):
        raise NotADatabase(
            "The file has no LangGraph checkpoint tables. Expected tables checkpoints and writes. If it is a copy of a database "
            "that was open, the rows may still be in its side file: copy NAME-wal too, or use travel-lab export."
        )
    for table, expected in EXPECTED.items():
        if not set(expected) <= set(found[table]):
            raise OtherLayout(
                f"The table {table!r} was made by another version or another program: found columns "
                f"{', '.join(found[table]) or 'none'}; expected {', '.join(expected)}. The file is untouched; open it once with "
                "the version that made it, or upgrade a copy."
            )


def _columns(connection: sqlite3.Connection, table: str) -> tuple[str, ...]:
    try:
        return tuple(row[1] for row in connection.execute(f"PRAGMA table_info({table})"))
    except sqlite3.DatabaseError as error:
        raise NotADatabase(f"This is no readable SQLite database: {error}.") from error


@contextmanager
def table_errors(connection: sqlite3.Connection) -> Iterator[None]:
    """Say what is wrong with the tables when a statement on them fails."""
    try:
        yield
    except sqlite3.ProgrammingError:
        raise  # a closed connection or a wrong statement is the caller's
    except sqlite3.DatabaseError as error:
        check_layout(connection)
        raise StorageError(f"The checkpoint tables cannot be read: {error}.") from error
