"""How long an evaluation takes, by cases, by turns and by processes: `python benchmarks/evaluation_speed.py`.

All figures of one run. One process is pinned to a core, because one that is not wanders between cores and looks slower than
it is.
"""

import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial

from travel_lab.context import NewestWithin, Strategy
from travel_lab.data_files import data_path
from travel_lab.evaluation import Case, Conversation, Exchange, Probe, Transcripts, evaluate, read_cases
from travel_lab.planner import MORE_STRATEGIES, STRATEGIES
from travel_lab.planner_app import PlannerApp

KNOWN = {**STRATEGIES, **MORE_STRATEGIES}
HANDOFFS = [replace(KNOWN[name], trimming=NewestWithin()) for name in ("silent", "summary/own", "packed", "full/own")]
BUDGETS = (100, 200, 400, 800, 1_600, 3_200)
ROUNDS = 3


def main() -> None:
    cases = [case for language in ("zh", "en") for case in read_cases(data_path(f"cases/{language}.jsonl"))]
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, cores[:1])
    evaluate(PlannerApp(), cases[:2], HANDOFFS, budgets=BUDGETS)
    print("cases  probes   cells  seconds  ms a probe   (one pinned process, 4 handoffs × 6 budgets)")
    for count in (16, 32, 64):
        _say(_spread(cases, count))
    turns = (10, 20, 40, 80)
    print("\nturns  ms a probe  µs a turn   (a corpus of 20 conversations, one probe at the end of each)")
    for length in turns:
        took = min(_time(partial(_long, length, round_)) for round_ in range(ROUNDS)) / 20
        print(f"{length:5} {1e3 * took:11.2f} {1e6 * took / length:10.0f}")
    subset = _spread(cases, 64)
    one = _time(lambda: evaluate(PlannerApp(), subset, HANDOFFS, budgets=BUDGETS))
    os.sched_setaffinity(0, cores)
    with ProcessPoolExecutor(2) as executor:
        evaluate(PlannerApp(), cases[:2], HANDOFFS, executor=executor)
        two = _time(lambda: evaluate(PlannerApp(), subset, HANDOFFS, budgets=BUDGETS, executor=executor))
    print(f"\n64 cases: one pinned process {one:.1f} s, two processes {two:.1f} s, ratio {one / two:.2f}")


def _say(cases: Sequence[Case]) -> None:
    began = time.perf_counter()
    rows = len(evaluate(PlannerApp(), cases, HANDOFFS, budgets=BUDGETS).rows)
    took, probes = time.perf_counter() - began, sum(len(case.probes) for case in cases)
    print(f"{len(cases):5} {probes:7} {rows:7} {took:8.1f} {1e3 * took / probes:11.1f}")


def _spread(cases: Sequence[Case], count: int) -> list[Case]:
    """So many cases, spread over all."""
    return [cases[at * len(cases) // count] for at in range(count)]


def _long(turns: int, fresh: int) -> None:
    """Conversations of so many turns, each with a result of its own that no round before has seen."""
    cases = [
        Case(
            case_id=f"long-{turns}-{fresh}-{number}",
            language="en",
            split="open",
            turns=("more hotels",) * turns,
            probes=(
                Probe(
                    probe_id=f"p-{turns}-{fresh}-{number}",
                    kind="price",
                    words="how much?",
                    after=turns,
                    calls=("assistant",),
                    needed=(),
                    gold=(),
                ),
            ),
        )
        for number in range(20)
    ]
    played = {case.case_id: Conversation(case_id=case.case_id, language="en", exchanges=_exchanges(case)) for case in cases}
    strategy = Strategy(name="full", handoff=KNOWN["full/own"].handoff)
    evaluate(Transcripts(name="long", conversations=played), cases, [strategy])


def _exchanges(case: Case) -> tuple[Exchange, ...]:
    return tuple(
        Exchange(words=words, results={"hotel": {"hotels": [{"name": f"{case.case_id} Inn {turn}", "price": 100 + turn}]}})
        for turn, words in enumerate(case.turns)
    )


def _time(run: Callable[[], object]) -> float:
    began = time.perf_counter()
    run()
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
