"""Sessions on a PostgreSQL server, through LangGraph's own saver for it (extra `postgres`).

The chain is read through the saver's own methods: every state on the way is decoded, which is slower than from a file.
"""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
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

from travel_lab.checkpoints.chain import ERROR, HAND_MADE, INTERRUPT, arrange, task_of
from travel_lab.checkpoints.opened import OpenedStep, opened_step
from travel_lab.checkpoints.raw import SENDS
from travel_lab.checkpoints.step import CheckpointChain, Step, Task
from travel_lab.errors import SessionBusy, StorageError, StoreClosed, UnreadableStep

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
        self._guard = threading.Lock()
        self._locks: dict[str, threading.Lock] = {}
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
        config = _config(session_id)
        stored = {_id_of(step.config): step for step in self.saver.list(config)}
        tasks = {_id_of(state.config): {task.id: task.name for task in state.tasks} for state in graph.get_state_history(config)}
        parents = {name: _parent_of(stored[name]) for name in sorted(stored)}
        told = {name: (step.metadata["step"], step.metadata["source"]) for name, step in stored.items()}
        recorded = {name: _tasks(step, tasks.get(name, {})) for name, step in stored.items()}
        steps = arrange(parents, told, recorded)
        return CheckpointChain(session_id=session_id, namespace="", steps=steps, nested=())

    def open_step(self, chain: CheckpointChain, step: Step) -> OpenedStep:
        """One step of a chain with its state, decoded by LangGraph; its size is not known.

        Raises:
            UnreadableStep: It is no longer there.
        """
        found = self.saver.get_tuple(_config(chain.session_id, step.checkpoint_id))
        if found is None:
            raise UnreadableStep(f"Step {step.checkpoint_id!r} of session {chain.session_id!r} is no longer in {self.path!r}.")
        asked = tuple(entry.value for _, channel, value in found.pending_writes or () if channel == INTERRUPT for entry in value)
        channels = _plain_sends(found.checkpoint["channel_values"])
        return opened_step(step, channels, size=0, interrupts=asked, blocked=())

    def stored_tasks(self, session_id: str) -> Callable[[str], frozenset[str]]:
        """From a step's id to the tasks whose writes are stored under it."""

        def stored(checkpoint_id: str) -> frozenset[str]:
            found = self.saver.get_tuple(_config(session_id, checkpoint_id))
            return frozenset(task for task, _, _ in found.pending_writes or ()) if found else frozenset()

        return stored

    @contextmanager
    def hold(self, session_id: str, *, wait: float) -> Iterator[None]:
        """Be the only writer of a session among the threads of this program; other programs are not kept out.

        Raises:
            SessionBusy: Another thread still writes after `wait` seconds.
        """
        with self._guard:
            lock = self._locks.setdefault(session_id, threading.Lock())
        if not lock.acquire(timeout=max(wait, 0.0)):
            raise SessionBusy(
                f"Session {session_id!r} is busy: another thread of this program is writing to it, and waiting {wait:g} s did "
                "not help. Nothing was stored; send the message again, or wait longer with wait=."
            )
        try:
            yield
        finally:
            lock.release()

    def delete(self, session_id: str) -> bool:
        """Not possible here.

        Raises:
            StorageError: Always; a session on a server could be written again by another program.
        """
        raise StorageError(
            f"Session {session_id!r} in {self.path!r} cannot be deleted for good: on a PostgreSQL server another program may go "
            "on writing to it. Nothing was deleted; sessions in a file can be."
        )

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


def _tasks(step: CheckpointTuple, names: Mapping[str, str]) -> tuple[Task, ...]:
    """What started from a step, in the graph's order; a task the graph does not know was recorded by hand."""
    made: dict[str, list[tuple[str, Any]]] = {task_id: [] for task_id in names}
    for task_id, channel, value in step.pending_writes or ():
        made.setdefault(task_id, []).append((channel, value))
    return tuple(
        task_of(
            task_id,
            names.get(task_id, HAND_MADE),
            [channel for channel, _ in writes],
            next((str(value) for channel, value in writes if channel == ERROR), ""),
        )
        for task_id, writes in made.items()
        if writes
    )


def _plain_sends(channels: Mapping[str, Any]) -> dict[str, Any]:
    sends = [{"node": send.node, "arg": send.arg} for send in channels.get(SENDS) or ()]
    return {**channels, SENDS: sends} if sends else dict(channels)


def _config(session_id: str, checkpoint_id: str | None = None) -> RunnableConfig:
    place = {"thread_id": session_id, "checkpoint_ns": ""} | ({"checkpoint_id": checkpoint_id} if checkpoint_id else {})
    return cast(RunnableConfig, {"configurable": place})


def _id_of(config: RunnableConfig) -> str:
    return str(config["configurable"]["checkpoint_id"])


def _parent_of(step: CheckpointTuple) -> str | None:
    return _id_of(step.parent_config) if step.parent_config else None


def _without_password(url: str) -> str:
    """The address as it may be shown: user and password left out."""
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2].partition('?')[0]}"
