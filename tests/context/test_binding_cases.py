"""What counts as bound, against texts that somebody labelled who had not seen the code."""

import json
from pathlib import Path

import pytest

from travel_lab.context import Fact, bound_facts

CASES = [json.loads(line) for line in (Path(__file__).parent / "binding_cases.jsonl").read_text(encoding="utf-8").splitlines()]
FORMS = ("json", "table", "prose")
AT_LEAST = 0.98


def fact_of(row: dict) -> Fact:
    value = row["value"]
    return Fact(
        agent=row["agent"],
        kind=row["kind"],
        subject=row["subject"],
        value=float(value) if isinstance(value, int | float) else value,
        unit=row["unit"],
        keys=tuple(row["keys"]),
        scope=tuple((role, place) for role, place in row["scope"]),
    )


def judged(form: str) -> list[tuple[str, bool, bool]]:
    """Each labelled pair of a form: its name, whether it is bound, whether it was found bound."""
    pairs = []
    for case in CASES:
        if case["form"] == form:
            facts = [fact_of(row) for row in case["facts"]]
            found = bound_facts(case["text"], facts)
            pairs += [
                (f"{case['id']} {fact.kind}: {fact}", row["bound"], fact in found)
                for row, fact in zip(case["facts"], facts, strict=True)
            ]
    return pairs


def test_ids_are_unique():
    """A wrong pair can be looked up by its id."""
    assert len({case["id"] for case in CASES}) == len(CASES)


def test_every_form_is_one_of_three():
    """No case stays unjudged because its form has another name."""
    assert {case["form"] for case in CASES} == set(FORMS)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("language", ["zh", "en"])
def test_there_are_enough_cases(form, language):
    """Each form has at least 20 texts in each language."""
    assert sum(case["form"] == form and case["lang"] == language for case in CASES) >= 20


@pytest.mark.parametrize("form", FORMS)
def test_both_answers_are_there(form):
    """Each form has at least 80 pairs that are bound and 80 that are not, so that no constant answer passes."""
    labels = [label for _, label, _ in judged(form)]

    assert min(labels.count(True), labels.count(False)) >= 80


@pytest.mark.parametrize("form", FORMS)
def test_precision(form):
    """Of the pairs found bound, at least 98 in 100 are."""
    found = [(name, label) for name, label, answer in judged(form) if answer]
    wrong = [name for name, label in found if not label]

    assert 1 - len(wrong) / len(found) >= AT_LEAST, wrong


@pytest.mark.parametrize("form", FORMS)
def test_recall(form):
    """Of the pairs that are bound, at least 98 in 100 are found."""
    bound = [(name, answer) for name, label, answer in judged(form) if label]
    missed = [name for name, answer in bound if not answer]

    assert 1 - len(missed) / len(bound) >= AT_LEAST, missed
