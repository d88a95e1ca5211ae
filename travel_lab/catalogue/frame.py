"""Catalogue records as DataFrames."""

from collections.abc import Iterable

import pandas as pd

from travel_lab.catalogue.records import Language, Place

COLUMNS = ("id", "city", "name", "district", "lat", "lon", "price")


def places_frame(places: Iterable[Place], language: Language = "zh") -> pd.DataFrame:
    """One row a place, columns `COLUMNS`; prices in the currency of the place's city, coordinates in degrees."""
    rows = [(p.id, p.city, p.name.in_(language), p.district.in_(language), p.lat, p.lon, p.price) for p in places]
    numbers = dict.fromkeys(("lat", "lon", "price"), float)
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype({**dict.fromkeys(COLUMNS, str), **numbers})
