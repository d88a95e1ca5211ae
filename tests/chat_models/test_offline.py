import asyncio
import copy

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage

from travel_lab.chat_models import OfflineChatModel
from travel_lab.tokens import DEEPSEEK, PER_MESSAGE


def count_and_last(messages):
    """The number of messages and the last one's text."""
    return f"{len(messages)}: {messages[-1].text}"


CALL = [SystemMessage("你是旅行团队的 hotel agent。"), AIMessage("已筛选酒店", name="hotel"), HumanMessage("换便宜点的")]


@pytest.fixture
def model() -> OfflineChatModel:
    return OfflineChatModel(rules=count_and_last)


def test_answer_is_what_the_rules_make_of_the_messages(model):
    """The rules get every message of the call, in order, and give the text of the answer."""
    assert model.invoke(CALL).content == "3: 换便宜点的"


def test_rules_get_the_messages_themselves():
    """Role, author and text of each message reach the rules."""
    model = OfflineChatModel(rules=lambda messages: str([(m.type, m.name, m.text) for m in messages]))

    assert model.invoke(CALL).content == str(
        [("system", None, "你是旅行团队的 hotel agent。"), ("ai", "hotel", "已筛选酒店"), ("human", None, "换便宜点的")]
    )


def test_same_messages_same_answer(model):
    """A second call, and another model with the same rules, answer alike."""
    answers = {str(each.invoke(copy.deepcopy(CALL)).content) for each in (model, model, OfflineChatModel(rules=count_and_last))}

    assert answers == {"3: 换便宜点的"}


def test_answer_depends_on_this_call_only(model):
    """What another call said leaves no trace."""
    model.invoke([HumanMessage("预算5000")])

    assert model.invoke("去哪").content == "1: 去哪"


@pytest.mark.parametrize(
    ("stop", "answer"),
    [
        (None, "PLAN: 成都|3\n备注: 无"),
        ([], "PLAN: 成都|3\n备注: 无"),
        (["\n"], "PLAN: 成都|3"),
        (["|"], "PLAN: 成都"),
        (["备注", "|"], "PLAN: 成都"),
        (["|", "备注"], "PLAN: 成都"),
        (["没有"], "PLAN: 成都|3\n备注: 无"),
        (["PLAN"], ""),
    ],
)
def test_stop_words_end_the_answer(stop, answer):
    """The answer ends before the first stop word in it, whatever their order."""
    model = OfflineChatModel(rules=lambda _: "PLAN: 成都|3\n备注: 无")

    assert model.invoke("去成都", stop=stop).content == answer


def test_usage_counts_both_sides(model):
    """The usage holds the tokens of the call, of the answer, and their sum."""
    usage = model.invoke(CALL).usage_metadata
    asked, said = DEEPSEEK.messages(CALL), DEEPSEEK.text("3: 换便宜点的") + PER_MESSAGE

    assert usage == {"input_tokens": asked, "output_tokens": said, "total_tokens": asked + said}


def test_usage_counts_what_was_said_and_not_what_was_cut():
    """Behind a stop word nothing is paid for."""
    model = OfflineChatModel(rules=lambda _: "好" + "的" * 500)

    assert model.invoke("去成都", stop=["的"]).usage_metadata["output_tokens"] == DEEPSEEK.text("好") + PER_MESSAGE


def test_answer_says_which_model_gave_it(model):
    """A reply can be told from a real model's."""
    assert model.invoke("去成都").response_metadata["model_name"] == "offline"


def test_async_call_answers_alike(model):
    """An awaited call gives the same answer and the same usage."""
    awaited = asyncio.run(model.ainvoke(CALL))
    called = model.invoke(CALL)

    assert (awaited.content, awaited.usage_metadata) == (called.content, called.usage_metadata)


def test_streamed_answer_is_the_same(model):
    """The pieces of a streamed answer make the whole one."""
    assert "".join(str(piece.content) for piece in model.stream(CALL)) == "3: 换便宜点的"


def test_fault_of_the_rules_comes_out():
    """Rules that cannot answer raise their own error."""

    def broken(messages):
        raise LookupError("no part to play")

    with pytest.raises(LookupError, match="no part to play"):
        OfflineChatModel(rules=broken).invoke("去成都")


def test_messages_are_left_as_they_are(model):
    """The model changes none of the messages it is given."""
    before = copy.deepcopy(CALL)
    model.invoke(CALL)

    assert before == CALL
