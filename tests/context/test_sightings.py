"""Any text at all: nothing raises, nothing hangs, and nothing is found that was not asked for."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from travel_lab.context import Fact, bound_facts

PRICE = Fact(agent="hotel", kind="hotel price", subject="锦江宾馆", value=500.0, unit="CNY", keys=("price",))
FACTS = (
    PRICE,
    Fact(agent="route", kind="day sight", subject="宽窄巷子", scope=(("day", 1),)),
    Fact(agent="hotel", kind="hotel night", subject="如家", scope=(("night", 2),)),
    Fact(agent="food", kind="meal", subject="陈麻婆豆腐", scope=(("day", 3), ("meal", "dinner"))),
    Fact(agent="hotel", kind="hotel district", subject="Rydges", value="The Rocks", keys=("district",)),
    Fact(agent="info", kind="trivia", subject="A long sentence. It has two parts!"),
)
NAMES = ("锦江宾馆", "宽窄巷子", "如家", "陈麻婆豆腐", "Rydges")
NUMBERS = ("500", "元", "¥", "4.6", "评分", "09:00", "三星", "十", "一百", "贵", "more")
DAYS = ("第1天", "第2晚", "第", "天", "Day 3", "days 1-3", "晚餐", "lunch", "至", "to ")
SIGNS = (
    "(",
    ")",
    "【",
    "】",
    "[",
    "]",
    "{",
    "}",
    '"',
    ",",
    "，",
    "。",
    "；",
    "、",
    "→",
    "|",
    "|---|",
    ".",
    ":",
    " ",
    "\\",
    "\n",
    "\n\n",
)
WORDS = ('"name":', '"price":', "不住", "instead of ", "\x00", "\ud800", "\u202e", "\u2028")
PIECES = st.sampled_from((*NAMES, *NUMBERS, *DAYS, *SIGNS, *WORDS))
JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | PIECES,
    lambda inner: st.lists(inner) | st.dictionaries(PIECES, inner),
)
BRACKETS = ("[", "{", "[{", '{"a":', "[1,", '["', '{"x, ', "[x", "(", "【", "]", ")", "[]", "{} ", "{'a': ", '{"name":"锦江宾馆"')
REPEATED = (
    *BRACKETS, '"', "\\", "第1天", "第1天 ", "第", "1、", "day 1 and ", "午餐", " ", "\n", "|", "|a|b|\n", "9", "1,",
    "锦江宾馆", "锦江宾馆(", "锦江宾馆 not ", "锦江宾馆500元，", "不", "not ", "十", ".", "#\n", "¥ ", "rating  ",
    "第1天\n|a|b|\n|c|d|\n",
)  # fmt: skip


@given(st.text())
def test_text_never_raises(text):
    """Any text gives some of the facts that were asked for."""
    assert bound_facts(text, FACTS) <= set(FACTS)


@given(st.lists(PIECES, max_size=60).map("".join))
def test_broken_sentences_never_raise(text):
    """Names, numbers, days, brackets and quotes in any order give some of the facts."""
    assert bound_facts(text, FACTS) <= set(FACTS)


@given(JSON)
def test_json_never_raises(value):
    """Any JSON value, also with keys of every kind, gives some of the facts."""
    assert bound_facts(json.dumps([value, {"name": value}]), FACTS) <= set(FACTS)


@given(st.text(), st.text(min_size=1), st.none() | st.text() | st.floats(allow_nan=False), st.text(), st.text())
def test_any_fact_never_raises(text, subject, value, unit, key):
    """Facts may hold any words, also those that a pattern could be made of."""
    fact = Fact(agent="a", kind="k", subject=subject, value=value, unit=unit, keys=(key,), scope=(("day", 1),))

    assert bound_facts(text, [fact]) <= {fact}


@given(st.lists(PIECES, max_size=40).map("".join))
def test_fact_is_bound_whatever_else_is_asked_for(text):
    """Whether a fact without a rival name is bound does not depend on the order in which facts are asked for."""
    assert bound_facts(text, FACTS) == bound_facts(text, FACTS[::-1])


@pytest.mark.parametrize("name", ["\x00", "\x1b[31m", "\u200b", "\u202e", "\ud83d", "🐼"], ids=ascii)
def test_control_characters_are_characters(name):
    """A name of odd characters is found beside its price like any other."""
    fact = Fact(agent="hotel", kind="hotel price", subject=f"Hotel{name}X", value=500.0, unit="CNY", keys=("price",))

    assert bound_facts(f"Hotel{name}X: ¥500", [fact]) == {fact}


# Nothing is timed here, but a reader that goes back for every bracket would need hours.
@pytest.mark.parametrize("unit", REPEATED)
def test_long_text_comes_to_an_end(unit):
    """A hundred thousand characters of one thing are read to the end."""
    text = (unit * 100_000)[:100_000]

    assert bound_facts(text, FACTS) <= set(FACTS)


@pytest.mark.parametrize("depth", [10, 400, 5_000, 50_000])
def test_deep_brackets_hide_nothing_after_them(depth):
    """What stands after any depth of brackets is still read."""
    text = "[" * depth + "]" * depth + "\n\n锦江宾馆每晚500元。"

    assert bound_facts(text, FACTS) == {PRICE}


@pytest.mark.parametrize(
    "before", ["宽窄巷子很热闹。" * 10_000, "x" * 100_000, "\n" * 100_000], ids=["prose", "one word", "empty lines"]
)
def test_fact_at_the_end_of_a_long_text_is_found(before):
    """A fact is found behind a hundred thousand characters of other things."""
    assert PRICE in bound_facts(f"{before}\n锦江宾馆每晚500元。", FACTS)


def test_empty_text_binds_nothing():
    """No text, no facts."""
    assert bound_facts("", FACTS) == set()


def test_no_facts_to_look_for():
    """Nothing asked for, nothing found."""
    assert bound_facts("锦江宾馆每晚500元", []) == set()
