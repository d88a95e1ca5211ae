"""The explorer: sessions, tree, step, difference and tasks of any checkpoint file, as a widget.

A thin view of `CheckpointFile`: everything it shows comes from an object or a frame that works without it. Every text of the
file is escaped before it reaches HTML. At most `PAGE` steps are listed at a time, and a state is read when its step is chosen.
"""

from collections.abc import Iterable
from html import escape

import ipywidgets as widgets  # it ships no types

from travel_lab.checkpoints.diff import diff
from travel_lab.checkpoints.file import CheckpointFile, Source
from travel_lab.checkpoints.opened import OpenedStep
from travel_lab.checkpoints.step import CheckpointChain, Step, Task

PAGE = 200
PARENT = -1
"""Stands for the parent of the chosen step among the steps to compare to."""
_CELL = "padding:2px 8px;text-align:left;vertical-align:top;white-space:pre-wrap;overflow-wrap:break-word;min-width:4em"


class CheckpointExplorer(widgets.VBox):  # type: ignore[misc]  # see above
    """Browse a checkpoint file.

    Example:
        CheckpointExplorer("lab.db")

    Args:
        source: A path, a SQLite saver, or a graph compiled with one.
        session_id: The session shown first; left out, the first of the file.
    """

    def __init__(self, source: Source, session_id: str | None = None) -> None:
        self.file = CheckpointFile.open(source)
        self._filling = False
        names = [row.session_id for row in self.file.sessions()]
        self.session = widgets.Dropdown(options=names, description="session")
        self.page = widgets.BoundedIntText(min=1, max=1, value=1, description="page")
        self.tree = widgets.Select(rows=12, description="step", layout=widgets.Layout(width="60%"))
        self.against = widgets.Dropdown(description="compare to")
        self.head, self.tasks, self.state, self.changes = (widgets.HTML() for _ in range(4))
        panes = widgets.Tab([self.tasks, self.state, self.changes], titles=["tasks", "state", "difference"])
        self.session.observe(self._show_session, "value")
        self.page.observe(self._show_page, "value")
        self.tree.observe(self._show_step, "value")
        self.against.observe(self._show_step, "value")
        notes = [widgets.HTML(escape(note)) for note in self.file.notes]
        super().__init__([*notes, widgets.HBox([self.session, self.page]), self.tree, self.against, self.head, panes])
        if session_id is not None:
            self.session.value = session_id
        self._show_session()

    @property
    def chain(self) -> CheckpointChain:
        """The chain of the chosen session."""
        return self._chain

    @property
    def step(self) -> Step | None:
        """The chosen step; None in a file without sessions."""
        return None if self.tree.value is None else self._chain.at(self.tree.value)

    def _show_session(self, _change: object = None) -> None:
        if self.session.value is None:
            self.head.value = "This file has no sessions."
            return
        self._chain = self.file.chain(self.session.value)
        self.page.max = max(1, -(-len(self._chain.steps) // PAGE))
        if self.page.value == self.page.max:
            self._show_page()
        else:
            self.page.value = self.page.max

    def _show_page(self, _change: object = None) -> None:
        first = (self.page.value - 1) * PAGE
        steps = self._chain.page(first - 1, PAGE)
        options = [(_line(first + at, step), first + at) for at, step in enumerate(steps)]
        # Each list tells of its first entry while it is filled; nothing is shown until both belong to this page.
        self._filling = True
        self.against.options = [("the parent", PARENT), *options]
        self.against.value = PARENT
        self.tree.options = options
        self.tree.value = options[-1][1] if options else None
        self._filling = False
        self._show_step()

    def _show_step(self, _change: object = None) -> None:
        if self._filling or (step := self.step) is None:
            return
        (opened,) = self.file.page(self._chain, self._chain.steps.index(step) - 1, 1)
        self.head.value = _head(opened)
        self.tasks.value = _tasks_table(step)
        self.state.value = _table(("field", "value"), ((name, str(value)) for name, value in opened.values.items()))
        self.changes.value = self._difference(opened)

    def _difference(self, opened: OpenedStep) -> str:
        at = self.against.value
        others = (
            [s for s in self._chain.steps if s.checkpoint_id == opened.step.parent_id] if at == PARENT else [self._chain.at(at)]
        )
        if not others:
            return "It has no parent to compare to."
        (other,) = self.file.page(self._chain, self._chain.steps.index(others[0]) - 1, 1)
        changes = diff(other.values, opened.values)
        rows = ((c.kind, c.path, str(c.before), str(c.after)) for c in changes)
        return f"{len(changes)} changes" + _table(("kind", "path", "before", "after"), rows)


def _line(at: int, step: Step) -> str:
    """One line of the tree; indented by branch."""
    mark = " ✗" if step.errors else " ⏸" if step.waiting else ""
    nodes = ", ".join(step.nodes) or step.source
    return f"{at:>4}  {'│ ' * step.branch}● {nodes}{mark}"


def _head(opened: OpenedStep) -> str:
    step = opened.step
    if opened.damage:
        return f"<b>{escape(opened.damage)}</b>"
    parts = [
        f"step {step.number}, {step.source}, branch {step.branch}.{step.position}",
        f"{opened.size:,} bytes",
        "no messages" if opened.messages is None else f"{opened.messages} messages",
        f"next: {', '.join(opened.next) or 'nothing'}",
        f"made {step.created.astimezone().isoformat(sep=' ', timespec='seconds')}" if step.created else "no time",
        *(f"waits for an answer to: {question}" for question in opened.interrupts if step.waiting),
        *(f"type not imported: {name}" for name in opened.blocked),
    ]
    return " · ".join(escape(part) for part in parts)


def _tasks_table(step: Step) -> str:
    ran = [("led here", *_task(task)) for task in step.tasks]
    following = [("ran from here", *_task(task)) for task in step.pending]
    return _table(("", "node", "wrote", "state"), [*ran, *following])


def _task(task: Task) -> tuple[str, str, str]:
    state = "done" if task.finished else "waits" if task.paused else "failed" if task.error else ""
    if task.error:
        state = f"failed, then done: {task.error}" if task.finished else f"failed: {task.error}"
    return task.node, ", ".join(task.keys), state


def _table(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = "".join(f"<th style='{_CELL}'>{escape(column)}</th>" for column in columns)
    body = "".join(
        "<tr>" + "".join(f"<td style='{_CELL};border-top:1px solid #8884'>{escape(cell)}</td>" for cell in row) + "</tr>"
        for row in rows
    )
    return f"<div style='max-height:24em;overflow:auto'><table><tr>{head}</tr>{body}</table></div>"
