"""JSON inside a text, seen through the facts it binds, also when the text was cut off in the middle of it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from travel_lab.context import Fact, bound_facts

OFFERS = '{"hotels":[{"name":"锦江宾馆","price":500},{"name":"青年旅舍","price":80}],"currency":"CNY"}'


def price(name: str, value: float) -> Fact:
    return Fact(agent="hotel", kind="hotel price", subject=name, value=float(value), unit="CNY", keys=("price",))


@pytest.mark.parametrize(
    ("ends_with", "names"),
    [
        ('"currency":"CNY"}', {"锦江宾馆", "青年旅舍"}),
        ('"price":80}', {"锦江宾馆", "青年旅舍"}),
        ('"青年旅舍","price":', {"锦江宾馆"}),
        ('{"name":"青', {"锦江宾馆"}),
        ('"price":500}', {"锦江宾馆"}),
        ('"锦江宾馆","price":', set()),
        ('{"name":"锦', set()),
        ("{", set()),
    ],
)
def test_cut_json_keeps_its_whole_members(ends_with, names):
    """JSON that breaks off binds what is whole before the break, and nothing of the member it breaks in."""
    text = OFFERS[: OFFERS.index(ends_with) + len(ends_with)]

    assert {fact.subject for fact in bound_facts(text, [price("锦江宾馆", 500), price("青年旅舍", 80)])} == names


@given(st.integers(0, len(OFFERS)))
def test_no_cut_binds_a_wrong_price(cut):
    """Wherever the text breaks off, no name gets another's price or a part of its own."""
    wrong = [price("锦江宾馆", value) for value in (5, 50, 8, 80)] + [price("青年旅舍", value) for value in (8, 5, 50, 500)]

    assert bound_facts(OFFERS[:cut], wrong) == set()


@pytest.mark.parametrize(
    "around", ["结果如下：{}以上。", "```json\n{}\n```", "[注] {} (完)", "{{坏的}} {}", "[1][2] {} [x]", '"{}"']
)
def test_json_is_found_inside_other_text(around):
    """Prose, fences and stray brackets around an object hide nothing of it."""
    text = around.format(OFFERS)

    assert bound_facts(text, [price("锦江宾馆", 500), price("锦江宾馆", 80)]) == {price("锦江宾馆", 500)}


def test_two_objects_in_one_text_stay_apart():
    """Two objects one after the other bind their own members only."""
    text = '{"name":"锦江宾馆","price":500} {"name":"青年旅舍","price":80}'
    facts = [price("锦江宾馆", 500), price("青年旅舍", 80), price("锦江宾馆", 80), price("青年旅舍", 500)]

    assert bound_facts(text, facts) == set(facts[:2])


def test_prose_beside_json_is_read_too():
    """A sentence after an object binds what it says."""
    text = OFFERS + "。另有民宿小院每晚120元。"

    assert bound_facts(text, [price("民宿小院", 120)]) == {price("民宿小院", 120)}


@pytest.mark.parametrize("brackets", ["[" * 40, "{" * 40, "(" * 40, "[x " * 40, '{"a ' * 40])
def test_stray_brackets_before_an_object_hide_nothing(brackets):
    """Some brackets that never close do not keep an object after them from being read."""
    assert price("锦江宾馆", 500) in bound_facts(f"{brackets}\n{OFFERS}", [price("锦江宾馆", 500)])


@pytest.mark.parametrize("depth", [10, 200, 600])
def test_deep_objects_are_read(depth):
    """A hotel many levels down is bound like one at the top."""
    text = '{"next":' * depth + json.dumps({"name": "锦江宾馆", "price": 500}) + "}" * depth

    assert bound_facts(text, [price("锦江宾馆", 500), price("锦江宾馆", 50)]) == {price("锦江宾馆", 500)}
