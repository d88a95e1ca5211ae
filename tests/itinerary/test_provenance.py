import pytest

from travel_lab.itinerary import AGENTS, AgentResult, requirements_hash, standing

NEEDS = {
    "destinations": ["chengdu"],
    "days": 3,
    "people": {"adults": 2, "children": 0},
    "budget": {"amount": 5_000, "currency": "CNY"},
    "preferences": [],
}


def result(turn: int, made_for: dict) -> AgentResult:
    return AgentResult(
        agent="hotel",
        status="ok",
        reason="",
        turn=turn,
        requirements_hash=requirements_hash(made_for, "hotel"),
        provider="curated",
        data={},
    )


CHANGES = [
    ({"destinations": ["xian"]}, {"route", "hotel", "food", "info"}),
    ({"destinations": ["chengdu", "xian"]}, {"route", "hotel", "food", "info"}),
    ({"days": 4}, {"route", "hotel", "food"}),
    ({"people": {"adults": 1, "children": 0}}, {"hotel", "food"}),
    ({"people": {"adults": 2, "children": 1}}, {"hotel", "food"}),
    ({"budget": {"amount": 3_000, "currency": "CNY"}}, set()),
    ({"preferences": ["no_spicy"]}, set()),
    ({"origin": "深圳"}, set()),
    ({"date": "2026-05-01"}, set()),
]


@pytest.mark.parametrize(("change", "outdated"), CHANGES, ids=[str(change) for change, _ in CHANGES])
def test_change_of_the_trip_makes_stale_what_depends_on_it(change, outdated):
    """Another destination unsettles every agent's result, another length all but info's, another party hotel and food."""
    before, after = NEEDS, {**NEEDS, **change}

    assert {agent for agent in AGENTS if requirements_hash(before, agent) != requirements_hash(after, agent)} == outdated


def test_order_of_the_stops_matters():
    """Sydney then Melbourne is another trip than Melbourne then Sydney."""
    there, back = {**NEEDS, "destinations": ["sydney", "melbourne"]}, {**NEEDS, "destinations": ["melbourne", "sydney"]}

    assert requirements_hash(there, "info") != requirements_hash(back, "info")


def test_order_of_the_fields_does_not_matter():
    """The same requirements written in another order have the same hash."""
    assert requirements_hash(dict(reversed(NEEDS.items())), "hotel") == requirements_hash(NEEDS, "hotel")


def test_hash_is_the_same_on_every_machine():
    """A hash that was stored yesterday can be compared today."""
    assert requirements_hash({"destinations": ["chengdu"], "days": 3}, "hotel") == "8637b1abd0d0"


@pytest.mark.parametrize(
    ("turn", "made_for", "stands"),
    [
        (2, NEEDS, "current"),
        (1, NEEDS, "carried over"),
        (1, {**NEEDS, "days": 4}, "stale"),
        (2, {**NEEDS, "days": 4}, "stale"),
    ],
)
def test_standing(turn, made_for, stands):
    """A result of this turn is current, an earlier one carried over, one for another trip stale, whenever it was made."""
    assert standing(result(turn, made_for), 2, requirements_hash(NEEDS, "hotel")) == stands
