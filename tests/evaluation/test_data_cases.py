"""The cases the lab ships."""

from collections import Counter
from dataclasses import replace

import pytest

from tests.evaluation.making.__main__ import CONVERSATIONS, QUOTA, SEED, chosen, with_probes
from tests.evaluation.making.draws import KINDS
from tests.evaluation.making.talk import play_all
from travel_lab.context import full_json
from travel_lab.data_files import data_path
from travel_lab.evaluation import evaluate, read_cases
from travel_lab.planner import STRATEGIES
from travel_lab.planner_app import PlannerApp

LANGUAGES = ("zh", "en")
SAMPLE = 6
"""Cases of each language that are played again in every run; all of them with `make test-long`."""


@pytest.fixture(scope="module", params=LANGUAGES)
def cases(request):
    """The cases of a language."""
    return read_cases(data_path(f"cases/{request.param}.jsonl"))


def test_there_are_sixty_conversations_or_more_a_language(cases):
    """Of three to twelve turns, half of them held out."""
    assert len(cases) >= 60
    assert {len(case.turns) for case in cases} <= set(range(3, 13))
    assert abs(sum(case.split == "held_out" for case in cases) - len(cases) / 2) < 1


def test_every_kind_has_its_quota(cases):
    """Sixteen kinds, as many probes of each."""
    kinds = Counter(probe.kind for case in cases for probe in case.probes)
    assert len(kinds) == len(KINDS) >= 14
    assert set(kinds.values()) == {QUOTA}


def test_what_was_never_given_needs_nothing(cases):
    """And nothing else does."""
    without = {probe.kind for case in cases for probe in case.probes if not probe.needed}
    assert without == {"never given"}
    assert all(bool(probe.gold) == bool(probe.needed) for case in cases for probe in case.probes)


def test_early_facts_come_after_many_turns(cases):
    """At least four turns lie between."""
    assert all(probe.after > 4 for case in cases for probe in case.probes if probe.kind == "early fact")


def _whole(cases):
    """Every needed fact is bound when all that was found is handed over in full."""
    strategy = replace(STRATEGIES["full/own"], handoff=full_json)
    rows = evaluate(PlannerApp(), cases, [strategy]).rows
    return {row.probe_id: row.completeness for row in rows if row.completeness not in {None, 1.0} or row.error}


def test_needed_facts_are_what_today_s_planner_produces(cases):
    """A sample, played again: nothing is missing under the full handoff."""
    assert _whole(cases[:: len(cases) // SAMPLE]) == {}


@pytest.mark.slow
def test_needed_facts_are_what_today_s_planner_produces_in_all_cases(cases):
    """The same of every case."""
    assert _whole(cases) == {}


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_seed_makes_the_same_file(language):
    """`python -m tests.evaluation.making` gives what is committed."""
    played = play_all(language, CONVERSATIONS, SEED)
    draws = [(found, draw) for kind in KINDS for found, draw in chosen(kind, played)]
    made = tuple(with_probes(found, [draw for owner, draw in draws if owner is found]) for found in played)
    assert made == read_cases(data_path(f"cases/{language}.jsonl"))
