import random
import time

import pytest

from travel_lab.chat_models import Cassette, Fault, FaultyModel, RecordingModel, ReplayModel, Schedule
from travel_lab.clock import VirtualTime
from travel_lab.errors import CassetteMiss
from travel_lab.lab import Lab
from travel_lab.planner import offline_model
from travel_lab.planner.frame import format_frame
from travel_lab.retry import RetryPolicy

FIRST = "帮我规划成都3天旅行，预算5000"
CHANGE = "把第二天的酒店换成便宜点的"


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    """A plan and a follow-up, recorded; the file and the final state."""
    path = tmp_path_factory.mktemp("recorded") / "run.jsonl"
    return path, play(RecordingModel(inner=offline_model(), cassette=Cassette(path)))


def play(model, strategy="summary/own"):
    with Lab.open(model=model, strategy=strategy, clock=VirtualTime().clock()) as lab:
        session = lab.session("a")
        session.send(FIRST)
        session.send(CHANGE)
        return session.state()


def replay(path, **options):
    return ReplayModel(cassette=Cassette(path), model_name="offline", **options)


class Shuffled(ReplayModel):
    """A replay whose agents take a random while for each answer."""

    dice: random.Random

    def _generate(self, *args, **kwargs):
        time.sleep(self.dice.random() * 0.004)
        return super()._generate(*args, **kwargs)


@pytest.mark.parametrize("runs", [12, pytest.param(200, marks=pytest.mark.slow)])
def test_replay_under_shuffled_timing_gives_equal_states(recording, runs):
    """Whichever agent answers first, a replayed run ends in the recorded run's state, messages and all."""
    path, state = recording
    for seed in range(runs):
        model = Shuffled(cassette=Cassette(path), model_name="offline", dice=random.Random(seed))
        assert play(model) == state


def test_replay_needs_no_network_and_asks_nobody(recording):
    """All seven calls of the run come from the file."""
    path, _ = recording
    model = replay(path)
    play(model)

    assert model.answered == {"recorded": 7}


def test_another_strategy_asks_only_calls_whose_view_changed(recording):
    """Under another strategy the first turn is as recorded, and only the two calls of the follow-up are asked anew."""
    path, _ = recording
    model = replay(path, live=offline_model())
    play(model, "full/own")

    assert model.answered == {"recorded": 5, "live": 2}


def test_overridden_agent_changes_only_those_who_see_its_output(recording):
    """Another answer of the route agent is seen by the follow-up's supervisor; the hotel agent's calls are as recorded."""
    path, _ = recording
    model = replay(path, live=offline_model(), overrides={"route": '{"days":[{"day":1,"sights":["武侯祠"]}]}'})
    with Lab.open(model=model, strategy="summary/own", clock=VirtualTime().clock()) as lab:
        session = lab.session("a")
        session.send(FIRST)
        before = dict(model.answered)
        session.send(CHANGE)

    assert before == {"recorded": 4, "override": 1}
    assert model.answered == {"recorded": 5, "override": 1, "live": 1}


def test_miss_ends_the_turn_by_name(recording):
    """A turn that was not recorded is an error with the nearest call, not a question to the traveller."""
    path, _ = recording
    with (
        Lab.open(model=replay(path), strategy="summary/own", clock=VirtualTime().clock()) as lab,
        pytest.raises(CassetteMiss, match="Nearest: a call of 'supervisor'"),
    ):
        lab.session("a").send("帮我规划成都4天旅行，预算5000")


def test_format_is_counted_with_and_without_history(recording):
    """Answers in the form asked for are counted apart for views with and without history."""
    path, _ = recording
    with Lab.open(model=replay(path), strategy="summary/own", clock=VirtualTime().clock()) as lab:
        session = lab.session("a")
        calls = [*session.send(FIRST).calls, *session.send(CHANGE).calls]
    frame = format_frame(calls).set_index(["agent", "history"])

    assert frame.loc[("supervisor", "no")].tolist() == [1, 1, 0, 1.0]
    assert frame.loc[("supervisor", "yes")].tolist() == [1, 1, 0, 1.0]


def test_format_frame_counts_what_was_lost(recording):
    """An answer in prose is counted as not in form."""
    path, _ = recording
    model = replay(path, overrides={"supervisor": "好的，我来为您安排。"})
    with Lab.open(model=model, strategy="summary/own", clock=VirtualTime().clock()) as lab:
        calls = lab.session("a").send(FIRST).calls

    assert format_frame(calls)[["agent", "calls", "in form"]].to_numpy().tolist() == [["supervisor", 2, 0]]


def test_faulty_run_is_recorded_with_its_attempts(tmp_path):
    """What is recorded are the answers: a call that failed and was repeated is one line."""
    schedule = Schedule([Fault(kind="rate limit", on="hotel agent", times=2)])
    clock = VirtualTime().clock()
    model = FaultyModel(inner=offline_model(), schedule=schedule, sleep=clock.sleep)
    cassette = Cassette(tmp_path / "run.jsonl")
    with Lab.open(model=RecordingModel(inner=model, cassette=cassette), clock=clock, retry=RetryPolicy(jitter=0.0)) as lab:
        lab.session("a").send(FIRST)

    assert sorted(call.agent for call in cassette.calls) == ["food", "hotel", "info", "route", "supervisor"]
