"""How a store grows, and how fast it reads back: LangGraph's SqliteSaver beside ours, the graph unchanged.

Usage, from the project's folder:

    python benchmarks/store_growth.py --workload ../shared/prototypes/workload --turns 10 50 200
    python benchmarks/store_growth.py --planner --turns 10 50 200

The workload is a folder with `langgraph_seed.py` (`build_graph(llm, checkpointer)`), `common.py` (`turn_text`) and
`fakellm.py`, an OpenAI-compatible server on this machine, which needs aiohttp. `--planner` plays the same two-turn script
through our own planner with the offline model instead. Each store writes the same turns in one process, turn by turn side
by side; each reading is done in a fresh process.
"""

import argparse
import json
import math
import os
import resource
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite import SqliteSaver

from travel_lab.catalogue import CuratedProvider
from travel_lab.checkpoints.saver import CompactSaver
from travel_lab.clock import Clock
from travel_lab.planner import STRATEGIES, PlannerContext, build_graph, offline_model
from travel_lab.retry import RetryPolicy

SAVERS = {"stock": SqliteSaver, "ours": CompactSaver}
CONFIG: Any = {"configurable": {"thread_id": "sess_1"}}
RESET = {"messages": [], "final_result": "", **{f"{role}_result": "" for role in ("route", "hotel", "food", "info")}}
SCRIPT = ("帮我规划成都3天旅行,从深圳出发,预算5000", "把第二天的酒店换成便宜点的")
Play = Callable[[int], None]


def open_saver(name: str, folder: Path) -> SqliteSaver:
    connection = sqlite3.connect(folder / f"{name}.db", check_same_thread=False)
    saver = SAVERS[name](connection, serde=JsonPlusSerializer(allowed_msgpack_modules=[]))
    saver.setup()
    return saver


def workload_graph(saver: SqliteSaver, url: str) -> tuple[Any, Play]:
    from common import API_KEY, MODEL, turn_text  # noqa: PLC0415 (found through --workload)
    from langchain_openai import ChatOpenAI  # noqa: PLC0415
    from langgraph_seed import build_graph as seed_graph  # noqa: PLC0415

    graph = seed_graph(ChatOpenAI(model=MODEL, base_url=url, api_key=API_KEY), saver)
    return graph, lambda turn: graph.invoke({"user_input": turn_text(turn), **RESET}, CONFIG)


def planner_graph(saver: SqliteSaver) -> tuple[Any, Play]:
    graph = build_graph(saver)
    context = PlannerContext(
        model=offline_model(), strategy=STRATEGIES["full/own"], provider=CuratedProvider(), retry=RetryPolicy(), clock=Clock()
    )
    return graph, lambda turn: graph.invoke({"user_input": SCRIPT[(turn + 1) % 2]}, CONFIG, context=context)


@contextmanager
def model_server(workload: Path) -> Iterator[str]:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen([sys.executable, str(workload / "fakellm.py"), "--port", str(port)])
    try:
        for _ in range(100):
            with closing(socket.socket()) as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait()


def timed(work: Callable[[], Any]) -> float:
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000


def resident_mib() -> float:
    """Memory this process holds now (Linux)."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 2**20


def size_kib(saver: SqliteSaver, folder: Path, name: str) -> float:
    saver.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return (folder / f"{name}.db").stat().st_size / 1024


def order(small: tuple[int, float], large: tuple[int, float]) -> float:
    return math.log(large[1] / small[1]) / math.log(large[0] / small[0])


def write(folder: Path, marks: list[int], workload: Path | None) -> dict[str, Any]:
    """Play all turns into both stores; sizes and times at the marks."""
    savers = {name: open_saver(name, folder) for name in SAVERS}
    seen: dict[str, Any] = {name: {"kib": {}, "ms": [], "get_state": {}} for name in SAVERS}

    def run(url: str) -> None:
        played = {}
        for name, saver in savers.items():
            played[name] = workload_graph(saver, f"{url}/r/{name}/v1") if workload else planner_graph(saver)
        for turn in range(1, max(marks) + 1):
            for name, (graph, play) in played.items():
                seen[name]["ms"].append(timed(lambda play=play, turn=turn: play(turn)))
                if turn in marks:
                    seen[name]["kib"][turn] = size_kib(savers[name], folder, name)
                    seen[name]["get_state"][turn] = median(timed(lambda graph=graph: graph.get_state(CONFIG)) for _ in range(9))

    if workload:
        with model_server(workload) as url:
            for name in SAVERS:
                urllib.request.urlopen(
                    urllib.request.Request(f"{url}/admin/run/{name}", b"{}", {"Content-Type": "application/json"})
                ).read()
            run(url)
    else:
        run("")
    for saver in savers.values():
        saver.conn.close()
    return seen


def read(name: str, folder: Path, workload: Path | None) -> None:
    """In a fresh process: what it costs to read everything back; printed as JSON."""
    saver = open_saver(name, folder)
    graph, _ = workload_graph(saver, "http://127.0.0.1:9/v1") if workload else planner_graph(saver)
    graph.get_state({"configurable": {"thread_id": "nobody"}})
    listed = timed(
        lambda: saver.conn.execute(
            "SELECT checkpoint_id, CAST(metadata AS TEXT) FROM checkpoints WHERE thread_id = 'sess_1' ORDER BY checkpoint_id"
        ).fetchall()
    )
    first, second = (timed(lambda: graph.get_state(CONFIG)) for _ in range(2))
    before = resident_mib()
    history: list[Any] = []
    took = timed(lambda: history.extend(graph.get_state_history(CONFIG)))
    row = {"steps": len(history), "history_ms": took, "more_mib": resident_mib() - before, "list_ms": listed}
    print(json.dumps({**row, "first_ms": first, "second_ms": second}))


def read_all(folder: Path, arguments: list[str]) -> dict[str, Any]:
    found = {}
    for name in SAVERS:
        command = [sys.executable, __file__, *arguments, "--read", name, "--folder", str(folder)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        found[name] = json.loads(done.stdout.splitlines()[-1])
    return found


def report(marks: list[int], seen: dict[str, Any], reading: dict[str, Any]) -> None:
    head = "| | " + " | ".join(f"KiB after {turn}" for turn in marks)
    print(f"{head} | order | KiB/turn, last stretch | ms/turn, turns 6-15 | last 10 | get_state ms at {marks} |")
    print("|---" * (len(marks) + 6) + "|")
    for name, row in seen.items():
        kib = row["kib"]
        small, large = marks[-2], marks[-1]
        cells = [f"{kib[turn]:,.0f}" for turn in marks]
        cells.append(f"{order((small, kib[small]), (large, kib[large])):.2f}")
        cells.append(f"{(kib[large] - kib[small]) / (large - small):,.1f}")
        cells += [f"{median(row['ms'][5:15]):.1f}", f"{median(row['ms'][-10:]):.1f}"]
        cells.append(" / ".join(f"{row['get_state'][turn]:.2f}" for turn in marks))
        print(f"| {name} | " + " | ".join(cells) + " |")
    last = marks[-1]
    print(f"\nStock / ours after {last} turns: {seen['stock']['kib'][last] / seen['ours']['kib'][last]:.0f}x\n")
    columns = ("steps", "ids and metadata, ms", "full history, ms", "more memory, MiB", "get_state first / next, ms")
    print("| reading, a fresh process each | " + " | ".join(columns) + " |")
    print("|---|---|---|---|---|---|")
    for name, row in reading.items():
        print(
            f"| {name} | {row['steps']} | {row['list_ms']:.1f} | {row['history_ms']:,.0f} | {row['more_mib']:,.0f} "
            f"| {row['first_ms']:.1f} / {row['second_ms']:.2f} |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workload", type=Path, default=Path("../shared/prototypes/workload"))
    parser.add_argument("--planner", action="store_true")
    parser.add_argument("--turns", type=int, nargs="+", default=[10, 50, 200])
    parser.add_argument("--read", choices=list(SAVERS), help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    workload = None if options.planner else options.workload.resolve()
    if workload:
        if not (workload / "langgraph_seed.py").is_file():
            parser.error(f"no workload in {workload}; give --workload, or --planner")
        sys.path.insert(0, str(workload))
    if options.read:
        read(options.read, options.folder, workload)
        return
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as folder:
        marks = sorted(options.turns)
        seen = write(Path(folder), marks, workload)
        arguments = ["--planner"] if options.planner else ["--workload", str(workload)]
        report(marks, seen, read_all(Path(folder), arguments))


if __name__ == "__main__":
    main()
