"""The audit of a file beside reading its history: `python benchmarks/audit_speed.py [TURNS ...]`.

Planner turns of the default strategy are written by LangGraph's own SqliteSaver, about five checkpoints a turn. Then, each in a
fresh process and in turn: `list(graph.get_state_history(...))`, and `audit_file`. Prints the median seconds of three and the most
memory each took beyond what it had before, MiB.
"""

import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from statistics import median
from typing import Self

from langgraph.checkpoint.sqlite import SqliteSaver

from travel_lab.evaluation import audit_file
from travel_lab.planner import STRATEGIES, PlannerContext, PlannerState, build_graph, offline_model
from travel_lab.tokens import DEEPSEEK

TURNS = (50, 100, 200)
WORDS = ("帮我规划成都3天旅行，预算5000", "把第二天的酒店换成便宜点的")
CONFIG = {"configurable": {"thread_id": "long"}}
ROUNDS = 3


def main(turns: tuple[int, ...]) -> None:
    """Write, read twice, print."""
    print(f"{'steps':>6}{'history s':>11}{'MiB':>7}{'audit s':>9}{'MiB':>7}{'ratio':>7}")
    with tempfile.TemporaryDirectory() as folder:
        for count in turns:
            path = Path(folder) / f"{count}.db"
            steps = _written(path, count)
            found = {what: [_apart(what, path) for _ in range(ROUNDS)] for what in ("history", "audit")}
            (slow, much), (fast, little) = ((median(s for s, _ in runs), max(m for _, m in runs)) for runs in found.values())
            print(f"{steps:6}{slow:11.2f}{much:7.0f}{fast:9.2f}{little:7.0f}{slow / fast:7.1f}")


def _written(path: Path, turns: int) -> int:
    with SqliteSaver.from_conn_string(str(path)) as saver:
        graph = build_graph(saver)
        context = PlannerContext(model=offline_model(), strategy=STRATEGIES["full/own"])
        for at in range(turns):
            graph.invoke(PlannerState(user_input=WORDS[at % 2]), CONFIG, context=context)
        return int(saver.conn.execute("SELECT COUNT(*) FROM checkpoints").fetchone()[0])


def _apart(what: str, path: Path) -> tuple[float, float]:
    """Seconds and MiB of one reading in a process of its own."""
    done = subprocess.run([sys.executable, __file__, what, str(path)], capture_output=True, text=True, check=True)
    seconds, mib = done.stdout.split()
    return float(seconds), float(mib)


def _read(what: str, path: str) -> None:
    graph = build_graph(SqliteSaver(sqlite3.connect(path, check_same_thread=False)))
    DEEPSEEK.text("the vocabulary takes half a second to load, once a process")
    with _Memory() as memory:
        began = time.perf_counter()
        if what == "history":
            list(graph.get_state_history(CONFIG))
        else:
            audit_file(path)
        seconds = time.perf_counter() - began
    print(seconds, memory.more)


class _Memory(threading.Thread):
    """The most memory of its own a process had, beyond what it had before; pages of a mapped file are the system's."""

    def __enter__(self) -> Self:
        self.before = self.peak = self._own()
        self.ended = threading.Event()
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.ended.set()
        self.join()

    def run(self) -> None:
        while not self.ended.wait(0.01):
            self.peak = max(self.peak, self._own())

    @property
    def more(self) -> float:
        return (self.peak - self.before) / 1024

    def _own(self) -> int:
        status = Path("/proc/self/status").read_text(encoding="ascii")
        return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("RssAnon"))


if __name__ == "__main__":
    if sys.argv[1:2] and not sys.argv[1].isdigit():
        _read(*sys.argv[1:3])
    else:
        main(tuple(map(int, sys.argv[1:])) or TURNS)
