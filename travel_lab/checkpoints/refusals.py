"""Gives a name to what LangGraph's serialiser refuses: which node wrote it, to which key, of which type, and what to do."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import Checkpoint, CheckpointTuple
from langgraph.types import Send

from travel_lab.checkpoints.chain import INTERRUPT, RESUME, node_of_path
from travel_lab.checkpoints.raw import SENDS, START
from travel_lab.checkpoints.storable import CANNOT, Dumps, flaw_in
from travel_lab.errors import NotStorable

_SPOKEN = {
    START: "its input",
    SENDS: "a Send",
    INTERRUPT: "the question of its interrupt",
    RESUME: "the answer to its interrupt",
}
"""LangGraph's own channels in words."""
_STEP_SECONDS = 1.0


class Refusals:
    """The refusals of one saver."""

    def __init__(self, dumps: Dumps, step_of: Callable[[RunnableConfig], CheckpointTuple | None]) -> None:
        """Args: the serialiser; what reads a stored step."""
        self._dumps, self._step_of = dumps, step_of
        self._named: dict[tuple[str, ...], NotStorable] = {}

    @contextmanager
    def of_writes(self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_path: str) -> Iterator[None]:
        """Around the storing of what a task wrote from the step in `config`.

        Raises:
            NotStorable: A value was refused.
        """
        try:
            yield
        except CANNOT as error:
            refused = self._refused(f"Node {self._node(config, task_path)!r} wrote to", writes)
            if refused is None:
                raise
            self._named[_place(config)] = refused
            raise refused from error

    @contextmanager
    def of_step(self, config: RunnableConfig, checkpoint: Checkpoint) -> Iterator[None]:
        """Around the storing of a step; `config` names the step before it.

        Raises:
            NotStorable: A value was refused.
        """
        try:
            yield
        except CANNOT as error:
            # A task's write was refused for the same value before, and only that error knows the node.
            named = self._named.pop(_place(config), None)
            refused = named or self._refused("The state holds in", checkpoint["channel_values"].items())
            if refused is None:
                raise
            raise refused from error
        self._named.pop(_place(config), None)

    def _refused(self, whose: str, named: Iterable[tuple[str, Any]]) -> NotStorable | None:
        for key, value in named:
            if flaw := flaw_in(value, self._dumps):
                return NotStorable(f"{whose} {flaw.told(_SPOKEN.get(key, repr(key)))} Nothing of this write was stored.")
        return None

    def _node(self, config: RunnableConfig, task_path: str) -> str:
        """The node of a task; for one that was started by a `Send`, as the step it started from says."""
        sends: Sequence[Send] = ()
        if "push" in task_path:
            end = time.monotonic() + _STEP_SECONDS
            # LangGraph stores steps beside the run, so this one may still be on its way.
            while (step := self._step_of(config)) is None and time.monotonic() < end:
                time.sleep(0.005)
            sends = step.checkpoint["channel_values"].get(SENDS, ()) if step else ()
        return node_of_path(task_path, [send.node for send in sends])


def _place(config: RunnableConfig) -> tuple[str, ...]:
    told = config["configurable"]
    return str(told["thread_id"]), str(told.get("checkpoint_ns", "")), str(told.get("checkpoint_id"))
