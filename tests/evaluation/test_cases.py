"""Cases and their files."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.evaluation.small import case, price, probe, some_cases
from travel_lab.context import Fact
from travel_lab.errors import BadInput
from travel_lab.evaluation import cases_hash, check_cases, read_cases, write_cases

scopes = st.lists(st.tuples(st.sampled_from(["day", "night", "meal"]), st.integers(1, 9) | st.just("lunch")), max_size=2)
facts = st.builds(
    Fact,
    agent=st.just("hotel"),
    kind=st.text(max_size=8),
    subject=st.text(min_size=1, max_size=8),
    value=st.none() | st.text(max_size=8) | st.floats(allow_nan=False, allow_infinity=False),
    unit=st.sampled_from(["", "CNY"]),
    keys=st.sampled_from([(), ("price",)]),
    scope=scopes.map(tuple),
)


@given(st.lists(facts, max_size=3), st.lists(st.lists(st.text(max_size=5), max_size=2).map(tuple), max_size=2).map(tuple))
def test_what_is_written_is_read_again(tmp_path_factory, needed, gold):
    """Every fact, scope and answer comes back equal."""
    path = tmp_path_factory.mktemp("cases") / "cases.jsonl"
    written = [case(1, probe("1-a", *needed, gold=gold))]
    write_cases(written, path)
    assert read_cases(path) == tuple(written)


def test_a_line_that_is_no_case_is_named(tmp_path):
    """The error names the file and the line, and says what a case has."""
    path = tmp_path / "cases.jsonl"
    write_cases(some_cases(1), path)
    path.write_text(path.read_text() + '{"case_id": "x"}\n')
    with pytest.raises(BadInput, match=r"cases\.jsonl, line 2 is no case.*probe_id"):
        read_cases(path)


def test_an_unknown_member_is_no_case(tmp_path):
    """A misspelt member is not silently dropped."""
    path = tmp_path / "cases.jsonl"
    write_cases(some_cases(1), path)
    path.write_text(path.read_text().replace('"split"', '"spilt"'))
    with pytest.raises(BadInput, match="spilt"):
        read_cases(path)


def test_a_missing_file_is_named(tmp_path):
    """Where there is no file, the error says so."""
    with pytest.raises(BadInput, match=r"none\.jsonl"):
        read_cases(tmp_path / "none.jsonl")


@pytest.mark.parametrize(
    ("spoilt", "told"),
    [
        ([case(1), case(1)], "given twice"),
        ([case(1, probe("p"), probe("p"))], "given twice"),
        ([replace(case(1), split="dev")], "split 'dev'"),
        ([case(1, replace(probe("p"), after=2))], "after turn 2"),
        ([case(1, replace(probe("p"), calls=()))], "names no call"),
    ],
)
def test_cases_that_cannot_be_evaluated_are_refused(spoilt, told):
    """The error names the case or probe and what is wrong."""
    with pytest.raises(BadInput, match=told):
        check_cases(spoilt)


def test_the_hash_changes_with_any_gold_fact():
    """Two sets of cases that differ in one value have different hashes."""
    one, other = [case(1, probe("p", price("A", 1)))], [case(1, probe("p", price("A", 2)))]
    assert cases_hash(one) != cases_hash(other)
