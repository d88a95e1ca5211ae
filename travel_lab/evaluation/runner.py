"""Runs an evaluation, one case a task, over any executor; what is done is kept, so that an interrupted run goes on."""

import json
import platform
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from travel_lab.context import Strategy
from travel_lab.errors import BadInput
from travel_lab.evaluation.app import App
from travel_lab.evaluation.cases import Case, cases_hash, check_cases
from travel_lab.evaluation.measuring import Plan, measure_case
from travel_lab.evaluation.observation import DEFINITION, Observation, observation_of
from travel_lab.evaluation.reading import Reader

ROWS, MANIFEST = "rows.jsonl", "manifest.json"
Tick = Callable[[int, int], None]
"""Told (cases done, cases in all) after each case."""
_PACKAGES = ("travel_lab", "langgraph", "langchain-core", "langchain-openai", "numpy")


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """What was measured, and on what."""

    rows: tuple[Observation, ...] = field(repr=False)
    """In the order of the cases, probes, calls, strategies, budgets, readers and replicates, however they were computed."""
    manifest: dict[str, Any]
    """Versions, seed, hash of the cases, strategies, definition."""

    @property
    def failures(self) -> tuple[Observation, ...]:
        """Rows that could not be measured."""
        return tuple(row for row in self.rows if row.error)


def evaluate(  # noqa: PLR0913 (the design of an experiment, each part by name)
    app: App,
    cases: Sequence[Case],
    strategies: Iterable[Strategy],
    *,
    budgets: Sequence[int | None] = (None,),
    readers: Sequence[Reader] = (),
    repeats: int = 1,
    executor: Executor | None = None,
    folder: str | Path | None = None,
    tick: Tick | None = None,
) -> Evaluation:
    """Measure every probe of `cases` under every strategy and budget.

    Each conversation is played once and its results are fixed; a cell only rebuilds the probe's calls.

    Args:
        app: Plays conversations and builds views.
        cases: With their probes.
        strategies: Names must differ.
        budgets: Tokens of the history part; None is the strategy's own.
        readers: Models that answer the probes; without one nothing is said of answers.
        repeats: Replicates a reader.
        executor: Any `concurrent.futures` executor; None runs here. For processes or machines, everything given must pickle.
        folder: Keeps rows (JSONL) and manifest; a run that was interrupted goes on there.
        tick: Told of progress.

    Raises:
        BadInput: Names given twice, nothing to do, or a folder that holds another evaluation.
    """
    plan = Plan(strategies=tuple(strategies), budgets=tuple(budgets), readers=tuple(readers), repeats=repeats)
    check_cases(cases)
    _check_plan(plan)
    manifest = _manifest(app, cases, plan)
    kept = _Kept(Path(folder), manifest) if folder is not None else None
    done = kept.read() if kept else {}
    todo = [case for case in cases if case.case_id not in done]
    measured = _measured(partial(_one, app, plan), todo, executor)
    for number, (case, rows) in enumerate(measured, len(cases) - len(todo) + 1):
        done[case.case_id] = rows
        if kept:
            kept.add(case, rows)
        if tick:
            tick(number, len(cases))
    return Evaluation(rows=tuple(row for case in cases for row in done[case.case_id]), manifest=manifest)


def _one(app: App, plan: Plan, case: Case) -> list[Observation]:
    return measure_case(app, case, plan)


def _measured(
    one: Callable[[Case], list[Observation]], cases: Sequence[Case], executor: Executor | None
) -> Iterator[tuple[Case, list[Observation]]]:
    if executor is None:
        yield from ((case, one(case)) for case in cases)
        return
    futures = [(case, executor.submit(one, case)) for case in cases]
    try:
        for case, future in futures:
            yield case, future.result()
    finally:
        for _, future in futures:
            future.cancel()


def _check_plan(plan: Plan) -> None:
    for what, names in (("strategy", [s.name for s in plan.strategies]), ("reader", [r.name for r in plan.readers])):
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise BadInput(
                f"The {what} name {twice[0]!r} is given twice; a table could not tell them apart. Give each its own name."
            )
    if not plan.strategies or not plan.budgets:
        raise BadInput("There is nothing to measure: give at least one strategy and one budget (None is the strategy's own).")
    if plan.repeats < 1:
        raise BadInput(f"repeats is {plan.repeats}; give 1 or more.")


def _manifest(app: App, cases: Sequence[Case], plan: Plan) -> dict[str, Any]:
    return {
        "app": app.name,
        "cases": len(cases),
        "probes": sum(len(case.probes) for case in cases),
        "cases_sha256": cases_hash(cases),
        "strategies": {strategy.name: _told(strategy) for strategy in plan.strategies},
        "budgets": list(plan.budgets),
        "readers": {reader.name: reader.use for reader in plan.readers},
        "repeats": plan.repeats,
        "counter": plan.counter.name,
        "definition": DEFINITION,
        "python": platform.python_version(),
        "versions": {name: version(name) for name in _PACKAGES},
    }


def _told(strategy: Strategy) -> dict[str, str]:
    parts = {"handoff": strategy.handoff, "trimming": strategy.trimming, "briefing": strategy.briefing}
    return {part: getattr(value, "__name__", None) or type(value).__name__ for part, value in parts.items()}


class _Kept:
    """Rows on disk, a case at a time."""

    def __init__(self, folder: Path, manifest: dict[str, Any]) -> None:
        self._rows, place = folder / ROWS, folder / MANIFEST
        folder.mkdir(parents=True, exist_ok=True)
        if place.exists():
            _check_same(json.loads(place.read_text(encoding="utf-8")), manifest, folder)
        else:
            place.write_text(json.dumps(manifest, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")

    def read(self) -> dict[str, list[Observation]]:
        """The rows of every case that was finished; a last line that was cut off by the interruption is not counted."""
        if not self._rows.exists():
            return {}
        done: dict[str, list[Observation]] = {}
        whole = self._rows.read_text(encoding="utf-8").rpartition("\n")[0]
        for line in whole.split("\n") if whole else ():
            found = json.loads(line)
            done[found["case_id"]] = [observation_of(row) for row in found["rows"]]
        self._rows.write_text(whole + "\n" if whole else "", encoding="utf-8")
        return done

    def add(self, case: Case, rows: Sequence[Observation]) -> None:
        line = json.dumps({"case_id": case.case_id, "rows": [row.as_row() for row in rows]}, ensure_ascii=False)
        with self._rows.open("a", encoding="utf-8") as file:
            file.write(line + "\n")


def _check_same(found: dict[str, Any], wanted: dict[str, Any], folder: Path) -> None:
    differs = sorted(key for key in found.keys() | wanted.keys() if found.get(key) != wanted.get(key))
    if differs:
        raise BadInput(
            f"The folder {str(folder)!r} holds another evaluation: {', '.join(differs)} differ from this one's. "
            "Give another folder, or the same experiment to go on with it. Nothing was changed."
        )
