"""Differences of plans: seeded edits, made without the diff's code, are found, all of them and nothing else."""

import random
from copy import deepcopy

import pytest

from travel_lab.catalogue import CuratedProvider
from travel_lab.trips import PlanChange, plan_diff

PROVIDER = CuratedProvider()


def rename_city(day, _):
    was, day["city"] = day["city"], "Atlantis"
    return ("city", "name", "", was, "Atlantis")


def add_sight(day, _):
    day["sights"].append({"name": "Unlisted garden", "start": "20:00", "end": "21:00", "ticket": 3, "about": ""})
    return ("sight", "name", "", None, "Unlisted garden")


def remove_sight(day, name):
    day["sights"] = [sight for sight in day["sights"] if sight["name"] != name]
    return ("sight", "name", "", name, None)


def reprice_sight(day, name):
    sight = next(sight for sight in day["sights"] if sight["name"] == name)
    was, sight["ticket"] = sight["ticket"], sight["ticket"] + 7
    return ("sight", "ticket", name, was, was + 7)


def move_sight(day, name):
    sight = next(sight for sight in day["sights"] if sight["name"] == name)
    was, sight["start"] = sight["start"], "07:01"
    return ("sight", "start", name, was, "07:01")


def other_house(day, slot):
    was, day[slot]["name"] = day[slot]["name"], "Unlisted house"
    return (slot, "name", "", was, "Unlisted house")


def reprice_house(day, slot):
    was, day[slot]["price"] = day[slot]["price"], day[slot]["price"] + 11
    return (slot, "price", day[slot]["name"], was, was + 11)


def no_house(day, slot):
    was, day[slot] = day[slot]["name"], None
    return (slot, "name", "", was, None)


def edited(plan, rng, count):
    """`count` edits, each of another thing, and the line a reader would write about each."""
    new, told = deepcopy(plan), []
    things = []
    for day in new["days"]:
        things += [(day, "city", [rename_city]), (day, "more", [add_sight])]
        things += [(day, sight["name"], [remove_sight, reprice_sight, move_sight]) for sight in day["sights"]]
        things += [(day, slot, [other_house, reprice_house, no_house]) for slot in ("lunch", "dinner", "hotel") if day[slot]]
    for day, thing, ways in rng.sample(things, count):
        told.append((day["day"], *rng.choice(ways)(day, thing)))
    return new, told


def lines(changes):
    return [(c.day, c.slot, c.field, c.place, c.a, c.b) for c in changes]


def test_seeded_edits_are_found(whitsundays, melbourne):
    """Of 500 edits between two plans the diff finds every one and reports nothing besides: recall and precision are 1."""
    rng, made, found, right = random.Random(5), 0, 0, 0
    while made < 500:
        plan = rng.choice([whitsundays, melbourne]).itinerary
        new, told = edited(plan, rng, min(rng.randint(1, 12), 500 - made))
        reported = lines(plan_diff(plan, new, PROVIDER))
        made, found, right = made + len(told), found + len(reported), right + len(set(told) & set(reported))

    assert (made, right / made, right / found) == (500, 1.0, 1.0)


@pytest.mark.parametrize("seed", range(20))
def test_diff_is_symmetric(whitsundays, melbourne, seed):
    """The other way round the two sides are exchanged and nothing else changes."""
    new, _ = edited(whitsundays.itinerary, random.Random(seed), 8)
    for other in (new, melbourne.itinerary):
        there, back = plan_diff(whitsundays.itinerary, other, PROVIDER), plan_diff(other, whitsundays.itinerary, PROVIDER)
        mirrored = [PlanChange(day=c.day, slot=c.slot, field=c.field, place=c.place, a=c.b, b=c.a) for c in back]

        assert list(there) == mirrored


def test_plan_does_not_differ_from_itself(whitsundays):
    """A plan and its copy have no difference."""
    assert plan_diff(whitsundays.itinerary, deepcopy(whitsundays.itinerary), PROVIDER) == ()


def test_language_is_no_difference(whitsundays, sydney_zh):
    """The same plan made in Chinese and in English has no difference, because places are known by what they are."""
    assert plan_diff(whitsundays.itinerary, sydney_zh.itinerary, PROVIDER) == ()


def test_day_one_plan_lacks_is_told(whitsundays):
    """A plan cut short differs by everything of its missing last day, the city included."""
    short = deepcopy(whitsundays.itinerary)
    last = short["days"].pop()
    changes = plan_diff(whitsundays.itinerary, short, PROVIDER)

    assert {c.day for c in changes} == {8}
    assert len(changes) == len(last["sights"]) + 3  # the city, lunch and dinner


def test_sight_visited_twice_is_counted_twice(whitsundays):
    """A second visit to the same sight on a day is a difference."""
    twice = deepcopy(whitsundays.itinerary)
    twice["days"][0]["sights"].append(deepcopy(twice["days"][0]["sights"][0]))

    assert [c.slot for c in plan_diff(whitsundays.itinerary, twice, PROVIDER)] == ["sight"]
