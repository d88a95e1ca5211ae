"""Checkpoints of a saver that keeps no SQLite file, copied into one in memory, so that every instrument reads them."""

import asyncio
import sqlite3
from collections.abc import Mapping
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver, CheckpointTuple
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph.state import CompiledStateGraph

from travel_lab.errors import BadInput

Chain = tuple[str, str]
"""Session and namespace."""
Paths = Mapping[Chain, Mapping[tuple[str, str], str]]
"""Of each chain whose nodes are told: task paths by step and task."""
UNKNOWN = "~__pregel_pull, ?"
"""The path of a task whose node nothing tells."""
_BY_HAND = frozenset({"update", "fork"})


def snapshot(saver: BaseCheckpointSaver[Any], graph: CompiledStateGraph[Any, Any, Any, Any] | None) -> sqlite3.Connection:
    """Everything the saver holds now, in LangGraph's SQLite form; what is saved later is not in it.

    Which node a task ran is told by `InMemorySaver`, and for other savers by `graph`; without either its name is `?`.

    Raises:
        BadInput: The saver cannot be read from this thread, or only by `await`.
    """
    try:
        stored = list(saver.list(None))
    except (asyncio.InvalidStateError, NotImplementedError) as error:
        raise BadInput(
            f"{type(saver).__name__} does not list its steps here: {str(error) or 'it has no list()'}. Open it in another "
            "thread, await asyncio.to_thread(CheckpointFile.open, saver), or give a saver that lists without await."
        ) from error
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    copy = SqliteSaver(connection, serde=saver.serde)
    copy.setup()
    paths = _in_memory(saver, stored) if isinstance(saver, InMemorySaver) else _told_by(graph, stored) if graph else {}
    changed = {_place(step.parent_config) for step in stored if step.parent_config and step.metadata.get("source") in _BY_HAND}
    for step in reversed(stored):
        # A task its graph does not tell of is a person's update, which has no path, or a node the graph has no longer.
        _copy(copy, step, paths, other="" if _place(step.config) in changed else UNKNOWN)
    return connection


def _copy(copy: SqliteSaver, step: CheckpointTuple, paths: Paths, other: str) -> None:
    session, namespace, name = _place(step.config)
    parent = _place(step.parent_config)[2] if step.parent_config else None
    copy.put(_config(session, namespace, parent), step.checkpoint, step.metadata, step.checkpoint["channel_versions"])
    writes: dict[str, list[tuple[str, Any]]] = {}
    for task, channel, value in step.pending_writes or ():
        writes.setdefault(task, []).append((channel, value))
    told = paths.get((session, namespace))
    for task, made in writes.items():
        path = UNKNOWN if told is None else told.get((name, task), other)
        copy.put_writes(_config(session, namespace, name), made, task, path)


def _in_memory(saver: InMemorySaver, stored: list[CheckpointTuple]) -> Paths:
    paths: dict[Chain, dict[tuple[str, str], str]] = {chain: {} for chain in _chains(stored)}
    for (session, namespace, step), writes in saver.writes.items():
        for task, _, _, path in writes.values():
            paths.setdefault((session, namespace), {})[step, task] = path
    return paths


def _told_by(graph: CompiledStateGraph[Any, Any, Any, Any], stored: list[CheckpointTuple]) -> Paths:
    paths: dict[Chain, dict[tuple[str, str], str]] = {}
    for session, namespace in _chains(stored):
        # LangGraph would read the chain of a subgraph it does not find, such as one of an older version, as one of the root's.
        if not namespace or any(graph.get_subgraphs(namespace=_declared(namespace), recurse=True)):
            paths[session, namespace] = {
                (_place(state.config)[2], task.id): _text(task.path)
                for state in graph.get_state_history(_config(session, namespace, None))
                for task in state.tasks
            }
    return paths


def _declared(namespace: str) -> str:
    """A subgraph's name in its graph, `child|grandchild`, without the ids of the tasks that ran it."""
    return "|".join(part.partition(":")[0] for part in namespace.split("|") if not part.isdigit())


def _chains(stored: list[CheckpointTuple]) -> list[Chain]:
    return sorted({_place(step.config)[:2] for step in stored})


def _text(path: object) -> str:
    """A task path as LangGraph's savers store it."""
    if isinstance(path, tuple):
        return f"~{', '.join(map(_text, path))}"
    return f"{path:010d}" if isinstance(path, int) else str(path)


def _place(config: RunnableConfig) -> tuple[str, str, str]:
    told = config["configurable"]
    return str(told["thread_id"]), str(told.get("checkpoint_ns", "")), str(told["checkpoint_id"])


def _config(session: str, namespace: str, step: str | None) -> RunnableConfig:
    place = {"thread_id": session, "checkpoint_ns": namespace} | ({"checkpoint_id": step} if step else {})
    return cast(RunnableConfig, {"configurable": place})
