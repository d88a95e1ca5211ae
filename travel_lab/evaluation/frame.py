"""Evaluations as DataFrames."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from travel_lab.evaluation.observation import Observation
from travel_lab.evaluation.runner import Evaluation
from travel_lab.evaluation.statistics import Interval, difference, effective, interval

SEED = 8
"""Of the resampling, so that everybody sees the same intervals."""
NOTHING, EVERYTHING = "nothing", ("everything", "full", "full/own")
"""Names under which the two controls are looked for."""
OUTCOME_COLUMNS = ("answered", "abstained", "made up", "vague", "failed")
FRONTIER_COLUMNS = (
    "strategy", "budget", "reads_state", "completeness", "low", "high", "effective", "tokens", "conversations", "probes",
    "failed",
)  # fmt: skip


def results_frame(evaluation: Evaluation) -> pd.DataFrame:
    """Long form: one row a probe × call × strategy × budget × reader × replicate; what was not measured is missing."""
    frame = pd.DataFrame([{**row.as_row(), "completeness": row.completeness} for row in evaluation.rows])
    whole = ["budget", "produced", "bound", "needed", "needed_bound", "tokens", "messages"]
    return frame.astype(dict.fromkeys([name for name in whole if name in frame], "Int64"))


def frontier_frame(evaluation: Evaluation, call: str | None = None, *, seed: int = SEED) -> pd.DataFrame:
    """One row a strategy and budget: completeness with its interval, tokens of a view, and what both rest on.

    Args:
        evaluation: Its rows; those of readers are left out, for they repeat the view.
        call: Of this agent only; None takes the call that gives the answer.
        seed: Of the resampling.

    Columns: strategy, budget, reads_state, completeness, low, high, effective (between the controls
    `nothing` and `full`, where both were run), tokens, conversations, probes, failed.
    """
    rows: list[dict[str, Any]] = []
    for (strategy, budget), own in _cells(_views(evaluation, call)).items():
        measured = [row for row in own if row.completeness is not None]
        known = _interval(measured, seed) if measured else None
        tokens = [row.tokens for row in measured if row.tokens is not None]
        rows.append(
            {
                "strategy": strategy,
                "budget": budget,
                "reads_state": any(row.reads_state for row in own),
                "completeness": known.mean if known else None,
                "low": known.low if known else None,
                "high": known.high if known else None,
                "tokens": sum(tokens) / len(tokens) if tokens else None,
                "conversations": known.conversations if known else 0,
                "probes": known.probes if known else 0,
                "failed": sum(bool(row.error) for row in own),
            }
        )
    for row in rows:
        row["effective"] = _effective(row, rows)
    return pd.DataFrame(rows, columns=list(FRONTIER_COLUMNS)).astype({"budget": "Int64"})


def kinds_frame(evaluation: Evaluation, call: str | None = None) -> pd.DataFrame:
    """Completeness by kind of probe (rows) and strategy (columns); kinds that need no fact are missing, not zero."""
    frame = pd.DataFrame(
        [(row.kind, row.strategy, row.completeness) for row in _views(evaluation, call)],
        columns=["kind", "strategy", "completeness"],
    )
    frame["completeness"] = frame["completeness"].astype(float)
    return frame.pivot_table(index="kind", columns="strategy", values="completeness", sort=False, dropna=False)


def differences_frame(evaluation: Evaluation, baseline: str, call: str | None = None, *, seed: int = SEED) -> pd.DataFrame:
    """Each strategy against a baseline, paired by probe: the mean difference, its interval, and whether it is one.

    `differs` is true only when the interval excludes zero.
    """
    values = {key: _by_probe(own) for key, own in _cells(_views(evaluation, call)).items()}
    rows = []
    for (strategy, budget), own in values.items():
        against = values.get((baseline, budget))
        if strategy == baseline or against is None:
            continue
        found = difference(own, against, seed=seed)
        rows.append((strategy, budget, found.mean, found.low, found.high, found.conversations, found.probes, found.excludes_zero))
    columns = ["strategy", "budget", f"minus {baseline}", "low", "high", "conversations", "probes", "differs"]
    return pd.DataFrame(rows, columns=columns).astype({"budget": "Int64"})


def answers_frame(evaluation: Evaluation) -> pd.DataFrame:
    """One row a reader and strategy: shares of what came of the views, and how the replicates spread.

    Columns: reader, use, strategy, budget, replies, answered, abstained, made up, vague, failed, spread (the
    largest difference of `answered` between replicates). Without a reader the frame is empty: answers were *not measured*.
    """
    uses = evaluation.manifest["readers"]
    rows = []
    for (reader, strategy, budget), own in _grouped(row for row in evaluation.rows if row.reader):
        shares = {outcome: sum(row.outcome == outcome for row in own) / len(own) for outcome in OUTCOME_COLUMNS}
        by_replicate = _grouped_shares(own)
        spread = max(by_replicate) - min(by_replicate)
        rows.append(
            {
                "reader": reader,
                "use": uses[reader],
                "strategy": strategy,
                "budget": budget,
                "replies": len(own),
                **shares,
                "spread": spread,
            }
        )
    columns = ["reader", "use", "strategy", "budget", "replies", *OUTCOME_COLUMNS, "spread"]
    return pd.DataFrame(rows, columns=columns).astype({"budget": "Int64"})


def worst_frame(evaluation: Evaluation, strategy: str, most: int = 10) -> pd.DataFrame:
    """The probes a strategy loses most of: id, kind, call, needed and bound facts; the worst first."""
    rows = [row for row in _views(evaluation, None) if row.strategy == strategy and row.completeness is not None]
    rows.sort(key=lambda row: (row.completeness, row.probe_id))
    found = [(row.probe_id, row.kind, row.call, row.needed, row.needed_bound, row.completeness) for row in rows[:most]]
    return pd.DataFrame(found, columns=["probe", "kind", "call", "needed", "bound", "completeness"])


def _views(evaluation: Evaluation, call: str | None) -> list[Observation]:
    """One row a view: of one agent, or of the call that gives a probe's answer, which comes last."""
    rows = [row for row in evaluation.rows if not row.reader]
    if call is not None:
        return [row for row in rows if row.call == call]
    answers = {row.probe_id: row.call for row in rows}
    return [row for row in rows if row.call == answers[row.probe_id]]


def _cells(rows: Iterable[Observation]) -> dict[tuple[str, int | None], list[Observation]]:
    cells: dict[tuple[str, int | None], list[Observation]] = {}
    for row in rows:
        cells.setdefault((row.strategy, row.budget), []).append(row)
    return cells


def _interval(rows: Sequence[Observation], seed: int) -> Interval:
    values: dict[str, list[float]] = {}
    for row in rows:
        if row.completeness is not None:
            values.setdefault(row.case_id, []).append(row.completeness)
    return interval(values, seed=seed)


def _by_probe(rows: Iterable[Observation]) -> dict[str, dict[str, float]]:
    values: dict[str, dict[str, float]] = {}
    for row in rows:
        if row.completeness is not None:
            values.setdefault(row.case_id, {})[row.probe_id] = row.completeness
    return values


def _effective(row: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> float | None:
    """Where a strategy stands between the controls under its own budget; None when one of them was not measured."""
    means = {other["strategy"]: other["completeness"] for other in rows if other["budget"] == row["budget"]}
    low, high = means.get(NOTHING), next((means[name] for name in EVERYTHING if name in means), None)
    if low is None or high is None or row["completeness"] is None:
        return None
    return effective(row["completeness"], low, high)


def _grouped(rows: Iterable[Observation]) -> list[tuple[tuple[str, str, int | None], list[Observation]]]:
    groups: dict[tuple[str, str, int | None], list[Observation]] = {}
    for row in rows:
        groups.setdefault((row.reader, row.strategy, row.budget), []).append(row)
    return list(groups.items())


def _grouped_shares(rows: Sequence[Observation]) -> list[float]:
    replicates: dict[int, list[bool]] = {}
    for row in rows:
        replicates.setdefault(row.replicate, []).append(row.outcome == "answered")
    return [sum(found) / len(found) for found in replicates.values()]
