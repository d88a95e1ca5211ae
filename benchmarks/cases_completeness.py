"""Our corpus: completeness of each strategy on the held-out conversations, `python benchmarks/cases_completeness.py`.

Prints the frontier with intervals, the difference to the article's strategy, completeness by kind, the offline reader, which is a
check of the instrument and no result, and four handoffs under six budgets of the newest messages that fit.
"""

import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace

import pandas as pd

from travel_lab.chat_models.offline import OfflineChatModel
from travel_lab.context import NewestWithin
from travel_lab.data_files import data_path
from travel_lab.evaluation import DEFINITION, evaluate, read_cases, reader_of
from travel_lab.evaluation.frame import answers_frame, differences_frame, frontier_frame, kinds_frame
from travel_lab.evaluation.reading import CHECK
from travel_lab.planner import MORE_STRATEGIES, STRATEGIES, offline_model
from travel_lab.planner_app import PlannerApp

KNOWN = {**STRATEGIES, **MORE_STRATEGIES}
CHOSEN = (
    *(KNOWN[name] for name in ("nothing", "silent", "article", "summary/own", "packed", "digest", "look-up")),
    replace(KNOWN["full/own"], name="full"),
)
SWEPT = tuple(
    replace(strategy, trimming=NewestWithin())
    for strategy in CHOSEN
    if strategy.name in {"silent", "summary/own", "packed", "full"}
)
BUDGETS = (100, 200, 400, 800, 1_600, 3_200)


def main() -> None:
    """Measure and print."""
    cases = [case for language in ("zh", "en") for case in read_cases(data_path(f"cases/{language}.jsonl"))]
    held_out = [case for case in cases if case.split == "held_out"]
    pd.set_option("display.width", 160, "display.max_columns", 20, "display.precision", 2)
    print(DEFINITION, "\n")
    began = time.perf_counter()
    with ProcessPoolExecutor(2) as executor:
        measured = evaluate(PlannerApp(), held_out, CHOSEN, executor=executor)
        took = time.perf_counter() - began
        print(f"held out: {len(held_out)} conversations, {measured.manifest['probes']} probes, {took:.0f} s\n")
        print(frontier_frame(measured).to_string(index=False), "\n")
        print(differences_frame(measured, "article").to_string(index=False), "\n")
        print(kinds_frame(measured).to_string(), "\n")
        for agent in ("hotel", "route", "food"):
            print(f"calls of the {agent} agent\n{frontier_frame(measured, agent).to_string(index=False)}\n")
        reader = reader_of(offline_model(), OfflineChatModel.__name__, CHECK)
        read = evaluate(PlannerApp(), held_out, CHOSEN, readers=[reader], executor=executor)
        print(f"readers\n{answers_frame(read).to_string(index=False)}\n")
        began = time.perf_counter()
        swept = evaluate(PlannerApp(), cases, SWEPT, budgets=BUDGETS, executor=executor)
        took = time.perf_counter() - began
    print(
        f"all {len(cases)} conversations: {len(SWEPT)} handoffs × {len(BUDGETS)} budgets, {len(swept.rows)} cells in {took:.0f} s"
    )
    table = frontier_frame(swept).pivot_table(index="strategy", columns="budget", values="completeness")
    print(table.to_string())


if __name__ == "__main__":
    main()
