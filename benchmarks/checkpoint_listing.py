"""Lists a long session with large states in a stock file: `python benchmarks/checkpoint_listing.py [STEPS] [KIB]`.

The file is written by LangGraph's own SqliteSaver running the articles' graph (supervisor, four agents by Send of the whole
state, aggregator); that turn's rows are then repeated under new ids until the session has STEPS steps (36,000 by default) with
states of about KIB KiB (10 by default). Nothing of it is made to be fast to read.
"""

import operator
import resource
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypedDict, TypeVar

from langgraph.checkpoint.base.id import uuid6
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import START, StateGraph
from langgraph.types import Send

from travel_lab.checkpoints import CheckpointFile

AGENTS = ("route", "hotel", "food", "info")
T = TypeVar("T")


class State(TypedDict):
    """The articles' state, cut down to what takes room."""

    messages: Annotated[list[str], operator.add]
    result: Annotated[list[str], operator.add]


def one_turn(path: Path, kib: int) -> None:
    """Five checkpoints of a stock saver, states of about `kib` KiB."""
    builder = StateGraph(State)
    builder.add_node("supervisor", lambda _state: {"messages": ["plan"]})
    builder.add_edge(START, "supervisor")
    builder.add_conditional_edges("supervisor", lambda state: [Send(name, state) for name in AGENTS], list(AGENTS))
    for name in AGENTS:
        builder.add_node(name, lambda _state: {"result": ["done"], "messages": ["done"]})
        builder.add_edge(name, "aggregator")
    builder.add_node("aggregator", lambda _state: {"messages": ["card"]})
    connection = sqlite3.connect(path, check_same_thread=False)
    given: Any = {"messages": ["x" * 1_000] * kib}
    builder.compile(checkpointer=SqliteSaver(connection)).invoke(given, {"configurable": {"thread_id": "long"}})
    connection.close()


def repeat(path: Path, steps: int) -> None:
    """Repeat the turn's rows under new ids, each turn after the one before."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA synchronous=OFF")
    checkpoints = connection.execute("SELECT * FROM checkpoints ORDER BY checkpoint_id").fetchall()
    writes = connection.execute("SELECT * FROM writes").fetchall()
    last = checkpoints[-1][2]
    for _ in range(steps // len(checkpoints) - 1):
        renamed = {row[2]: str(uuid6(clock_seq=1)) for row in checkpoints}
        for row in checkpoints:
            parent = renamed.get(row[3], last)
            connection.execute("INSERT INTO checkpoints VALUES (?,?,?,?,?,?,?)", (*row[:2], renamed[row[2]], parent, *row[4:]))
        connection.executemany(
            "INSERT INTO writes VALUES (?,?,?,?,?,?,?,?,?)", [(*row[:2], renamed[row[2]], *row[3:]) for row in writes]
        )
        last = renamed[checkpoints[-1][2]]
    connection.commit()
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


def timed(name: str, work: Callable[[], T]) -> T:
    """Do it, and print how long it took."""
    start = time.perf_counter()
    done = work()
    print(f"{name:46}{(time.perf_counter() - start) * 1000:12,.1f} ms")
    return done


def main(steps: int, kib: int) -> None:
    """Make the file, list it, open steps of it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "stock.db"
        one_turn(path, kib)
        repeat(path, steps)
        print(f"{steps:,} steps, {path.stat().st_size / 2**20:,.0f} MiB")
        with CheckpointFile.open(path) as file:
            timed("sessions listed", file.sessions)
            chain = timed("chain listed", lambda: file.chain("long"))
            timed("newest step opened", lambda: file.step(chain, chain.at(-1)))
            timed("step with pending sends opened", lambda: file.step(chain, chain.at(2)))
            timed("page of 50 opened", lambda: file.page(chain, 1_000, 50))
            timed("X-ray of a turn", lambda: file.xray(chain, -1))
        print(f"{len(chain.steps):,} steps listed; nodes of the fourth: {', '.join(chain.at(3).nodes)}")
        print(
            f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MiB, mapped pages of the file included"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 36_000, int(sys.argv[2]) if len(sys.argv) > 2 else 10)
