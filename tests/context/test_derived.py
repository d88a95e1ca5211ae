"""Facts of an app that declares none."""

import json

from langchain_core.messages import HumanMessage

from travel_lab.context import FactRule, bound_facts, declared_facts, derive_facts
from travel_lab.lab import Lab
from travel_lab.planner import facts_of, results_of

STATE = {
    "messages": [HumanMessage("Berlin")],
    "rooms": [
        {"title": "Hotel Adlon", "price": 310, "currency": "USD", "area": "Mitte"},
        {"title": "Generator", "price": 60, "currency": "USD", "area": "Prenzlauer Berg"},
    ],
    "tour": {"days": [{"day": 1, "stops": [{"name": "Reichstag"}]}, {"day": 2, "stops": [{"name": "Zoo"}]}]},
    "budget": 900,
}


def test_a_list_of_records_gives_name_and_value_pairs():
    """Each plain member of a named record is a fact about its name; the day around a record is where it holds."""
    assert [str(fact) for fact in derive_facts(STATE)] == [
        "Hotel Adlon = 310 USD",
        "Hotel Adlon = Mitte",
        "Generator = 60 USD",
        "Generator = Prenzlauer Berg",
        "day 1: Reichstag",
        "day 2: Zoo",
        "budget = 900",
    ]


def test_derived_facts_are_bound_in_the_state_itself():
    """Written out as JSON a state binds every fact that was read off it."""
    facts = derive_facts(STATE)
    text = json.dumps({key: value for key, value in STATE.items() if key != "messages"})

    assert bound_facts(text, facts) == set(facts)


def test_derived_facts_are_not_bound_by_names_alone():
    """Another room's price and another day's stop do not count."""
    facts = derive_facts(STATE)
    bound = bound_facts("Hotel Adlon $60, Generator $310. Day 1: Zoo. Day 2: Reichstag.", facts)

    assert [str(fact) for fact in facts if fact in bound] == []


def test_declared_in_a_line_each():
    """An owner's rules find the same facts under the owner's names."""
    rules = [
        FactRule(agent="search", field="rooms", subject="title", value="price", unit="USD"),
        FactRule(agent="guide", field="tour.days", subject="name"),
    ]

    assert [(fact.agent, str(fact)) for fact in declared_facts(rules, STATE)] == [
        ("search", "Hotel Adlon = 310 USD"),
        ("search", "Generator = 60 USD"),
        ("guide", "day 1: Reichstag"),
        ("guide", "day 2: Zoo"),
    ]


def test_a_missing_field_has_no_facts():
    """A rule for a field that is not there yet finds nothing and raises nothing."""
    assert declared_facts([FactRule(agent="search", field="rooms.best", subject="title")], {"rooms": None}) == ()


def test_derived_from_our_planner_covers_what_we_declare():
    """Read off the planner's own results without its declarations: every hotel's price, rating and district is found."""
    with Lab.open() as lab:
        session = lab.session()
        session.send("帮我规划成都3天旅行")
        results = results_of(session.state())
    derived = {(fact.subject, fact.value) for fact in derive_facts({"hotel": results["hotel"]["data"]})}
    declared = [fact for fact in facts_of({"hotel": results["hotel"]}) if fact.value is not None]

    assert len(declared) >= 20
    assert {(fact.subject, fact.value) for fact in declared} <= derived
