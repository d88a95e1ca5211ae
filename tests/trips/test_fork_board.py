"""The fork board, driven as a reader drives it."""

from types import SimpleNamespace

import pytest

from travel_lab.errors import UnknownName
from travel_lab.trips.fork_board import ForkBoard, edge_html, lineage


def session(name, parent=None, reason=None):
    return SimpleNamespace(session_id=name, parent_session_id=parent, fork_reason=reason)


TREE = [
    session("melbourne", "root", "看看墨尔本版本"),
    session("root"),
    session("cheaper", "melbourne", "half the <b>budget</b>"),
    session("tasmania", "root", "cooler"),
]


@pytest.fixture
def board():
    return ForkBoard(TREE, active="cheaper", cards={"root": "Day 1 Sydney", "cheaper": "第1天 墨尔本 <script>"})


def test_every_session_stands_under_its_parent():
    """Whatever order the sessions come in, children follow their parent, one generation further in."""
    assert [(found.session_id, depth) for found, depth in lineage(TREE)] == [
        ("root", 0),
        ("melbourne", 1),
        ("cheaper", 2),
        ("tasmania", 1),
    ]


def test_board_opens_on_the_active_session(board):
    """The active session's plan is on show, marked as the one that can be written to."""
    assert board.value == "cheaper"
    assert "(active)" in board.plan.value


def test_click_reads_another_plan(board):
    """A click on a session puts its plan on show, marked as read only; the active mark stays where it was."""
    board.buttons["root"].click()

    assert board.value == "root"
    assert "Day 1 Sydney" in board.plan.value
    assert "read only" in board.plan.value
    assert [row.children[1].description for row in board.children[0].children if "active" in row.children[0].value] == ["cheaper"]


def test_edge_carries_its_reason(board):
    """Every fork shows why it was made; the root shows none."""
    edges = {row.children[1].description: row.children[0].value for row in board.children[0].children}

    assert "看看墨尔本版本" in edges["melbourne"]
    assert "└" not in edges["root"]
    assert "no reason given" in edge_html(session("x", "root"), 1, is_active=False)


def test_words_of_users_are_escaped(board):
    """Markup in reasons and plans is shown as typed and never becomes part of the page."""
    edges = "".join(row.children[0].value for row in board.children[0].children)

    assert "<script>" not in board.plan.value
    assert "<b>budget</b>" not in edges


def test_session_without_a_plan_says_so(board):
    """A fork that still waits at its gate has no plan, which the board says."""
    board.read("tasmania")

    assert "No plan yet" in board.plan.value


@pytest.mark.parametrize(
    ("sessions", "active", "cards"),
    [(TREE, "nobody", {}), (TREE[:1], "melbourne", {}), (TREE, "root", {"nobody": "Day 1"})],
)
def test_unknown_sessions_are_refused(sessions, active, cards):
    """An active session, a parent or a plan's session that is not there is named instead of left out."""
    with pytest.raises(UnknownName, match="session on the board"):
        ForkBoard(sessions, active=active, cards=cards)
