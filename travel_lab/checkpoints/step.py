"""What a chain is made of: tasks and steps."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

_GREGORIAN = datetime(1582, 10, 15, tzinfo=UTC)


@dataclass(frozen=True, kw_only=True)
class Task:
    """One run of a node, as the `writes` table holds it."""

    task_id: str
    """LangGraph's id; also the tail of the namespace of a subgraph the task ran."""
    node: str
    """The node's name; `?` when it is stored in a form that cannot be read."""
    keys: tuple[str, ...]
    """The state fields it wrote, in order; empty when it wrote nothing or did not finish."""
    error: str
    """How it failed; blank when it did not. With `finished` it failed first and was done when it was resumed."""
    finished: bool
    """Whether its writes are stored."""
    paused: bool
    """Whether it asked for a person's answer."""
    answered: bool
    """Whether that answer is stored."""


@dataclass(frozen=True, kw_only=True)
class Step:
    """One checkpoint of a session."""

    checkpoint_id: str
    parent_id: str | None
    """The step it came from; None for the first, and may name a step that was pruned."""
    number: int | None
    """LangGraph's count, from -1; it repeats across branches. None when the row is damaged."""
    source: str
    """`input`, `loop`, `update` or `fork`; `damaged` when the row's metadata cannot be read."""
    tasks: tuple[Task, ...]
    """The tasks that ran to reach it, in task order."""
    pending: tuple[Task, ...]
    """The tasks recorded from this step on: finished ones, failed ones, paused ones."""
    branch: int
    """Number of its branch, from 0; a step's first child goes on in its branch, every other child opens one."""
    position: int
    """Its place in that branch, from 0."""
    created: datetime | None
    """In UTC, read from the id; None when the id holds no time."""

    @property
    def nodes(self) -> tuple[str, ...]:
        """The nodes that ran to reach it, in task order."""
        return tuple(task.node for task in self.tasks if task.node != "__start__")

    @property
    def keys(self) -> tuple[str, ...]:
        """The state fields they wrote, each once, in task order."""
        return tuple(dict.fromkeys(key for task in self.tasks for key in task.keys))

    @property
    def errors(self) -> tuple[str, ...]:
        """Tasks that failed at this step and are not done, as `node: error`."""
        return tuple(f"{task.node}: {task.error}" for task in self.pending if task.error and not task.finished)

    @property
    def waiting(self) -> tuple[str, ...]:
        """Nodes that wait for an answer at this step."""
        return tuple(task.node for task in self.pending if task.paused and not task.finished)


@dataclass(frozen=True, kw_only=True)
class CheckpointChain:
    """All steps of one session, oldest first, and beside them the chains of its subgraphs."""

    session_id: str
    namespace: str
    """Blank for the session's own graph; `child:<task id>` or `child` for a subgraph."""
    steps: tuple[Step, ...]
    nested: tuple["CheckpointChain", ...]
    """One chain a subgraph run, never mixed into `steps`."""

    def at(self, position: int) -> Step:
        """The step at that place of the whole chain; negative counts from the newest.

        Raises:
            IndexError: There is no such step.
        """
        return self.steps[position]

    def page(self, after: int, size: int) -> tuple[Step, ...]:
        """At most `size` steps that follow place `after` of the chain; -1 starts at the oldest."""
        return self.steps[after + 1 : after + 1 + size]

    @property
    def branches(self) -> int:
        """How many branches it has."""
        return len({step.branch for step in self.steps})

    def line_of(self, step: Step) -> tuple[Step, ...]:
        """The step and its ancestors, oldest first."""
        by_id = {known.checkpoint_id: known for known in self.steps}
        line = [step]
        while (parent := by_id.get(line[-1].parent_id or "")) is not None:
            line.append(parent)
        return tuple(reversed(line))


def created_at(checkpoint_id: str) -> datetime | None:
    """The time in a checkpoint id (a version 6 UUID: 60 bits of 100 ns since 1582, RFC 9562); None for any other id."""
    try:
        value = UUID(checkpoint_id)
    except ValueError:
        return None
    if value.version != 6:
        return None
    ticks = (value.int >> 80) << 12 | (value.int >> 64) & 0xFFF
    return _GREGORIAN + timedelta(microseconds=ticks // 10)
