"""Pictures of what calls could see. Labels are English, so no Chinese font is needed."""

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes

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
