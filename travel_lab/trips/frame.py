"""Comparisons as tables."""

from collections.abc import Sequence

import pandas as pd

from travel_lab.catalogue import Provider
from travel_lab.itinerary import Itinerary
from travel_lab.trips.comparison import Line, SlotChange, sights_of


def comparison_frame(lines: Sequence[Line]) -> pd.DataFrame:
    """One row a line, one column a plan; `unit` is that of the row."""
    index = pd.MultiIndex.from_tuples([(line.group, line.name) for line in lines], names=["group", "line"])
    frame = pd.DataFrame([dict(line.values) for line in lines], index=index, dtype=object)
    frame.insert(0, "unit", [line.unit for line in lines])
    return frame


def slots_frame(changes: Sequence[SlotChange], before: str = "before", after: str = "after") -> pd.DataFrame:
    """One row a difference, with the names of the two plans as columns."""
    rows = [(change.day, change.slot, change.before, change.after) for change in changes]
    return pd.DataFrame(rows, columns=["day", "slot", before, after])


def points_frame(plan: Itinerary, provider: Provider) -> pd.DataFrame:
    """One row a sight the provider knows, in the order of the plan: day, name and place in degrees."""
    rows = [
        (day["day"], visit["name"], sight.lat, sight.lon)
        for day in plan["days"]
        for visit, sight in zip(day["sights"], sights_of(day, provider), strict=True)
        if sight
    ]
    return pd.DataFrame(rows, columns=["day", "sight", "lat", "lon"])
