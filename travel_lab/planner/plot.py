"""The attempts of a turn as a timeline. Labels are English, so no Chinese font is needed."""

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patches import Patch

from travel_lab.display.style import PALETTE

COLOURS = {"answer": PALETTE[2], "failed, again": PALETTE[1], "failed, last": PALETTE[5]}
WAIT = "#D0D0D0"
THIN = 0.06
"""Width, in parts of the axis, an attempt is drawn with at least: on a virtual clock it takes no time at all."""


def plot_attempts(attempts: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """One line an agent: its attempts as bars, the waits between them in grey, each attempt with its number.

    Args:
        attempts: As `retry_frame` makes it.
        ax: Drawn on this, or on a figure of its own.
    """
    axes = ax if ax is not None else plt.subplots(figsize=(8, 3), layout="constrained")[1]
    agents = list(dict.fromkeys(attempts["agent"]))
    end = max((attempts["ended"] + attempts["wait"]).max(), 0.1) if len(attempts) else 1.0
    width = end * THIN / 3
    for row in attempts.to_dict("records"):
        y = agents.index(row["agent"])
        if row["wait"]:
            axes.barh(y, row["wait"], left=row["ended"], height=0.3, color=WAIT)
            axes.annotate(f"{row['wait']:.3g} s", (row["ended"] + row["wait"] / 2, y), ha="center", va="center", fontsize=8)
    for row in attempts.to_dict("records"):
        y = agents.index(row["agent"])
        axes.barh(y, max(row["ended"] - row["began"], width), left=row["began"], height=0.62, color=COLOURS[row["outcome"]])
        axes.annotate(str(row["attempt"]), (row["began"], y - 0.34), ha="left", va="bottom", fontsize=8)
    axes.set_yticks(range(len(agents)), agents)
    axes.set_ylim(len(agents) - 0.5, -0.75)
    axes.set_xlim(0, end * 1.05)
    axes.set_xlabel("seconds of the turn")
    axes.spines[["top", "right"]].set_visible(False)
    handles = [*(Patch(color=colour, label=name) for name, colour in COLOURS.items()), Patch(color=WAIT, label="wait")]
    axes.legend(handles=handles, loc="upper center", bbox_to_anchor=(0.5, 1.18), ncols=4, frameon=False, fontsize=8)
    return axes


def plot_timeline(timeline: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """One bar an agent over the seconds of the turn, with its length, and its status where that is not ok.

    Args:
        timeline: As `timeline_frame` makes it.
        ax: Drawn on this, or on a figure of its own.
    """
    axes = ax if ax is not None else plt.subplots(figsize=(8, 2.6), layout="constrained")[1]
    end = max(timeline["ended"].max(), 0.1)
    for y, row in enumerate(timeline.to_dict("records")):
        axes.barh(y, max(row["seconds"], end * 0.004), left=row["began"], height=0.6, color=PALETTE[0])
        label = f"{row['seconds']:g} s" if row["status"] == "ok" else f"{row['seconds']:g} s, {row['status']}"
        axes.annotate(label, (row["ended"], y), xytext=(4, 0), textcoords="offset points", va="center", fontsize=9)
    axes.set_yticks(range(len(timeline)), timeline["agent"])
    axes.invert_yaxis()
    axes.set_xlim(0, end * 1.12)
    axes.set_xlabel("seconds of the turn")
    axes.spines[["top", "right"]].set_visible(False)
    return axes
