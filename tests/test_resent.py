"""A front end that sends the whole conversation with every message adds the new one only."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage

from travel_lab.chat_models import Fault, FaultyModel, Schedule
from travel_lab.errors import AgentFailed, BadMessage, UnfinishedTurn
from travel_lab.lab import Lab
from travel_lab.planner import offline_model
from travel_lab.planner.resent import check_newest, read_conversation
from travel_lab.retry import RetryPolicy

PLAN = "帮我规划成都3天旅行，预算5000"
CHEAPER = "把第二天的酒店换成便宜点的"


@pytest.fixture
def lab(tmp_path):
    with Lab.open(tmp_path / "lab.db") as opened:
        yield opened


def shown(session):
    """What a front end keeps: the traveller's words and the replies, without ids."""
    return [{"role": "user", "content": "hello"}, {"role": "assistant", "content": session.state()["reply"]}]


def with_ids(session):
    """The session's own messages, as a program reads them."""
    return list(session.state()["messages"])


def as_langchain(session):
    """The same as copies without ids."""
    return [message.model_copy(update={"id": None}) for message in session.state()["messages"]]


@pytest.mark.parametrize("resent", [shown, with_ids, as_langchain])
def test_the_conversation_does_not_double(lab, resent):
    """Turn 1's messages and the new one, with ids or without: the history is turn 1's, the new one and its reply."""
    session = lab.session("s")
    session.send("hello")

    turn = session.send([*resent(session), HumanMessage("hello again")])

    assert [message.id for message in session.state()["messages"]] == [
        "turn-1-user",
        "turn-1-supervisor",
        "turn-2-user",
        "turn-2-supervisor",
    ]
    assert (turn.text, session.state()["messages"][2].content) == ("hello again", "hello again")


def test_it_is_the_same_as_sending_the_words(tmp_path):
    """Four turns sent as growing conversations leave the state that four turns of words leave."""
    words = [PLAN, CHEAPER, "第二天酒店多少钱？", PLAN]
    with Lab.open(tmp_path / "lab.db") as lab:
        plain, resending, kept = lab.session("plain"), lab.session("resending"), []
        for said in words:
            plain.send(said)
            kept.append({"role": "user", "content": said})
            kept.append({"role": "assistant", "content": resending.send(kept).reply})

        assert resending.state() == plain.state()


def test_the_async_and_the_streaming_way_take_it_too(lab):
    """`asend` and `stream` take a conversation like `send`."""
    session = lab.session("s")
    session.send("hello")

    asyncio.run(session.asend([*shown(session), ("user", "again")]))
    events = list(session.stream([("user", "hello"), ("user", "again"), ("user", "once more")]))

    assert (session.state()["turn"], events[-1].outcome.text) == (3, "once more")


def test_the_same_words_twice_are_two_messages(lab):
    """Said again behind the whole conversation, the same words are new; one more in the list than in the session."""
    session = lab.session("s")
    for count in (1, 2, 3):
        session.send([{"role": "user", "content": "hello"}] * count)

        assert session.state()["turn"] == count


def test_a_shortened_conversation_is_enough(lab):
    """A front end that keeps the newest messages only may send those, with the new one."""
    session = lab.session("s")
    session.send("hello")
    session.send("hello again")

    session.send([HumanMessage("hello again"), HumanMessage("once more")])

    assert session.state()["turn"] == 3


@pytest.mark.parametrize(
    ("conversation", "said"),
    [
        ([HumanMessage("hello"), HumanMessage("more")], "has every message of this conversation; the last is 'more'"),
        ([HumanMessage("more", id="turn-2-user")], "has every message of this conversation"),
        ([HumanMessage("hello"), AIMessage("hi")], "ends with the traveller's new message, found one of type 'ai'"),
        ([], "ends with the traveller's new message, found none"),
        ([HumanMessage("去西安"), HumanMessage("new")], "before the new message stands '去西安', and there 'more' was said last"),
        ([HumanMessage("hello"), HumanMessage("new")], "before the new message stands 'hello', and there 'more' was said last"),
        ([{"role": "wizard", "content": "x"}], "The conversation cannot be read"),
        ([3], "The conversation cannot be read"),
        ([HumanMessage("more"), HumanMessage(" ")], "The message is blank"),
        (42, "A message is text, found int"),
    ],
)
def test_what_is_not_new_or_not_of_the_session_is_refused(lab, conversation, said):
    """Nothing new, another conversation, or no conversation: named, and not a step is added."""
    session = lab.session("s")
    session.send("hello")
    session.send("more")
    steps = len(session.chain().steps)

    with pytest.raises(BadMessage, match=said):
        session.send(conversation)
    assert len(session.chain().steps) == steps


def test_a_conversation_for_a_new_session_is_refused(lab):
    """A new session has none of the earlier messages; it is not played as if it had."""
    with pytest.raises(BadMessage, match="and there nothing was said last"):
        lab.session("new").send([HumanMessage(PLAN), HumanMessage(CHEAPER)])

    assert lab.sessions() == ()


def test_an_unfinished_turn_resent_whole_is_offered_for_resuming(tmp_path):
    """A front end that repeats the conversation after a failed turn is told to resume, as with the words alone."""
    fault = Fault(kind="bad request", on="info agent", times=1)
    model = FaultyModel(inner=offline_model(), schedule=Schedule([fault]), sleep=lambda _: None)
    with Lab.open(tmp_path / "lab.db", model=model, retry=RetryPolicy(attempts=1)) as lab:
        session = lab.session("s")
        session.send("hello")
        with pytest.raises(AgentFailed):
            session.send(PLAN)

        with pytest.raises(UnfinishedTurn):
            session.send([HumanMessage("hello"), HumanMessage(PLAN)])
        session.send([HumanMessage("hello"), HumanMessage(PLAN), HumanMessage(CHEAPER)])
        assert [m.content for m in session.state()["messages"] if m.type == "human"] == ["hello", PLAN, CHEAPER]


WORDS = st.sampled_from(["好", "不好", "再来"])


@given(said=st.lists(WORDS, min_size=2, max_size=6), new=WORDS)
def test_one_more_message_is_new_and_none_more_is_not(said, new):
    """Whatever was said, also the same words again: the conversation with a message behind it is taken, without it refused."""
    state = {"messages": [HumanMessage(words, id=f"turn-{at}-user") for at, words in enumerate(said)], "user_input": said[-1]}

    check_newest(read_conversation([HumanMessage(words) for words in (*said, new)]), state, "s")
    with pytest.raises(BadMessage, match="has every message"):
        check_newest(read_conversation([HumanMessage(words) for words in said]), state, "s")
