import dataclasses
import json
import pickle

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from pydantic import SecretStr

from travel_lab.chat_models import AnswerForm, Fault, ModelServer, OfflineChatModel, Schedule
from travel_lab.chat_models.endpoint import ENDPOINTS, Endpoint, connect, endpoint, find_key
from travel_lab.chat_models.faults import REFUSALS
from travel_lab.chat_models.recorder import NOTES
from travel_lab.errors import BadEndpoint, UnknownName

PLANTED = "planted-7f3a9c2e-key"
FORM = AnswerForm(name="line", schema={"type": "object", "properties": {"days": {"type": "integer"}}, "required": ["days"]})


def echo(messages):
    return messages[-1].text


@pytest.fixture
def serve():
    running = []

    def serve(*faults, rules=echo, **options):
        server = ModelServer(model=OfflineChatModel(rules=rules), schedule=Schedule(faults), **options)
        server.start()
        running.append(server)
        return server

    yield serve
    for server in running:
        server.stop()


def at(server, **changes):
    return connect(dataclasses.replace(ENDPOINTS["offline"], base_url=server.base_url, **changes))


def test_answer_comes_through_http(serve):
    """The text of the model behind the server is the text of the client's answer."""
    assert at(serve()).invoke("去看熊猫").content == "去看熊猫"


def test_every_call_is_one_chat_completions_request(serve):
    """The client retries nothing on its own, whatever the fault."""
    server = serve(Fault(kind="rate limit"))
    with pytest.raises(Exception, match="429"):
        at(server).invoke("去看熊猫")

    assert len(server.requests) == 1


@pytest.mark.parametrize("model", ["gpt-5-pro", "gpt-5-codex", "codex-7b", "deepseek-chat"])
def test_no_model_name_switches_the_api(serve, model):
    """A model's name never moves the request to an API that other services do not have."""
    assert at(serve(), model=model).invoke("去看熊猫").content == "去看熊猫"


def test_request_has_limit_and_temperature(serve):
    """The answer's limit is sent under the name the service knows."""
    server = serve()
    at(server, reply_reserve=77).invoke("1")
    at(server, reply_reserve=77, limit_name="max_completion_tokens").invoke("2")

    assert [request.body.get("max_tokens") for request in server.requests] == [77, None]
    assert [request.body.get("max_completion_tokens") for request in server.requests] == [None, 77]
    assert [request.body["temperature"] for request in server.requests] == [0.0, 0.0]


@pytest.mark.parametrize("kind", ["hang", "slow"])
def test_request_ends_in_time(serve, kind):
    """Neither a silent server nor one that sends a few bytes now and then holds a call longer than its limit."""
    server = serve(Fault(kind=kind, seconds=20))
    with pytest.raises(Exception, match="timed out") as caught:
        at(server, seconds=0.5).invoke("去看熊猫")

    assert caught.value.is_retryable


def test_usage_is_reported(serve):
    """The service's count of the prompt stands on the answer."""
    assert at(serve()).invoke("去看熊猫").usage_metadata["input_tokens"] > 0


def test_usage_is_reported_while_streaming(serve):
    """A streamed answer has the same usage as one in a piece."""
    model = at(serve())
    whole = model.invoke("帮我规划成都3天旅行，预算5000")
    chunks = list(model.stream("帮我规划成都3天旅行，预算5000"))
    added = chunks[0]
    for chunk in chunks[1:]:
        added += chunk

    assert (added.text, added.usage_metadata["input_tokens"]) == (whole.text, whole.usage_metadata["input_tokens"])
    assert len(chunks) > 2


def test_thinking_in_the_text_is_kept_apart(serve):
    """A thinking block is no part of the answer."""
    reply = at(serve(Fault(kind="thinking"))).invoke("PLAN: 成都")

    assert (reply.content, reply.additional_kwargs) == (
        "PLAN: 成都",
        {"reasoning_content": 'maybe {"draft": true}', "refusal": None},
    )


def raw(message):
    return {
        "model": "deepseek-reasoner",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", **message}}],
    }


def test_thinking_beside_the_text_is_kept_apart(serve):
    """Thinking a service sends beside the answer is kept, and is no part of its text."""
    result = at(serve())._create_chat_result(raw({"content": "PLAN: 成都", "reasoning_content": "三天够吗"}))

    assert result.generations[0].text == "PLAN: 成都"
    assert result.generations[0].message.additional_kwargs["reasoning_content"] == "三天够吗"


def test_thinking_is_given_back_with_tool_calls_only(serve):
    """Services that think demand their thinking back where tools were used, and refuse it elsewhere."""
    thought = {"reasoning_content": "三天够吗"}
    call = {"name": "find", "args": {}, "id": "t1"}
    view = [
        HumanMessage("成都"), AIMessage("", additional_kwargs=thought, tool_calls=[call]), ToolMessage("晴", tool_call_id="t1"),
        AIMessage("好", additional_kwargs=thought), HumanMessage("三天"),
    ]  # fmt: skip
    sent = at(serve())._get_request_payload(view)["messages"]

    assert [row.get("reasoning_content") for row in sent] == [None, "三天够吗", None, None, None]


def test_arguments_of_a_forced_call_are_the_answer(serve):
    """An answer that came as a function call reads like one that came as text."""
    call = {"id": "1", "type": "function", "function": {"name": "line", "arguments": '{"days": 3}'}}
    result = at(serve())._create_chat_result(raw({"content": None, "tool_calls": [call]}))

    assert json.loads(result.generations[0].text) == {"days": 3}


def test_refused_form_is_learned_and_told(serve):
    """The first refusal costs one request and is told; later calls ask in the next form at once."""
    server = serve(Fault(kind="no schema", on="response_format: json_schema"))
    model = at(server, forms=("json_schema", "json_mode", "plain"))
    first, second = model.invoke('{"days":3}', answer_form=FORM), model.invoke('{"days":4}', answer_form=FORM)

    assert first.response_metadata[NOTES] == ["the service refused answers as json_schema (status 400); asked again as json_mode"]
    assert second.response_metadata[NOTES] == []
    assert [(r.body.get("response_format") or {}).get("type") for r in server.requests] == [
        "json_schema",
        "json_object",
        "json_object",
    ]


def test_other_refusals_do_not_change_the_form(serve):
    """A wrong key says nothing about answer forms."""
    model = at(serve(Fault(kind="bad key")), forms=("json_schema", "plain"))
    with pytest.raises(Exception, match="401"):
        model.invoke("3", answer_form=FORM)

    assert model.form == "json_schema"


def test_function_calling_forces_the_form(serve):
    """As a function call the form is the function's parameters, and the service must call it."""
    server = serve()
    at(server, forms=("function_calling", "plain")).invoke("3", answer_form=FORM)
    body = server.requests[0].body

    assert body["tools"][0]["function"]["parameters"] == FORM.schema
    assert body["tool_choice"] == {"type": "function", "function": {"name": "line"}}


def test_key_is_read_from_the_environment_then_from_the_file(tmp_path):
    """The environment goes before `.env`, and a blank value counts as none."""
    wanted = ENDPOINTS["deepseek"]
    (tmp_path / ".env").write_text("DEEPSEEK_API_KEY=from-file\n", encoding="utf-8")

    assert find_key(wanted, {"DEEPSEEK_API_KEY": "from-env"}, tmp_path) == SecretStr("from-env")
    assert find_key(wanted, {"DEEPSEEK_API_KEY": " "}, tmp_path) == SecretStr("from-file")
    assert find_key(wanted, {}, tmp_path / "nowhere") is None


def test_missing_key_names_the_variable(monkeypatch, tmp_path):
    """Without a key nothing is sent, and the message says which variable to set."""
    monkeypatch.delenv("DEEPSEEK_API_KEY", raising=False)
    monkeypatch.chdir(tmp_path)

    with pytest.raises(BadEndpoint, match="DEEPSEEK_API_KEY is not set"):
        connect("deepseek")


def test_other_lines_of_a_spoilt_file_are_read(tmp_path):
    """A byte that is no UTF-8 in `.env` hides no other key, and a folder of that name is no file."""
    (tmp_path / ".env").write_bytes(b"OPENAI_API_KEY=\xff\nDEEPSEEK_API_KEY=good\n")
    (tmp_path / "folder" / ".env").mkdir(parents=True)

    assert find_key(ENDPOINTS["deepseek"], {}, tmp_path) == SecretStr("good")
    assert find_key(ENDPOINTS["deepseek"], {}, tmp_path / "folder") is None


@pytest.mark.parametrize("key", ["密钥", "two words", "line\nbreak", "\x00"])
def test_text_that_cannot_be_a_key_is_refused(key):
    """What no HTTP header can hold is named before a request, without being repeated."""
    with pytest.raises(BadEndpoint, match="no key does") as caught:
        connect("deepseek", key=SecretStr(key))

    assert key not in str(caught.value)


def test_unknown_endpoint_lists_the_known_ones():
    """A name that is none gets the whole list."""
    with pytest.raises(UnknownName, match=r"No endpoint 'mars'. Known: deepseek, openai, ollama, vllm, llama.cpp, offline."):
        endpoint("mars")


@pytest.mark.parametrize(
    "bad",
    [
        {"base_url": "localhost:8000"}, {"base_url": "http://user:pw@host/v1"}, {"seconds": 0.0}, {"reply_reserve": 99_999},
        {"forms": ("json_mode",)},
    ],
    ids=str,
)  # fmt: skip
def test_impossible_endpoint_is_refused(bad):
    """An endpoint that could not be used is refused when it is made."""
    with pytest.raises(BadEndpoint):
        Endpoint(**{"model": "m", "base_url": "http://localhost:8000/v1", **bad})


def test_key_is_in_no_text_of_the_model(serve):
    """Neither the endpoint nor the model shows its key, and the model refuses to be pickled."""
    wanted = dataclasses.replace(ENDPOINTS["offline"], base_url=serve().base_url)
    model = connect(wanted, key=SecretStr(PLANTED))

    assert PLANTED not in f"{wanted!r} {model!r} {model} {model.model_dump()} {model._identifying_params}"
    with pytest.raises(TypeError):
        pickle.dumps(model)


def test_service_that_repeats_the_key_does_not_spread_it(serve, monkeypatch):
    """The key is taken out of an error's text, body and cause, also when the service wrote it there."""
    refusal = (401, {"message": f"Incorrect key {PLANTED}", "type": "authentication_error"})
    monkeypatch.setitem(REFUSALS, "bad key", refusal)
    model = connect(
        dataclasses.replace(ENDPOINTS["offline"], base_url=serve(Fault(kind="bad key")).base_url), key=SecretStr(PLANTED)
    )
    with pytest.raises(Exception, match=r"Incorrect key \[key\]") as caught:
        model.invoke("去看熊猫")

    error, texts = caught.value, []
    while error is not None:
        texts.append(f"{error!r} {error} {getattr(error, 'body', '')}")
        error = error.__cause__ or error.__context__
    assert PLANTED not in " ".join(texts)
