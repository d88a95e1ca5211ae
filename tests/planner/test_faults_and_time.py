import threading
from typing import Any

import pytest
from langchain_core.language_models.chat_models import BaseChatModel

from travel_lab.chat_models import Fault
from travel_lab.errors import AgentFailed, TravelLabError
from travel_lab.events import AgentFinished, AttemptFailed, AttemptSucceeded
from travel_lab.lab import Lab
from travel_lab.planner import offline_model
from travel_lab.planner.frame import retry_frame
from travel_lab.retry import RetryPolicy

FIRST = "帮我规划成都3天旅行，预算5000"
CHANGE = "把第二天的酒店换成便宜点的"
SPECIALISTS = ("route", "hotel", "food", "info")
KINDS = (
    "rate limit",
    "server error",
    "drop",
    "hang",
    "slow",
    "half",
    "empty",
    "blank",
    "thinking",
    "loading",
    "bad request",
    "no quota",
)


def test_agents_that_wait_together_cost_seven_seconds(faulty):
    """Four agents that each fail three times wait 1, 2 and 4 seconds side by side: the turn takes 7 s, not 28."""
    lab = faulty(*[Fault(kind="rate limit", on=f"{agent} agent", times=3) for agent in SPECIALISTS])
    turn = lab.session("a").send(FIRST)
    frame = retry_frame(turn)
    of_agents = frame[frame["agent"].isin(SPECIALISTS)]

    assert of_agents.groupby("agent")["began"].apply(list).to_dict() == {agent: [0.0, 1.0, 3.0, 7.0] for agent in SPECIALISTS}
    assert of_agents["wait"].sum() == 28.0
    assert turn.reply_kind == "plan"


def test_slow_calls_overlap_on_the_virtual_clock(faulty):
    """With one second a call, a plan turn takes two seconds: the supervisor's, and one for the four agents together."""
    turn = faulty(latency=1.0).session("a").send(FIRST)

    assert {event.agent: event.seconds for event in turn.events if isinstance(event, AttemptSucceeded)} == {
        "supervisor": 1.0, "route": 2.0, "hotel": 2.0, "food": 2.0, "info": 2.0,
    }  # fmt: skip


def test_retry_frame_says_what_became_of_each_attempt(faulty):
    """A failed attempt, its wait and the answer after it are rows, and the agent's end stands beside them."""
    turn = faulty(Fault(kind="server error", on="hotel agent", times=1), latency=0.5).session("a").send(FIRST)
    frame = retry_frame(turn)
    hotel = frame[frame["agent"] == "hotel"][["attempt", "began", "ended", "wait", "outcome", "agent ended"]]

    assert hotel.to_numpy().tolist() == [[1, 0.5, 1.0, 1.0, "failed, again", "ok"], [2, 2.0, 2.5, 0.0, "answer", "ok"]]


def test_retry_frame_of_a_dead_agent_ends_with_its_last_attempt(faulty):
    """An agent whose calls all fail has four failed rows and is degraded."""
    frame = retry_frame(faulty(Fault(kind="server error", on="hotel agent")).session("a").send(FIRST))
    hotel = frame[frame["agent"] == "hotel"]

    assert hotel["outcome"].tolist() == ["failed, again"] * 3 + ["failed, last"]
    assert set(hotel["agent ended"]) == {"degraded"}


@pytest.mark.parametrize(("kind", "made"), [("half", 2), ("empty", 2), ("blank", 2), ("thinking", 1)])
def test_spoilt_answer_is_asked_for_once_more_and_never_used(faulty, kind, made):
    """An answer cut in the middle or without text is asked for once more, and what there is of it is no result."""
    turn = faulty(Fault(kind=kind, on="route agent")).session("a").send(FIRST)
    attempts = [event for event in turn.events if isinstance(event, AttemptFailed | AttemptSucceeded) and event.agent == "route"]
    part = turn.itinerary["parts"]["route"]

    assert len(attempts) == made
    assert part["status"] == ("ok" if kind == "thinking" else "degraded")


def test_thinking_reaches_neither_state_nor_history(faulty):
    """What a model thinks aloud is in no field of the state."""
    session = faulty(Fault(kind="thinking")).session("a")
    session.send(FIRST)

    assert "draft" not in str(session.state())


@pytest.mark.parametrize("seed", range(12))
def test_every_turn_with_a_fifth_of_calls_spoilt_ends_by_name(faulty, seed):
    """With any fault in one of five calls, each turn ends in a plan, a degraded one that says so, a question or a named error."""
    lab = faulty(*[Fault(kind=kind, share=0.2 / len(KINDS)) for kind in KINDS], seed=seed)
    for n in range(2):
        try:
            turn = lab.session(f"s{n}").send(FIRST)
        except TravelLabError as error:
            assert str(error)  # noqa: PT017 (a named error is one of the right ends)
            continue
        lost = [agent for agent in SPECIALISTS if turn.itinerary and turn.itinerary["parts"][agent]["status"] != "ok"]
        assert turn.reply_kind in {"plan", "ask"}
        assert all(agent in turn.reply for agent in lost)


def test_same_seed_same_waits(faulty):
    """Two runs under one seed wait the same times, jitter and all."""
    runs = [
        faulty(Fault(kind="rate limit", times=6), retry=RetryPolicy(seed=3)).session("a").send(FIRST)
        for _ in range(2)
    ]  # fmt: skip
    one, other = ([event.wait for event in turn.events if isinstance(event, AttemptFailed)] for turn in runs)

    assert one == other
    assert all(wait % 1 for wait in one if wait)


class Hanging(BaseChatModel):
    """Answers as the offline model, but one agent's call waits for a release that does not come, and another's fails."""

    release: Any
    fails: str = ""

    @property
    def _llm_type(self) -> str:
        return "hanging"

    def _generate(self, messages, stop=None, run_manager=None, **kwargs):
        if "food agent" in messages[0].content:
            self.release.wait(60)
        if self.fails and self.fails in messages[0].content:
            raise PermissionError("no entry")
        return offline_model()._generate(messages)


@pytest.fixture
def hanging():
    """A lab whose food agent hangs and whose deadline is 0.5 s."""
    release, opened = threading.Event(), []

    def hanging(fails: str = "") -> Lab:
        lab = Lab.open(model=Hanging(release=release, fails=fails), retry=RetryPolicy(deadline=0.5))
        opened.append(lab)
        return lab

    yield hanging
    release.set()
    for lab in opened:
        lab.close()


def test_agent_whose_model_hangs_is_degraded_at_its_deadline(hanging):
    """The food agent's call never returns: after the deadline the turn ends without it and says so."""
    turn = hanging().session("a").send(FIRST)
    food = turn.itinerary["parts"]["food"]

    assert food["status"] == "degraded"
    assert "no answer within 0.5 s" in food["reason"]


def test_failure_is_seen_before_a_hanging_sibling_ends(hanging):
    """The info agent fails at once; the log says so before the food agent reaches its deadline."""
    log = []
    with pytest.raises(AgentFailed):
        hanging(fails="info agent").session("a").send(FIRST, watch=log.append)
    ends = [(event.agent, event.status) for event in log if isinstance(event, AgentFinished) and event.agent in {"info", "food"}]

    assert ends == [("info", "failed"), ("food", "degraded")]
