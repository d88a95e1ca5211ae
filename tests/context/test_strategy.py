from dataclasses import FrozenInstanceError

import pytest
from langchain_core.messages import HumanMessage

from travel_lab.context import Everything, NewestWithin, Strategy, full_json, own_handoff, silent, task_only


def test_default_shows_everything_and_the_own_handoff():
    """A strategy that names its handoff only shows the whole history, without limit, and the agent's own handoff."""
    strategy = Strategy(name="full", handoff=full_json)

    assert (strategy.trimming, strategy.budget, strategy.briefing) == (Everything(), None, own_handoff)


def test_strategy_is_a_triple_with_a_name():
    """Handoff, trimming and briefing are chosen one by one."""
    strategy = Strategy(name="small", handoff=silent, trimming=NewestWithin(), budget=100, briefing=task_only)

    assert (strategy.handoff, strategy.trimming, strategy.budget, strategy.briefing) == (silent, NewestWithin(), 100, task_only)


def test_strategy_cannot_be_changed():
    """A strategy whose name stands in a table is what it was when the table was made."""
    with pytest.raises(FrozenInstanceError):
        Strategy(name="full", handoff=full_json).name = "silent"


def test_budget_reaches_the_trimming():
    """The budget of a strategy is what its trimming is called with."""
    strategy = Strategy(name="small", handoff=silent, trimming=NewestWithin(), budget=0)

    assert strategy.trimming([HumanMessage("去成都", id="m0")], {}, "", strategy.budget).dropped == ("m0",)
