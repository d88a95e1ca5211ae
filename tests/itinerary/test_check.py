"""PlanCheck: a real plan passes, and each rule catches the defect planted for it, alone."""

from copy import deepcopy

import pytest

from travel_lab.catalogue import CuratedProvider
from travel_lab.itinerary.check import RULES, check_plan
from travel_lab.lab import Lab

PROVIDER = CuratedProvider()


@pytest.fixture(scope="module")
def planned():
    """A plan of three days in Chengdu with a diet, a ban and a budget, and what was asked for."""
    with Lab.open() as lab:
        session = lab.session()
        turn = session.send("帮我规划成都3天旅行，预算5000，不吃辣，不去公园")
        return turn.itinerary, session.state()["requirements"]


@pytest.fixture
def plan(planned):
    """A copy to break."""
    return deepcopy(planned[0])


@pytest.fixture
def needs(planned):
    """A copy of what was asked for."""
    return deepcopy(planned[1])


def verdicts(plan, needs):
    return {check.rule: check.verdict for check in check_plan(plan, needs, PROVIDER)}


def failed(plan, needs):
    return [rule for rule, verdict in verdicts(plan, needs).items() if verdict == "fail"]


def unused_sight(plan, unwanted):
    """A sight of Chengdu, as the card would show it, that is not in the plan."""
    shown = {visit["name"] for day in plan["days"] for visit in day["sights"]}
    return next(s for s in PROVIDER.sights("chengdu") if s.name.zh not in shown and (s.category == "park") == unwanted)


def visit(sight, start, end):
    return {"name": sight.name.zh, "start": start, "end": end, "ticket": sight.price, "about": ""}


def no_sights(plan):
    plan["days"][1]["sights"] = []


def same_dinner_twice(plan):
    plan["days"][1]["dinner"] = plan["days"][0]["dinner"]


def visited_before_it_opens(plan):
    closed = {name for s in PROVIDER.sights("chengdu") if s.opens.hour > 4 for name in (s.name.zh, s.name.en)}
    first = next(day["sights"][0] for day in plan["days"] if day["sights"][0]["name"] in closed)
    first["start"], first["end"] = "03:00", "03:30"


def sight_of_another_city(plan):
    plan["days"][0]["sights"] = [visit(PROVIDER.sights("xian")[0], "10:00", "11:00")]


def no_time_between(plan):
    day = next(day for day in plan["days"] if len(day["sights"]) > 1)
    one, other = day["sights"][:2]
    one["end"] = other["start"]


def no_lunch(plan):
    plan["days"][0]["lunch"] = None


def no_bed(plan):
    plan["days"][0]["hotel"] = None


def over_budget(plan):
    plan["cost"]["left"] = -1.0


def spicy_dinner(plan):
    shown = {meal["name"] for day in plan["days"] for meal in (day["lunch"], day["dinner"]) if meal}
    hot = next(r for r in PROVIDER.restaurants("chengdu") if "spicy" in r.tags and r.name.zh not in shown)
    plan["days"][0]["dinner"] = {"name": hot.name.zh, "cuisine": hot.cuisine.zh, "price": hot.price, "tags": sorted(hot.tags)}


def banned_sight(plan):
    park = unused_sight(plan, unwanted=True)
    start = park.opens.hour + 1
    plan["days"][0]["sights"] = [visit(park, f"{start:02}:00", f"{start:02}:30")]


DEFECTS = {
    "complete days": no_sights,
    "no repeats": same_dinner_twice,
    "opening hours": visited_before_it_opens,
    "right city": sight_of_another_city,
    "travel time": no_time_between,
    "meals": no_lunch,
    "nights": no_bed,
    "budget": over_budget,
    "diet": spicy_dinner,
    "bans": banned_sight,
}


def test_every_rule_has_a_planted_defect():
    """No rule is left without one."""
    assert list(DEFECTS) == list(RULES)


def test_a_real_plan_passes_every_rule(plan, needs):
    """Nothing is wrong with what the planner makes of an easy request."""
    assert verdicts(plan, needs) == dict.fromkeys(RULES, "pass")


@pytest.mark.parametrize("rule", DEFECTS)
def test_a_planted_defect_is_caught_by_its_rule_alone(plan, needs, rule):
    """The rule fails, and no other one does."""
    DEFECTS[rule](plan)
    assert failed(plan, needs) == [rule]


@pytest.mark.parametrize("rule", DEFECTS)
def test_a_failed_rule_says_what_it_found(plan, needs, rule):
    """The reason is not the one of a plan that passes."""
    DEFECTS[rule](plan)
    check = next(check for check in check_plan(plan, needs, PROVIDER) if check.rule == rule)
    assert check.reason not in {"", "Nothing against it was found."}


def test_a_missing_day_is_an_incomplete_plan(plan, needs):
    """Two days are no plan for three."""
    del plan["days"][2]
    assert verdicts(plan, needs)["complete days"] == "fail"


def test_a_night_in_another_city_than_the_day_is_caught(plan, needs):
    """The bed must be where the day ends."""
    plan["days"][0]["hotel"]["city"] = "西安"
    assert failed(plan, needs) == ["nights"]


def test_a_city_nobody_asked_for_is_caught(plan, needs):
    """A whole day elsewhere is wrong although its sights are there."""
    needs["destinations"] = ["xian"]
    assert failed(plan, needs) == ["right city"]


def test_without_a_budget_the_budget_cannot_be_told(plan, needs):
    """Unknown is neither kept nor broken."""
    plan["cost"]["budget"] = plan["cost"]["left"] = None
    assert verdicts(plan, needs)["budget"] == "cannot tell"


def test_without_a_length_complete_days_cannot_be_told(plan, needs):
    """How many days are complete depends on how many were wanted."""
    del needs["days"]
    assert verdicts(plan, needs)["complete days"] == "cannot tell"


def test_rules_answer_in_a_fixed_order(plan, needs):
    """Every rule answers once, in the order they are listed."""
    assert [check.rule for check in check_plan(plan, needs, PROVIDER)] == list(RULES)
