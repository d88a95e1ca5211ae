"""Services that answer with status 200 and something odd, reached over HTTP on this machine."""

import dataclasses
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

from travel_lab.chat_models import ModelServer, OfflineChatModel
from travel_lab.chat_models.endpoint import ENDPOINTS, connect
from travel_lab.clock import VirtualTime
from travel_lab.events import AgentFinished, AttemptFailed
from travel_lab.lab import Lab
from travel_lab.planner import offline_model
from travel_lab.planner.frame import calls_frame
from travel_lab.planner.offline_rules import play
from travel_lab.retry import RetryPolicy

FIRST = "帮我规划成都3天旅行，预算5000"
ROLES = {"system": SystemMessage, "user": HumanMessage, "assistant": AIMessage}


class Service:
    """Answers each request with what `answer` makes of its body, a status and the bytes; counts requests."""

    def __init__(self, answer):
        service, self.requests = self, []

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *args):
                """Nothing is printed."""

            def do_POST(self):
                service.requests.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                status, data = answer(service.requests[-1])
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        self.endpoint = dataclasses.replace(ENDPOINTS["offline"], base_url=f"http://127.0.0.1:{self.server.server_address[1]}/v1")


@pytest.fixture
def service():
    """A service on this machine; its address stands in `endpoint`."""
    started = []

    def service(answer):
        started.append(Service(answer))
        return started[-1]

    yield service
    for one in started:
        one.server.shutdown()
        one.server.server_close()


def completion_of(text):
    """A chat completion with that text."""
    usage = {"prompt_tokens": 5000, "completion_tokens": 9, "total_tokens": 5009}
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
    return {"id": "1", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice], "usage": usage}


def right(request):
    """The chat completion that the offline model gives."""
    view = [ROLES[row["role"]](row["content"] or "", name=row.get("name")) for row in request["messages"]]
    return completion_of(offline_model().invoke(view).text)


def changed(change):
    """An answer with something changed in it."""

    def answer(request):
        completion = right(request)
        change(completion, completion["choices"][0]["message"])
        return 200, json.dumps(completion).encode()

    return answer


def playing(endpoint):
    return Lab.open(model=connect(endpoint), clock=VirtualTime().clock(), retry=RetryPolicy(jitter=0.0))


NO_COMPLETION = {
    "a page of HTML": lambda _request: (200, b"<html>Bad Gateway</html>"),
    "nothing": lambda _request: (200, b""),
    "half a completion": lambda request: (200, json.dumps(right(request)).encode()[:60]),
    "another encoding": lambda request: (200, json.dumps(right(request), ensure_ascii=False).encode("gbk")),
    "a list": lambda _request: (200, b"[]"),
    "a word": lambda _request: (200, b'"busy"'),
    "null": lambda _request: (200, b"null"),
    "an error": lambda _request: (200, b'{"error": {"message": "overloaded", "type": "server_error"}}'),
    "no choices": changed(lambda completion, _message: completion.pop("choices")),
    "empty choices": changed(lambda completion, _message: completion.update(choices=[])),
    "no message": changed(lambda completion, _message: completion["choices"][0].pop("message")),
    "content that is a number": changed(lambda _completion, message: message.update(content=7)),
    "usage in words": changed(lambda completion, _message: completion.update(usage={"prompt_tokens": "many"})),
}


@pytest.mark.parametrize("answer", NO_COMPLETION.values(), ids=NO_COMPLETION)
def test_answer_that_is_no_completion_is_asked_for_once_more_and_named(service, answer):
    """What is no chat completion costs one further request, and the turn ends in a question that says what came."""
    odd = service(answer)
    with playing(odd.endpoint) as lab:
        turn = lab.session("a").send(FIRST)
    ended = next(event for event in turn.events if isinstance(event, AgentFinished))

    assert (len(odd.requests), turn.reply_kind, ended.status) == (2, "ask", "degraded")
    assert ended.reason.startswith("The service's answer is no ")


def test_one_answer_that_is_no_completion_costs_no_plan(service):
    """After one page of HTML the second answer is used."""
    first = [(200, b"<html>Bad Gateway</html>")]
    odd = service(lambda request: first.pop() if first else (200, json.dumps(right(request)).encode()))
    with playing(odd.endpoint) as lab:
        turn = lab.session("a").send(FIRST)

    assert (turn.reply_kind, len(odd.requests)) == ("plan", 6)
    assert [event.attempt for event in turn.events if isinstance(event, AttemptFailed)] == [1]


FINE = {
    "content in parts": changed(
        lambda _completion, message: message.update(content=[{"type": "text", "text": message["content"]}])
    ),
    "a mark of the encoding": lambda request: (200, b"\xef\xbb\xbf" + json.dumps(right(request)).encode()),
    "no finish reason": changed(lambda completion, _message: completion["choices"][0].update(finish_reason=None)),
    "two choices": changed(lambda completion, _message: completion["choices"].append(completion["choices"][0])),
    "thinking that is a number": changed(lambda _completion, message: message.update(reasoning_content=5)),
    "half a character": changed(lambda _completion, message: message.update(content=f"{message['content']} \ud83d")),
}


@pytest.mark.parametrize("answer", FINE.values(), ids=FINE)
def test_odd_completion_that_says_everything_is_a_plan(service, answer):
    """A completion that is odd beside its text is read at once, and the plan is that of any other service."""
    odd = service(answer)
    with playing(odd.endpoint) as lab, Lab.open(clock=VirtualTime().clock()) as inside:
        assert lab.session("a").send(FIRST).card == inside.session("a").send(FIRST).card
    assert len(odd.requests) == 5


@pytest.mark.parametrize("content", [None, "", " \n\u3000"], ids=["null", "empty", "white space"])
def test_empty_content_is_a_failed_attempt_and_no_message(service, content):
    """An answer without text is asked for once more; nothing empty is handed on to later turns."""
    odd = service(changed(lambda _completion, message: message.update(content=content)))
    with playing(odd.endpoint) as lab:
        session = lab.session("a")
        turn = session.send(FIRST)
        messages = session.state()["messages"]

    assert (len(odd.requests), [event.attempt for event in turn.events if isinstance(event, AttemptFailed)]) == (2, [1, 2])
    assert all(message.text.strip() for message in messages)


@pytest.mark.parametrize(
    "usage", [None, {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}], ids=["missing", "zero"]
)
def test_usage_that_is_not_told_is_counted_here(service, usage):
    """Where a service tells no usage, or 0, the table shows the own count under its vocabulary, and no warning."""
    odd = service(changed(lambda completion, _message: completion.update(usage=usage)))
    with playing(odd.endpoint) as lab:
        frame = calls_frame(lab.session("a").send(FIRST).calls)

    assert frame["reported"].isna().all()
    assert (frame["counted here"] > 100).all()
    assert set(frame["counter"]) == {"deepseek"}
    assert set(frame["warning"]) == {""}


def test_thinking_beside_the_answer_is_no_context(service):
    """What a service thinks beside its answers is in no field of the state and in no view of the next turn."""
    odd = service(changed(lambda _completion, message: message.update(reasoning_content='maybe {"draft": 1} 梦中酒店')))
    with playing(odd.endpoint) as lab:
        session = lab.session("a")
        first, second = session.send(FIRST), session.send("把第二天的酒店换成便宜点的")

        state = str(session.state())

    assert (first.reply_kind, second.reply_kind) == ("plan", "plan")
    assert "梦中酒店" not in state + str([call.view for call in second.calls])
    assert {call.thinking for call in first.calls} == {'maybe {"draft": 1} 梦中酒店'}


def test_service_that_demands_its_thinking_back_gets_it(service):
    """A service that refuses a tool's answer without the thinking before the call is answered with it."""
    call = {"id": "t1", "type": "function", "function": {"name": "weather", "arguments": "{}"}}
    asks = completion_of(None)
    asks["choices"][0]["message"] |= {"tool_calls": [call], "reasoning_content": "先查天气"}

    def answer(request):
        if request["messages"][-1]["role"] != "tool":
            return 200, json.dumps(asks).encode()
        if request["messages"][1].get("reasoning_content") != "先查天气":
            return 400, b'{"error": {"message": "Missing reasoning_content", "type": "invalid_request_error"}}'
        return 200, json.dumps(completion_of("晴")).encode()

    model, question = connect(service(answer).endpoint), HumanMessage("成都天气？")
    reply = model.invoke([question])

    assert model.invoke([question, reply, ToolMessage("25℃", tool_call_id="t1")]).text == "晴"


DRESSED = {
    "a sentence before": "好的，以下是结果：\n{}".format,
    "a fence in capitals and a sentence after": "```JSON\n{}\n```\n祝您旅途愉快".format,
    "thinking with braces": '<think>maybe {{"days": []}}</think>{}'.format,
    "a bracket after": "{} 参考[1]。".format,
    "a comma too many": lambda text: f"{text[:-1]},}}",
    "single quotes and Python's words": lambda text: str(json.loads(text)),
}


@pytest.mark.parametrize("dress", DRESSED.values(), ids=DRESSED)
def test_results_are_read_through_what_stands_around_them(dress):
    """Whatever the specialists write around or in their JSON, the plan is the one of the bare JSON."""

    def rules(messages):
        text = play(messages)
        return dress(text) if text.startswith("{") else text

    with (
        ModelServer(model=OfflineChatModel(rules=rules)) as server,
        playing(dataclasses.replace(ENDPOINTS["offline"], base_url=server.base_url)) as lab,
        Lab.open(clock=VirtualTime().clock()) as inside,
    ):
        assert lab.session("a").send(FIRST).card == inside.session("a").send(FIRST).card
