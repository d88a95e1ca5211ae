"""LangGraph's async saver is read like its file, from the event loop's own thread too."""

import asyncio
import sqlite3

import pytest
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from travel_lab.checkpoints import CheckpointFile, diff
from travel_lab.errors import BadInput

NODES = [(), (), ("route", "hotel", "food"), ("merge",)]


@pytest.fixture
def played(fan_graph, thread):
    """Runs `look` on the saver and the graph of one awaited turn, inside the event loop that made them."""

    def played(place, look):
        async def main():
            async with AsyncSqliteSaver.from_conn_string(str(place)) as saver:
                graph = fan_graph(saver)
                await graph.ainvoke({"notes": []}, thread("s"))
                found = look(saver, graph)
                return await found if asyncio.iscoroutine(found) else found

        return asyncio.run(main())

    return played


def nodes(source):
    with CheckpointFile.open(source) as file:
        return [step.nodes for step in file.chain("s").steps]


@pytest.mark.parametrize("place", ["lab.db", ":memory:"])
def test_saver_and_graph_are_read_in_the_loops_own_thread(played, tmp_path, place):
    """After an awaited turn, the next line of a notebook reads the chain without await, from the saver and from its graph."""
    place = place if place == ":memory:" else tmp_path / place

    assert played(place, lambda saver, graph: [nodes(saver), nodes(graph)]) == [NODES, NODES]


@pytest.mark.parametrize("place", ["lab.db", ":memory:"])
def test_it_is_read_in_another_thread(played, tmp_path, place):
    """A widget's callback in a thread of its own reads it as well."""
    place = place if place == ":memory:" else tmp_path / place

    assert played(place, lambda saver, _: asyncio.to_thread(nodes, saver)) == NODES


def test_its_file_is_named_and_shows_what_comes_later(played, tmp_path, thread):
    """Behind a file the reading is that of the file: its path, and the steps of a turn that follows."""

    async def look(saver, graph):
        with CheckpointFile.open(saver) as file:
            await graph.ainvoke({"notes": []}, thread("later"))
            return file.name, [row.session_id for row in file.sessions()]

    assert played(tmp_path / "lab.db", look) == (str(tmp_path / "lab.db"), ["later", "s"])


def test_its_file_is_only_read(played, tmp_path):
    """Nothing can be written through the reading."""

    def look(saver, _):
        with CheckpointFile.open(saver) as file, pytest.raises(sqlite3.OperationalError, match="readonly"):
            file.connection.execute("DELETE FROM checkpoints")

    played(tmp_path / "lab.db", look)


def test_a_database_in_memory_is_a_copy_and_says_so(played):
    """Without a file it is copied, states and all."""

    def look(saver, _):
        with CheckpointFile.open(saver) as file:
            before, after = (file.step(file.chain("s"), file.chain("s").at(at)) for at in (-2, -1))
            return file.notes, [change.path for change in diff(before.values, after.values)]

    notes, paths = played(":memory:", look)

    assert notes == ("AsyncSqliteSaver as it stood when it was opened; what it saves later is not here",)
    assert paths == ["answer"]


def test_a_closed_one_is_named(played, tmp_path):
    """After its block a saver has no connection, and the error says what to open instead."""
    saver = played(tmp_path / "lab.db", lambda saver, _: saver)

    with pytest.raises(BadInput, match=r"connection of this AsyncSqliteSaver is not open .* Open its file by path"):
        CheckpointFile.open(saver)
