import json
import urllib.error
import urllib.request

import pytest

from travel_lab.chat_models import ModelServer, OfflineChatModel
from travel_lab.errors import BadInput, TravelLabError


@pytest.fixture
def server():
    with ModelServer(model=OfflineChatModel(rules=lambda messages: messages[-1].text)) as server:
        yield server


def post(server, body, path="/chat/completions"):
    request = urllib.request.Request(server.base_url + path, data=body, headers={"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=10) as response:
        return json.loads(response.read())


def chat(server, *rows, **fields):
    return post(server, json.dumps({"model": "m", "messages": list(rows), **fields}).encode())


def test_answer_has_the_shape_clients_expect(server):
    """An answer names its model, finish reason and usage as OpenAI's chat completions do."""
    answer = chat(server, {"role": "user", "content": "成都"})

    assert answer["choices"] == [{"index": 0, "message": {"role": "assistant", "content": "成都"}, "finish_reason": "stop"}]
    assert (answer["object"], answer["model"], set(answer["usage"])) == (
        "chat.completion", "m", {"prompt_tokens", "completion_tokens", "total_tokens"},
    )  # fmt: skip


def test_content_in_parts_is_joined(server):
    """Messages whose text comes in parts are read as one text."""
    parts = [{"type": "text", "text": "成"}, {"type": "text", "text": "都"}]

    assert chat(server, {"role": "user", "content": parts})["choices"][0]["message"]["content"] == "成都"


@pytest.mark.parametrize("port", [-1, 65_536])
def test_port_that_is_none_is_a_named_error(port):
    """A number that is no port is named, with the way out."""
    with pytest.raises(BadInput, match=rf"Cannot listen on port {port}: .*0-65535.* 0 for a free one\."):
        ModelServer(model=OfflineChatModel(rules=str), port=port).start()


def test_models_are_listed(server):
    """The list of models names the one that is served."""
    with urllib.request.urlopen(server.base_url + "/models", timeout=10) as response:
        assert [row["id"] for row in json.loads(response.read())["data"]] == ["offline"]


@pytest.mark.parametrize(
    ("body", "path", "status"),
    [
        (b"{", "/chat/completions", 400),
        (b'{"messages": [{"role": "wizard", "content": "x"}]}', "/chat/completions", 400),
        (b'{"model": "m"}', "/chat/completions", 400),
        (b"[1]", "/chat/completions", 400),
        (b"[" * 100_000, "/chat/completions", 400),
        (b"\xff", "/chat/completions", 400),
        (b'{"messages": [3]}', "/chat/completions", 400),
        (b'{"messages": [{"role": "user", "content": {"text": "x"}}]}', "/chat/completions", 400),
        (b'{"messages": [{"role": "user", "content": ["x"]}]}', "/chat/completions", 400),
        (b'{"messages": [{"role": "user", "content": "x"}], "response_format": "json"}', "/chat/completions", 400),
        (b"{}", "/responses", 404),
    ],
)
def test_request_that_cannot_be_read_is_refused(server, body, path, status):
    """What is no chat request, however it is broken, and another route are refused by status, and not counted as calls."""
    with pytest.raises(urllib.error.HTTPError) as caught:
        post(server, body, path)

    assert (caught.value.code, server.requests) == (status, [])
    caught.value.close()


def test_error_of_the_model_is_a_refused_request():
    """What the model behind it cannot play comes back as a refusal with the reason."""

    def refuse(messages):
        raise TravelLabError("no such part")

    with ModelServer(model=OfflineChatModel(rules=refuse)) as server, pytest.raises(urllib.error.HTTPError) as caught:
        chat(server, {"role": "user", "content": "成都"})

    assert json.loads(caught.value.read())["error"]["message"] == "no such part"
    caught.value.close()


def test_failure_of_the_model_is_an_answer(server):
    """A model that breaks on what it is sent, here on no message at all, is told as a failure inside."""
    with pytest.raises(urllib.error.HTTPError) as caught:
        chat(server)

    assert caught.value.code == 500
    assert "The model failed: IndexError" in json.loads(caught.value.read())["error"]["message"]
    caught.value.close()


@pytest.mark.parametrize("length", ["abc", "-1", "99999999999"])
def test_length_that_cannot_be_is_refused(server, length):
    """A request whose length is no number, or far too large a one, is refused at once instead of being waited for."""
    request = urllib.request.Request(server.base_url + "/chat/completions", data=b"{}", headers={"Content-Length": length})
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(request, timeout=10)

    assert caught.value.code == 413
    caught.value.close()


def test_half_a_character_is_refused(server):
    """Half of a surrogate pair, which no message of LangChain's can hold, is answered as any other failure."""
    with pytest.raises(urllib.error.HTTPError) as caught:
        chat(server, {"role": "user", "content": "a\ud800b"})

    assert caught.value.code == 500
    caught.value.close()


def test_server_listens_on_this_machine_only(server):
    """The address is loopback, whatever the port."""
    assert server.base_url.startswith("http://127.0.0.1:")


def test_taken_port_is_named(server):
    """A port in use is refused by name."""
    port = int(server.base_url.rsplit(":", 1)[1].split("/")[0])
    with pytest.raises(BadInput, match=f"Cannot listen on port {port}"):
        ModelServer(model=server.model, port=port).start()


def test_server_that_does_not_run_has_no_address(server):
    """Before it is started there is nothing to connect to."""
    with pytest.raises(BadInput, match="not running"):
        _ = ModelServer(model=server.model).base_url
