from datetime import time
from itertools import pairwise, permutations
from math import ceil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from travel_lab.itinerary.places import Point, distance_km, travel_minutes
from travel_lab.itinerary.schedule import Stop, schedule_best, schedule_day

CENTRE = Point(30.66, 104.06)


def minutes(moment: time) -> int:
    return moment.hour * 60 + moment.minute


def at(hour: int, minute: int = 0) -> time:
    return time(hour, minute)


@st.composite
def stops(draw, at_most=4):
    """Sights of one town with their own names, opening hours in half hours and visits of up to five hours."""
    made = []
    for number in range(draw(st.integers(0, at_most))):
        opens = draw(st.integers(0, 40)) * 30
        closes = draw(st.integers(opens // 30, 47)) * 30
        where = Point(30.66 + draw(st.integers(0, 40)) / 100, 104.06 + draw(st.integers(0, 40)) / 100)
        length = draw(st.integers(2, 30)) * 10
        made.append(Stop(f"sight {number}", where, time(opens // 60, opens % 60), time(closes // 60, closes % 60), length))
    return made


def fits(order) -> bool:
    """Whether one order fits a day, written again from the words of the rule.

    Each visit starts on a full five minutes, not before the way to it is done, nor before it opens; once after half past
    eleven there is an hour's lunch on the way.
    """
    clock, eaten, last = 9 * 60, False, None
    for stop in order:
        if last is not None:
            clock = clock + travel_minutes(distance_km(last.at, stop.at))
            if clock >= 11 * 60 + 30 and not eaten:
                clock, eaten = clock + 60, True
        clock = max(ceil(clock / 5) * 5, minutes(stop.opens)) + stop.minutes
        if clock > 21 * 60 or clock > minutes(stop.closes):
            return False
        last = stop
    return True


@given(stops())
def test_every_stop_stands_in_the_day_once(day):
    """A schedule holds each stop it was given exactly once."""
    visits = schedule_day(day)

    assert visits is None or sorted(visit.name for visit in visits) == sorted(stop.name for stop in day)


@given(stops())
def test_visits_keep_to_opening_hours_and_to_the_day(day):
    """No visit begins before its sight or the day opens, nor ends after either closes."""
    by_name = {stop.name: stop for stop in day}
    for visit in schedule_day(day) or ():
        assert max(minutes(by_name[visit.name].opens), 9 * 60) <= minutes(visit.start)
        assert minutes(visit.end) <= min(minutes(by_name[visit.name].closes), 21 * 60)


@given(stops())
def test_visits_last_as_long_as_they_should(day):
    """Each visit has the length its sight asks for."""
    lengths = {stop.name: stop.minutes for stop in day}

    assert all(minutes(v.end) - minutes(v.start) == lengths[v.name] for v in schedule_day(day) or ())


@given(stops())
def test_there_is_time_for_the_way(day):
    """Visits do not overlap, and between two of them there is at least the time to get there."""
    where = {stop.name: stop.at for stop in day}
    visits = schedule_day(day) or ()
    for before, after in pairwise(visits):
        way = travel_minutes(distance_km(where[before.name], where[after.name]))
        assert minutes(after.start) - minutes(before.end) >= way


@given(stops())
def test_visits_start_on_full_five_minutes_or_at_opening(day):
    """A start is a time people can remember."""
    opens = {stop.name: stop.opens for stop in day}

    assert all(v.start.minute % 5 == 0 or v.start == opens[v.name] for v in schedule_day(day) or ())


@given(stops())
def test_none_only_when_no_order_fits(day):
    """A day is given up only when not one order of its stops fits, and never when one does."""
    assert (schedule_day(day) is not None) == any(fits(order) for order in permutations(day))


@given(stops())
def test_the_order_of_the_stops_does_not_matter_for_whether_they_fit(day):
    """Stops that fit in one order are found in any."""
    assert (schedule_day(day) is None) == (schedule_day(day[::-1]) is None)


@given(stops(at_most=6), st.integers(0, 4))
@settings(max_examples=60)
def test_best_holds_at_most_so_many(day, most):
    """Never more stops than asked for, and none twice."""
    names = [visit.name for visit in schedule_best(day, most)]

    assert len(names) == len(set(names)) <= most


@given(stops(at_most=4))
@settings(max_examples=60)
def test_best_holds_all_when_all_fit(day):
    """When a day has room for every stop, every stop is in it."""
    if schedule_day(day) is not None:
        assert len(schedule_best(day, 4)) == len(day)


def test_no_stops_is_an_empty_day():
    """A free day is a plan too."""
    assert schedule_day([]) == ()


def test_five_stops_are_too_many():
    """A day has at most four sights."""
    assert schedule_day([Stop(f"s{n}", CENTRE, at(0), at(23), 10) for n in range(5)]) is None


def test_a_day_worked_out_by_hand():
    """Two hours from nine, ten minutes' way and an hour's lunch, then an hour and a half."""
    day = [Stop("museum", CENTRE, at(9), at(17), 120), Stop("park", CENTRE, at(8), at(20), 90)]

    visits = schedule_day([day[0], day[1]])

    # park first: 9:00-10:30, way to 10:40, museum to 12:40; museum first: 9:00-11:00, way to 11:10, park to 12:40.
    assert visits is not None
    assert (minutes(visits[0].start), minutes(visits[-1].end)) == (9 * 60, 12 * 60 + 40)


def test_lunch_is_an_hour_after_half_past_eleven():
    """Who leaves the first sight at noon starts the next one after the way and an hour's lunch."""
    visits = schedule_day([Stop("museum", CENTRE, at(9), at(12), 180), Stop("park", CENTRE, at(12, 30), at(20), 60)])

    assert [(v.name, v.start, v.end) for v in visits] == [("museum", at(9), at(12)), ("park", at(13, 10), at(14, 10))]


@pytest.mark.parametrize(
    ("stop", "fits_day"),
    [
        (Stop("bar", CENTRE, at(20), at(23), 60), True),
        (Stop("bar", CENTRE, at(20), at(23), 61), False),
        (Stop("dawn", CENTRE, at(4), at(9, 30), 30), True),
        (Stop("dawn", CENTRE, at(4), at(9, 29), 30), False),
        (Stop("closed", CENTRE, at(0), at(0), 10), False),
    ],
)
def test_edges_of_the_day(stop, fits_day):
    """A visit may end with the day or with the opening hours to the minute, and not a minute later."""
    assert (schedule_day([stop]) is not None) == fits_day
