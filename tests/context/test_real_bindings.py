"""What counts as bound, against real output of every handoff, labelled by how it was made and looked through by hand."""

import json
from pathlib import Path

import pytest

from travel_lab.context import Fact, bound_facts

CASES = [
    json.loads(line) for line in (Path(__file__).parent / "real_binding_cases.jsonl").read_text(encoding="utf-8").splitlines()
]
HANDOFFS = ("packed", "packed cut", "article", "json")
AT_LEAST = 0.98


def judged(handoff):
    """(name, label, found) of every labelled pair of a handoff."""
    for case in CASES:
        if case["handoff"] == handoff:
            facts = [_fact(row) for row in case["facts"]]
            found = bound_facts(case["text"], facts)
            for row, fact in zip(case["facts"], facts, strict=True):
                yield f"{case['id']} {fact.kind}: {fact}", row["bound"], fact in found


def _fact(row):
    value = float(row["value"]) if isinstance(row["value"], int | float) else row["value"]
    rest = {"keys": tuple(row["keys"]), "scope": tuple((role, place) for role, place in row["scope"])}
    return Fact(agent=row["agent"], kind=row["kind"], subject=row["subject"], value=value, unit=row["unit"], **rest)


def test_at_least_120_wrong_pairs():
    """Wrong bindings, such as another hotel's price or another day's sight, come from every handoff."""
    wrong = {handoff: sum(not label for _, label, _ in judged(handoff)) for handoff in HANDOFFS}

    assert sum(wrong.values()) >= 120
    assert min(wrong.values()) >= 30


@pytest.mark.parametrize("handoff", HANDOFFS)
def test_precision(handoff):
    """Of the pairs found bound in a handoff's real output, at least 98 in 100 are."""
    found = [(name, label) for name, label, answer in judged(handoff) if answer]
    wrong = [name for name, label in found if not label]

    assert len(found) >= 30
    assert 1 - len(wrong) / len(found) >= AT_LEAST, wrong


@pytest.mark.parametrize("handoff", HANDOFFS)
def test_recall(handoff):
    """Of the pairs that are bound in a handoff's real output, at least 98 in 100 are found."""
    bound = [(name, answer) for name, label, answer in judged(handoff) if label]
    missed = [name for name, answer in bound if not answer]

    assert 1 - len(missed) / len(bound) >= AT_LEAST, missed
