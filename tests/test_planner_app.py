"""The planner as an app to be evaluated: its views are those of a real turn."""

import pytest

from travel_lab.evaluation import Case, Probe
from travel_lab.lab import Lab
from travel_lab.planner import MORE_STRATEGIES, STRATEGIES
from travel_lab.planner_app import PlannerApp

PLAN = {"zh": "帮我规划成都3天旅行，预算5000", "en": "Plan 3 days in Sydney, budget A$2500"}
CHANGE = {"zh": "第二晚的酒店换便宜点的", "en": "a cheaper hotel for night 2"}
SECOND = {"zh": "去掉第三天的第一个景点", "en": "drop the first sight of day 3"}


def _case(language: str, *turns: str) -> Case:
    return Case(case_id="one", language=language, split="open", turns=turns, probes=())


def _probe(words: str, after: int) -> Probe:
    return Probe(probe_id="p", kind="any", words=words, after=after, calls=("supervisor",), needed=(), gold=())


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("strategy", {**STRATEGIES, **MORE_STRATEGIES}.values(), ids=lambda strategy: strategy.name)
def test_a_rebuilt_view_is_the_view_of_a_real_turn_under_the_strategy(strategy, language):
    """Every call of a live follow-up, after a plan that every strategy makes alike."""
    app = PlannerApp()
    conversation = app.play(_case(language, PLAN[language]))
    with Lab.open(strategy=strategy) as lab:
        session = lab.session()
        session.send(PLAN[language])
        turn = session.send(CHANGE[language])
    for call in turn.calls:
        rebuilt = app.view(conversation, _probe(CHANGE[language], 1), call.agent, strategy, None)
        assert [(m.type, m.name, m.content) for m in rebuilt] == [(m.type, m.name, m.content) for m in call.view]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_rebuilt_view_of_a_third_turn_is_that_of_a_real_one(language):
    """With everything handed over, a live conversation goes the way the reference went."""
    app, strategy = PlannerApp(), STRATEGIES["full/own"]
    conversation = app.play(_case(language, PLAN[language], CHANGE[language]))
    with Lab.open(strategy=strategy) as lab:
        session = lab.session()
        for words in (PLAN[language], CHANGE[language]):
            session.send(words)
        turn = session.send(SECOND[language])
    assert {call.agent for call in turn.calls} == {"supervisor", "route"}
    for call in turn.calls:
        rebuilt = app.view(conversation, _probe(SECOND[language], 2), call.agent, strategy, None)
        assert [m.content for m in rebuilt] == [m.content for m in call.view]


def test_only_new_results_stand_in_an_exchange():
    """A cheaper hotel leaves the other agents' results to the first turn."""
    first, second = PlannerApp().play(_case("zh", PLAN["zh"], CHANGE["zh"])).exchanges
    assert set(first.results) == {"route", "hotel", "food", "info"}
    assert set(second.results) == {"hotel"}


def test_facts_after_a_change_are_those_that_hold():
    """The replaced hotel of night 2 is no longer a fact; the new one is."""
    app = PlannerApp()
    conversation = app.play(_case("zh", PLAN["zh"], CHANGE["zh"]))
    nights = [[f for f in app.facts(conversation, n) if f.kind == "hotel night" and ("night", 2) in f.scope] for n in (1, 2)]
    assert len(nights[0]) == len(nights[1]) == 1
    assert nights[0] != nights[1]
