import pytest

from travel_lab.chat_models import Fault
from travel_lab.chat_models.answer_form import FORMS
from travel_lab.clock import VirtualTime
from travel_lab.errors import AgentFailed, TravelLabError
from travel_lab.events import AttemptFailed, Note
from travel_lab.lab import Lab

FIRST = "帮我规划成都3天旅行，预算5000"
CHANGE = "把第二天的酒店换成便宜点的"
ENGLISH = ("Plan a 3-day trip to Chengdu, budget 5000", "Change the hotel on day 2 to a cheaper one")


def texts(turn):
    return [(message.type, message.name, message.content) for call in turn.calls for message in call.view]


@pytest.mark.parametrize("words", [(FIRST, CHANGE), ENGLISH], ids=["zh", "en"])
def test_plan_over_http_is_the_plan_in_the_process(served, words):
    """Card, reply and every message of every view are the same to the letter through a real client and without one."""
    lab, server = served()
    with Lab.open(clock=VirtualTime().clock()) as inside:
        here, there = inside.session("a"), lab.session("a")
        pairs = [(here.send(said), there.send(said)) for said in words]

    for one, other in pairs:
        assert (one.card, one.reply, one.agents) == (other.card, other.reply, other.agents)
        assert texts(one) == texts(other)
    assert len(server.requests) == 7


@pytest.mark.parametrize("forms", [FORMS, ("json_mode", "plain"), ("plain",)], ids=str)
def test_every_answer_form_brings_the_same_plan(served, forms):
    """However the supervisor's answer is held to its form, the plan is the same."""
    lab, _ = served(endpoint={"forms": forms})
    with Lab.open(clock=VirtualTime().clock()) as inside:
        assert lab.session("a").send(FIRST).card == inside.session("a").send(FIRST).card


def test_reminder_stands_after_the_words_in_every_turn(served):
    """The form is asked for again after the traveller's words, where small models lose it once history holds prose."""
    lab, _ = served()
    session = lab.session("a")
    last = [session.send(said).call("supervisor").view[-1].content for said in (FIRST, CHANGE)]

    assert [text.split("\n")[0] for text in last] == [FIRST, CHANGE]
    assert all(text.split("\n")[1].startswith("（只回答一行：PLAN:") for text in last)


def test_examples_come_with_a_json_form(served):
    """Where a service can hold the answer to JSON, the prompt says so and shows examples, before the list of places."""
    lab, _ = served(endpoint={"forms": ("json_schema", "plain")})
    view = lab.session("a").send(FIRST).call("supervisor").view

    assert view[0].content.count('{"kind":') == 5
    assert view[0].content.split("\n")[-1].startswith("可去的地方")
    assert "只回答一个 JSON 对象" in view[-1].content


def test_refused_form_is_an_event_and_costs_one_request(served):
    """A form the service does not know costs one request in the whole session and is told as a note."""
    lab, server = served(Fault(kind="no schema", on="response_format: json_schema"), endpoint={"forms": ("json_schema", "plain")})
    session = lab.session("a")
    first, second = session.send(FIRST), session.send(CHANGE)

    assert [event.text for event in first.events if isinstance(event, Note)] == [
        "the service refused answers as json_schema (status 400); asked again as plain"
    ]
    assert (second.notes, len(server.requests)) == ((), 8)


def test_busy_service_gets_exactly_four_requests(served):
    """One place retries: a service that is always busy gets four requests for the supervisor, each told as an event."""
    lab, server = served(Fault(kind="rate limit"))
    turn = lab.session("a").send(FIRST)

    assert len(server.requests) == 4
    assert [event.wait for event in turn.events if isinstance(event, AttemptFailed)] == [1.0, 2.0, 4.0, 0.0]


@pytest.mark.parametrize("kind", ["bad key", "no balance", "wrong model"])
def test_wrong_key_from_the_start_costs_one_request_a_turn(served, kind):
    """What every agent would be refused for is asked once a turn."""
    lab, server = served(Fault(kind=kind))
    session = lab.session("a")
    session.send(FIRST)
    session.send(FIRST)

    assert len(server.requests) == 2


@pytest.mark.parametrize("kind", ["bad key", "no balance"])
def test_wrong_key_at_the_fan_out_costs_one_request_an_agent_at_most(served, kind):
    """A refusal that appears while agents are in flight costs each of them one request, and no retry."""
    lab, server = served(Fault(kind=kind, skip=1))
    with pytest.raises(AgentFailed):
        lab.session("a").send(FIRST)

    assert 2 <= len(server.requests) <= 5


def test_refusal_stops_agents_that_wait_for_a_retry(faulty):
    """An agent that waits while another is refused for a wrong key makes no further request."""
    lab = faulty(Fault(kind="rate limit", on="hotel agent"), Fault(kind="bad key", on="food agent"), latency=0.5)
    turn = lab.session("a").send(FIRST)

    assert [event.attempt for event in turn.events if isinstance(event, AttemptFailed) and event.agent == "hotel"] == [1]


def test_view_that_is_too_long_is_halved_once(served):
    """Where history can be left out, a view that is too long costs a second request, and what went with it is asked for."""
    lab, server = served(Fault(kind="overflow deepseek", skip=5, times=1))
    session = lab.session("a")
    session.send(FIRST)
    turn = session.send(CHANGE)

    assert "the view was too long; asked once more with 5 of its 9 messages" in turn.notes[0]
    assert (turn.reply_kind, len(server.requests)) == ("ask", 5 + 2)


def test_view_without_history_is_sent_once(served):
    """Where nothing can be left out, a view that is too long is sent once."""
    lab, server = served(Fault(kind="overflow llama.cpp"))
    lab.session("a").send(FIRST)

    assert len(server.requests) == 1


def test_service_that_cut_the_prompt_is_found_out(served):
    """When the service reports fewer tokens than were sent, the call carries a warning."""
    lab, _ = served(reported_window=100)
    calls = lab.session("a").send(FIRST).calls

    assert all("server saw fewer tokens than were sent: it reports 100" in call.warning for call in calls)


def test_service_that_saw_everything_is_not_warned_about(served):
    """Equal counts need no word."""
    lab, _ = served()

    assert [call.warning for call in lab.session("a").send(FIRST).calls] == [""] * 5


KINDS = ("rate limit", "server error", "drop", "half", "empty", "thinking", "loading", "bad request")


def ends(lab, session_id, said):
    """How a turn ended: `plan`, `degraded`, `asked` or the error's name."""
    try:
        turn = lab.session(session_id).send(said)
    except TravelLabError as error:
        return type(error).__name__
    failed = [part for part in (turn.itinerary or {}).get("parts", {}).values() if part.get("status") not in ("ok", None)]
    if turn.reply_kind != "plan":
        return "asked"
    return "degraded" if failed else "plan"


@pytest.mark.parametrize("seed", range(3))
def test_fifth_of_the_requests_spoilt_over_http(served, seed):
    """With a fault in one of five requests every turn ends in a plan, a degraded plan, a question or a named error."""
    lab, server = served(*[Fault(kind=kind, share=0.2 / len(KINDS)) for kind in KINDS], seed=seed)
    outcomes = [ends(lab, f"s{n}", FIRST) for n in range(3)]

    assert set(outcomes) <= {"plan", "degraded", "asked", "AgentFailed"}
    assert any(request.fault for request in server.requests)
