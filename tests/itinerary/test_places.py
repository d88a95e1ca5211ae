import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from travel_lab.itinerary.places import Point, distance_km, middle, travel_minutes

POINTS = st.builds(Point, st.floats(-89, 89), st.floats(-180, 180))
KILOMETRES = st.floats(0, 2_000)


@pytest.mark.parametrize(
    ("one", "other", "km"),
    [
        (Point(0, 0), Point(0, 1), 111.19),
        (Point(0, 0), Point(1, 0), 111.19),
        (Point(60, 0), Point(60, 1), 55.60),
        (Point(0, 0), Point(0, 180), 20_015.09),
        (Point(90, 0), Point(-90, 0), 20_015.09),
        (Point(30.66, 104.06), Point(34.26, 108.94), 608.4),
        (Point(0, 179), Point(0, -179), 222.39),
    ],
)
def test_known_distances(one, other, km):
    """A degree is 111 km on the equator and half of that at 60° north; Chengdu and Xi'an are 608 km apart."""
    assert distance_km(one, other) == pytest.approx(km, rel=1e-3)


@given(POINTS, POINTS)
def test_distance_is_the_same_both_ways(one, other):
    """There and back are equally far, and never further than half around the world."""
    assert distance_km(one, other) == pytest.approx(distance_km(other, one), abs=1e-6)
    assert 0 <= distance_km(one, other) <= math.pi * 6371.0 + 1e-6


@given(POINTS)
def test_no_way_is_no_distance(point):
    """A place is at no distance from itself."""
    assert distance_km(point, point) == 0


@given(POINTS, POINTS, POINTS)
def test_a_detour_is_no_shorter(one, two, three):
    """By way of a third place it is at least as far."""
    assert distance_km(one, three) <= distance_km(one, two) + distance_km(two, three) + 1e-3


@pytest.mark.parametrize(("km", "minutes"), [(0, 10), (1, 13), (10, 40), (20, 52), (110, 160)])
def test_travel_times(km, minutes):
    """Ten minutes from door to door, 20 km/h for the first ten kilometres, 50 km/h beyond."""
    assert travel_minutes(km) == pytest.approx(minutes)


@given(KILOMETRES, KILOMETRES)
def test_further_takes_no_less_time(one, other):
    """A longer way never takes less time."""
    near, far = sorted((one, other))

    assert travel_minutes(near) <= travel_minutes(far)


def test_middle_of_points():
    """The middle is the mean of the coordinates."""
    assert middle([Point(30, 104), Point(31, 105), Point(32, 103)]) == Point(31, 104)


@given(POINTS)
def test_middle_of_one_point_is_the_point(point):
    """One point is its own middle."""
    assert middle([point]) == point
