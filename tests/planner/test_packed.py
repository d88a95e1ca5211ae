"""The packed handoff: whole facts under a budget, and more of them than the article's summary of the same length."""

from functools import cache
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from travel_lab.context import bound_facts
from travel_lab.itinerary import FollowUp
from travel_lab.itinerary.followup import Kind
from travel_lab.lab import Lab
from travel_lab.planner import PRIORITIES, Packed, article_summary, asked_for, facts_of, results_of
from travel_lab.tokens import DEEPSEEK, TokenCounter

CHARACTERS = TokenCounter(name="characters", text=len)
TRIPS = {
    "zh-5": "帮我规划成都5天旅行，预算9000",
    "zh-8": "帮我规划成都和西安8天旅行",
    "en-6": "Plan a 6-day trip to Sydney, budget 9000",
    "en-9": "Plan a 9-day trip to Sydney and Melbourne",
}


@cache
def results(trip):
    with Lab.open() as lab:
        session = lab.session("s")
        session.send(TRIPS[trip])
        return results_of(session.state())


def handed(handoff, trip, agent):
    """How many facts the handoff of an agent's result binds, its text, and the facts there are."""
    result = results(trip)[agent]
    text = handoff(agent, result["data"], trip[:2])
    facts = facts_of({agent: result})
    return len(bound_facts(text, facts)), text, len(facts)


@pytest.mark.parametrize("agent", ["route", "hotel", "food", "info"])
@pytest.mark.parametrize("trip", TRIPS)
def test_without_a_limit_every_fact_is_bound(trip, agent):
    """Tables lose nothing: every declared fact of every agent is bound."""
    bound, _, facts = handed(Packed(budget=None), trip, agent)

    assert bound == facts


@pytest.mark.parametrize("agent", ["hotel", "food"])
@pytest.mark.parametrize("trip", TRIPS)
def test_at_300_characters_at_least_30_percent_more_facts(trip, agent):
    """At the article's own length, hotel and food hold at least 1.3 times the facts of the article's summary."""
    packed, text, _ = handed(Packed(budget=300, counter=CHARACTERS), trip, agent)
    article, _, _ = handed(article_summary, trip, agent)

    assert len(text) <= 300
    assert packed >= 1.3 * article


@pytest.mark.parametrize("trip", TRIPS)
def test_route_at_the_articles_own_length(trip):
    """The article's route summary is not cut; within its length the packed one holds no fewer facts."""
    article, text, _ = handed(article_summary, trip, "route")
    packed, _, _ = handed(Packed(budget=len(text), counter=CHARACTERS), trip, "route")

    assert packed >= article


@pytest.mark.parametrize("agent", ["route", "hotel", "food", "info"])
@given(budget=st.integers(0, 300), trip=st.sampled_from(sorted(TRIPS)))
def test_never_over_budget_and_every_fact_whole(agent, budget, trip):
    """Any budget is kept by exact count; names come whole; what is left out is counted in the last line."""
    result = results(trip)[agent]["data"]
    text = Packed(budget=budget)(agent, result, trip[:2])
    words = {"zh": "未列出", "en": "not listed"}[trip[:2]]

    assert DEEPSEEK.text(text) <= budget
    named = [piece for piece in _names(agent, result) if piece in text]
    left_out = len(_names(agent, result)) - len(named)
    assert (words in text) == (bool(text) and left_out > 0)
    if words in text:
        assert str(left_out) in text.split("\n")[-1]


def _names(agent, result):
    """Names of the things a result lists, in order."""
    if agent == "hotel":
        return [hotel["name"] for hotel in result["hotels"]]
    if agent == "info":
        return [sentence for kind in ("culture", "trivia", "etiquette") for sentence in result[kind]]
    if agent == "route":
        return [sight["name"] for day in result["days"] for sight in day["sights"]]
    return [day[meal]["name"] for day in result["days"] for meal in ("lunch", "dinner") if meal in day]


def test_priorities_of_ones_own():
    """With stars first and everything else at 0 a tight budget holds all stars and no price."""
    facts = facts_of({"hotel": results("zh-5")["hotel"]})
    bound = bound_facts(Packed(budget=70, priorities={"hotel stars": 1})("hotel", results("zh-5")["hotel"]["data"], "zh"), facts)

    kinds = [fact.kind for fact in bound]
    assert (kinds.count("hotel stars"), kinds.count("hotel price")) == (5, 0)


def test_priorities_follow_how_often_followups_ask():
    """Of three follow-ups two need the hotel's night and its price, one a day's sights."""
    asked = asked_for(
        [FollowUp(kind="hotel_cheaper", day=1), FollowUp(kind="hotel_cheaper", day=2), FollowUp(kind="sight_drop", day=1)],
        results("zh-5"),
    )

    assert asked == {"hotel night": pytest.approx(2 / 3), "hotel price": pytest.approx(2 / 3), "day sight": pytest.approx(1 / 3)}


def test_every_kind_of_fact_has_a_priority():
    """No kind of fact comes last only because nobody thought of it."""
    assert {fact.kind for fact in facts_of(results("zh-5"))} == set(PRIORITIES)


def test_priorities_count_the_kinds_of_followup():
    """One follow-up of each kind about day 2: as many need a kind of fact as its priority says; none needs the rest."""
    kinds = get_args(Kind)
    asked = asked_for([FollowUp(kind=kind, day=2) for kind in kinds], results("zh-5"))

    assert {kind: round(share * len(kinds)) for kind, share in asked.items()} == {k: n for k, n in PRIORITIES.items() if n >= 1}


@pytest.mark.parametrize("budget", range(0, 120, 3))
def test_a_family_emoji_at_the_limit_comes_whole_or_not_at_all(budget):
    """A name of several code points that are one sign is never cut inside, nor is its price left without it."""
    name = "家庭旅馆👨\u200d👩\u200d👧\u200d👦"
    hotel = {"name": name, "city": "成都", "district": "锦江", "stars": 4, "price": 654.0, "rating": 4.5}
    result = {
        "destination": "成都",
        "currency": "CNY",
        "hotels": [hotel],
        "nights": [{"night": 1, "hotel": name}],
        "comparison": "便宜，但已满房",
    }
    text = Packed(budget=budget)("hotel", result, "zh")

    assert (name in text) == ("👨" in text) == ("654" in text)
    # A comparison is opinion, not a fact: it is not half told.
    assert "便宜" not in text or "但已满房" in text
