"""The linter finds seeded defects in real handoffs, and nothing in whole ones."""

from functools import cache

import pytest

from travel_lab.context import Fact, bound_facts, full_json, lint_handoff
from travel_lab.lab import Lab
from travel_lab.planner import Packed, article_summary, article_text, facts_of, results_of
from travel_lab.tokens import TokenCounter

CHARACTERS = TokenCounter(name="characters", text=len)
TRIPS = {
    "zh": ("帮我规划成都5天旅行，预算9000", "帮我规划成都和西安8天旅行", "去北京玩4天", "深圳3天"),
    "en": ("Plan a 6-day trip to Sydney, budget 9000", "Plan a 9-day trip to Sydney and Melbourne", "Plan 4 days in Beijing"),
}
HANDOFFS = {"packed": Packed(budget=None), "json": full_json, "article": article_text}
AT_LEAST = 0.98


@cache
def handoffs():
    """(language, handoff, text, facts) of every agent's result of every trip."""
    made = []
    with Lab.open() as lab:
        for language, requests in TRIPS.items():
            for request in requests:
                session = lab.session()
                session.send(request)
                for agent, result in results_of(session.state()).items():
                    facts = facts_of({agent: result})
                    made += [(language, name, write(agent, result["data"], language), facts) for name, write in HANDOFFS.items()]
    return made


def rules(text, facts, **known):
    return {finding.rule for finding in lint_handoff(text, facts, **known)}


def seeded():
    """(rule, text, facts, what the linter is told): one defect each, made from a handoff that binds its facts."""
    for _, name, text, facts in handoffs():
        if name == "json":
            yield "zero facts", "", facts, {}
        bound = [fact for fact in facts if fact in bound_facts(text, facts)]
        if not bound:
            yield "zero facts", text, facts, {}
            continue
        yield "over cap", text, facts, {"cap": len(text) - 1, "counter": CHARACTERS}
        yield "cut fact", text[: len(text) // 2], facts, {"whole": text}
        if name == "json":
            yield "cut fact", text[: 2 * len(text) // 3], facts, {}
        long = [fact for fact in bound if len(fact.subject) > 3 and fact.agent != "info"]
        if long and name == "article":
            at = text.index(long[-1].subject)
            yield "cut fact", text[: at + len(long[-1].subject) - 1], facts, {}
        priced = [fact for fact in bound if fact.kind == "hotel price"]
        for fact in priced[:2]:
            wrong = _swapped(text, fact, "9876")
            yield "contradicts result", wrong, facts, {}
            old = Fact(agent="hotel", kind=fact.kind, subject=fact.subject, value=9876.0, unit=fact.unit, keys=fact.keys)
            yield "stale", wrong, facts, {"past": [old]}
            yield "missing price", _swapped(text, fact, ""), facts, {}
        for fact in [fact for fact in bound if fact.kind == "day sight"][:1]:
            other = max(day for f in facts for _, day in f.scope) + 1
            moved = [
                Fact(agent=f.agent, kind=f.kind, subject=f.subject, scope=(("day", other),)) if f == fact else f for f in facts
            ]
            yield "contradicts result", text, moved, {}
            yield "missing day", text, moved, {}


def _swapped(text, fact, number):
    """The text with another number where the subject's price stands first."""
    at = text.index(f"{fact.value:g}", text.index(fact.subject) + len(fact.subject))
    return text[:at] + number + text[at + len(f"{fact.value:g}") :]


def test_there_are_enough_seeded_defects():
    """At least 200 defects, each rule at least 10 times."""
    made = [rule for rule, *_ in seeded()]

    assert len(made) >= 200
    assert {rule for rule in made if made.count(rule) >= 10} == set(made)
    assert len(set(made)) == 7


def test_recall_on_seeded_defects():
    """At least 98 of 100 seeded defects are found."""
    found = [(rule, text[:60], rule in rules(text, facts, **known)) for rule, text, facts, known in seeded()]
    missed = [one for one in found if not one[2]]

    assert 1 - len(missed) / len(found) >= AT_LEAST, missed


def test_precision_on_whole_handoffs():
    """Packed tables and JSON without a defect get no finding at all; 98 in 100 must be clean."""
    clean = [(text[:60], rules(text, facts)) for _, name, text, facts in handoffs() if name != "article"]
    wrong = [one for one in clean if one[1]]

    assert 1 - len(wrong) / len(clean) >= AT_LEAST, wrong


def test_precision_on_seeded_defects():
    """A seeded defect brings no finding of a rule that it does not break; 98 in 100 findings are right."""
    allowed = {
        "zero facts": set(),
        "cut fact": {"missing price", "missing day", "zero facts"},
        "missing price": {"cut fact"},
        # An old price in the place of the new one hides the new one.
        "stale": {"missing price", "contradicts result"},
        "contradicts result": {"missing price", "missing day"},
        "missing day": {"contradicts result"},
        "over cap": set(),
    }
    right = wrong = 0
    for rule, text, facts, known in seeded():
        before = _before(facts)
        for found in rules(text, facts, **known) - before:
            right += found == rule or found in allowed[rule]
            wrong += not (found == rule or found in allowed[rule])

    assert right / (right + wrong) >= AT_LEAST


@cache
def _faults():
    return [(facts, text, rules(text, facts)) for _, _, text, facts in handoffs()]


def _before(facts):
    """What the unharmed handoffs of this result are found guilty of, such as the article's missing prices."""
    return set().union(*(found for known, _, found in _faults() if known == facts and "zero facts" not in found), set())


@pytest.mark.parametrize(
    ("agent", "rule"), [("info", "zero facts"), ("food", "cut fact"), ("food", "missing price"), ("hotel", "cut fact")]
)
def test_the_articles_summary_gets_what_it_deserves(agent, rule):
    """Nine days in two cities: info says nothing, food has no price, and both lists are cut in the middle."""
    with Lab.open() as lab:
        session = lab.session()
        session.send("Plan a 9-day trip to Sydney and Melbourne")
        result = results_of(session.state())[agent]
    data = result["data"]
    text, whole = article_summary(agent, data, "en"), article_text(agent, data, "en")

    assert rule in rules(text, facts_of({agent: result}), whole=whole)


def test_a_finding_says_what_was_found():
    """The reason names the fact and what the text says."""
    price = Fact(agent="hotel", kind="hotel price", subject="锦江宾馆", value=500.0, unit="CNY", keys=("price",))
    (_, missing, wrong) = lint_handoff("锦江宾馆(¥600)", [price])

    assert (missing.rule, missing.reason) == ("missing price", "'锦江宾馆' is named without its hotel price.")
    assert (wrong.rule, wrong.reason) == ("contradicts result", "The text says 锦江宾馆 = 600 CNY; the result does not.")
