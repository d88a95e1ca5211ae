"""Distances and travel times between points on the map."""

import math
from typing import NamedTuple

EARTH_KM = 6371.0
DOOR_MINUTES = 10.0
CITY_MINUTES_PER_KM = 3.0
COUNTRY_MINUTES_PER_KM = 1.2
CITY_KM = 10.0


class Point(NamedTuple):
    """Degrees north and east."""

    lat: float
    lon: float


def distance_km(one: Point, other: Point) -> float:
    """Great-circle distance in kilometres (haversine formula, mean Earth radius)."""
    lat1, lon1, lat2, lon2 = map(math.radians, (*one, *other))
    half = math.sin((lat2 - lat1) / 2) ** 2 + math.cos(lat1) * math.cos(lat2) * math.sin((lon2 - lon1) / 2) ** 2
    return 2 * EARTH_KM * math.asin(math.sqrt(half))


def travel_minutes(km: float) -> float:
    """A plain estimate: ten minutes door to door, 20 km/h for the first ten kilometres, 50 km/h beyond."""
    return DOOR_MINUTES + min(km, CITY_KM) * CITY_MINUTES_PER_KM + max(km - CITY_KM, 0) * COUNTRY_MINUTES_PER_KM


def middle(points: list[Point]) -> Point:
    """The mean of some points; good enough inside one city."""
    return Point(sum(p.lat for p in points) / len(points), sum(p.lon for p in points) / len(points))
