"""The events of a turn as they happen."""

import threading

import pytest

from travel_lab.chat_models import OfflineChatModel
from travel_lab.errors import AgentFailed, BadMessage
from travel_lab.events import AgentFinished, AgentStarted, Card, Done, Failed, Note, Reply
from travel_lab.lab import Lab
from travel_lab.planner.offline_rules import play
from travel_lab.tokens import text_of

PLAN = "帮我规划成都3天旅行，预算5000"
CHEAPER = "把第二天的酒店换成便宜点的"


def failing(agent):
    """The offline model with one agent that answers nothing readable."""
    return OfflineChatModel(
        rules=lambda messages: (
            "?" if f"{agent} agent" in text_of(messages[0]) and "supervisor agent" not in text_of(messages[0]) else play(messages)
        )
    )


@pytest.fixture
def lab():
    with Lab.open() as opened:
        yield opened


def test_a_stream_ends_with_what_send_returns(lab):
    """The last event holds the turn, equal in reply and card to that of `send` in another session."""
    *_, last = lab.session("a").stream(PLAN)
    sent = lab.session("b").send(PLAN)
    assert isinstance(last, Done)
    assert (last.outcome.reply, last.outcome.card) == (sent.reply, sent.card)


def test_events_before_the_end_are_those_of_the_turn(lab):
    """What is handed out on the way is what the turn keeps, in the same order."""
    events = list(lab.session().stream(PLAN))
    kept = events[-1].outcome.events
    assert [event for event in events if not isinstance(event, Card | Done)] == list(kept)


def test_every_agent_starts_before_it_finishes(lab):
    """Each agent is told of twice, first that it works, then that it is done."""
    events = list(lab.session().stream(PLAN))
    for agent in ("supervisor", "route", "hotel", "food", "info"):
        kinds = [type(event) for event in events if event.agent == agent and isinstance(event, AgentStarted | AgentFinished)]
        assert kinds == [AgentStarted, AgentFinished]


def test_the_card_comes_when_a_plan_changed(lab):
    """A turn with a plan hands out its card line by line, a question back does not."""
    session = lab.session(strategy="silent")
    cards = [event for event in session.stream(PLAN) if isinstance(event, Card)]
    assert "\n".join(cards[0].lines).startswith("成都 3天行程")
    assert [event for event in session.stream(CHEAPER) if isinstance(event, Card)] == []


def test_a_reply_event_says_of_which_kind_it_is(lab):
    """The question back of a silent session is an `ask`."""
    session = lab.session(strategy="silent")
    session.send(PLAN)
    replies = [event for event in session.stream(CHEAPER) if isinstance(event, Reply)]
    assert [reply.kind for reply in replies] == ["ask"]


def test_a_failed_turn_hands_out_its_failure_and_raises_it():
    """When info fails, the stream's last event names the error, and taking the next one raises it."""
    with Lab.open(model=failing("info")) as lab:
        stream, events = lab.session().stream(PLAN), []
        with pytest.raises(AgentFailed, match="处理出错：info"):
            events.extend(event for event in stream)
    assert isinstance(events[-1], Failed)


def test_a_bad_message_is_refused_by_the_stream(lab):
    """A blank message fails as with `send`."""
    with pytest.raises(BadMessage):
        list(lab.session().stream("  "))


def test_a_reader_that_leaves_does_not_stop_the_turn(lab):
    """The turn is played to its end although only its first event was taken."""
    session = lab.session()
    stream = session.stream(PLAN)
    next(stream)
    stream.close()
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and thread.daemon and thread.name.startswith("Thread-"):
            thread.join(timeout=20)
    assert session.state()["reply"] == "为用户规划了成都 3天行程"


def test_info_gets_a_fallback_when_asked_for():
    """With `info_fallback` a failing info agent leaves a degraded result, and the plan comes all the same."""
    with Lab.open(model=failing("info"), info_fallback=True) as lab:
        turn = lab.session().send(PLAN)
    assert turn.itinerary["parts"]["info"]["status"] == "degraded"
    assert len(turn.itinerary["days"]) == 3


@pytest.mark.parametrize("agent", ["route", "hotel", "food"])
def test_a_failing_agent_is_marked_and_the_others_are_whole(agent):
    """The result of an agent without an answer is degraded with its reason, the others are ok."""
    with Lab.open(model=failing(agent)) as lab:
        parts = lab.session().send(PLAN).itinerary["parts"]
    assert {name: part["status"] for name, part in parts.items()} == {
        name: "degraded" if name == agent else "ok" for name in ("route", "hotel", "food", "info")
    }
    assert parts[agent]["reason"]


def test_a_range_of_days_is_told(lab):
    """Planning a range as its lower end is said in a note."""
    notes = [event.text for event in lab.session().stream("两三天 西安") if isinstance(event, Note)]
    assert notes == ["2-3天先按2天安排"]


def test_a_trip_through_two_currencies_is_added_up_in_one(lab):
    """Prices of the second country come in the first one's currency: no Sydney hotel for 20 yuan a night."""
    turn = lab.session().send("去成都和悉尼玩4天")
    sydney = [day for day in turn.itinerary["days"] if day["city"] == "悉尼"]
    assert turn.itinerary["cost"]["currency"] == "CNY"
    assert min(day["hotel"]["price"] for day in sydney if day["hotel"]) > 400
