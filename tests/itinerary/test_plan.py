from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from travel_lab.itinerary import AGENTS, AgentResult, build_itinerary, requirements_hash

NO_SUM = {"amount": None, "low": None, "high": None, "currency": "", "basis": "total", "approximate": False, "unlimited": False}


def test_days_hold_what_each_agent_planned(needs, results):
    """Sights, meals and the hotel of the night stand on their day."""
    days = build_itinerary(needs, results, 1, ["成都"], excuses=[])["days"]

    assert [
        (
            day["day"],
            [sight["name"] for sight in day["sights"]],
            day["lunch"] and day["lunch"]["name"],
            day["dinner"] and day["dinner"]["name"],
            day["hotel"] and day["hotel"]["name"],
        )
        for day in days
    ] == [
        (1, ["宽窄巷子", "杜甫草堂"], "陈麻婆豆腐", "小龙坎火锅", "锦江宾馆"),
        (2, ["武侯祠"], "龙抄手", None, "青年旅舍"),
        (3, [], None, None, None),
    ]


def test_costs_add_up(needs, results):
    """Tickets and meals for two, one room for two nights, and what is left of the budget."""
    cost = build_itinerary(needs, results, 1, ["成都"], excuses=[])["cost"]

    # Tickets (0 + 50 + 50) x 2; meals (60 + 120 + 30) x 2; one room 500 + 80.
    assert cost == {
        "tickets": 200,
        "meals": 420,
        "hotels": 580,
        "total": 1_200,
        "currency": "CNY",
        "budget": 5_000,
        "left": 3_800,
    }


@pytest.mark.parametrize(("adults", "rooms"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3)])
def test_two_share_a_room(needs, results, adults, rooms):
    """A room is for two, an odd traveller has one alone."""
    needs["people"] = {"adults": adults, "children": 0}
    for result in results.values():
        result["requirements_hash"] = requirements_hash(needs, result["agent"])

    assert build_itinerary(needs, results, 1, ["成都"], excuses=[])["cost"]["hotels"] == 580 * rooms


def test_party_of_unknown_size_is_one(needs, results):
    """Without a number the trip is for one, and the card says so."""
    del needs["people"]
    for result in results.values():
        result["requirements_hash"] = requirements_hash(needs, result["agent"])
    itinerary = build_itinerary(needs, results, 1, ["成都"], excuses=[])

    assert (itinerary["adults"], itinerary["cost"]["tickets"]) == (1, 100)


def test_trip_over_budget_says_by_how_much(needs, results):
    """What is left of a budget that does not suffice is negative."""
    needs["budget"]["amount"] = 1_000

    assert build_itinerary(needs, results, 1, ["成都"], excuses=[])["cost"]["left"] == -200


def test_without_budget_nothing_is_left_or_lacking(needs, results):
    """No budget is no budget of zero."""
    del needs["budget"]
    cost = build_itinerary(needs, results, 1, ["成都"], excuses=[])["cost"]

    assert (cost["budget"], cost["left"], cost["total"]) == (None, None, 1_200)


def test_cost_is_told_in_the_currency_of_the_budget(needs, results):
    """A budget in dollars is compared in dollars, by the table of rates."""
    needs["budget"] |= {"amount": 300, "currency": "AUD"}
    cost = build_itinerary(needs, results, 1, ["成都"], excuses=[])["cost"]

    # 200, 420 and 580 yuan at 4.7.
    assert cost == {
        "tickets": 42.55,
        "meals": 89.36,
        "hotels": 123.4,
        "total": 255.31,
        "currency": "AUD",
        "budget": 300,
        "left": 44.69,
    }


def test_budget_without_currency_is_in_that_of_the_place(needs, results):
    """5000 without a word of the currency is 5000 of what prices are in."""
    needs["budget"] |= {"amount": 5_000, "currency": ""}

    assert build_itinerary(needs, results, 1, ["成都"], excuses=[])["cost"]["currency"] == "CNY"


@pytest.mark.parametrize(("prices", "budget"), [("CNY", "GBP"), ("GBP", "CNY"), ("GBP", "CHF")])
def test_budget_that_cannot_be_compared(needs, results, prices, budget):
    """Without a rate the trip is added up in its own currency, and nothing is said about the budget."""
    needs["budget"] |= {"amount": 5_000, "currency": budget}
    for agent in ("route", "hotel", "food"):
        results[agent]["data"]["currency"] = prices
    cost = build_itinerary(needs, results, 1, ["成都"], excuses=[])["cost"]

    assert (cost["total"], cost["currency"], cost["budget"], cost["left"]) == (1_200, prices, None, None)


def test_currency_without_a_rate_needs_none_in_itself(needs, results):
    """Prices and budget in one currency are compared, whichever it is."""
    needs["budget"] |= {"amount": 5_000, "currency": "GBP"}
    for agent in ("route", "hotel", "food"):
        results[agent]["data"]["currency"] = "GBP"

    assert build_itinerary(needs, results, 1, ["成都"], excuses=[])["cost"]["left"] == 3_800


@given(
    st.lists(st.integers(0, 100_000).map(lambda cents: cents / 100), min_size=6, max_size=6),
    st.integers(1, 6),
    st.sampled_from(["CNY", "AUD", "USD"]),
)
def test_parts_of_the_cost_make_its_total(prices, adults, currency):
    """Whatever the prices, the total is the sum of its parts and what is left is the budget less the total, to the cent."""
    needs = {
        "destinations": ["chengdu"],
        "days": 2,
        "people": {"adults": adults, "children": 0},
        "budget": {**NO_SUM, "amount": 777.77, "currency": currency},
    }
    sights = [
        {"name": f"s{n}", "start": "09:00", "end": "10:00", "ticket": price, "about": ""} for n, price in enumerate(prices[:2])
    ]
    meals = {
        meal: {"name": meal, "cuisine": "", "price": price, "tags": []}
        for meal, price in zip(("lunch", "dinner"), prices[2:4], strict=True)
    }
    hotel = {"name": "h", "city": "", "district": "", "stars": 3, "price": prices[4], "rating": 4.0}
    data = {
        "route": {"currency": "CNY", "days": [{"day": 1, "city": "成都", "sights": sights}]},
        "food": {"currency": "CNY", "days": [{"day": 2, **meals}]},
        "hotel": {"currency": "CNY", "hotels": [hotel], "nights": [{"night": 1, "hotel": "h"}], "comparison": ""},
    }
    made = {
        agent: AgentResult(
            agent=agent,
            status="ok",
            reason="",
            turn=1,
            requirements_hash=requirements_hash(needs, agent),
            provider="p",
            data=part,
        )
        for agent, part in data.items()
    }
    cost = build_itinerary(needs, made, 1, ["成都"], excuses=[])["cost"]

    assert cost["total"] == round(cost["tickets"] + cost["meals"] + cost["hotels"], 2)
    assert cost["left"] == round(777.77 - cost["total"], 2)
    assert currency != "CNY" or cost["hotels"] == prices[4] * ((adults + 1) // 2)


def test_last_day_has_no_hotel(needs, results):
    """Who leaves on the last day sleeps and pays nowhere that night, whatever the hotel agent said."""
    results["hotel"]["data"]["nights"].append({"night": 3, "hotel": "皇宫饭店"})
    itinerary = build_itinerary(needs, results, 1, ["成都"], excuses=[])

    assert (itinerary["days"][-1]["hotel"], itinerary["cost"]["hotels"]) == (None, 580)


def test_what_lies_outside_the_trip_is_left_out(needs, results):
    """Days and nights beyond the trip are neither shown nor paid for."""
    results["route"]["data"]["days"].append({"day": 4, "city": "成都", "sights": [{"name": "x", "ticket": 999}]})
    results["hotel"]["data"]["nights"].append({"night": 7, "hotel": "皇宫饭店"})
    itinerary = build_itinerary(needs, results, 1, ["成都"], excuses=[])

    assert ([day["day"] for day in itinerary["days"]], itinerary["cost"]["total"]) == ([1, 2, 3], 1_200)


def test_night_in_a_hotel_that_is_not_listed_is_open(needs, results):
    """A night whose hotel is not among the offers has none, and no price is made up."""
    results["hotel"]["data"]["nights"][0]["hotel"] = "不存在的酒店"
    itinerary = build_itinerary(needs, results, 1, ["成都"], excuses=[])

    assert (itinerary["days"][0]["hotel"], itinerary["cost"]["hotels"]) == (None, 80)


def test_result_of_this_turn_is_current(needs, results):
    """Each part says who made it, when, and that it is current."""
    assert build_itinerary(needs, results, 1, ["成都"], excuses=[])["parts"] == {
        agent: {"standing": "current", "status": "ok", "reason": "", "turn": 1, "provider": "curated"} for agent in AGENTS
    }


def test_result_of_an_earlier_turn_is_carried_over_and_used(needs, results):
    """A hotel changed in turn 2 leaves the rest of turn 1 in the plan, named as kept."""
    results["hotel"]["turn"] = 2
    itinerary = build_itinerary(needs, results, 2, ["成都"], excuses=[])

    assert {agent: part["standing"] for agent, part in itinerary["parts"].items()} == {
        "route": "carried over",
        "hotel": "current",
        "food": "carried over",
        "info": "carried over",
    }
    assert itinerary["days"][0]["sights"][0]["name"] == "宽窄巷子"


@pytest.mark.parametrize("agent", AGENTS)
def test_stale_result_is_left_out_and_named(needs, results, agent):
    """A result made for another trip is in `parts` as stale and nowhere else."""
    results[agent]["requirements_hash"] = requirements_hash({**needs, "destinations": ["xian"]}, agent)
    itinerary = build_itinerary(needs, results, 2, ["成都"], excuses=[])
    others = {other: result for other, result in results.items() if other != agent}
    without = build_itinerary(needs, others, 2, ["成都"], excuses=[])

    assert itinerary["parts"][agent]["standing"] == "stale"
    assert {key: value for key, value in itinerary.items() if key != "parts"} == {
        key: value for key, value in without.items() if key != "parts"
    }


@pytest.mark.parametrize("agent", AGENTS)
def test_missing_agent_is_named(needs, results, agent):
    """An agent without a result is named as missing, and the plan stands without it."""
    del results[agent]
    itinerary = build_itinerary(needs, results, 1, ["成都"], excuses=[])

    assert itinerary["parts"][agent] == {"standing": "missing", "status": "", "reason": "", "turn": 0, "provider": ""}
    assert len(itinerary["days"]) == 3


def test_without_any_result_the_days_are_empty(needs):
    """A plan that nobody worked on has its days, no content and no cost."""
    itinerary = build_itinerary(needs, {}, 1, ["成都"], excuses=[])

    assert [(day["sights"], day["lunch"], day["dinner"], day["hotel"]) for day in itinerary["days"]] == [
        ([], None, None, None)
    ] * 3
    assert (itinerary["cost"]["total"], itinerary["hotels"], itinerary["info"]) == (0, [], None)


def test_degraded_result_says_why(needs, results):
    """A part that is not whole brings its status and reason along."""
    results["food"].update(status="degraded", reason="no answer")
    part = build_itinerary(needs, results, 1, ["成都"], excuses=[])["parts"]["food"]

    assert (part["status"], part["reason"]) == ("degraded", "no answer")


def test_results_are_left_as_they_are(needs, results):
    """Merging changes neither the requirements nor any result."""
    before = deepcopy((needs, results))
    build_itinerary(needs, results, 1, ["成都"], excuses=[])

    assert (needs, results) == before
