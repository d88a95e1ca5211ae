"""Intervals and differences."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from travel_lab.errors import BadInput
from travel_lab.evaluation import difference, effective, interval

groups = st.dictionaries(st.text(max_size=4), st.lists(st.floats(0, 1), max_size=6), min_size=1, max_size=8).filter(
    lambda values: any(values.values())
)


@given(groups, st.integers(0, 9))
def test_the_interval_holds_the_mean_within_the_values(values, seed):
    """The mean is that of all values; the interval stays between the least and the greatest."""
    every = [value for group in values.values() for value in group]
    found = interval(values, seed=seed, resamples=50)
    assert math.isclose(found.mean, sum(every) / len(every), abs_tol=1e-9)
    assert min(every) - 1e-9 <= found.low <= found.high <= max(every) + 1e-9
    assert (found.conversations, found.probes) == (sum(bool(group) for group in values.values()), len(every))


def test_the_same_seed_gives_the_same_interval():
    """And another seed another one."""
    values = {str(n): [n / 10, 1 - n / 10, 0.5] for n in range(10)}
    assert interval(values, seed=1) == interval(values, seed=1)
    assert interval(values, seed=1) != interval(values, seed=2)


def test_conversations_that_agree_within_make_wide_intervals():
    """Forty probes in four conversations that are all-or-nothing know less than forty conversations of one probe each."""
    clustered = {str(n): [float(n % 2)] * 10 for n in range(4)}
    apart = {str(n): [float(n % 2)] for n in range(40)}
    few, many = interval(clustered, seed=1), interval(apart, seed=1)
    assert few.mean == many.mean == 0.5
    assert few.high - few.low > 2 * (many.high - many.low)


def test_nineteen_of_twenty_intervals_hold_the_truth():
    """Over 200 worlds of 40 conversations, about 95 % of the intervals hold the true mean."""
    chance, held = np.random.default_rng(5), 0
    for world in range(200):
        levels = chance.uniform(0.3, 0.9, size=40)
        values = {str(n): list((chance.uniform(size=8) < level).astype(float)) for n, level in enumerate(levels)}
        found = interval(values, seed=world, resamples=300)
        held += found.low <= 0.6 <= found.high
    assert 180 <= held <= 200


def test_a_difference_is_paired_by_probe():
    """A constant gain is found exactly, however much the conversations differ."""
    first = {str(n): {"a": n / 10, "b": n / 20} for n in range(8)}
    second = {case: {probe: value - 0.25 for probe, value in probes.items()} for case, probes in first.items()}
    found = difference(first, second, seed=3)
    assert found.low == pytest.approx(0.25)
    assert found.high == pytest.approx(0.25)
    assert found.excludes_zero


def test_no_difference_is_not_called_one():
    """Gains and losses that cancel have an interval around zero."""
    first = {str(n): {"a": float(n % 2)} for n in range(20)}
    second = {str(n): {"a": float((n + 1) % 2)} for n in range(20)}
    assert not difference(first, second, seed=3).excludes_zero


def test_no_value_at_all_is_an_error():
    """Not a zero and not a nan."""
    with pytest.raises(BadInput, match="no probe was measured"):
        interval({"a": []}, seed=1)


def test_effective_completeness_stands_between_the_controls():
    """Nothing is 0, everything is 1, half way is a half; equal controls say nothing."""
    assert [effective(value, 0.2, 0.8) for value in (0.2, 0.5, 0.8)] == pytest.approx([0, 0.5, 1])
    assert math.isnan(effective(0.5, 0.5, 0.5))
