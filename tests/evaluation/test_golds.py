"""Every gold of the cases has a second opinion, from a solver that reads result JSON and nothing else."""

import ast
import copy
import json
from pathlib import Path

import pytest

from tests.evaluation import solver
from travel_lab.data_files import data_path
from travel_lab.evaluation import read_cases
from travel_lab.planner_app import PlannerApp, results_after


@pytest.fixture(scope="module", params=["zh", "en"])
def asked(request):
    """(probe, agent → data after each turn up to it), as plain JSON."""
    found = []
    for case in read_cases(data_path(f"cases/{request.param}.jsonl")):
        conversation = PlannerApp().play(case)
        states = [
            {agent: result["data"] for agent, result in results_after(conversation, after).items()}
            for after in range(1, len(case.turns) + 1)
        ]
        plain = json.loads(json.dumps(states))
        found += [(probe, plain[: probe.after]) for probe in case.probes]
    return found


def golds(probe):
    """The probe's answers as the solver gives them."""
    return {frozenset(answer) for answer in probe.gold}


def test_every_gold_is_what_the_solver_finds(asked):
    """All answers of all probes, and no other."""
    found = [(probe, solver.solve(probe.kind, probe.words, states)) for probe, states in asked]
    assert {probe.probe_id: answers for probe, answers in found if answers != golds(probe)} == {}


def test_the_solver_notices_other_results(asked):
    """Were every price doubled and every name another, no gold of any kind would stand."""
    unnoticed = {
        probe.kind for probe, states in asked if probe.gold and solver.solve(probe.kind, *_changed(probe, states)) == golds(probe)
    }
    assert unnoticed == set()


def test_the_solver_imports_nothing_of_the_package():
    """Nor of the tests that made the golds."""
    tree = ast.parse(Path(solver.__file__).read_text(encoding="utf-8"))
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert imported | {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names} == {
        "re",
        "typing",
        "collections.abc",
    }


def _changed(probe, states):
    """The question and the states with all numbers but places in time other ones, and all names as well."""
    names = {}

    def other(value, key=""):
        if isinstance(value, dict):
            return {member: other(item, member) for member, item in value.items()}
        if isinstance(value, list):
            return [other(item, key) for item in value]
        if isinstance(value, str):
            return names.setdefault(value, f"{value}的新店") if key in {"name", "hotel"} else f"{value}*"
        return value if key in {"day", "night"} else value * 2 + 1

    changed = [other(copy.deepcopy(state)) for state in states]
    words = probe.words
    for name in sorted(names, key=len, reverse=True):
        words = words.replace(name, f"\0{list(names).index(name)}\0")
    for at, name in enumerate(names.values()):
        words = words.replace(f"\0{at}\0", name)
    return words, changed
