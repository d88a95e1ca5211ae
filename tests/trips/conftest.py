import pytest

from travel_lab.lab import Lab
from travel_lab.trips import Plan


def _play(*messages):
    with Lab.open() as lab:
        session = lab.session()
        turns = [session.send(text) for text in messages]
        state = session.state()
    calls = [call for turn in turns for call in turn.calls]
    return state, len(calls), sum(call.tokens for call in calls)


def _plan(name, *messages):
    state, calls, tokens = _play(*messages)
    return Plan(name=name, itinerary=state["itinerary"], requirements=state["requirements"], model_calls=calls, tokens=tokens)


@pytest.fixture(scope="session")
def whitsundays():
    return _plan("islands", "Plan 8 days in Sydney and Whitsundays, budget 5000 AUD, vegetarian")


@pytest.fixture(scope="session")
def melbourne():
    return _plan("Melbourne", "Plan 6 days in Sydney and Melbourne, budget 5000 AUD, no museums")


@pytest.fixture(scope="session")
def sydney_zh():
    return _plan("悉尼", "帮我规划悉尼和圣灵群岛8天旅行，预算5000澳元，吃素")


@pytest.fixture(scope="session")
def chengdu():
    return _plan("成都", "帮我规划成都3天旅行，预算5000")
