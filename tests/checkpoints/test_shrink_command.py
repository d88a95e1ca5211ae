"""`travel-lab shrink` from the outside."""

import sqlite3
from typing import TypedDict

import pytest
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import START, StateGraph

from travel_lab.cli import main


@pytest.fixture
def stock(tmp_path):
    """A stock file whose three turns repeat one long text."""

    class State(TypedDict):
        text: str

    saver = SqliteSaver(sqlite3.connect(tmp_path / "stock.db", check_same_thread=False))
    graph = StateGraph(State)
    graph.add_node("say", lambda state: {"text": state["text"]})
    graph.add_edge(START, "say")
    compiled = graph.compile(checkpointer=saver)
    for _ in range(3):
        compiled.invoke({"text": "".join(chr(33 + at * at % 90) for at in range(40_000))}, {"configurable": {"thread_id": "s"}})
    saver.conn.close()
    return tmp_path / "stock.db"


def test_dry_run_says_what_is_where_and_what_is_saved(stock, tmp_path, capsys):
    """Without a target: a line for each kind of content, the two sizes, and no new file."""
    assert main(["shrink", str(stock)]) == 0
    said = capsys.readouterr().out

    assert "other fields in checkpoints" in said
    assert "9 steps" in said
    assert "Dry run: nothing was kept." in said
    assert [child.name for child in tmp_path.iterdir()] == ["stock.db"]


def test_there_and_back(stock, tmp_path, capsys):
    """With a target the file is written, and `--back` writes one that LangGraph reads."""
    small, back = str(tmp_path / "small.db"), str(tmp_path / "back.db")
    assert main(["shrink", str(stock), small]) == 0
    assert main(["shrink", "--back", small, back]) == 0

    assert f"Written to {back}." in capsys.readouterr().out.replace("\n", "")
    saver = SqliteSaver(sqlite3.connect(back))
    assert len(list(saver.list(None))) == 9
    saver.conn.close()


def test_missing_file_is_a_named_error(tmp_path, capsys):
    """Exit code 1 and one line; nothing is created."""
    assert main(["shrink", str(tmp_path / "no.db")]) == 1

    assert "No database at" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_way_back_needs_a_target(stock, capsys):
    """`--back` alone is a wrong command line."""
    with pytest.raises(SystemExit, match="2"):
        main(["shrink", "--back", str(stock)])

    assert "--back needs a target" in capsys.readouterr().err


@pytest.mark.parametrize("back", [[], ["--back"]], ids=["shrink", "back"])
def test_blank_target_is_a_named_error(stock, tmp_path, capsys, back):
    """A blank target is called one, and nothing is created."""
    assert main(["shrink", *back, str(stock), ""]) == 1

    assert "The database path is blank." in capsys.readouterr().err
    assert [child.name for child in tmp_path.iterdir()] == ["stock.db"]
