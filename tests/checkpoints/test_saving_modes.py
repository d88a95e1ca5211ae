"""A parallel step that stops halfway, by an error or kill -9, in each of LangGraph's saving modes: what is kept, what is not."""

import operator
import os
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Annotated, TypedDict

import pytest
from langgraph.errors import EmptyInputError
from langgraph.graph import START, StateGraph

from travel_lab.checkpoints import CheckpointFile, CompactSaver

SECONDS = 60.0
THREAD = {"configurable": {"thread_id": "s"}}


class Notes(TypedDict):
    notes: Annotated[list[str], operator.add]


def graph_on(connection, calls, hangs):
    """Route, hotel and food side by side; `hangs` does not return."""

    def node(name):
        def work(_):
            calls(name)
            if name == hangs:
                time.sleep(SECONDS)
            return {"notes": [name]}

        return work

    builder = StateGraph(Notes)
    for name in ("route", "hotel", "food"):
        builder.add_node(name, node(name))
        builder.add_edge(START, name)
    return builder.compile(checkpointer=CompactSaver(connection))


def play(path, mode):
    """The child's part: a run that never ends, its calls told on standard output."""
    connection = sqlite3.connect(path, check_same_thread=False)
    graph = graph_on(connection, lambda name: os.write(1, f"{name}\n".encode()), "food")
    graph.invoke({"notes": []}, THREAD, durability=mode)


@pytest.fixture
def killed(tmp_path):
    """The file that a process left which was killed while food was at work and route and hotel were done."""

    def killed(mode):
        path = tmp_path / f"{mode}.db"
        command = [sys.executable, __file__, str(path), mode]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert {process.stdout.readline().strip() for _ in range(3)} == {"route", "hotel", "food"}
                if mode != "exit":
                    wait_for_two(path)
            finally:
                process.kill()
        return path

    return killed


def wait_for_two(path):
    """Until what route and hotel wrote is stored, and the step it belongs to: LangGraph stores the two side by side."""
    end = time.monotonic() + SECONDS
    count = (
        "SELECT count(*) FROM writes JOIN checkpoints USING (thread_id, checkpoint_ns, checkpoint_id) "
        "WHERE channel = 'notes' AND (task_path LIKE '%, route' OR task_path LIKE '%, hotel')"
    )
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as reader:
        while reader.execute(count).fetchone()[0] < 2:
            assert time.monotonic() < end, "route and hotel were not stored"
            time.sleep(0.01)


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_finished_siblings_of_a_failed_node_do_not_run_again(tmp_path, mode):
    """Food fails once, with route and hotel stored: resumed, it alone runs, and the record shows it failed and done."""
    path, calls = tmp_path / "lab.db", []

    def call(name):
        calls.append(name)
        if name == "food" and calls.count("food") == 1:
            wait_for_two(path)
            raise RuntimeError("food is down")

    with closing(sqlite3.connect(path, check_same_thread=False)) as connection:
        graph = graph_on(connection, call, None)
        with pytest.raises(RuntimeError, match="food is down"):
            graph.invoke({"notes": []}, THREAD, durability=mode)
        after = graph.invoke(None, THREAD, durability=mode)
        with CheckpointFile.open(graph) as file:
            tasks = {task.node: task for task in file.chain("s").steps[-1].tasks}

    assert (sorted(calls), sorted(after["notes"])) == (["food", "food", "hotel", "route"], ["food", "hotel", "route"])
    assert {name: (bool(task.error), task.finished) for name, task in tasks.items()} == {
        "route": (False, True),
        "hotel": (False, True),
        "food": (True, True),
    }


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_finished_siblings_of_a_killed_step_do_not_run_again(killed, mode):
    """Reopened and resumed, only the node that was at work is called, and every note is there once."""
    calls = []
    with closing(sqlite3.connect(killed(mode), check_same_thread=False)) as connection:
        after = graph_on(connection, calls.append, None).invoke(None, THREAD)

    assert calls == ["food"]
    assert sorted(after["notes"]) == ["food", "hotel", "route"]


def test_saved_at_the_end_a_killed_run_is_lost_whole(killed):
    """With `durability="exit"`, which the lab does not use, nothing is in the file, and there is nothing to resume."""
    path = killed("exit")
    with closing(sqlite3.connect(path, check_same_thread=False)) as connection:
        graph = graph_on(connection, [].append, None)
        with pytest.raises(EmptyInputError):
            graph.invoke(None, THREAD)
        with CheckpointFile.open(graph) as file:
            assert file.sessions() == ()


if __name__ == "__main__":
    play(Path(sys.argv[1]), sys.argv[2])
