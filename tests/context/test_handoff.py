import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from travel_lab.context import Fact, bound_facts, full_json, silent

RESULT = {
    "destination": "成都",
    "currency": "CNY",
    "hotels": [{"name": "锦江宾馆", "price": 500, "rating": 4.6}, {"name": "青年旅舍", "price": 80, "rating": 4.2}],
    "nights": [{"night": 1, "hotel": "锦江宾馆"}],
}
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("result", [{}, RESULT], ids=["empty", "whole"])
def test_silent_says_nothing(result, language):
    """Whatever the result, no message is written."""
    assert silent("hotel", result, language) == ""


@given(st.dictionaries(st.text(), PLAIN))
def test_full_json_is_the_whole_result(result):
    """The text reads back as the result, with nothing lost or cut."""
    assert json.loads(full_json("hotel", result, "zh")) == result


@pytest.mark.parametrize("key", RESULT)
def test_full_json_keeps_each_field_of_a_result(key):
    """No field of a hotel result is left out, the currency of its prices included."""
    assert json.loads(full_json("hotel", RESULT, "zh"))[key] == RESULT[key]


def test_full_json_shows_chinese_as_it_is():
    """Names stand in the text as they are, and no blanks are paid for."""
    assert full_json("hotel", {"name": "锦江宾馆", "price": 500}, "zh") == '{"name":"锦江宾馆","price":500}'


@pytest.mark.parametrize("language", ["zh", "en"])
def test_full_json_is_the_same_in_both_languages(language):
    """Data has no language."""
    assert full_json("hotel", RESULT, language) == full_json("hotel", RESULT, "zh")


def test_full_json_binds_every_fact():
    """A handoff of the whole result carries all of its facts and no wrong pair."""
    facts = [
        Fact(agent="hotel", kind="hotel price", subject="锦江宾馆", value=500.0, unit="CNY", keys=("price",)),
        Fact(agent="hotel", kind="hotel price", subject="青年旅舍", value=80.0, unit="CNY", keys=("price",)),
        Fact(agent="hotel", kind="hotel rating", subject="锦江宾馆", value=4.6, unit="rating", keys=("rating",)),
        Fact(agent="hotel", kind="hotel night", subject="锦江宾馆", scope=(("night", 1),)),
    ]
    wrong = [
        Fact(agent="hotel", kind="hotel price", subject="锦江宾馆", value=80.0, unit="CNY", keys=("price",)),
        Fact(agent="hotel", kind="hotel night", subject="青年旅舍", scope=(("night", 1),)),
    ]

    assert bound_facts(full_json("hotel", RESULT, "zh"), [*facts, *wrong]) == set(facts)


def test_full_json_leaves_the_result_alone():
    """Writing a handoff changes nothing in the state."""
    before = json.dumps(RESULT)
    full_json("hotel", RESULT, "zh")

    assert json.dumps(RESULT) == before
