"""Pictures of what calls could see. Labels are English, so no Chinese font is needed."""

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.patches import Patch

from travel_lab.context.xray import Place
from travel_lab.display.style import PALETTE

BAR = 0.36


def plot_completeness(measures: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Completeness per strategy, one bar an agent, as a share of the facts an answer needs.

    Args:
        measures: As `measures_frame` makes it. A call that was not made has no bar but the words "not called".
        ax: Drawn on this, or on a figure of its own.
    """
    axes = ax if ax is not None else plt.subplots(figsize=(8, 3.4), layout="constrained")[1]
    strategies = list(dict.fromkeys(measures["strategy"]))
    agents = list(dict.fromkeys(measures["agent"]))
    for at, agent in enumerate(agents):
        of_agent = measures[measures["agent"] == agent].set_index("strategy")["completeness"]
        offset = (at - (len(agents) - 1) / 2) * BAR
        for row, strategy in enumerate(strategies):
            value = of_agent.get(strategy, float("nan"))
            _bar(axes, row + offset, value, agent, PALETTE[at % len(PALETTE)])
    axes.set_yticks(range(len(strategies)), strategies)
    axes.invert_yaxis()
    axes.set_xlim(0, 1.3)
    axes.set_xticks([0, 0.5, 1])
    axes.set_xlabel("completeness: needed facts bound in the view / needed facts")
    axes.spines[["top", "right"]].set_visible(False)
    return axes


def _bar(axes: Axes, y: float, value: float, agent: str, colour: str) -> None:
    measured = value == value  # noqa: PLR0124 (nan is not equal to itself)
    axes.barh(y, value if measured else 0, height=BAR * 0.9, color=colour)
    text = f"{agent} {value:.2f}" if measured else f"{agent} not called"
    axes.annotate(text, (value if measured else 0, y), xytext=(4, 0), textcoords="offset points", va="center", fontsize=9)


PLACE_COLOURS = {
    Place.VISIBLE: PALETTE[2], Place.NOT_WRITTEN: PALETTE[0], Place.CUT: PALETTE[5], Place.TRIMMED: PALETTE[1],
    Place.SUMMARISED: PALETTE[6], Place.NOT_SELECTED: PALETTE[4], Place.CONTRADICTED: PALETTE[3], Place.STALE: "#000000",
    Place.SUPERSEDED: "#BBBBBB", Place.NOT_MEASURED: "#E8E8E8", Place.NOT_PRODUCED: "#FFFFFF",
}  # fmt: skip
"""One colour a place; light greys and white where there is nothing to lose."""


def plot_xray(xray: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Every fact in every turn: visible, or where it was lost; one row a fact, one column a turn, facts by kind.

    Args:
        xray: As `xray_frame` makes it.
        ax: Drawn on this, or on a figure of its own.
    """
    axes = ax if ax is not None else plt.subplots(figsize=(7, 6), layout="constrained")[1]
    order = list(PLACE_COLOURS)
    turns = sorted(xray["turn"].unique())
    facts = xray.drop_duplicates(["agent", "kind", "fact"]).sort_values(["agent", "kind"], kind="stable")
    codes = {(row.kind, row.fact, row.turn): order.index(Place(str(row.place))) for row in xray.itertuples()}
    grid = [[codes[row.kind, row.fact, turn] for turn in turns] for row in facts.itertuples()]
    colours = ListedColormap([PLACE_COLOURS[place] for place in order])
    axes.imshow(grid, aspect="auto", cmap=colours, vmin=-0.5, vmax=len(order) - 0.5, interpolation="none")
    sizes = facts.groupby(["agent", "kind"], sort=True).size()
    ends = sizes.cumsum()
    axes.set_yticks(list(ends - sizes / 2 - 0.5), [kind for _, kind in sizes.index], fontsize=8)
    axes.hlines(list(ends - 0.5), -0.5, len(turns) - 0.5, color="white", linewidth=1.5)
    axes.vlines([at - 0.5 for at in range(1, len(turns))], -0.5, len(facts) - 0.5, color="white", linewidth=1.5)
    axes.set_xticks(range(len(turns)), [f"turn {turn}" for turn in turns])
    present = [place for place in order if place.value in set(xray["place"])]
    handles = [Patch(facecolor=PLACE_COLOURS[place], edgecolor="#888888", label=place.value) for place in present]
    axes.legend(handles=handles, loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False, fontsize=8)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    return axes


def plot_ledger(ledgers: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """What the tokens of each call are spent on, stacked; what is left of the window is named at the end of the bar.

    Args:
        ledgers: As `ledger_frame` makes it.
        ax: Drawn on this, or on a figure of its own.
    """
    axes = ax if ax is not None else plt.subplots(figsize=(8, 3.4), layout="constrained")[1]
    parts = [part for part in ledgers.columns if part != "free"]
    left = pd.Series(0, index=ledgers.index)
    for at, part in enumerate(parts):
        if ledgers[part].any():
            axes.barh(list(ledgers.index), ledgers[part], left=left, color=PALETTE[at], label=part, height=0.6)
            left = left + ledgers[part]
    for row, call in enumerate(ledgers.index):
        text = f"{left[call]:,} of {left[call] + ledgers['free'][call]:,}"
        axes.annotate(text, (left[call], row), xytext=(4, 0), textcoords="offset points", va="center", fontsize=9)
    axes.invert_yaxis()
    axes.set_xlim(0, left.max() * 1.3)
    axes.set_xlabel("tokens")
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=6, frameon=False, fontsize=8)
    axes.spines[["top", "right"]].set_visible(False)
    return axes


def plot_lines(frame: pd.DataFrame, x: str, y: str, by: str, *, ax: Axes | None = None) -> Axes:
    """One line for each value of a column, labelled at its end; used for tokens by turn and completeness by budget.

    Args:
        frame: One row a point.
        x: Column of the horizontal axis.
        y: Column of the vertical axis.
        by: Column whose values are the lines.
        ax: Drawn on this, or on a figure of its own.
    """
    axes = ax if ax is not None else plt.subplots(figsize=(8, 3.6), layout="constrained")[1]
    for at, (name, points) in enumerate(frame.groupby(by, sort=False)):
        marker = "osD^vPX"[at % 7]
        # The later lines are thinner, so that those they cover can still be seen.
        width = max(4.0 - at, 1.0)
        axes.plot(
            points[x], points[y], color=PALETTE[at % len(PALETTE)], marker=marker, markersize=4, linewidth=width, label=str(name)
        )
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False, fontsize=8)
    axes.spines[["top", "right"]].set_visible(False)
    return axes


def plot_tradeoff(measures: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Completeness against tokens of the view, one point a strategy and agent; calls that were not made are left out.

    Args:
        measures: As `measures_frame` makes it.
        ax: Drawn on this, or on a figure of its own.
    """
    axes = ax if ax is not None else plt.subplots(figsize=(8, 4), layout="constrained")[1]
    made = measures[measures["called"] & measures["completeness"].notna()]
    near = 0.03 * float(made["tokens"].max())
    for at, (agent, points) in enumerate(made.groupby("agent", sort=False)):
        axes.scatter(points["tokens"], points["completeness"], color=PALETTE[at], marker="osD^"[at % 4], label=str(agent), s=36)
        up = 1 if at % 2 == 0 else -1
        for tokens, completeness, names in _clusters(points, near):
            axes.annotate(
                names, (tokens, completeness), xytext=(3, 7 * up), textcoords="offset points", fontsize=7, color=PALETTE[at],
                rotation=25 * up, rotation_mode="anchor", va="bottom" if up == 1 else "top",
            )  # fmt: skip
    axes.set_xlabel("tokens of the view")
    axes.set_ylabel("completeness")
    axes.set_ylim(-0.2, 1.35)
    axes.margins(x=0.12)
    axes.set_yticks([0, 0.5, 1])
    axes.legend(frameon=False, fontsize=8, loc="center right")
    axes.spines[["top", "right"]].set_visible(False)
    return axes


def _clusters(points: pd.DataFrame, near: float) -> list[tuple[float, float, str]]:
    """Points of one agent that lie on each other, as one place and their names."""
    found: list[tuple[float, float, list[str]]] = []
    for row in points.sort_values(["completeness", "tokens"], kind="stable").to_dict("records"):
        tokens, completeness = float(row["tokens"]), float(row["completeness"])
        if found and found[-1][1] == completeness and tokens - found[-1][0] <= near:
            found[-1][2].append(str(row["strategy"]))
        else:
            found.append((tokens, completeness, [str(row["strategy"])]))
    return [(tokens, completeness, ", ".join(names)) for tokens, completeness, names in found]
