"""A chain as a picture: steps along time, one row a branch, lines along the parent links."""

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes

from travel_lab.display.style import PALETTE

SOURCES = ("input", "loop", "update", "fork", "damaged")


def plot_chain(frame: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Draw a `chain_frame`: steps from left to right, a row a branch, a line from each step to its parent.

    Args:
        frame: Made by `chain_frame`.
        ax: Where to draw; left out, a new figure.
    """
    if ax is None:
        ax = plt.subplots(figsize=(8, 0.8 + 0.6 * frame["branch"].nunique()), layout="constrained")[1]
    rows = dict(zip(frame["position"], frame["branch"], strict=True))
    for at, parent, branch in frame[["position", "parent", "branch"]].itertuples(index=False):
        if parent in rows:
            ax.plot([parent, at], [rows[parent], branch], color="0.6", linewidth=1, zorder=1)
    for number, source in enumerate(SOURCES):
        part = frame[frame["source"] == source]
        if not part.empty:
            ax.scatter(part["position"], part["branch"], color=PALETTE[number], label=source, zorder=2)
    stopped = frame[frame["stopped"] != ""]
    if not stopped.empty:
        ax.scatter(
            stopped["position"], stopped["branch"], s=140, facecolors="none", edgecolors="black", label="stopped here", zorder=3
        )
    ax.set_xlabel("position in the chain")
    ax.set_ylabel("branch")
    ax.set_yticks(sorted(frame["branch"].unique()))
    ax.set_ylim(frame["branch"].max() + 0.5, -0.5)
    ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)
    return ax


def plot_growth(frame: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Draw a `steps_frame`: bytes stored for each step, against its place."""
    if ax is None:
        ax = plt.subplots(figsize=(8, 2.6), layout="constrained")[1]
    ax.bar(range(len(frame)), frame["bytes"] / 1024, color=PALETTE[0])
    ax.set_xlabel("position in the chain")
    ax.set_ylabel("KiB in LangGraph's form")
    return ax
