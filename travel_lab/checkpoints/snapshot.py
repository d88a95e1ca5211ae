"""Checkpoints of a saver that keeps no SQLite file, copied into one in memory, so that every instrument reads them."""

import sqlite3
from collections.abc import Iterator, Mapping
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver, CheckpointTuple
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph.state import CompiledStateGraph

Paths = Mapping[tuple[str, str, str], str]
"""Task paths by session, step and task: they say which node a task ran."""
UNKNOWN = "~__pregel_pull, ?"
"""The path of a task whose node nothing tells."""


def snapshot(saver: BaseCheckpointSaver[Any], graph: CompiledStateGraph[Any, Any, Any, Any] | None) -> sqlite3.Connection:
    """Everything the saver holds now, in LangGraph's SQLite form; what is saved later is not in it.

    Which node a task ran is told by `InMemorySaver`, and for other savers by `graph`; without either its name is `?`.
    """
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    copy = SqliteSaver(connection, serde=saver.serde)
    copy.setup()
    stored = list(saver.list(None))
    told = isinstance(saver, InMemorySaver) or graph is not None
    paths = _in_memory(saver) if isinstance(saver, InMemorySaver) else _told_by(graph, stored) if graph else {}
    for step in reversed(stored):
        _copy(copy, step, paths, other="" if told else UNKNOWN)
    return connection


def _copy(copy: SqliteSaver, step: CheckpointTuple, paths: Paths, other: str) -> None:
    session, namespace, name = _place(step.config)
    parent = _place(step.parent_config)[2] if step.parent_config else None
    copy.put(_config(session, namespace, parent), step.checkpoint, step.metadata, step.checkpoint["channel_versions"])
    writes: dict[str, list[tuple[str, Any]]] = {}
    for task, channel, value in step.pending_writes or ():
        writes.setdefault(task, []).append((channel, value))
    for task, made in writes.items():
        copy.put_writes(_config(session, namespace, name), made, task, paths.get((session, name, task), other))


def _in_memory(saver: InMemorySaver) -> Paths:
    return {
        (session, step, task): path
        for (session, _, step), writes in saver.writes.items()
        for task, _, _, path in writes.values()
    }  # fmt: skip


def _told_by(graph: CompiledStateGraph[Any, Any, Any, Any], stored: list[CheckpointTuple]) -> Paths:
    return dict(_tasks(graph, sorted({_place(step.config)[0] for step in stored})))


def _tasks(graph: CompiledStateGraph[Any, Any, Any, Any], sessions: list[str]) -> Iterator[tuple[tuple[str, str, str], str]]:
    for session in sessions:
        for state in graph.get_state_history(_config(session, "", None)):
            for task in state.tasks:
                yield (session, _place(state.config)[2], task.id), _text(task.path)


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
