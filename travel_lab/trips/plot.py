"""Plans side by side as pictures. Labels are English and plans are lettered in their order, so no Chinese font is needed."""

from string import ascii_uppercase

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from travel_lab.display.style import PALETTE

NUMBERS = ("total", "left", "sights a day", "walking minutes", "travel minutes", "hotel rating", "tokens", "visibility")
"""Rows of the comparison that are drawn, by how their names begin."""
COLUMNS = 4
LARGE = 1_000
KM_A_DEGREE = 111.0
LEAST_KM = 4.0
"""A map shows at least this much, so that a street does not look like a country."""


def plot_comparison(comparison: pd.DataFrame) -> Figure:
    """Small multiples: one panel a measure, one bar a plan (A, B, … in the table's order); a blank one says so.

    Args:
        comparison: As `comparison_frame` makes it.
    """
    plans = [column for column in comparison.columns if column != "differs"]
    rows = [name for start in NUMBERS for name in comparison.index if name.split(" (")[0] == start]
    numbers = comparison.loc[rows, plans].astype(float)
    figure, panels = plt.subplots(2, COLUMNS, figsize=(10, 4.6), layout="constrained")
    for axes, name in zip(panels.flat, rows, strict=True):
        for at, plan in enumerate(plans):
            value = numbers.loc[name, plan]
            axes.bar(at, 0 if np.isnan(value) else value, color=PALETTE[at % len(PALETTE)])
            axes.annotate(_written(value), (at, np.nanmax([value, 0])), ha="center", va="bottom", fontsize=8)
        axes.axhline(0, color="black", linewidth=0.6)
        axes.margins(y=0.2)
        axes.set_xlim(-0.7, len(plans) - 0.3)
        axes.set_xticks(range(len(plans)), list(ascii_uppercase[: len(plans)]))
        axes.set_title(name, fontsize=10)
        axes.set_yticks([])
        axes.spines[["top", "right", "left", "bottom"]].set_visible(False)
    return figure


def _written(value: float) -> str:
    if np.isnan(value):
        return "not\nmeasured"
    return f"{value:,.3g}" if abs(value) < LARGE else f"{value:,.0f}"


def plot_maps(stops: pd.DataFrame) -> Figure:
    """A map for each plan, one panel a city: its sights by degrees, joined day by day in the order of the visits.

    Every panel of one city shows the same piece of the Earth, so that plans can be compared.

    Args:
        stops: As `stops_frame` makes it; sights nobody can place are left out, and cities with Chinese names are numbered.
    """
    placed = stops.dropna(subset=["lat", "lon"])
    plans, cities = (list(dict.fromkeys(stops[column])) for column in ("plan", "city"))
    size = (max(3.2 * len(cities), 4), max(3.0 * len(plans), 3.2))
    figure, panels = plt.subplots(len(plans), len(cities), figsize=size, squeeze=False, layout="constrained")
    for row, plan in enumerate(plans):
        for axes, city in zip(panels[row], cities, strict=True):
            shown = city if city.isascii() else f"city {cities.index(city) + 1}"
            here = placed[placed["city"] == city]
            mine = here[here["plan"] == plan]
            axes.set_title(f"{ascii_uppercase[row]}: {shown}" + ("" if len(mine) else ", not visited"), fontsize=10)
            for day, visits in mine.groupby("day"):
                colour = PALETTE[(int(day) - 1) % len(PALETTE)]
                axes.plot(visits["lon"], visits["lat"], "o-", color=colour, markersize=5, linewidth=1.2, label=f"day {day}")
            _frame_map(axes, here)
            if len(mine):
                axes.legend(fontsize=7, frameon=False, loc="best")
    return figure


def _frame_map(axes: Axes, here: pd.DataFrame) -> None:
    """The same square kilometres around all sights of a city, east and north in true proportion."""
    lat, lon = ((here[axis].min() + here[axis].max()) / 2 if len(here) else 0.0 for axis in ("lat", "lon"))
    squeeze = float(np.cos(np.radians(lat)))
    height, width = (here[axis].max() - here[axis].min() if len(here) else 0.0 for axis in ("lat", "lon"))
    half = 0.6 * max(height, width * squeeze, LEAST_KM / KM_A_DEGREE)
    axes.set_xlim(lon - half / squeeze, lon + half / squeeze)
    axes.set_ylim(lat - half, lat + half)
    axes.set_aspect(1 / squeeze)
    axes.ticklabel_format(useOffset=False)
    axes.tick_params(labelsize=7)
    axes.locator_params(nbins=4)
