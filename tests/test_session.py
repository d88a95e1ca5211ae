import contextlib
import json
import math
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_openai import ChatOpenAI

from travel_lab.catalogue import CuratedProvider
from travel_lab.chat_models import OfflineChatModel
from travel_lab.clock import Clock
from travel_lab.errors import AgentFailed, BadInput, BadMessage, StoreClosed, UnknownName
from travel_lab.events import AgentFinished, AgentStarted, Reply
from travel_lab.lab import Lab
from travel_lab.planner import STRATEGIES, facts_of, results_of
from travel_lab.planner.offline_rules import play
from travel_lab.retry import RetryPolicy
from travel_lab.session import MAX_CHARACTERS

CITIES = CuratedProvider().cities()

PLAN = {"zh": "帮我规划成都3天旅行，预算5000", "en": "Plan a 3-day trip to Chengdu, budget 5000"}
CHEAPER = {"zh": "把第二天的酒店换成便宜点的", "en": "Change the hotel on day 2 to a cheaper one"}
LANGUAGES = pytest.mark.parametrize("language", ["zh", "en"])


@pytest.fixture
def lab(tmp_path):
    with Lab.open(tmp_path / "lab.db") as lab:
        yield lab


@pytest.fixture
def both(lab):
    """A plan and a cheaper hotel under a strategy: the two turns."""

    def both(strategy, language):
        session = lab.session(strategy=strategy)
        return session.send(PLAN[language]), session.send(CHEAPER[language])

    return both


@LANGUAGES
class TestWhatTheModelsSaw:
    def test_silent_shows_the_supervisor_no_hotel(self, both, language):
        """Five hotels were produced and shown to the traveller; of their 22 facts the supervisor's view binds none."""
        measure = both("silent", language)[1].measure("supervisor")

        assert (measure.produced, measure.bound, measure.needed_bound) == (22, 0, 0)
        assert (measure.visibility.value, measure.completeness.value) == (0.0, 0.0)

    def test_silent_ends_in_a_question(self, both, language):
        """What it cannot see it asks for, and no agent runs."""
        _, turn = both("silent", language)

        assert turn.measure("supervisor").asked_back is True
        assert (turn.reply_kind, turn.agents, turn.itinerary) == ("ask", ("supervisor",), None)

    @pytest.mark.parametrize("strategy", ["summary/task", "summary/own", "full/own"])
    def test_names_and_prices_are_in_the_supervisors_prompt_otherwise(self, both, language, strategy):
        """Every strategy that hands something over puts each hotel with its price before the supervisor."""
        first, turn = both(strategy, language)
        prompt = "\n".join(message.text for message in turn.call("supervisor").view)

        assert [
            offer for offer in first.itinerary["hotels"] if offer["name"] not in prompt or str(offer["price"]) not in prompt
        ] == []

    @pytest.mark.parametrize("agent", ["supervisor", "hotel"])
    def test_full_json_shows_everything(self, both, language, agent):
        """With the whole result handed over the supervisor and the hotel agent see all that an answer must rest on."""
        measure = both("full/own", language)[1].measure(agent)

        assert (measure.produced, measure.bound, measure.in_conversation) == (22, 22, 22)
        assert (measure.needed, measure.needed_bound, measure.completeness.value) == (5, 5, 1.0)
        assert measure.asked_back is False

    @pytest.mark.parametrize("strategy", ["summary/task", "summary/own", "full/own"])
    def test_only_the_hotel_agent_runs(self, both, language, strategy):
        """A change of the hotel calls the supervisor and the hotel agent, and nobody else."""
        assert both(strategy, language)[1].agents == ("supervisor", "hotel")

    def test_the_summary_with_the_task_only_leaves_the_hotel_agent_asking(self, both, language):
        """The supervisor sees the summary, the hotel agent does not: it has offers with prices but no night, and asks."""
        _, turn = both("summary/task", language)

        assert turn.measure("hotel").in_conversation == 0
        assert turn.measure("hotel").asked_back is True

    def test_the_four_strategies_differ_by_a_number(self, both, language):
        """What the hotel agent sees grows with the strategy, from not called over the task's offers to everything."""
        seen = {strategy: both(strategy, language)[1].measure("hotel") for strategy in STRATEGIES}

        assert seen["silent"].bound is None
        assert 0 == seen["summary/task"].in_conversation < seen["summary/own"].in_conversation < seen["full/own"].in_conversation

    def test_the_first_turn_has_nothing_to_see(self, both, language):
        """Before anything was produced there is no share to measure: not a number, with its reason."""
        measure = both("full/own", language)[0].measure("supervisor")

        assert (measure.produced, measure.needed) == (0, 0)
        assert math.isnan(measure.visibility.value)
        assert measure.visibility.reason == "No facts were produced, so there is nothing to see."

    def test_an_agent_that_was_not_called_has_no_numbers(self, both, language):
        """Not measured is not zero: its counts are None, its scores not a number."""
        measure = both("full/own", language)[1].measure("route")

        assert measure.called is False
        assert (measure.bound, measure.in_conversation, measure.needed_bound, measure.tokens, measure.asked_back) == (None,) * 5
        assert math.isnan(measure.visibility.value)
        assert math.isnan(measure.completeness.value)

    def test_measured_are_the_supervisor_and_who_the_message_is_about(self, both, language):
        """A message about the hotel is measured at the supervisor and the hotel agent, whether or not it was called."""
        assert both("silent", language)[1].measured_agents == ("supervisor", "hotel")


CARRIED = {
    "zh": ["route：沿用第1轮的结果", "food：沿用第1轮的结果", "info：沿用第1轮的结果"],
    "en": ["route: kept from turn 1", "food: kept from turn 1", "info: kept from turn 1"],
}


@LANGUAGES
class TestTheCardOfTurnTwo:
    def test_keeps_sights_and_meals_of_turn_one(self, both, language):
        """Only the hotel was changed, so sights and meals are those of the first plan."""
        first, second = (turn.itinerary["days"] for turn in both("full/own", language))

        for part in ("sights", "lunch", "dinner"):
            assert [day[part] for day in second] == [day[part] for day in first]

    def test_labels_what_was_carried_over(self, both, language):
        """The card says which parts are of turn 1, and says nothing of that kind about the new hotels."""
        lines = both("full/own", language)[1].card.split("\n")

        assert [line for line in lines if line.startswith(("route", "hotel", "food", "info"))] == CARRIED[language]

    def test_says_so_in_its_data_too(self, both, language):
        """Standing and turn of each part stand in the itinerary."""
        parts = both("full/own", language)[1].itinerary["parts"]

        assert {agent: (part["standing"], part["turn"]) for agent, part in parts.items()} == {
            "route": ("carried over", 1),
            "hotel": ("current", 2),
            "food": ("carried over", 1),
            "info": ("carried over", 1),
        }


def test_a_turn_tells_what_happened(lab):
    """The events of a plan: the supervisor, then four agents side by side, then the aggregator and its reply."""
    turn = lab.session().send(PLAN["zh"])
    started = [event.agent for event in turn.events if isinstance(event, AgentStarted)]
    finished = [event.agent for event in turn.events if isinstance(event, AgentFinished)]

    assert (started[0], set(started[1:])) == ("supervisor", {"route", "hotel", "food", "info"})
    assert (finished[0], set(finished[1:5]), finished[5:]) == ("supervisor", {"route", "hotel", "food", "info"}, ["aggregator"])
    assert [event.text for event in turn.events if isinstance(event, Reply)] == [turn.reply] == ["为用户规划了成都 3天行程"]


def test_a_watcher_sees_the_events_of_the_turn(lab):
    """Who watches is told the same events the turn keeps."""
    watched = []

    turn = lab.session().send(PLAN["zh"], watch=watched.append)

    assert tuple(watched) == turn.events


def test_the_call_of_an_agent_that_made_none_is_refused_by_name(lab):
    """Asking for a view there is not names the agents that have one."""
    turn = lab.session().send("你好")

    with pytest.raises(UnknownName, match=r"No model call of agent 'hotel'\. Known: supervisor\."):
        turn.call("hotel")


HUGE = pytest.param("x" * 100_000, id="100,000 characters")
TOO_LONG = pytest.param("成" * (MAX_CHARACTERS + 1), id="one character too many")
HALF_A_PAIR = pytest.param("成都\ud800", id="half a surrogate pair")


class TestBadInput:
    @pytest.mark.parametrize("text", ["", " ", "\n\t", "\u3000", None, 42, b"abc", ["成都"], HUGE, TOO_LONG])
    def test_is_refused_by_name(self, lab, text):
        """What is no message, or far too long a one, is refused before anything happens."""
        session = lab.session()

        with pytest.raises(BadMessage):
            session.send(text)

        assert (session.state(), session.chain().steps) == ({}, ())

    @pytest.mark.parametrize(
        ("text", "question"),
        [
            ("🎉🎉🏝️", "你想去哪玩呢？"),
            ("……", "你想去哪玩呢？"),
            ("\x00\x1b[31m", "你想去哪玩呢？"),
            ("-3天", "天数需要是 1 到 14 之间的整数，你想玩几天？"),
            ("0天", "天数需要是 1 到 14 之间的整数，你想玩几天？"),
            ("400天", "天数需要是 1 到 14 之间的整数，你想玩几天？"),
            ("帮我规划成都-3天旅行", "天数需要是 1 到 14 之间的整数，你想玩几天？"),
            ("帮我规划成都0天旅行", "天数需要是 1 到 14 之间的整数，你想玩几天？"),
            ("帮我规划成都400天旅行", "天数需要是 1 到 14 之间的整数，你想玩几天？"),
            pytest.param(
                f"帮我规划成都{'9' * 5_000}天旅行", "天数需要是 1 到 14 之间的整数，你想玩几天？", id="days without end"
            ),
            ("Plan a 0-day trip to Sydney", "Days must be a whole number from 1 to 14. How many days would you like?"),
            ("Plan a 400-day trip to Sydney", "Days must be a whole number from 1 to 14. How many days would you like?"),
            (
                "帮我规划亚特兰蒂斯3天旅行",
                f"还不会规划「亚特兰蒂斯」。可以去：{', '.join(city.name.zh for city in CITIES)}。",
            ),
            (
                "Plan a 3-day trip to Atlantis",
                f"I cannot plan 'Atlantis' yet. Places: {', '.join(city.name.en for city in CITIES)}.",
            ),
            pytest.param("x" * MAX_CHARACTERS, "Where would you like to go?", id="as long as may be"),
            ("<script>alert(1)</script>", "Where would you like to go?"),
            ("{0} {destination} %s", "Where would you like to go?"),
        ],
    )
    def test_that_can_be_read_gets_a_question_back(self, lab, text, question):
        """Words that are no plan end in a question, not in a plan and not in an error."""
        turn = lab.session().send(text)

        assert (turn.reply_kind, turn.reply, turn.agents) == ("ask", question, ("supervisor",))

    @pytest.mark.parametrize("text", ["", None, HUGE, "🎉", "-3天", "0天", "400天", "帮我规划亚特兰蒂斯3天旅行", HALF_A_PAIR])
    def test_leaves_the_session_usable(self, lab, text):
        """After it the same session plans as a fresh one does."""
        session = lab.session()
        with contextlib.suppress(BadMessage):
            session.send(text)

        turn = session.send(PLAN["zh"])

        assert turn.reply == "为用户规划了成都 3天行程"
        assert turn.itinerary["cost"]["budget"] == 5000

    @pytest.mark.parametrize("text", ["-3天", "0天", "400天", "帮我规划亚特兰蒂斯3天旅行", "🎉"])
    def test_changes_nothing_of_a_plan(self, lab, text):
        """After a plan such a message is answered and the plan stays."""
        session = lab.session()
        session.send(PLAN["zh"])
        before = session.state()

        session.send(text)

        assert session.state()["itinerary"] == before["itinerary"]
        assert session.state()["requirements"] == before["requirements"]


def test_sessions_do_not_see_each_other(lab):
    """What is said and planned in one session is in no view and no state of the other."""
    one, other = lab.session("one"), lab.session("other")
    one.send("帮我规划西安2天旅行，预算4321")

    turn = other.send("第二天怎么安排的？")

    assert (turn.number, turn.reply_kind) == (1, "ask")
    assert [
        text for call in turn.calls for text in (message.text for message in call.view[1:]) if "西安" in text or "4321" in text
    ] == []
    assert "requirements" not in other.state() or other.state()["requirements"] == {}
    assert [message.text for message in other.state()["messages"]] == ["第二天怎么安排的？", turn.reply]


def test_a_reopened_file_continues_the_session(tmp_path):
    """After the lab was closed the session goes on with turn 2, its plan and its history."""
    with Lab.open(tmp_path / "lab.db") as lab:
        session = lab.session("trip")
        first, results = session.send(PLAN["zh"]), results_of(session.state())

    with Lab.open(tmp_path / "lab.db") as lab:
        turn = lab.session("trip").send(CHEAPER["zh"])

    assert (turn.number, turn.agents) == (2, ("supervisor", "hotel"))
    assert turn.facts_before == facts_of(results)
    assert turn.itinerary["days"][0]["sights"] == first.itinerary["days"][0]["sights"]


def ids_of(turns, agents=("route", "hotel", "food", "info")):
    return [f"turn-{turn}-{author}" for turn in turns for author in ("user", "supervisor", *agents, "aggregator")]


def test_six_threads_may_send_to_one_session(lab):
    """Messages that arrive at once are played one after the other: none is lost and no two turns mix."""
    words = [f"帮我规划成都{days}天旅行" for days in range(1, 7)]
    with ThreadPoolExecutor(6) as pool:
        turns = list(pool.map(lambda text: lab.session("trip").send(text), words))
    messages = lab.session("trip").state()["messages"]

    assert sorted(turn.number for turn in turns) == [1, 2, 3, 4, 5, 6]
    assert [message.id for message in messages] == ids_of(range(1, 7))
    assert {turn.number: turn.text for turn in turns} == {
        int(message.id.split("-")[1]): message.text for message in messages if message.type == "human"
    }


def test_six_sessions_may_run_at_once(lab):
    """Six conversations side by side give what each gives alone."""
    words = [f"帮我规划{city}2天旅行" for city in ("成都", "北京", "西安", "深圳", "悉尼", "墨尔本")]
    with ThreadPoolExecutor(6) as pool:
        together = list(pool.map(lambda text: lab.session().send(text), words))

    assert [turn.card for turn in together] == [lab.session().send(text).card for text in words]


class TestClosed:
    def test_sending_after_close_is_refused_by_name(self, tmp_path):
        """A session of a closed lab says that the store is closed and how to open it again."""
        with Lab.open(tmp_path / "lab.db") as lab:
            session = lab.session()
            session.send(PLAN["zh"])

        with pytest.raises(StoreClosed, match="is closed"):
            session.send(CHEAPER["zh"])

    @pytest.mark.parametrize("look", ["state", "chain"])
    def test_looking_after_close_is_refused_by_name(self, tmp_path, look):
        """State and chain cannot be read from a closed lab."""
        with Lab.open(tmp_path / "lab.db") as lab:
            session = lab.session()

        with pytest.raises(StoreClosed):
            getattr(session, look)()

    def test_a_refused_message_is_not_in_the_file(self, tmp_path):
        """What was sent after close did not happen."""
        with Lab.open(tmp_path / "lab.db") as lab:
            session = lab.session("trip")
            session.send(PLAN["zh"])
        with pytest.raises(StoreClosed):
            session.send(CHEAPER["zh"])

        with Lab.open(tmp_path / "lab.db") as again:
            assert again.session("trip").state()["turn"] == 1


class TestForget:
    def test_messages_are_gone_and_the_next_turn_goes_on(self, lab):
        """The oldest four messages are taken out, and the session answers as before."""
        session = lab.session()
        session.send(PLAN["zh"])
        oldest = [message.id for message in session.state()["messages"][:4]]

        assert session.forget(oldest) == 4
        assert not {message.id for message in session.state()["messages"]} & set(oldest)
        assert session.send("最便宜的酒店是哪家？").reply_kind in {"reply", "ask"}

    def test_a_second_time_there_is_nothing_to_take(self, lab):
        """The same ids again are no error, count as 0 and make no step."""
        session = lab.session()
        session.send(PLAN["zh"])
        oldest = [message.id for message in session.state()["messages"][:4]]
        session.forget(oldest)
        steps = len(session.chain().steps)

        assert session.forget(oldest) == 0
        assert len(session.chain().steps) == steps

    def test_an_earlier_step_still_holds_them_and_says_which_it_is(self, lab):
        """The session reads its head; an opened step is a reading of that step, with its number."""
        session = lab.session()
        session.send(PLAN["zh"])
        pinned = session.chain().steps[-1]
        first = session.state()["messages"][0].id
        session.forget([first])
        opened = session.store.open_step(session.chain(), pinned)

        assert first not in {message.id for message in session.state()["messages"]}
        assert first in {message["id"] for message in opened.values["messages"]}
        assert opened.step.checkpoint_id == pinned.checkpoint_id


class TestMeasure:
    def test_a_name_that_is_no_agent_is_refused(self, lab):
        """A misspelt agent is told with the agents there are, and does not read as one that was not called."""
        turn = lab.session().send(PLAN["zh"])
        with pytest.raises(UnknownName, match=r"No agent 'hotle'\. Known: supervisor, route, hotel, food, info"):
            turn.measure("hotle")


class TestEdit:
    def test_is_a_step_of_its_own(self, lab):
        """A change by hand can be told from a turn in the chain."""
        session = lab.session()
        session.send(PLAN["zh"])

        session.edit({"requirements": {"origin": "深圳"}})

        assert session.chain().steps[-1].source == "update"
        assert session.state()["requirements"]["origin"] == "深圳"

    @pytest.mark.parametrize(
        ("requirements", "named"),
        [
            ({"budget": {"amount": 3000}}, "budget.basis"),
            ({"days": "3"}, "days found '3'"),
            ({"days": 15}, "15 days"),
            ({"people": {"adults": 10**15, "children": 0}}, "1000000000000000 people"),
            ({"people": {"adults": 0, "children": 0}}, "0 people"),
            ({"dayz": 3}, "dayz"),
            (7, "found 7"),
        ],
    )
    def test_requirements_of_another_form_are_refused_by_name(self, lab, requirements, named):
        """What no node could have written is refused with its place, and the session stays as it was."""
        session = lab.session()
        before = len(session.chain().steps)

        with pytest.raises(BadInput, match=re.escape(named)):
            session.edit({"requirements": requirements})
        assert len(session.chain().steps) == before

    @pytest.mark.parametrize(
        ("changes", "named"),
        [
            ({"requirements": {"budget": {"amount": 3000}}}, r"budget\.basis found .*, field required"),
            ({"requirements": {"days": "3"}}, "days found '3'"),
            ({"requirements": {"dayz": 3}}, "No requirement 'dayz'. Known: destinations, days"),
            ({"hotel_result": {"agent": "hotel", "data": {"hotels": [1]}}}, r"hotel agent's result cannot be used: status found"),
        ],
    )
    def test_what_was_written_past_it_is_named_by_the_next_turn(self, lab, changes, named):
        """`update_state` is LangGraph's own and checks nothing; the turn after it names what is missing and the way out."""
        session = lab.session()
        session.send(PLAN["zh"])
        session.graph.update_state({"configurable": {"thread_id": session.session_id}}, changes, as_node="reply")

        with pytest.raises(BadInput, match=f"{named}.* session.edit"):
            session.send(CHEAPER["zh"])

    def test_puts_right_what_was_written_past_it(self, lab):
        """A whole budget by hand takes the place of half a one, and the session goes on."""
        session = lab.session()
        session.send(PLAN["zh"])
        whole, config = session.state()["requirements"]["budget"], {"configurable": {"thread_id": session.session_id}}
        session.graph.update_state(config, {"requirements": {"budget": {"amount": 3000}}}, as_node="reply")
        with pytest.raises(BadInput):
            session.send(CHEAPER["zh"])

        session.edit({"requirements": {"budget": {**whole, "amount": 3000.0}}})

        assert session.send(CHEAPER["zh"]).itinerary["cost"]["budget"] == 3000

    def test_follows_the_merge_rules(self, lab):
        """A blank in an edit takes nothing away."""
        session = lab.session()
        session.send(PLAN["zh"])

        session.edit({"requirements": {"days": 0, "budget": None}})

        requirements = session.state()["requirements"]
        assert (requirements["destinations"], requirements["days"], requirements["budget"]["amount"]) == (["chengdu"], 3, 5000.0)

    def test_of_a_fresh_session_stands_before_its_first_turn(self, lab):
        """What is known beforehand can be put in by hand."""
        session = lab.session()
        note = {"amount": 3000, "low": None, "high": None, "currency": "CNY", "basis": "total", "approximate": False}
        session.edit({"requirements": {"budget": {**note, "unlimited": False}}})

        turn = session.send("帮我规划成都3天旅行")

        assert (turn.number, turn.itinerary["cost"]["budget"]) == (1, 3000)


def test_a_failed_turn_is_measured_as_it_was_kept(tmp_path):
    """What the siblings of a failed agent found counts as known in the next turn exactly when that turn starts from it."""
    model = OfflineChatModel(rules=lambda messages: "抱歉" if "info agent" in messages[0].text else play(messages))
    with Lab.open(tmp_path / "lab.db", model=model) as lab:
        session = lab.session()
        with pytest.raises(AgentFailed):
            session.send(PLAN["zh"])
        before = results_of(session.state())

        turn = session.send("400天")

        assert turn.facts_before == facts_of(before)
        assert results_of(session.state()) == before


def wire_message(message):
    kinds = {"system": SystemMessage, "user": HumanMessage, "assistant": AIMessage}
    return kinds[message["role"]](message["content"], name=message.get("name"))


class Handler(BaseHTTPRequestHandler):
    """An OpenAI-compatible endpoint that answers by the offline rules, or fails with `server.status`."""

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append(request)
        if self.server.status != 200:
            answer = {"error": {"message": "busy", "type": "server_error"}}
        else:
            text = play([wire_message(message) for message in request["messages"]])
            choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
            usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
            answer = {"id": "1", "object": "chat.completion", "created": 0, "model": "x", "choices": [choice], "usage": usage}
        body = json.dumps(answer).encode()
        self.send_response(self.server.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


@pytest.fixture
def endpoint(monkeypatch):
    """The server; on the loopback interface and past every proxy."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.requests, server.status = [], 200
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def remote(server, api_key="x"):
    url = f"http://127.0.0.1:{server.server_port}/v1"
    return ChatOpenAI(model="offline", base_url=url, api_key=api_key, max_retries=0, timeout=30)


class TestEndpoint:
    @LANGUAGES
    @pytest.mark.parametrize("strategy", STRATEGIES)
    def test_over_http_is_as_in_process(self, lab, tmp_path, endpoint, language, strategy):
        """The same rules behind an OpenAI-compatible server give the same replies, cards and views."""
        inside = lab.session(strategy=strategy)
        with Lab.open(tmp_path / "http.db", model=remote(endpoint), strategy=strategy) as far:
            outside = far.session()
            for text in (PLAN[language], CHEAPER[language]):
                here, there = inside.send(text), outside.send(text)

                assert (there.reply_kind, there.reply) == (here.reply_kind, here.reply)
                assert (there.card, there.agents) == (here.card, here.agents)
                assert [[m.text for m in call.view] for call in there.calls] == [
                    [m.text for m in call.view] for call in here.calls
                ]
        assert len(endpoint.requests) == 5 + len(here.calls)

    def test_a_busy_server_is_asked_again_in_one_place_only(self, tmp_path, endpoint):
        """Three attempts are three requests: the client's own retries are off and the policy's are not doubled."""
        endpoint.status, waits = 503, []
        retry, clock = RetryPolicy(attempts=3, jitter=0), Clock(sleep=waits.append)
        with Lab.open(tmp_path / "http.db", model=remote(endpoint), retry=retry, clock=clock) as far:
            turn = far.session().send(PLAN["zh"])

        assert (turn.reply_kind, turn.reply) == ("ask", "你想去哪玩呢？")
        assert len(endpoint.requests) == 3
        assert waits == [1.0, 2.0]

    def test_a_refusal_is_not_repeated(self, tmp_path, endpoint):
        """A wrong key does not get better by asking again."""
        endpoint.status = 401
        with Lab.open(tmp_path / "http.db", model=remote(endpoint)) as far:
            turn = far.session().send(PLAN["zh"])

        assert (turn.reply_kind, len(endpoint.requests)) == ("ask", 1)

    def test_a_server_that_recovers_serves_the_next_message(self, tmp_path, endpoint):
        """After a failed turn the session plans as soon as the server answers."""
        endpoint.status = 503
        with Lab.open(tmp_path / "http.db", model=remote(endpoint), retry=RetryPolicy(attempts=1)) as far:
            session = far.session()
            session.send(PLAN["zh"])
            endpoint.status = 200

            assert session.send(PLAN["zh"]).reply == "为用户规划了成都 3天行程"

    def test_the_key_is_nowhere_in_the_file(self, tmp_path, endpoint):
        """Nothing of the client's secret reaches the database."""
        with Lab.open(tmp_path / "http.db", model=remote(endpoint, api_key="sk-canary-4711")) as far:
            far.session().send(PLAN["zh"])

        assert b"canary" not in b"".join(path.read_bytes() for path in tmp_path.iterdir())
