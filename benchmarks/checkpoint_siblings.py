"""Agents that run again although they had finished: `python benchmarks/checkpoint_siblings.py [RUNS]`.

One of four parallel nodes fails once, and the run is resumed. LangGraph stores what each finished node wrote, so only the failed
one should run again; but when it fails at the moment a sibling finishes, the sibling's writes can miss the store, and it runs a
second time. The table counts the runs in which that happened: four nodes that end at one moment, on LangGraph's own savers and on
the lab's, and the planner, whose agents wait for each other before they fail (`travel_lab.checkpoints.siblings`). How often
depends on the machine and on what else it does.
"""

import logging
import operator
import sqlite3
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypedDict

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import START, StateGraph

from travel_lab.chat_models import Fault, FaultyModel, Schedule
from travel_lab.checkpoints import CompactSaver
from travel_lab.errors import AgentFailed
from travel_lab.lab import Lab
from travel_lab.planner import offline_model
from travel_lab.retry import RetryPolicy

RUNS = 60
NODES = ("a", "b", "c", "d")


class Notes(TypedDict):
    """What the four nodes write to."""

    notes: Annotated[list[str], operator.add]


def stock_graph(saver: BaseCheckpointSaver[Any]) -> bool:
    """Whether a finished node ran again after `d` had failed once."""
    calls: list[str] = []
    together = threading.Barrier(len(NODES))

    def node(name: str) -> Callable[[Notes], Notes]:
        def work(_: Notes) -> Notes:
            calls.append(name)
            if calls.count(name) == 1:
                together.wait()
                if name == "d":
                    raise ValueError(name)
            return {"notes": [name]}

        return work

    builder = StateGraph(Notes)
    for name in NODES:
        builder.add_node(name, node(name))
        builder.add_edge(START, name)
    graph = builder.compile(checkpointer=saver)
    config: Any = {"configurable": {"thread_id": "s"}}
    try:
        graph.invoke({"notes": []}, config)
    except ValueError:
        graph.invoke(None, config)
    return any(calls.count(name) > 1 for name in NODES if name != "d")


def on_sqlite(kind: Callable[[sqlite3.Connection], BaseCheckpointSaver[Any]]) -> Callable[[Path], bool]:
    """The stock graph on a saver with a file of its own."""

    def run(folder: Path) -> bool:
        connection = sqlite3.connect(folder / "lab.db", check_same_thread=False)
        try:
            return stock_graph(kind(connection))
        finally:
            connection.close()

    return run


def planner(folder: Path) -> bool:
    """Whether an agent ran again after info had failed once."""
    fault = Fault(kind="bad request", on="info agent", times=1)
    model = FaultyModel(inner=offline_model(), schedule=Schedule([fault]), sleep=time.sleep)
    with Lab.open(folder / "lab.db", model=model, retry=RetryPolicy(attempts=1)) as lab:
        session = lab.session("s")
        try:
            session.send("帮我规划成都3天旅行")
        except AgentFailed:
            return session.resume().agents != ("info",)
    raise RuntimeError("The info agent did not fail.")


CASES: dict[tuple[str, str], Callable[[Path], bool]] = {
    ("4 nodes at once", "InMemorySaver"): lambda _: stock_graph(InMemorySaver()),
    ("4 nodes at once", "SqliteSaver"): on_sqlite(SqliteSaver),
    ("4 nodes at once", "CompactSaver"): on_sqlite(CompactSaver),
    ("the planner", "the lab"): planner,
}


def main() -> None:
    """Run each case on new files and print the table."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else RUNS
    logging.disable(logging.CRITICAL)  # LangGraph logs each write that is lost
    print(f"{'graph':18}{'saver':16}{'runs':>6}{'a finished one ran again':>28}{'seconds':>10}")
    for (graph, saver), again in CASES.items():
        start, lost = time.perf_counter(), 0
        for _ in range(runs):
            with tempfile.TemporaryDirectory() as folder:
                lost += again(Path(folder))
        print(f"{graph:18}{saver:16}{runs:6}{lost:28}{time.perf_counter() - start:10.1f}")


if __name__ == "__main__":
    main()
