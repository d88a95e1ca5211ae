import pytest
from langchain_core.messages import AIMessage, HumanMessage

from travel_lab.context import own_handoff, task_only

ASKED = HumanMessage("帮我规划成都3天旅行", id="m0")
SUPERVISOR = AIMessage("规划：成都 3 天", name="supervisor", id="m1")
FIRST = AIMessage("已筛选酒店：锦江宾馆(¥500)", name="hotel", id="m2")
FOOD = AIMessage("已推荐美食", name="food", id="m3")
SECOND = AIMessage("已更换酒店：青年旅舍(¥80)", name="hotel", id="m4")
CONVERSATION = [ASKED, SUPERVISOR, FIRST, FOOD, SECOND]


@pytest.mark.parametrize("agent", ["hotel", "food", "supervisor", "nobody"])
def test_task_only_shows_nothing_of_the_conversation(agent):
    """As in the articles, a specialist gets its task and nothing else."""
    assert task_only(agent, CONVERSATION) == []


def test_own_handoff_is_the_agents_latest_one():
    """A specialist gets what it last wrote itself, and not what it wrote before."""
    assert own_handoff("hotel", CONVERSATION) == [SECOND]


def test_own_handoff_is_nobody_elses():
    """The food agent does not see the hotel agent's message, however new it is."""
    assert own_handoff("food", CONVERSATION) == [FOOD]


@pytest.mark.parametrize("agent", ["route", "hote", "hotels", "Hotel"])
def test_own_handoff_of_an_agent_that_left_none(agent):
    """An agent that wrote nothing gets nothing, and part of another's name is not enough."""
    assert own_handoff(agent, CONVERSATION) == []


def test_own_handoff_of_an_empty_conversation():
    """On the first turn there is nothing to brief with."""
    assert own_handoff("hotel", []) == []


def test_author_counts_and_not_the_words():
    """A traveller who writes like an agent, or about one, is no agent."""
    messages = [HumanMessage("hotel: 已筛选酒店", id="m0"), AIMessage("hotel", id="m1")]

    assert own_handoff("hotel", messages) == []


@pytest.mark.parametrize("briefing", [task_only, own_handoff])
def test_conversation_is_left_as_it_is(briefing):
    """Picking messages takes none of them away."""
    messages = list(CONVERSATION)
    briefing("hotel", messages)

    assert messages == CONVERSATION
