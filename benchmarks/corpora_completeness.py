"""Completeness on public dialogues: `python benchmarks/corpora_completeness.py CROSSWOZ_FOLDER SGD_FOLDER`.

Prints, for each corpus and strategy, completeness with its interval (conversations resampled, then their probes) and the
tokens of a view, beside those of the full handoff.
"""

import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor

from travel_lab.evaluation import DEFINITION, Observation, evaluate, interval
from travel_lab.evaluation.corpora import CROSSWOZ, SGD, read_crosswoz, read_sgd, strategies_for

SEED = 8


def main(crosswoz: str, sgd: str) -> None:
    """Read, measure, print."""
    print(DEFINITION, "\n")
    for source, corpus in ((CROSSWOZ, read_crosswoz(crosswoz)), (SGD, read_sgd(sgd))):
        strategies = strategies_for(source.language)
        with ProcessPoolExecutor(2) as executor:
            rows = evaluate(corpus.app, corpus.cases, strategies, executor=executor).rows
        print(f"{corpus.name}: {len(corpus.cases)} dialogues, {sum(len(case.probes) for case in corpus.cases)} probes")
        full = _tokens([row for row in rows if row.strategy == "full"])
        for strategy in strategies:
            own = [row for row in rows if row.strategy == strategy.name]
            tokens = _tokens(own)
            print(f"  {strategy.name:24} {_mean(own)}  {tokens:6.0f} tokens a view, {tokens / full:.2f} of full")


def _tokens(rows: Sequence[Observation]) -> float:
    return sum(row.tokens or 0 for row in rows) / len(rows)


def _mean(rows: Sequence[Observation]) -> str:
    values: dict[str, list[float]] = {}
    for row in rows:
        if row.completeness is not None:
            values.setdefault(row.case_id, []).append(row.completeness)
    return str(interval(values, seed=SEED))


if __name__ == "__main__":
    main(*sys.argv[1:])
