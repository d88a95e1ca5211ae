"""The chat endpoint, asked by a real client over loopback."""

import json
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager

import httpx2
import pytest
import uvicorn

from travel_lab.catalogue import CuratedProvider
from travel_lab.chat_models import OfflineChatModel, SlowModel
from travel_lab.lab import Lab
from travel_lab.planner import offline_model
from travel_lab.planner.offline_rules import play
from travel_lab.server import MAX_BYTES, build_app
from travel_lab.session import MAX_CHARACTERS
from travel_lab.tokens import text_of

PLAN = "帮我规划成都3天旅行，预算5000"
XIAN = "帮我规划西安2天旅行"
SECONDS = 20.0
GOOD = {"message": PLAN, "user_id": "u1", "session_id": "s1"}


@contextmanager
def serving(**lab_options):
    """A client of the endpoint over a lab with these options."""
    with Lab.open(**lab_options) as lab:
        server = uvicorn.Server(uvicorn.Config(build_app(lab), port=0, ws="none", log_level="warning", access_log=False))
        thread = threading.Thread(target=server.run)
        thread.start()
        try:
            wait_for(lambda: server.started)
            port = server.servers[0].sockets[0].getsockname()[1]
            with httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=SECONDS) as client:
                yield client
        finally:
            server.should_exit = True
            thread.join(SECONDS)


def wait_for(condition):
    """Ask until the condition holds; what it gave."""
    end = time.monotonic() + SECONDS
    while not (given := condition()):
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)
    return given


def listens(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def chat(client, **changes):
    """The events of one turn as (kind, data)."""
    answer = client.post("/chat", json=GOOD | changes)
    assert answer.status_code == 200
    blocks = answer.text.strip().split("\n\n")
    return [(kind.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for kind, data in map(str.splitlines, blocks)]


def broken(agent):
    """The offline model with one specialist that answers nothing readable."""

    def rules(messages):
        prompt = text_of(messages[0])
        return "?" if f"{agent} agent" in prompt and "supervisor agent" not in prompt else play(messages)

    return OfflineChatModel(rules=rules)


class KeyLosingProvider(CuratedProvider):
    """Fails with a key in its words."""

    def cities(self):
        raise RuntimeError("refused: Bearer sk-canary123")


@pytest.fixture(scope="module")
def client():
    with serving() as opened:
        yield opened


def test_a_good_turn_streams_its_events_and_ends_with_done(client):
    """All agents start and finish, the card comes, and the last event holds the reply."""
    events = chat(client, session_id="good")
    started = {data["agent"] for kind, data in events if kind == "agent_started"}
    assert {"supervisor", "route", "hotel", "food", "info"} <= started
    assert [data["lines"][0].startswith("成都 3天行程") for kind, data in events if kind == "card"] == [True]
    assert (events[-1][0], events[-1][1]["outcome"]["reply"]) == ("done", "为用户规划了成都 3天行程")


def test_a_degraded_turn_names_the_agent_and_still_ends_with_done():
    """A hotel agent without an answer is told of as degraded with its reason; the plan comes all the same."""
    with serving(model=broken("hotel")) as client:
        events = chat(client)
    degraded = [data for kind, data in events if kind == "agent_finished" and data["status"] == "degraded"]
    assert [data["agent"] for data in degraded] == ["hotel"]
    assert degraded[0]["reason"]
    assert events[-1][0] == "done"


def test_a_failed_turn_ends_with_a_failed_event():
    """A failing info agent ends the stream with an event that says so, in a response that is complete."""
    with serving(model=broken("info")) as client:
        kind, data = chat(client)[-1]
    assert (kind, data["error"]["kind"]) == ("failed", "AgentFailed")
    assert data["error"]["message"].startswith("处理出错：info")


def test_words_of_a_foreign_error_stay_inside(caplog):
    """The words of an error that is not ours do not reach the client, and its key does not reach the log."""
    with serving(provider=KeyLosingProvider()) as client:
        kind, data = chat(client)[-1]
    assert (kind, data["error"]["message"]) == ("failed", "处理出错：内部错误 (internal error)")
    assert "RuntimeError: refused" in caplog.text
    assert "sk-canary123" not in caplog.text


def test_a_session_can_be_read_back(client):
    """The session shows what was said and the card."""
    chat(client, session_id="back")
    shown = client.get("/sessions/back", params={"user_id": "u1"}).json()
    assert (shown["turn"], shown["messages"][0]["text"]) == (1, PLAN)
    assert shown["card"][0].startswith("成都 3天行程")


def test_a_conversation_that_is_sent_whole_does_not_double(client):
    """A front end that sends all it has with each message leaves one copy of each in the session."""
    first = chat(client, message="hello", session_id="whole")[-1][1]["outcome"]["reply"]
    lines = [{"role": "user", "content": "hello"}, {"role": "assistant", "content": first}, {"role": "user", "content": XIAN}]
    kinds = [kind for kind, _ in chat(client, message=lines, session_id="whole")]
    said = client.get("/sessions/whole", params={"user_id": "u1"}).json()["messages"]

    assert kinds[-1] == "done"
    assert [line["text"] for line in said if line["role"] == "human"] == ["hello", XIAN]


def test_a_conversation_without_anything_new_is_told(client):
    """Sent a second time, the same conversation ends the stream with a failure that says why."""
    lines = [{"role": "user", "content": "hello"}, {"role": "user", "content": XIAN}]
    chat(client, message="hello", session_id="again")
    chat(client, message=lines, session_id="again")
    kind, data = chat(client, message=lines, session_id="again")[-1]

    assert (kind, data["error"]["kind"]) == ("failed", "BadMessage")
    assert "has every message of this conversation" in data["error"]["message"]


def test_a_session_is_its_users_own(client):
    """Another user finds no session of that id, and a message of theirs starts one that knows nothing of it."""
    chat(client, session_id="mine")
    assert client.get("/sessions/mine", params={"user_id": "u2"}).status_code == 404
    chat(client, session_id="mine", user_id="u2", message=XIAN)
    assert "成都" not in client.get("/sessions/mine", params={"user_id": "u2"}).text
    assert client.get("/sessions/mine", params={"user_id": "u1"}).json()["turn"] == 1


def test_a_turn_plays_on_when_its_client_leaves(client):
    """A client that reads one event and goes finds the whole turn in its session later."""
    with client.stream("POST", "/chat", json=GOOD | {"session_id": "left"}) as answer:
        next(answer.iter_lines())

    def reply():
        shown = client.get("/sessions/left", params={"user_id": "u1"})
        return shown.status_code == 200 and shown.json()["card"]

    assert wait_for(reply)[0].startswith("成都 3天行程")


def test_two_users_are_served_at_once():
    """Each one's model call waits until the other's is there too, so neither turn can wait for the other's end."""
    both = threading.Barrier(2)
    slow = SlowModel(
        model=offline_model(), seconds={"supervisor agent": 1.0}, sleep=lambda seconds: seconds and both.wait(SECONDS)
    )
    got = {}
    with serving(model=slow) as client:

        def ask(user, message):
            got[user] = chat(client, user_id=user, message=message)

        users = [threading.Thread(target=ask, args=row) for row in (("u1", PLAN), ("u2", XIAN))]
        for user in users:
            user.start()
        for user in users:
            user.join(SECONDS)
    assert {user: events[-1][1]["outcome"]["reply"] for user, events in got.items()} == {
        "u1": "为用户规划了成都 3天行程",
        "u2": "为用户规划了西安 2天行程",
    }
    assert "西安" not in json.dumps(got["u1"], ensure_ascii=False)
    assert "成都" not in json.dumps(got["u2"], ensure_ascii=False)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"message": " \n"}, "message"),
        ({"message": "啊" * (MAX_CHARACTERS + 1)}, "message"),
        ({"message": None}, "message"),
        ({"message": ["hi"]}, "message"),
        ({"user_id": ""}, "user_id"),
        ({"user_id": "a/b"}, "user_id"),
        ({"session_id": "None"}, "session_id"),
        ({"session_id": 7}, "session_id"),
        ({"admin": True}, "admin"),
    ],
)
def test_a_bad_field_is_refused_by_name(client, change, named):
    """The answer is 400 and names the field."""
    answer = client.post("/chat", json=GOOD | change)
    assert (answer.status_code, named in answer.json()["error"]["message"]) == (400, True)


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"\xff\xfe", b'{"message": "\\ud800", "user_id": "u", "session_id": "s"}'])
def test_a_body_that_is_no_chat_message_is_refused(client, body):
    """The answer is 400 with a reason, never a traceback."""
    answer = client.post("/chat", content=body, headers={"Content-Type": "application/json"})
    assert (answer.status_code, bool(answer.json()["error"]["message"])) == (400, True)


def test_a_huge_body_is_refused(client):
    """A body over the limit is not read to its end."""
    answer = client.post("/chat", content=b" " * (MAX_BYTES + 1), headers={"Content-Type": "application/json"})
    assert answer.status_code == 413


def test_a_form_of_a_web_page_is_refused(client):
    """A type that a browser sends to strangers without asking is not read."""
    assert client.post("/chat", content=json.dumps(GOOD), headers={"Content-Type": "text/plain"}).status_code == 415


def test_a_strange_host_name_is_refused(client):
    """A request under another name that leads to this machine is not served."""
    assert client.get("/sessions/s1", params={"user_id": "u1"}, headers={"Host": "evil.example"}).status_code == 400


@pytest.mark.parametrize("params", [{}, {"user_id": ""}, {"user_id": "a b"}])
def test_a_session_without_a_usable_user_is_refused(client, params):
    """Nobody reads a session without saying who they are."""
    assert client.get("/sessions/s1", params=params).status_code == 400


def test_the_command_serves_until_it_is_interrupted():
    """`travel-lab serve` in a process of its own answers a real client and ends with an interrupt."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    code = f"from travel_lab.cli import main; raise SystemExit(main(['serve', '--port', '{port}']))"
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        wait_for(lambda: listens(port))
        with httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=SECONDS) as client:
            assert chat(client)[-1][0] == "done"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=SECONDS)
    finally:
        process.kill()
    assert f"http://127.0.0.1:{port}/chat" in out
    assert "Traceback" not in err
    assert process.returncode == 0
