"""Pictures of evaluations. Labels are the strategies' and kinds' own names; no Chinese font is needed for ours."""

import math
from collections.abc import Sequence

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes

from travel_lab.display.style import PALETTE

STATE_MARK, PLAIN_MARK = "D", "o"
DARK = 0.55
"""Completeness above which a cell's number is written in white."""
NEAR, NEAR_TOKENS = 0.05, 350
"""Points closer than this would be named on top of each other."""


def plot_frontier(frontier: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Completeness against tokens of a view, one point a strategy with its interval; a diamond reads the state.

    Args:
        frontier: As `frontier_frame` makes it; rows without a measure are left out.
        ax: Drawn on this, or on a figure of its own.
    """
    axes = ax if ax is not None else plt.subplots(figsize=(7.5, 4.2), layout="constrained")[1]
    known = frontier.dropna(subset=["completeness", "tokens"]).sort_values("tokens")
    points = [(row["tokens"], row["completeness"]) for row in known.to_dict("records")]
    for at, row in enumerate(known.to_dict("records")):
        colour, mark = PALETTE[at % len(PALETTE)], STATE_MARK if row["reads_state"] else PLAIN_MARK
        axes.plot(row["tokens"], row["completeness"], marker=mark, color=colour, markersize=7, linestyle="")
        axes.vlines(row["tokens"], row["low"], row["high"], color=colour, linewidth=1.5)
        _name(axes, _label(row["strategy"], row["budget"]), points[at], points)
    axes.set_ylim(-0.06, 1.12)
    axes.set_xlim(0, float(known["tokens"].max()) * 1.25 if len(known) else 1)
    axes.set_xlabel("tokens of a view")
    axes.set_ylabel("completeness")
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_title("circle: messages only · diamond: writes results out of the state · bar: 95 % interval", fontsize=9)
    return axes


def _label(strategy: str, budget: float | None) -> str:
    return strategy if budget is None or pd.isna(budget) else f"{strategy} @ {budget}"


def _name(axes: Axes, text: str, point: tuple[float, float], points: Sequence[tuple[float, float]]) -> None:
    """A label right of its point; left of it when another point stands there."""
    crowded = any(0 <= x - point[0] < NEAR_TOKENS and abs(point[1] - y) < NEAR and (x, y) != point for x, y in points)
    place, side = ((-7, 5), "right") if crowded else ((7, 5), "left")
    axes.annotate(text, point, xytext=place, textcoords="offset points", fontsize=8.5, ha=side)


def plot_kinds(kinds: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """The answerability matrix: completeness by kind of probe and strategy, the number in each cell; a dash was not measured.

    Args:
        kinds: As `kinds_frame` makes it.
        ax: Drawn on this, or on a figure of its own.
    """
    size = (2.4 + 0.85 * kinds.shape[1], 1.2 + 0.3 * kinds.shape[0])
    axes = ax if ax is not None else plt.subplots(figsize=size, layout="constrained")[1]
    values = kinds.to_numpy(dtype=float)
    axes.imshow(values, cmap="Blues", vmin=0, vmax=1, aspect="auto", interpolation="none")
    for y in range(kinds.shape[0]):
        for x in range(kinds.shape[1]):
            value = values[y, x]
            text = "–" if math.isnan(value) else f"{value:.2f}"
            axes.text(x, y, text, ha="center", va="center", fontsize=8, color="white" if value > DARK else "black")
    axes.set_xticks(range(kinds.shape[1]), list(kinds.columns), rotation=30, ha="right", fontsize=8.5)
    axes.set_yticks(range(kinds.shape[0]), list(kinds.index), fontsize=8.5)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    return axes


def plot_sweep(frontier: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Completeness against the budget, one line a strategy with its interval as a band.

    Args:
        frontier: As `frontier_frame` makes it; rows without a budget are left out.
        ax: Drawn on this, or on a figure of its own.
    """
    axes = ax if ax is not None else plt.subplots(figsize=(7.5, 4), layout="constrained")[1]
    known = frontier.dropna(subset=["budget", "completeness"]).astype({"budget": int})
    for at, (strategy, own) in enumerate(known.groupby("strategy", sort=False)):
        line, colour = own.sort_values("budget"), PALETTE[at % len(PALETTE)]
        axes.plot(line["budget"], line["completeness"], marker=PLAIN_MARK, color=colour, label=str(strategy))
        axes.fill_between(
            line["budget"], line["low"].astype(float), line["high"].astype(float), color=colour, alpha=0.15, linewidth=0
        )
    axes.set_ylim(-0.04, 1.06)
    axes.set_xlabel("budget: tokens of the history")
    axes.set_ylabel("completeness")
    axes.legend(frameon=False, fontsize=8.5, loc="upper left", bbox_to_anchor=(1.01, 1))
    axes.spines[["top", "right"]].set_visible(False)
    return axes


def plot_audit(audited: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Facts of each field that some model got, of all that one could have got; what was not measured is hatched.

    Args:
        audited: As `audit_frame` makes it; fields without a fact are left out.
        ax: Drawn on this, or on a figure of its own.
    """
    known = audited[audited["facts"] > 0].iloc[::-1]
    size = (7.5, 0.9 + 0.42 * len(known))
    axes = ax if ax is not None else plt.subplots(figsize=size, layout="constrained")[1]
    for at, row in enumerate(known.to_dict("records")):
        measured = row["measured"] > 0
        visible = row["visible"] if measured else 0
        axes.barh(at, row["facts"], color="#e4e4e4" if measured else "white", edgecolor="#b0b0b0", hatch="" if measured else "//")
        axes.barh(at, visible, color=PALETTE[0])
        said = f"{visible} of {row['measured']}" if measured else "not measured"
        axes.annotate(said, (row["facts"], at), xytext=(5, 0), textcoords="offset points", va="center", fontsize=8.5)
    axes.set_yticks(range(len(known)), list(known["field"]), fontsize=9)
    axes.set_xlim(0, float(known["facts"].max()) * 1.2 if len(known) else 1)
    axes.set_xlabel("facts; filled: bound where they were looked for")
    axes.spines[["top", "right"]].set_visible(False)
    return axes
