"""The packed handoff for any records."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from travel_lab.context import Fact, PackedRecords, bound_facts, full_json
from travel_lab.tokens import DEEPSEEK

words = st.text(string.ascii_lowercase, min_size=3, max_size=8).map(str.capitalize)
records = st.lists(
    st.fixed_dictionaries({"name": words, "city": words, "price": st.integers(1, 9_999), "rooms": st.lists(words, max_size=3)}),
    min_size=1,
    max_size=6,
    unique_by=lambda record: record["name"],
)


def _facts(found):
    for record in found:
        yield Fact(agent="a", kind="city", subject=record["name"], value=record["city"], keys=("city",))
        yield Fact(agent="a", kind="price", subject=record["name"], value=float(record["price"]), keys=("price",))
        for room in record["rooms"]:
            yield Fact(agent="a", kind="rooms", subject=record["name"], value=room, keys=("rooms",))


@given(records, st.sampled_from(["zh", "en"]))
def test_without_a_budget_every_fact_of_every_record_is_bound(found, language):
    """City, price and each item of a list, whether columns are shared or not."""
    facts = [*_facts(found)]
    text = PackedRecords()("hotel", {"hotels": found}, language)
    assert bound_facts(text, facts) == set(facts)


@given(records)
def test_no_value_is_bound_to_another_record(found):
    """A price is only that of its own record."""
    text = PackedRecords()("hotel", {"hotels": found}, "en")
    wrong = [
        Fact(agent="a", kind="price", subject=one["name"], value=float(other["price"]), keys=("price",))
        for one in found
        for other in found
        if one["price"] != other["price"]
    ]
    assert bound_facts(text, wrong) == set()


@given(records, st.integers(1, 200))
def test_a_budget_is_kept_and_what_is_written_is_whole(found, budget):
    """At most so many tokens; every price that stands there is bound to its record."""
    text = PackedRecords(budget=budget)("hotel", {"hotels": found}, "en")
    assert DEEPSEEK.text(text) <= budget
    assert bound_facts(text, [*_facts(found)]) <= set(_facts(found))


def test_many_records_take_fewer_tokens_than_json():
    """Keys stand once, and what all share stands once."""
    found = [{"name": f"Hotel {n}", "city": "Sydney", "price": 100 + n, "stars": 4} for n in range(10)]
    assert DEEPSEEK.text(PackedRecords()("hotel", {"hotels": found}, "en")) < 0.6 * DEEPSEEK.text(
        full_json("hotel", {"hotels": found}, "en")
    )


def test_a_long_list_says_how_much_is_left_out():
    """Its first items, then a count."""
    text = PackedRecords(most=2)("sight", {"sights": [{"name": "A", "near": ["x1", "x2", "x3"]}]}, "en")
    assert "x1; x2; and 1 more not listed" in text
    assert "x3" not in text


def test_members_that_are_no_records_are_written_as_lines():
    """A sentence and a number stand beside the table."""
    text = PackedRecords()("hotel", {"comparison": "A is cheaper.", "nights": 2, "hotels": [{"name": "A"}]}, "en")
    assert text.split("\n")[:2] == ["comparison: A is cheaper.", "nights: 2"]


@pytest.mark.parametrize("value", ["a|b", "a\nb"])
def test_a_value_cannot_break_the_table(value):
    """A cell mark or a line break in a value stays inside its cell."""
    text = PackedRecords()(
        "hotel", {"hotels": [{"name": "A", "note": value, "price": 5}, {"name": "B", "note": "c", "price": 6}]}, "en"
    )
    assert bound_facts(text, [Fact(agent="a", kind="p", subject="A", value=5.0, keys=("price",))])


def test_what_no_question_is_about_is_left_out():
    """A member that is named is not written."""
    assert "secret" not in PackedRecords(leave_out=frozenset({"code"}))(
        "hotel", {"hotels": [{"name": "A", "code": "secret"}]}, "en"
    )


def test_an_empty_result_writes_nothing():
    """No heading without records."""
    assert PackedRecords()("hotel", {"hotels": [], "note": ""}, "en") == ""
