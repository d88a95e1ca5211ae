"""300 generated requests: how many plans hold, and whether every excuse on a card is true of every possible plan."""

import importlib.util
from math import ceil
from pathlib import Path

import pytest

from travel_lab.catalogue import CuratedProvider

SPEC = importlib.util.spec_from_file_location("generated", Path(__file__).with_name("generated.py"))
generated = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(generated)

PROVIDER = CuratedProvider()
YUAN = {"CNY": 1.0, "AUD": 4.7, "USD": 7.1, "JPY": 0.047, "THB": 0.21, "EUR": 8.2, "SGD": 5.5}
MUST = {"vegetarian": "vegetarian", "halal": "halal"}
MUST_NOT = {"no_spicy": "spicy", "no_peanuts": "peanuts", "no_seafood": "seafood"}
UNWANTED = {"no:museum": {"museum", "gallery"}, "no:temple": {"temple"}, "no:park": {"park"}}


@pytest.fixture(scope="module")
def plans():
    """The 300, planned once."""
    return list(generated.plans())


def stays(planned):
    """City and days of each stop, from the request alone: shared evenly, the earlier ones get the odd days."""
    cities = [PROVIDER.find_city(city) for city in planned.requirements["destinations"]]
    days, odd = divmod(planned.requirements["days"], len(cities))
    return [(city, days + (at < odd)) for at, city in enumerate(cities)]


def edible(planned, city, meal=None):
    """The restaurants of a city that keep the diet."""
    wishes = planned.requirements.get("preferences", [])
    kept = []
    for place in PROVIDER.restaurants(city.id):
        wrong = any(MUST_NOT.get(wish) in place.tags or MUST.get(wish, "") not in {"", *place.tags} for wish in wishes)
        if not wrong and (meal is None or meal in place.meals):
            kept.append(place)
    return kept


def wanted_sights(planned, city):
    """The sights of a city no ban takes away."""
    bans = [UNWANTED[wish] for wish in planned.requirements.get("preferences", []) if wish in UNWANTED]
    return [sight for sight in PROVIDER.sights(city.id) if not any(sight.category in ban for ban in bans)]


def cheapest_trip(planned):
    """The least any plan costs, in yuan: day by day the cheapest lunch and dinner, night by night the cheapest bed."""
    people = planned.requirements.get("people", {"adults": 1, "children": 0})
    heads, rooms = people["adults"] + people["children"], ceil(people["adults"] / 2)
    nights = [city for city, days in stays(planned) for _ in range(days)][:-1]
    total = 0.0
    for city, days in stays(planned):
        for _ in range(days):
            for meal in ("lunch", "dinner"):
                prices = [place.price for place in edible(planned, city, meal)]
                total += min(prices, default=0) * heads * YUAN[city.currency]
    for city in nights:
        total += min(hotel.price for hotel in PROVIDER.hotels(city.id)) * rooms * YUAN[city.currency]
    return total


def is_true(excuse, planned):
    """Whether no plan at all could avoid the shortage."""
    if excuse["shortage"] == "budget":
        return cheapest_trip(planned) > planned.requirements["budget"]["amount"] * YUAN[excuse["currency"]]
    city, days = next((city, days) for city, days in stays(planned) if city.id == excuse["city"])
    if excuse["shortage"] == "sights":
        return len(wanted_sights(planned, city)) < days
    if excuse["shortage"] in {"lunch", "dinner"}:
        return not edible(planned, city, excuse["shortage"])
    lunches, dinners = edible(planned, city, "lunch"), edible(planned, city, "dinner")
    different = {place.id for place in (*lunches, *dinners)}
    return len(different) < 2 * days or len(lunches) < days or len(dinners) < days


def fails(planned, rule):
    return any(check.rule == rule and check.verdict == "fail" for check in planned.checks)


def test_there_are_300_different_turns(plans):
    """All requests were played."""
    assert len(plans) == 300


def test_every_request_gets_a_plan(plans):
    """None ends in a question or an empty reply."""
    assert [planned.text for planned in plans if planned.turn.itinerary is None] == []


def test_four_of_five_plans_pass_every_rule_that_can_tell(plans):
    """At least 0.80, infeasible requests counted as failed."""
    assert sum(planned.passes for planned in plans) / len(plans) >= 0.80


def test_every_excuse_is_true_of_every_possible_plan(plans):
    """Counted over all rows of the provider by loops of this file."""
    false = [
        (planned.text, excuse)
        for planned in plans
        for excuse in planned.turn.itinerary["excuses"]
        if not is_true(excuse, planned)
    ]
    assert false == []


def test_some_card_carries_a_budget_excuse_and_some_a_shortage_of_places(plans):
    """The requests go down to infeasible ones, so the search above has something to judge."""
    shortages = {excuse["shortage"] for planned in plans for excuse in planned.turn.itinerary["excuses"]}
    assert {"budget", "restaurants"} <= shortages


def test_a_budget_that_no_plan_can_keep_is_excused_on_its_card(plans):
    """The other way round: what the search finds infeasible, the card says."""
    short = []
    for planned in plans:
        budget = planned.requirements.get("budget")
        if budget is None:
            continue
        currency = planned.turn.itinerary["cost"]["currency"]
        excused = any(excuse["shortage"] == "budget" for excuse in planned.turn.itinerary["excuses"])
        # A cent either way is rounding.
        if cheapest_trip(planned) > budget["amount"] * YUAN[currency] + 0.05 and not excused:
            short.append(planned.text)
    assert short == []


def test_no_plan_misses_a_budget_that_could_be_kept(plans):
    """Whatever is over its budget has the excuse on its card."""
    missed = [
        planned.text
        for planned in plans
        if fails(planned, "budget") and not any(excuse["shortage"] == "budget" for excuse in planned.turn.itinerary["excuses"])
    ]
    assert missed == []
