import pytest

from travel_lab.itinerary import AgentResult, requirements_hash, standing

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
        requirements_hash=requirements_hash(made_for),
        provider="curated",
        data={},
    )


@pytest.mark.parametrize(
    "change",
    [
        {"destinations": ["xian"]},
        {"destinations": ["chengdu", "xian"]},
        {"days": 4},
        {"people": {"adults": 1, "children": 0}},
        {"people": {"adults": 2, "children": 1}},
    ],
    ids=str,
)
def test_another_trip_has_another_hash(change):
    """A result made for another destination, length or party does not fit any more."""
    assert requirements_hash({**NEEDS, **change}) != requirements_hash(NEEDS)


@pytest.mark.parametrize(
    "change",
    [{"budget": {"amount": 3_000, "currency": "CNY"}}, {"preferences": ["no_spicy"]}, {"origin": "深圳"}, {"date": "2026-05-01"}],
    ids=str,
)
def test_other_wishes_are_the_same_trip(change):
    """Another budget, wish, origin or date does not make the other results stale."""
    assert requirements_hash({**NEEDS, **change}) == requirements_hash(NEEDS)


def test_order_of_the_stops_matters():
    """Sydney then Melbourne is another trip than Melbourne then Sydney."""
    there, back = {**NEEDS, "destinations": ["sydney", "melbourne"]}, {**NEEDS, "destinations": ["melbourne", "sydney"]}

    assert requirements_hash(there) != requirements_hash(back)


def test_order_of_the_fields_does_not_matter():
    """The same requirements written in another order have the same hash."""
    assert requirements_hash(dict(reversed(NEEDS.items()))) == requirements_hash(NEEDS)


def test_hash_is_the_same_on_every_machine():
    """A hash that was stored yesterday can be compared today."""
    assert requirements_hash({"destinations": ["chengdu"], "days": 3}) == "8637b1abd0d0"


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
    assert standing(result(turn, made_for), 2, requirements_hash(NEEDS)) == stands
