"""Sessions on a PostgreSQL server, through LangGraph's own saver for it (extra `postgres`).

The chain is read through the saver's own methods: every state on the way is decoded, which is slower than from a file.
"""

from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import CheckpointTuple
from langgraph.checkpoint.postgres import PostgresSaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.pregel import Pregel
from psycopg import Connection, Error
from psycopg.rows import DictRow, dict_row
from psycopg_pool import ConnectionPool, PoolTimeout

from travel_lab.checkpoints.chain import CheckpointChain, Step, created_at
from travel_lab.errors import StorageError, StoreClosed

CONNECTIONS = 8
CONNECT_SECONDS = 10.0
"""How long to wait for the server, or for a free connection to it."""


class PostgresStore:
    """Keeps every step of every session in one PostgreSQL database; usable from any thread until it is closed."""

    def __init__(self, url: str) -> None:
        """Connect and make LangGraph's tables where they are missing.

        Raises:
            StorageError: The server cannot be reached, or refuses.
        """
        self._pool: ConnectionPool[Connection[DictRow]] = ConnectionPool(
            url,
            min_size=1,
            max_size=CONNECTIONS,
            timeout=CONNECT_SECONDS,
            open=False,
            kwargs={"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row, "connect_timeout": int(CONNECT_SECONDS)},
        )
        self.path = _without_password(url)
        self._closed = False
        try:
            self._pool.open(wait=True, timeout=CONNECT_SECONDS)
            self._saver = PostgresSaver(self._pool, serde=JsonPlusSerializer(allowed_msgpack_modules=[]))
            self._saver.setup()
        except (Error, PoolTimeout) as error:
            self._pool.close()
            raise StorageError(
                f"Cannot use the database {self.path!r}: {type(error).__name__}. Check that the server runs and lets you in."
            ) from error

    @property
    def saver(self) -> PostgresSaver:
        """The saver to compile a graph with.

        Raises:
            StoreClosed: The store was closed.
        """
        self.check_open()
        return self._saver

    def check_open(self) -> None:
        """Raise when the store was closed.

        Raises:
            StoreClosed: It was.
        """
        if self._closed:
            raise StoreClosed(f"The store {self.path!r} is closed. Open it again with Lab.open.")

    def sessions(self) -> tuple[str, ...]:
        """Ids of the sessions that have steps, sorted."""
        self.check_open()
        with self._pool.connection() as connection:
            rows = connection.execute("SELECT DISTINCT thread_id FROM checkpoints").fetchall()
        return tuple(sorted(row["thread_id"] for row in rows))

    def chain(self, session_id: str, graph: Pregel[Any, Any, Any, Any]) -> CheckpointChain:
        """The chain of a session; without steps when the session is unknown."""
        config = cast(RunnableConfig, {"configurable": {"thread_id": session_id, "checkpoint_ns": ""}})
        stored = {_id_of(step.config): step for step in self.saver.list(config)}
        tasks = {_id_of(state.config): {task.id: task.name for task in state.tasks} for state in graph.get_state_history(config)}
        steps = [_step(stored[name], stored, tasks) for name in sorted(stored)]
        return CheckpointChain(session_id=session_id, steps=tuple(steps))

    def close(self) -> None:
        """Close all connections; closing twice is allowed."""
        self._closed = True
        self._pool.close()

    def __enter__(self) -> Self:
        """The store itself."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Close the store."""
        self.close()


def _step(step: CheckpointTuple, stored: Mapping[str, CheckpointTuple], tasks: Mapping[str, Mapping[str, str]]) -> Step:
    checkpoint_id = _id_of(step.config)
    parent_id = _id_of(step.parent_config) if step.parent_config else None
    parent = stored.get(parent_id or "")
    made = (parent.pending_writes or []) if parent else []
    names = tasks.get(parent_id or "", {})
    writers = {task for task, _, _ in made}
    return Step(
        checkpoint_id=checkpoint_id,
        parent_id=parent_id,
        number=step.metadata["step"],
        source=step.metadata["source"],
        nodes=tuple(name for task, name in names.items() if task in writers and name != "__start__"),
        keys=tuple(dict.fromkeys(channel for _, channel, _ in made if not channel.startswith(("__", "branch:")))),
        created=created_at(checkpoint_id),
    )


def _id_of(config: RunnableConfig) -> str:
    return str(config["configurable"]["checkpoint_id"])


def _without_password(url: str) -> str:
    """The address as it may be shown: user and password left out."""
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2].partition('?')[0]}"
