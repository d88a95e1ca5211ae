"""How much of the open data is read right; the kept-out data are for the final count and are not read here."""

import runpy
from collections import Counter
from pathlib import Path

import pytest

judge = runpy.run_path(str(Path(__file__).with_name("reading_accuracy.py")))["judge"]

OVERALL, EVERY_KIND, WRONG = 0.95, 0.90, 0.02


@pytest.mark.parametrize("part", ["open", "open2"])
@pytest.mark.parametrize("what", ["r", "f"])
def test_open_data_are_read(part, what):
    """At least 95 % are read right, 90 % of every kind, and at most 2 % wrong without a question."""
    judged = [line for line in judge(part) if line.id[1] == what]
    right = Counter(line.kind for line in judged if line.verdict == "right")
    share = {kind: right[kind] / count for kind, count in Counter(line.kind for line in judged).items()}

    assert sum(right.values()) / len(judged) >= OVERALL
    assert min(share.values()) >= EVERY_KIND, share
    assert sum(line.verdict == "wrong" for line in judged) / len(judged) <= WRONG
