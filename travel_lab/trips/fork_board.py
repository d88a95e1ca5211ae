"""The fork board: a trip's sessions as a tree, with the reason on each edge; click one to read its plan."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Protocol

import ipywidgets as widgets

from travel_lab.display.style import PALETTE
from travel_lab.errors import UnknownName

ACTIVE, READ_ONLY = PALETTE[2], "#888888"
INDENT = 28
"""Pixels a generation is moved to the right."""


class Forked(Protocol):
    """A session as far as the tree is concerned."""

    @property
    def session_id(self) -> str:
        """Its id."""

    @property
    def parent_session_id(self) -> str | None:
        """The session it was forked from; None for the root."""

    @property
    def fork_reason(self) -> str | None:
        """Why it was forked; None or blank for the root."""


class ForkBoard(widgets.VBox):  # type: ignore[misc]  # ipywidgets comes without types
    """A tree of sessions and the plan of the one on show; `value` is its id. Reading changes nothing.

    board = ForkBoard(sessions, active="sess_b", cards={"sess_a": turn.card, "sess_b": other.card})
    board.read("sess_a")
    """

    def __init__(self, sessions: Sequence[Forked], *, active: str, cards: Mapping[str, str]) -> None:
        """Show a trip.

        Args:
            sessions: The root and its forks, in any order.
            active: The id of the one that can be written to; its plan is shown first.
            cards: Plans as text by session id; a session without one has no plan yet.

        Raises:
            UnknownName: `active`, a parent, or a session of `cards` is not among the sessions.
        """
        self._ids = [session.session_id for session in sessions]
        parents = [session.parent_session_id for session in sessions if session.parent_session_id is not None]
        for name in (active, *parents, *cards):
            self._check(name)
        self._active, self._cards = active, dict(cards)
        self.buttons: dict[str, widgets.Button] = {}
        self.plan = widgets.HTML()
        rows = [self._row(session, depth) for session, depth in lineage(sessions)]
        super().__init__([widgets.VBox(rows), self.plan])
        self.read(active)

    def read(self, session_id: str) -> None:
        """Put a session's plan on show.

        Raises:
            UnknownName: It is not on the board.
        """
        self._check(session_id)
        self.value = session_id
        for name, button in self.buttons.items():
            button.style.font_weight = "bold" if name == session_id else "normal"
        self.plan.value = plan_html(session_id, self._cards.get(session_id, ""), is_active=session_id == self._active)

    def _check(self, session_id: str) -> None:
        if session_id not in self._ids:
            raise UnknownName("session on the board", session_id, self._ids, "Give all sessions of the trip.")

    def _row(self, session: Forked, depth: int) -> widgets.HBox:
        name = session.session_id
        button = widgets.Button(description=name, tooltip="read this plan", layout=widgets.Layout(width="auto"))
        button.on_click(lambda _: self.read(name))
        self.buttons[name] = button
        edge = widgets.HTML(edge_html(session, depth, is_active=name == self._active))
        return widgets.HBox([edge, button])


def lineage(sessions: Sequence[Forked], parent: str | None = None, depth: int = 0) -> Iterator[tuple[Forked, int]]:
    """Every session under its parent with its generation, the root's being 0; children in the order given."""
    for session in sessions:
        if session.parent_session_id == parent:
            yield session, depth
            yield from lineage(sessions, session.session_id, depth + 1)


def edge_html(session: Forked, depth: int, *, is_active: bool) -> str:
    """What stands before a session: its place in the tree, why it was forked, whether it is the active one."""
    colour, mark = (ACTIVE, "● active") if is_active else (READ_ONLY, "○")
    reason = f"└ <i>{escape(session.fork_reason or 'no reason given')}</i> → " if session.parent_session_id else ""
    return f'<span style="margin-left:{depth * INDENT}px">{reason}<span style="color:{colour}">{mark}</span></span>'


def plan_html(session_id: str, card: str, *, is_active: bool) -> str:
    """A session's plan as text, and whether it can be written to."""
    state = "active" if is_active else "read only; fork it to go on from here"
    text = f'<pre style="line-height:1.3">{escape(card)}</pre>' if card else "<p>No plan yet.</p>"
    return f"<b>{escape(session_id)}</b> ({state}){text}"
