import math

import pytest

from travel_lab.context import Fact, grounding
from travel_lab.lab import Lab
from travel_lab.planner import facts_of, results_of


def price(name, amount):
    return Fact(agent="hotel", kind="hotel price", subject=name, value=float(amount), unit="CNY", keys=("price",))


FIRST, THIRD = price("锦江宾馆", 500), price("瑞吉酒店", 1200)
PRODUCED = {1: (FIRST,), 2: (), 3: (THIRD,)}


def test_a_fact_of_an_earlier_turn_is_grounded_in_that_turn():
    """The reply of turn 3 names the hotel of turn 1, which no message of turn 3 holds: it comes from turn 1."""
    made = grounding("锦江宾馆每晚500元，比瑞吉酒店便宜。", PRODUCED)

    assert made.sources == {FIRST: 1}
    assert made.unfounded == ()
    assert made.score.value == 1


def test_a_fact_that_is_produced_again_comes_from_the_first_turn():
    """Carrying a result on makes no new source."""
    assert grounding("锦江宾馆每晚500元", {1: (FIRST,), 2: (FIRST,)}).sources == {FIRST: 1}


def test_another_price_of_a_known_hotel_is_unfounded():
    """What no turn has produced of a known name is told as such, with its value."""
    made = grounding("锦江宾馆每晚300元", PRODUCED)

    assert [(fact.subject, fact.value) for fact in made.unfounded] == [("锦江宾馆", 300.0)]
    assert made.score.value == 0
    assert "锦江宾馆 = 300" in made.score.reason


def test_both_prices_of_a_hotel_that_changed_its_price_are_grounded():
    """An old price is no invention; that it is stale is another finding."""
    produced = {1: (FIRST,), 2: (price("锦江宾馆", 450),)}
    assert grounding("锦江宾馆原来每晚500元，现在锦江宾馆每晚450元", produced).sources == {FIRST: 1, produced[2][0]: 2}


def test_a_reply_without_facts_has_no_score():
    """Nothing stated is not the same as nothing grounded."""
    assert math.isnan(grounding("好的，祝您旅途愉快！", PRODUCED).score.value)


@pytest.mark.parametrize(
    ("first", "asked"),
    [("帮我规划成都3天旅行", "第1天的酒店多少钱"), ("Plan 3 days in Sydney", "how much is the hotel on night 1?")],
)
def test_an_answer_two_turns_later_is_grounded_in_the_plan(first, asked):
    """A real session: after another question, the price asked for comes from turn 1."""
    with Lab.open(strategy="full/own") as lab:
        session = lab.session()
        session.send(first)
        facts = {1: facts_of(results_of(session.state()))}
        session.send("any etiquette to know?")
        made = grounding(session.send(asked).reply, {**facts, 2: facts[1], 3: facts[1]})

    assert {fact.kind for fact in made.sources} == {"hotel price", "hotel night"}
    assert set(made.sources.values()) == {1}
    assert made.score.value == 1
