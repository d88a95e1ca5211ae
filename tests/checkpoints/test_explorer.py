"""The explorer without a browser: choosing changes what is shown, and every text is escaped."""

import re
import time
from datetime import datetime

import pytest

from travel_lab.checkpoints.explorer import CheckpointExplorer
from travel_lab.lab import Lab


@pytest.fixture
def path(tmp_path, text):
    with Lab.open(tmp_path / "lab.db") as lab:
        lab.session("<b>bold</b>").send("<script>alert(1)</script>")
        lab.session("s").send(text)
    return tmp_path / "lab.db"


@pytest.fixture
def explorer(path):
    explorer = CheckpointExplorer(path, "s")
    yield explorer
    explorer.file.close()


def test_newest_step_is_shown_first(explorer):
    """Opened on a session, the explorer stands at its newest step and names what led there."""
    assert explorer.step == explorer.chain.at(-1)
    assert "step 3, loop, branch 0.4" in explorer.head.value
    assert "aggregator" in explorer.tasks.value


def test_chosen_step_shows_its_tasks(explorer):
    """Choosing the parallel step shows the four specialists and what each wrote."""
    explorer.tree.value = 3

    for agent in ("route", "hotel", "food", "info"):
        assert f"{agent}_result, messages" in explorer.tasks.value


def test_difference_is_to_the_parent_or_to_a_chosen_step(explorer):
    """The difference is taken to the parent, and to any other step once it is chosen."""
    explorer.tree.value = 3
    to_parent = explorer.changes.value
    explorer.against.value = 3

    assert to_parent.startswith("8 changes")
    assert explorer.changes.value.startswith("0 changes")


def test_other_session_is_shown_when_chosen(explorer):
    """Choosing another session shows its chain."""
    explorer.session.value = "<b>bold</b>"

    assert explorer.chain.session_id == "<b>bold</b>"
    assert explorer.step == explorer.chain.at(-1)


def test_text_of_the_file_is_escaped(explorer):
    """What a traveller wrote never becomes HTML."""
    explorer.session.value = "<b>bold</b>"
    shown = explorer.head.value + explorer.tasks.value + explorer.state.value + explorer.changes.value

    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in explorer.state.value
    assert "<script>" not in shown


def test_damaged_step_is_told(path):
    """A step that cannot be read is named instead of shown, and the others stay open to choice."""
    with Lab.open(path) as lab:
        connection = lab.session("s").store.connection
        newest = lab.session("s").chain().at(-1).checkpoint_id
        connection.execute("UPDATE checkpoints SET checkpoint = x'c1' WHERE checkpoint_id = ?", (newest,))
        connection.commit()
    explorer = CheckpointExplorer(path, "s")

    assert "is unreadable" in explorer.head.value
    explorer.tree.value = 2
    assert "step 1, loop" in explorer.head.value
    explorer.file.close()


@pytest.mark.parametrize(("zone", "offset"), [("UTC", "+00:00"), ("Asia/Shanghai", "+08:00")])
def test_time_is_that_of_the_readers_clock(explorer, monkeypatch, zone, offset):
    """The moment of a step is shown in local time with its offset, the same moment in every zone."""
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        explorer.tree.value = 2
        shown = re.search(r"made (\S+ \S+)", explorer.head.value)[1]
    finally:
        monkeypatch.undo()
        time.tzset()

    assert shown.endswith(offset)
    assert datetime.fromisoformat(shown) == explorer.chain.at(2).created.replace(microsecond=0)
