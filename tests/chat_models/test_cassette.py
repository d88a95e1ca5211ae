import json
import threading

import pytest
from langchain_core.messages import HumanMessage, SystemMessage

from travel_lab.chat_models import Cassette, OfflineChatModel, RecordingModel, ReplayModel
from travel_lab.errors import CassetteMiss, StorageError


class Counts:
    """Rules whose answer says how often they were asked."""

    def __init__(self):
        self.asked = 0

    def __call__(self, messages):
        self.asked += 1
        return f"{messages[-1].text} #{self.asked}"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.jsonl"


def record(path, *words):
    model = RecordingModel(inner=OfflineChatModel(rules=Counts()), cassette=Cassette(path))
    return [model.invoke(said).content for said in words]


def replay(path, **options):
    return ReplayModel(cassette=Cassette(path), model_name="offline", **options)


def test_recorded_answers_come_back(path):
    """Every recorded call gets the answer it got then, in any order."""
    first, second = record(path, "成都", "西安")
    model = replay(path)

    assert (model.invoke("西安").content, model.invoke("成都").content) == (second, first)


def test_equal_calls_are_told_apart_by_their_number(path):
    """The same call made twice gets the first answer and then the second."""
    record(path, "成都", "成都")
    model = replay(path)

    assert [model.invoke("成都").content, model.invoke("成都").content] == ["成都 #1", "成都 #2"]


def test_usage_and_finish_reason_come_back(path):
    """A replayed answer carries what the service reported of the recorded one."""
    whole = RecordingModel(inner=OfflineChatModel(rules=Counts()), cassette=Cassette(path)).invoke("成都")
    played = replay(path).invoke("成都")

    assert (played.usage_metadata, played.response_metadata["finish_reason"]) == (whole.usage_metadata, "stop")


def test_miss_names_the_nearest_call_and_the_difference(path):
    """A call that is not recorded is an error that says which recorded call is nearest and where it differs."""
    record(path, "把第二天的酒店换成便宜点的", "去西安")
    with pytest.raises(CassetteMiss) as caught:
        replay(path).invoke("把第三天的酒店换成便宜点的")

    assert (
        "message 0 (human) differs from character 2: recorded '把第二天的酒店换成便宜点的', asked '把第三天的酒店换成便宜点的'"
        in str(caught.value)
    )


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ([HumanMessage("成都"), HumanMessage("三天")], "it had 1 messages, not 2"),
        ([HumanMessage("成都")], "the same call, recorded 1 time(s) only"),
    ],
)
def test_miss_says_what_else_differs(path, asked, said):
    """The difference may be the number of messages or how often the call came."""
    record(path, "成都")
    model = replay(path)
    with pytest.raises(CassetteMiss, match=said.replace("(", r"\(").replace(")", r"\)")):
        model.batch([asked, asked])


def test_another_model_is_a_miss(path):
    """An answer of one model is not taken for that of another."""
    record(path, "成都")
    with pytest.raises(CassetteMiss, match="made with model 'offline', not 'qwen'"):
        ReplayModel(cassette=Cassette(path), model_name="qwen").invoke("成都")


def test_other_parameters_are_a_miss(path):
    """A call with another parameter is another call."""
    record(path, "成都")
    with pytest.raises(CassetteMiss, match="its parameters were"):
        replay(path).invoke("成都", temperature=1.0)


def test_empty_recording_says_so(path):
    """Without any recorded call the message says how to make one."""
    with pytest.raises(CassetteMiss, match="The recording is empty"):
        replay(path).invoke("成都")


def test_live_model_is_asked_only_for_what_is_not_recorded(path):
    """With a live model beside it, a recording answers what it can."""
    record(path, "成都")
    live = Counts()
    model = replay(path, live=OfflineChatModel(rules=live))
    model.invoke("成都")
    model.invoke("西安")

    assert (live.asked, model.answered) == (1, {"recorded": 1, "live": 1})


def test_keys_and_personal_fields_are_not_in_the_file(path):
    """What is written holds no key, address or number of a person, and the call is found again."""
    words = "我的电话13812345678，邮箱li.lei@example.com，key sk-1234567890abcdef"
    record(path, words)
    written = path.read_text(encoding="utf-8")

    assert not [secret for secret in ("13812345678", "li.lei@example.com", "sk-1234567890abcdef") if secret in written]
    assert replay(path).invoke(words).content == "我的电话[phone]，邮箱[e-mail]，key [key] #1"


def test_calls_from_many_threads_are_all_kept(path):
    """Agents that call at the same time lose no line and mix none."""
    model = RecordingModel(inner=OfflineChatModel(rules=lambda messages: messages[-1].text), cassette=Cassette(path))
    threads = [threading.Thread(target=model.invoke, args=[f"第{n}天"]) for n in range(24)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert sorted(line["text"] for line in lines) == sorted(f"第{n}天" for n in range(24))


def test_file_that_is_no_recording_is_refused(path):
    """A damaged line is named by its number."""
    path.write_text('{"key": 1}\n', encoding="utf-8")
    with pytest.raises(StorageError, match="Line 1 of"):
        Cassette(path)


def test_recording_is_continued(path):
    """A second run adds to the file and writes nothing twice."""
    record(path, "成都")
    record(path, "成都", "西安")

    assert [call.text for call in Cassette(path).calls] == ["成都 #1", "西安 #2"]


def test_authors_of_messages_count(path):
    """The same words by another author are another call."""
    record(path, [HumanMessage("成都")])
    with pytest.raises(CassetteMiss):
        replay(path).invoke([SystemMessage("成都")])
