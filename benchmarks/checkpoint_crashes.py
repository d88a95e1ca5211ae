"""Kills a planner in the middle of a turn, at random points, and resumes it: `python benchmarks/checkpoint_crashes.py [TRIALS]`.

Each trial plays one turn in a process of its own, kills it with SIGKILL after a random time, opens the file and calls
`session.resume()`. The table counts the trials by the supersteps that were stored at the kill, and what went wrong in them. The
children are forked from one process that has everything imported, so that a trial takes a fraction of a second.
"""

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.messages import BaseMessage
from langchain_core.outputs import ChatResult

from travel_lab.chat_models import OfflineChatModel
from travel_lab.checkpoints import open_step
from travel_lab.errors import UnfinishedTurn
from travel_lab.events import AgentStarted, Event
from travel_lab.lab import Lab
from travel_lab.planner import offline_model
from travel_lab.session import Session

TEXT = "帮我规划成都3天旅行，预算5000"
AGENTS = ("route", "hotel", "food", "info")
LONGEST = 0.16
"""Seconds after the start within which the kill falls; the turn below takes about 0.12 s."""


class SlowModel(OfflineChatModel):
    """The offline model with a wait before each answer, so that a kill has something to hit."""

    seed: int = 0

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        # Another wait for each agent, the same for the same seed.
        time.sleep(random.Random(f"{self.seed} {messages[0].content}").uniform(0.0, 0.06))  # noqa: S311 (no secret)
        return super()._generate(messages, stop, run_manager, **kwargs)


@dataclass(frozen=True, kw_only=True)
class Trial:
    """One kill and what came after it."""

    stored: str
    """How far the turn was stored when the process died."""
    committed: tuple[str, ...]
    """Agents whose writes were stored in the step that was cut off."""
    ran_again: tuple[str, ...]
    """Those of them that ran again; empty when all is right."""
    second_copy_refused: bool
    """Whether the same message was refused while the turn was unfinished; True as well when there was nothing to refuse."""
    equal: bool
    """Whether the final state equals that of a turn nobody killed: no message and no result doubled or lost."""


def play(path: str, seed: int) -> None:
    """One turn with a slow model; what the child does until it is killed."""
    model = SlowModel(rules=offline_model().rules, seed=seed)
    with Lab.open(path, model=model) as lab:
        os.write(1, b"r")
        lab.session("s").send(TEXT)


def serve() -> None:
    """Fork a child for each line `SEED PATH`, say its number, and take it back when it is gone."""
    undisturbed()  # loads the tokenizer and all that a first turn loads
    for line in sys.stdin:
        seed, path = line.rstrip("\n").split(" ", 1)
        child = os.fork()
        if child == 0:
            play(path, int(seed))
            os._exit(0)
        os.write(1, f" {child} ".encode())
        os.waitpid(child, 0)
        os.write(1, b"g")


@contextmanager
def children() -> Iterator[subprocess.Popen[bytes]]:
    """The process that children are forked from."""
    command = [sys.executable, __file__, "--serve"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        try:
            yield server
        finally:
            server.stdin.close()  # type: ignore[union-attr]
            server.wait(timeout=30)


def kill_one(server: subprocess.Popen[bytes], path: Path, seed: int) -> None:
    """Start a turn and kill it at a point the seed chooses."""
    wait = random.Random(seed).uniform(0.0, LONGEST)  # noqa: S311 (no secret)
    server.stdin.write(f"{seed} {path}\n".encode())  # type: ignore[union-attr]
    server.stdin.flush()  # type: ignore[union-attr]
    said = b""
    while b"r" not in said or said.count(b" ") < 2:
        said += os.read(server.stdout.fileno(), 1)  # type: ignore[union-attr]
    time.sleep(wait)
    with suppress(ProcessLookupError):  # the turn was done before
        os.kill(int(said.replace(b"r", b"").replace(b"g", b"").strip()), signal.SIGKILL)
    while b"g" not in said:
        said += os.read(server.stdout.fileno(), 1)  # type: ignore[union-attr]


def trial(server: subprocess.Popen[bytes], path: Path, seed: int, reference: object) -> Trial:
    """Kill a turn and resume it.

    Args:
        server: See `children`.
        path: A new database file.
        seed: Chooses the waits of the agents and the point of the kill.
        reference: The state after a turn nobody killed.
    """
    kill_one(server, path, seed)
    started: list[str] = []

    def note(event: Event) -> None:
        if isinstance(event, AgentStarted):
            started.append(event.agent)

    with Lab.open(path) as lab:
        session = lab.session("s")
        steps = session.chain().steps
        stored = _stored([step.nodes for step in steps])
        committed = tuple(task.node for task in steps[-1].pending if task.finished) if steps else ()
        head = open_step(session.store.connection, session.chain(), steps[-1]) if steps else None
        refused = True
        if head is None:
            session.send(TEXT)
        elif head.next:
            refused = _second_copy_is_refused(session)
            session.resume(watch=note)
        return Trial(
            stored=stored,
            committed=committed,
            ran_again=tuple(agent for agent in committed if agent in started),
            second_copy_refused=refused,
            equal=session.state() == reference,
        )


def _second_copy_is_refused(session: Session) -> bool:
    try:
        session.send(TEXT)
    except UnfinishedTurn:
        return True
    return False


def _stored(nodes: list[tuple[str, ...]]) -> str:
    if not nodes:
        return "nothing"
    last = nodes[-1]
    return "the input" if not last else "the specialists" if set(last) & set(AGENTS) else f"the {last[0]}"


def undisturbed() -> object:
    """The state after the turn when nobody kills it."""
    with Lab.open() as lab:
        session = lab.session("s")
        session.send(TEXT)
        return session.state()


def main(trials: int) -> None:
    """Run the trials and print the table."""
    reference = undisturbed()
    rows: dict[str, Counter[str]] = {}
    with tempfile.TemporaryDirectory() as folder, children() as server:
        for seed in range(trials):
            done = trial(server, Path(folder) / f"{seed}.db", seed, reference)
            row = rows.setdefault(done.stored, Counter())
            row["trials"] += 1
            row["committed"] += len(done.committed)
            row["ran again"] += len(done.ran_again)
            row["second copy taken"] += not done.second_copy_refused
            row["other state"] += not done.equal
    columns = ("trials", "committed", "ran again", "second copy taken", "other state")
    print(f"{'last step stored at the kill':30}" + "".join(f"{column:>20}" for column in columns))
    for name in ("nothing", "the input", "the supervisor", "the specialists", "the aggregator"):
        if name in rows:
            print(f"{name:30}" + "".join(f"{rows[name][column]:20}" for column in columns))
    total = sum(rows.values(), Counter[str]())
    print(f"{'all':30}" + "".join(f"{total[column]:20}" for column in columns))
    print("committed: tasks of the cut-off step whose writes were stored; ran again: those of them that resume() ran again.")


if __name__ == "__main__":
    if sys.argv[1:] == ["--serve"]:
        serve()
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 40)
