"""Comparisons as pictures."""

from collections.abc import Mapping
from math import cos, radians
from typing import Any

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes

from travel_lab.display.style import PALETTE

PANELS = (("cost", "total"), ("cost", "left"), ("days", "sights a day"), ("days", "travel between sights"), ("hotels", "rating"))


def plot_comparison(frame: pd.DataFrame) -> list[Axes]:
    """Small multiples: a panel a line, a bar a plan, each panel with its own scale and unit.

    Args:
        frame: As `comparison_frame` makes it.
    """
    plans = [name for name in frame.columns if name != "unit"]
    size = (2.3 * len(PANELS), 1.4 + 0.35 * len(plans))
    axes = plt.subplots(1, len(PANELS), figsize=size, layout="constrained")[1]
    for panel, (group, name) in zip(axes, PANELS, strict=True):
        row: dict[Any, Any] = frame.loc[[(group, name)]].to_dict("records")[0]
        values = [row[plan] if row[plan] is not None else 0.0 for plan in plans]
        bars = panel.barh(range(len(plans)), values, color=[PALETTE[at % len(PALETTE)] for at in range(len(plans))])
        panel.bar_label(bars, [_label(row[plan]) for plan in plans], padding=3, fontsize=8)
        panel.set_yticks(range(len(plans)), plans if panel is axes[0] else [""] * len(plans))
        panel.invert_yaxis()
        told = f"{group}, {name}" if group == "hotels" else name
        panel.set_title(f"{told}\n{row['unit']}", fontsize=9)
        panel.margins(x=0.35)
        panel.spines[["top", "right"]].set_visible(False)
        panel.axvline(0, color="#444444", linewidth=0.8)
    return list(axes)


def _label(value: object) -> str:
    return "–" if value is None else f"{value:,.10g}"


def plot_maps(points: Mapping[str, pd.DataFrame]) -> list[Axes]:
    """A map a plan, without a network: the sights of each day in their order, one colour a day.

    Args:
        points: By plan, with columns `day`, `lat` and `lon` in degrees; see `points_frame`.
    """
    axes = plt.subplots(1, len(points), figsize=(4.2 * len(points), 3.8), layout="constrained", squeeze=False)[1]
    for panel, (name, frame) in zip(axes[0], points.items(), strict=True):
        for day, stops in frame.groupby("day", sort=True):
            colour = PALETTE[int(str(day)) % len(PALETTE)]
            panel.plot(stops["lon"], stops["lat"], marker="o", color=colour, linewidth=1, label=f"day {day}")
        panel.set_title(name)
        panel.ticklabel_format(useOffset=False)
        panel.tick_params(axis="x", labelrotation=30)
        # A degree of longitude is shorter than one of latitude by the cosine of the latitude.
        panel.set_aspect(1 / cos(radians(frame["lat"].mean())) if len(frame) else 1, adjustable="datalim")
        panel.set_xlabel("longitude")
        panel.set_ylabel("latitude")
        panel.legend(fontsize=8, frameon=False)
        panel.spines[["top", "right"]].set_visible(False)
    return list(axes[0])
