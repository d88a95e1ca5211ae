import pytest
from hypothesis import given
from hypothesis import strategies as st

from travel_lab.catalogue import CuratedProvider
from travel_lab.itinerary.areas import day_areas, point_of, stop_of
from travel_lab.itinerary.places import Point, distance_km
from travel_lab.itinerary.schedule import schedule_day

PROVIDER = CuratedProvider()
CITIES = PROVIDER.cities()
every_city = pytest.mark.parametrize("city", CITIES, ids=lambda city: city.id)
every_length = pytest.mark.parametrize("days", range(1, 15))
either_pace = pytest.mark.parametrize("pace", [[], ["slow"]], ids=["usual", "slow"])


@every_city
@every_length
@either_pace
def test_one_area_a_day(city, days, pace):
    """Each day from 1 to the last has one area, in order."""
    assert [area.day for area in day_areas([city], days, PROVIDER, preferences=pace)] == list(range(1, days + 1))


@every_city
@every_length
@either_pace
def test_no_sight_twice(city, days, pace):
    """No sight is offered on two days, nor both as a choice and as a spare one."""
    areas = day_areas([city], days, PROVIDER, preferences=pace)
    ids = [sight.id for area in areas for sight in (*area.sights, *area.spare)]

    assert len(ids) == len(set(ids))


@every_city
@every_length
@either_pace
def test_sights_of_a_day_lie_near_each_other(city, days, pace):
    """Every sight of a day, spare ones included, is within 20 km of its first one."""
    for area in day_areas([city], days, PROVIDER, preferences=pace):
        far = [s.name.zh for s in (*area.sights, *area.spare) if distance_km(point_of(area.sights[0]), point_of(s)) > 20]
        assert far == []


@every_city
@every_length
@either_pace
def test_sights_of_a_day_fit_it_together(city, days, pace):
    """The sights offered for a day can all be seen on it."""
    areas = day_areas([city], days, PROVIDER, preferences=pace)

    assert [area.day for area in areas if schedule_day([stop_of(sight) for sight in area.sights]) is None] == []


@every_city
@pytest.mark.parametrize("days", range(1, 5))
def test_short_trip_has_something_every_day(city, days):
    """On a trip of up to four days no day is empty."""
    assert [area.day for area in day_areas([city], days, PROVIDER, preferences=[]) if not area.sights] == []


@every_city
@every_length
@pytest.mark.parametrize(("pace", "most"), [([], 3), (["slow"], 2), (["fast"], 4)])
def test_day_is_not_too_full(city, days, pace, most):
    """A day has at most three sights, a slow one at most two, a fast one at most four, and at most two spare ones."""
    for area in day_areas([city], days, PROVIDER, preferences=pace):
        assert len(area.sights) <= most
        assert len(area.spare) <= 2


@every_city
def test_first_sight_of_the_trip_is_the_first_of_the_list(city):
    """The best known sight is on the first day."""
    assert day_areas([city], 3, PROVIDER, preferences=[])[0].sights[0] == PROVIDER.sights(city.id)[0]


@given(st.permutations(CITIES), st.integers(1, 4), st.integers(1, 14), st.sampled_from([[], ["slow"], ["fast"]]))
def test_days_are_shared_evenly(order, number, days, pace):
    """Several cities share the days one after the other, none gets two days more than another, earlier ones the odd ones."""
    cities = order[:number]
    areas = day_areas(cities, days, PROVIDER, preferences=pace)
    shares = [sum(area.city == city for area in areas) for city in cities]

    assert [area.day for area in areas] == list(range(1, days + 1))
    assert [area.city for area in areas] == [city for city, share in zip(cities, shares, strict=True) for _ in range(share)]
    assert shares == sorted(shares, reverse=True)
    assert max(shares) - min(shares) <= 1


@given(st.permutations(CITIES), st.integers(2, 14))
def test_sights_of_a_stop_are_its_own(order, days):
    """A day in one city offers no sight of the other."""
    for area in day_areas(order[:2], days, PROVIDER, preferences=[]):
        assert {sight.city for sight in (*area.sights, *area.spare)} <= {area.city.id}


@pytest.mark.parametrize("days", [1, 3, 14])
def test_no_city_no_areas(days):
    """Where nothing is known of the way there are no days to fill, and no error."""
    assert day_areas([], 0, PROVIDER, preferences=[]) == ()
    assert len(day_areas(CITIES[:1], days, PROVIDER, preferences=[])) == days


def test_centre_of_a_day_is_in_its_city():
    """Meals are looked for around the middle of a day's sights, or of the city when it has none."""
    for city in CITIES:
        for area in day_areas([city], 14, PROVIDER, preferences=[]):
            assert city.lat[0] <= area.centre.lat <= city.lat[1]
            assert area.sights or area.centre == Point(*city.centre)
