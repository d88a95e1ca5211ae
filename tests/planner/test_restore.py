"""Going back to what there was before the newest change."""

import pytest

from travel_lab.lab import Lab

FIRST = {"zh": "帮我规划成都3天旅行，预算5000", "en": "Plan 3 days in Chengdu, budget 5000 CNY"}
CHANGE = {"zh": "预算改成8000", "en": "change the budget to 8000"}
BACK = {"zh": "还是用原来的方案", "en": "back to what we had before"}
RESULTS = ("route_result", "hotel_result", "food_result", "info_result")
either_language = pytest.mark.parametrize("language", ["zh", "en"])


@pytest.fixture
def session():
    """A session of its own."""
    with Lab.open() as lab:
        yield lab.session()


def kept(session):
    """What a restore brings back."""
    state = session.state()
    return {"requirements": state["requirements"], **{name: state[name] for name in RESULTS}}


def play(session, language):
    """A plan and a change; what there was before and after it."""
    session.send(FIRST[language])
    before = kept(session)
    session.send(CHANGE[language])
    return before, kept(session)


@either_language
def test_restore_brings_back_results_and_requirements(session, language):
    """Everything is as it was before the change, and no specialist ran."""
    before, after = play(session, language)
    turn = session.send(BACK[language])
    assert before != after
    assert (kept(session), turn.agents) == (before, ("supervisor",))


@either_language
def test_restoring_twice_goes_forward_again(session, language):
    """What was replaced can be gone back to in turn."""
    _, after = play(session, language)
    session.send(BACK[language])
    session.send(BACK[language])
    assert kept(session) == after


@either_language
def test_restored_plan_stands_on_a_card(session, language):
    """The traveller is shown the days of the first card again."""
    first = session.send(FIRST[language]).itinerary
    session.send(CHANGE[language])
    assert session.send(BACK[language]).itinerary["days"] == first["days"]


@either_language
def test_without_anything_earlier_a_restore_asks(session, language):
    """The first plan has nothing before it."""
    session.send(FIRST[language])
    before = kept(session)
    turn = session.send(BACK[language])
    assert (turn.reply_kind, turn.itinerary, kept(session)) == ("ask", None, before)


def test_a_new_destination_can_be_taken_back(session):
    """All four results and the destination come back together."""
    session.send(FIRST["en"])
    before = kept(session)
    session.send("not Chengdu, Xi'an")
    session.send(BACK["en"])
    assert kept(session) == before
