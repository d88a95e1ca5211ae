"""kill -9 in the middle of a turn, at random points, then resume."""

import importlib.util
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "checkpoint_crashes.py"


@pytest.fixture(scope="module")
def crashes():
    spec = importlib.util.spec_from_file_location("checkpoint_crashes", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def trials(crashes, folder, seeds):
    reference = crashes.undisturbed()
    with crashes.children() as server:
        return [crashes.trial(server, folder / f"{seed}.db", seed, reference) for seed in seeds]


def check(done):
    assert [trial for trial in done if trial.ran_again] == []
    assert [trial for trial in done if not trial.second_copy_refused] == []
    assert [trial for trial in done if not trial.equal] == []


def test_a_killed_turn_is_resumed_without_loss_or_copy(crashes, tmp_path):
    """Ten kills: agents that were stored do not run again, and the state ends as if nobody had killed anything."""
    check(trials(crashes, tmp_path, range(10)))


@pytest.mark.slow
def test_two_hundred_kills_lose_nothing(crashes, tmp_path):
    """Two hundred kills reach every kind of superstep and lose nothing."""
    done = trials(crashes, tmp_path, range(1_000, 1_200))

    check(done)
    assert {trial.stored for trial in done} >= {"the input", "the supervisor", "the aggregator"}
    assert sum(len(trial.committed) for trial in done) > 20
