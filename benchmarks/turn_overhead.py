"""What the framework costs on top of the model: `python benchmarks/turn_overhead.py`.

Two clients make the same calls with the same messages to the same server on this machine, which waits a fixed time and
answers from a recording: *bare*, the stock OpenAI client with threads, no framework and one SQLite row a message; and *ours*, the
whole planner with every checkpoint kept. They take turns, in one run. Overhead is the wall time less the critical path: the waits
of the calls that cannot run beside each other. Then: one to four agents beside each other and one after the other; and the
overhead of turn 200 over that of turn 10.
"""

import asyncio
import hashlib
import json
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from langchain_core.messages import BaseMessage
from openai import OpenAI

from travel_lab.chat_models.endpoint import Endpoint, connect
from travel_lab.chat_models.endpoint_model import EndpointModel
from travel_lab.lab import Lab
from travel_lab.tokens import text_of
from travel_lab.turn import Turn

PLAN, HOTEL = "帮我规划成都3天旅行，从深圳出发，预算5000", "把第二天的酒店换成便宜点的"
ROLES = {"system": "system", "human": "user", "ai": "assistant"}
STRATEGY = "digest"
ROUNDS = 15
KEY = "sk-none"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        turns = _played(200)
        book = Path(folder) / "book.json"
        book.write_text(
            json.dumps({_key(_asked(call.view)): call.reply for turn in turns for call in turn.calls}), encoding="utf-8"
        )
        for latency in (0.0, 0.2):
            with _server(book, latency) as url:
                _beside_bare(url, latency, turns, Path(folder))
                if latency:
                    _fan_out(url, latency, turns[0])
                else:
                    _long(url, Path(folder))


def _beside_bare(url: str, latency: float, turns: Sequence[Turn], folder: Path) -> None:
    ours, bare = [], []
    with Lab.open(folder / f"{latency}.db", model=_model(url), strategy=STRATEGY) as lab, closing(_Bare(url, folder)) as client:
        for _ in range(ROUNDS + 1):
            session = lab.session()
            ours.append(_time(lambda session=session: session.send(PLAN)))
            bare.append(_time(lambda: client.turn(turns[0])))
    critical = 2 * latency
    mine, theirs = median(ours[1:]) - critical, median(bare[1:]) - critical
    share = f"; wall / critical path {median(ours[1:]) / critical:.3f}" if critical else ""
    print(f"plan turn, 5 calls of {1e3 * latency:.0f} ms")
    print(f"  over the critical path: bare {1e3 * theirs:.1f} ms, ours {1e3 * mine:.1f} ms")
    print(f"  ours / bare {mine / theirs:.2f}{share}\n")


def _fan_out(url: str, latency: float, turn: Turn) -> None:
    print(f"agents  one after the other  beside each other   (ms, {1e3 * latency:.0f} ms a call, stock client)")
    client = OpenAI(base_url=url, api_key=KEY)
    views = [_asked(call.view) for call in turn.calls if call.agent != "supervisor"]
    for count in range(1, len(views) + 1):
        with ThreadPoolExecutor(count) as pool:
            after = median(_time(lambda: [_ask(client, view) for view in views[:count]]) for _ in range(5))  # noqa: B023 (called at once)
            beside = median(_time(lambda: list(pool.map(lambda view: _ask(client, view), views[:count]))) for _ in range(5))  # noqa: B023
        print(f"{count:6}{1e3 * after:21.0f}{1e3 * beside:19.0f}")


def _long(url: str, folder: Path) -> None:
    with Lab.open(folder / "long.db", model=_model(url), strategy=STRATEGY) as lab:
        session = lab.session()
        walls = [_time(lambda at=at: session.send(_words(at))) for at in range(200)]
    early, late = _around(walls, 10), _around(walls, 199)
    print(f"plan turns near turn 10 {1e3 * early:.1f} ms, near turn 200 {1e3 * late:.1f} ms, ratio {late / early:.2f}\n")


def _around(walls: Sequence[float], turn: int) -> float:
    """The median of the plan turns near a turn."""
    near = [at for at in range(len(walls)) if at % 2 == 0 and abs(at - turn) <= 8 and at > 1]
    return median(walls[at] for at in near)


def _words(at: int) -> str:
    return HOTEL if at % 2 else PLAN


def _played(count: int) -> list[Turn]:
    with Lab.open(strategy=STRATEGY) as lab:
        session = lab.session()
        return [session.send(_words(at)) for at in range(count)]


def _model(url: str) -> EndpointModel:
    return connect(Endpoint(model="recorded", base_url=url, forms=("plain",)))


class _Bare:
    """The same calls with nothing around them."""

    def __init__(self, url: str, folder: Path) -> None:
        self.client, self.pool = OpenAI(base_url=url, api_key=KEY), ThreadPoolExecutor(4)
        self.rows = sqlite3.connect(folder / f"bare-{time.monotonic_ns()}.db")
        self.rows.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; CREATE TABLE m(body TEXT)")

    def turn(self, turn: Turn) -> None:
        first, *rest = (_asked(call.view) for call in turn.calls)
        said = [_ask(self.client, first), *self.pool.map(lambda view: _ask(self.client, view), rest)]
        with self.rows:
            self.rows.executemany("INSERT INTO m VALUES (?)", [(text,) for text in said])

    def close(self) -> None:
        self.pool.shutdown()
        self.rows.close()


def _ask(client: OpenAI, view: Sequence[Mapping[str, str]]) -> str:
    return client.chat.completions.create(model="recorded", messages=view).choices[0].message.content  # type: ignore[arg-type]


def _asked(view: Sequence[BaseMessage]) -> list[dict[str, str]]:
    return [{"role": ROLES[message.type], "content": text_of(message)} for message in view]


def _key(messages: Sequence[Mapping[str, Any]]) -> str:
    said = [[message["role"], message["content"]] for message in messages]
    return hashlib.sha256(json.dumps(said, ensure_ascii=False).encode()).hexdigest()


def _time(run: Callable[[], object]) -> float:
    began = time.perf_counter()
    run()
    return time.perf_counter() - began


@contextmanager
def _server(book: Path, latency: float) -> Iterator[str]:
    process = subprocess.Popen([sys.executable, __file__, "--serve", str(book), str(latency)], stdout=subprocess.PIPE, text=True)
    try:
        yield f"http://127.0.0.1:{int(process.stdout.readline())}/v1"  # type: ignore[union-attr]
    finally:
        process.terminate()
        process.wait()


@dataclass
class _Recorded:
    """Answers from a book after a fixed wait; HTTP just as far as one client needs it."""

    book: Mapping[str, str]
    latency: float

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            try:
                head = await reader.readuntil(b"\r\n\r\n")
            except asyncio.IncompleteReadError:
                return  # the client has left
            length = next(int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length"))
            asked = json.loads(await reader.readexactly(length))
            await asyncio.sleep(self.latency)
            writer.write(_response(self.book[_key(asked["messages"])]))
            await writer.drain()


def _response(text: str) -> bytes:
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    said = {"id": "1", "object": "chat.completion", "created": 0, "model": "recorded", "choices": [choice], "usage": usage}
    body = json.dumps(said).encode()
    return b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)


async def _listen(recorded: _Recorded) -> None:
    server = await asyncio.start_server(recorded.serve, "127.0.0.1", 0, limit=2**24)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        asyncio.run(_listen(_Recorded(json.loads(Path(sys.argv[2]).read_text(encoding="utf-8")), float(sys.argv[3]))))
    else:
        main()
