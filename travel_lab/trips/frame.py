"""Comparisons and differences of plans as DataFrames."""

from collections.abc import Iterable
from dataclasses import asdict, fields

import pandas as pd

from travel_lab.trips.comparison import Comparison, PlanLine
from travel_lab.trips.plan_diff import PlanChange

MONEY = ("tickets", "meals", "hotels", "total", "budget", "left", "hotel_price")


def comparison_frame(comparison: Comparison) -> pd.DataFrame:
    """One column a plan, one row a measure; `differs` marks the rows that are not the same for all.

    A blank is not measured or does not exist, which is not zero. Ways are in minutes, money in the currency the rows name.
    """
    columns = {line.name: _measures(line, comparison.currency) for line in comparison.lines}
    rows = next(iter(columns.values())).keys()
    frame = pd.DataFrame({name: list(measures.values()) for name, measures in columns.items()}, index=list(rows), dtype=object)
    frame = frame.rename_axis("measure")
    frame["differs"] = [len({repr(measures[row]) for measures in columns.values()}) > 1 for row in rows]
    return frame


def _measures(line: PlanLine, currency: str) -> dict[str, object]:
    return {
        "places": "+".join(line.places),
        "days": line.days,
        **{f"{kind.replace('_', ' ')} ({currency})": getattr(line, kind) for kind in MONEY},
        "sights": line.sights,
        "sights a day": line.sights_a_day,
        "walking minutes": line.walking_minutes,
        "travel minutes": line.travel_minutes,
        "unknown ways": line.unknown_ways,
        "hotel rating": line.hotel_rating,
        "diet": line.verdict("diet"),
        "bans": line.verdict("bans"),
        "rules failed": sum(check.verdict == "fail" for check in line.checks),
        "rules not told": sum(check.verdict == "cannot tell" for check in line.checks),
        "flawed parts": ", ".join(line.flawed_parts),
        "model calls": line.model_calls,
        "tokens": line.tokens,
        "visibility": line.visibility,
    }


def checks_frame(comparison: Comparison) -> pd.DataFrame:
    """One row a rule of PlanCheck, one column a plan: its verdict, with the reason where it does not pass."""
    columns = {
        line.name: {
            check.rule: check.verdict if check.verdict == "pass" else f"{check.verdict}: {check.reason}" for check in line.checks
        }
        for line in comparison.lines
    }
    return pd.DataFrame(columns).rename_axis("rule")


def sights_frame(comparison: Comparison) -> pd.DataFrame:
    """One row a sight: the plan that alone has it, or `shared` when all of them do."""
    rows = [("shared", name) for name in comparison.shared]
    rows += [(plan, name) for plan, names in comparison.only.items() for name in names]
    return pd.DataFrame(rows, columns=["in", "sight"])


def stops_frame(comparison: Comparison) -> pd.DataFrame:
    """One row a sight of a plan in the order of the visits: day, city, name, degrees north and east; blank where unknown."""
    rows = [
        (line.name, stop.day, stop.city, stop.name, *(stop.point or (None, None)))
        for line in comparison.lines
        for stop in line.stops
    ]
    columns = ["plan", "day", "city", "sight", "lat", "lon"]
    return pd.DataFrame(rows, columns=columns).astype({"lat": float, "lon": float})


def plan_diff_frame(changes: Iterable[PlanChange]) -> pd.DataFrame:
    """One row a difference; a blank side has nothing there."""
    return pd.DataFrame([asdict(change) for change in changes], columns=[field.name for field in fields(PlanChange)])
