"""Several writers on one session and on one file: `python benchmarks/checkpoint_concurrency.py`.

Six threads send one message each, then two processes send three each, once through a lab and once through LangGraph's own saver
on the same planner. The table counts the messages of the session at the end; twelve were sent and answered.
"""

import multiprocessing
import sqlite3
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from langgraph.checkpoint.sqlite import SqliteSaver

from travel_lab.lab import Lab
from travel_lab.planner import STRATEGIES, PlannerContext, build_graph, offline_model

WRITERS = 6
Send = Callable[[str, list[int]], None]


def by_lab(path: str, numbers: list[int]) -> None:
    """Send messages through a lab."""
    with Lab.open(path) as lab:
        for number in numbers:
            lab.session("s").send(f"hello {number}")


def by_stock(path: str, numbers: list[int]) -> None:
    """Send messages to the same graph on LangGraph's own saver."""
    connection = sqlite3.connect(path, check_same_thread=False)
    graph = build_graph(SqliteSaver(connection))
    context = PlannerContext(model=offline_model(), strategy=STRATEGIES["full/own"])
    for number in numbers:
        given: Any = {"user_input": f"hello {number}"}
        graph.invoke(given, {"configurable": {"thread_id": "s"}}, context=context)
    connection.close()


def messages(path: Path) -> int:
    """Messages of the session at the end."""
    with Lab.open(path) as lab:
        return len(lab.session("s").state()["messages"])


def main() -> None:
    """Run each case on a new file and print the table."""
    print(f"{'writers':34}{'through':12}{'sent + answered':>16}{'kept':>8}{'seconds':>10}")
    spawn = multiprocessing.get_context("spawn")
    for name, pool, parts in (
        ("6 threads, a message each", lambda: ThreadPoolExecutor(WRITERS), [[n] for n in range(WRITERS)]),
        ("2 processes, 3 messages each", lambda: ProcessPoolExecutor(2, mp_context=spawn), [[0, 1, 2], [3, 4, 5]]),
    ):
        for through, send in (("the lab", by_lab), ("SqliteSaver", by_stock)):
            with tempfile.TemporaryDirectory() as folder, pool() as workers:
                path = Path(folder) / "lab.db"
                send(str(path), [])
                start = time.perf_counter()
                list(workers.map(send, [str(path)] * len(parts), parts))
                seconds = time.perf_counter() - start
                print(f"{name:34}{through:12}{2 * WRITERS:16}{messages(path):8}{seconds:10.2f}")


if __name__ == "__main__":
    main()
