"""What every trimming of ours promises, whatever the history; and that the published one breaks it."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

from travel_lab.chat_models import OfflineChatModel
from travel_lab.context import (
    AsPublished,
    Everything,
    LookUp,
    NewestWithin,
    NothingRemembered,
    PinnedDigest,
    RollingSummary,
    WholeTurns,
    violations,
)
from travel_lab.errors import BadInput, OverBudget
from travel_lab.tokens import DEEPSEEK, TokenCounter

RESULTS = {"hotel": {"data": "锦江宾馆每晚500元"}, "food": {"data": "第1天 午餐:陈麻婆豆腐"}}


def write(agent, result, language):
    return result["data"]


def find_all(question, results):
    return results


def shorter(messages):
    return messages[-1].text[:30]


@cache
def ours():
    return {
        "nothing": NothingRemembered(),
        "newest": NewestWithin(),
        "turns": WholeTurns(),
        "two turns": WholeTurns(turns=2),
        "digest": PinnedDigest(write=write),
        "look-up": LookUp(find=find_all, write=write),
        "summary": RollingSummary(model=OfflineChatModel(rules=shorter), turns=1),
    }


NAMES = sorted(ours())
WORDS = st.text(alphabet="锦江宾馆500元 abc", min_size=1, max_size=40).filter(str.strip)


@st.composite
def histories(draw):
    """A history of turns with agents' messages, tool calls with one or two results, and now and then a system message."""
    messages = []

    def add(kind, **more):
        messages.append(kind(content=draw(WORDS), id=f"m{len(messages)}", **more))

    if draw(st.booleans()):
        add(SystemMessage)
    for _ in range(draw(st.integers(0, 5))):
        add(HumanMessage)
        for _ in range(draw(st.integers(0, 3))):
            shape = draw(st.sampled_from(["answer", "tools", "summary"]))
            if shape == "tools":
                ids = [f"call-{len(messages)}-{n}" for n in range(draw(st.integers(1, 2)))]
                add(AIMessage, tool_calls=[{"id": call, "name": "find", "args": {}} for call in ids])
                for call in ids:
                    add(ToolMessage, tool_call_id=call)
            elif shape == "summary":
                add(SystemMessage)
            else:
                add(AIMessage, name=draw(st.sampled_from(["hotel", "food", "supervisor"])))
    if draw(st.booleans()):
        add(HumanMessage)
    return messages


BUDGETS = st.one_of(st.integers(0, 40), st.integers(0, 600))


def asked(messages):
    """The words of the newest user message: the one being answered."""
    return next((m.text for m in reversed(messages) if m.type == "human"), "换便宜点的")


def cut(trimming, messages, question, budget):
    """The trimmed history; None when what must stay does not fit and that was said by name."""
    try:
        return trimming(messages, RESULTS, question, budget)
    except OverBudget:
        return None


@pytest.mark.parametrize("name", NAMES)
@given(messages=histories(), budget=BUDGETS, answered=st.booleans())
def test_no_promise_is_broken(name, messages, budget, answered):
    """Budget by exact count, what must stay, whole tool pairs, no vanished turn that was answered: all hold or `OverBudget`."""
    question = asked(messages) if answered else "换便宜点的"
    after = cut(ours()[name], messages, question, budget)
    rules = {v.rule for v in violations(messages, after, question, budget)} if after else set()

    # The control forgets turns on purpose; a digest spends its room on results first.
    assert rules <= ({"turn vanished"} if name in {"nothing", "digest", "look-up", "summary"} else set())


@pytest.mark.parametrize("name", NAMES)
@given(messages=histories(), budget=st.none() | BUDGETS)
def test_the_report_adds_up(name, messages, budget):
    """Kept and dropped together are the history; tokens before and after are exact."""
    after = cut(ours()[name], messages, asked(messages), budget)
    if after is not None:
        assert sorted((*after.kept, *after.dropped)) == sorted(m.id for m in messages)
        assert after.tokens == DEEPSEEK.messages(after.messages)
        assert after.tokens_before == DEEPSEEK.messages(messages)
        assert len(after.messages) == len(after.kept) + len(after.added)


@pytest.mark.parametrize("name", NAMES)
@given(messages=histories(), budget=BUDGETS)
def test_named_error_only_when_what_must_stay_does_not_fit(name, messages, budget):
    """`OverBudget` comes exactly when system messages and the newest user message are over the budget by themselves."""
    newest = [m for m in messages if m.type == "human"][-1:]
    must_stay = DEEPSEEK.messages([*(m for m in messages if m.type == "system"), *newest])

    assert (cut(ours()[name], messages, asked(messages), budget) is None) == (must_stay > budget)


@pytest.mark.parametrize("name", NAMES)
def test_a_negative_budget_is_refused(name):
    """A budget below 0 is bad input, named with the value found."""
    with pytest.raises(BadInput, match="-5"):
        ours()[name]([HumanMessage("hi", id="a")], {}, "", -5)


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_history_stays_empty_but_for_what_is_written_out(name):
    """The first turn of a session has nothing to trim."""
    assert ours()[name]([], {}, "换便宜点的", 100).messages == ()


def test_over_budget_names_needed_and_allowed():
    """The error says how many tokens are needed and how many are allowed."""
    question = HumanMessage("便宜" * 100, id="q")
    needed = DEEPSEEK.messages([question])

    with pytest.raises(OverBudget, match=rf"has {needed} tokens .* allowed are 50"):
        NewestWithin()([question], {}, question.text, 50)


UNITS = TokenCounter(name="units", text=lambda text: int(text.partition(" ")[0]) - 4)
TURN = [
    SystemMessage("10 system", id="s"),
    HumanMessage("12 user", id="u"),
    *(AIMessage(f"18 {name}", id=name, name=name) for name in ("route", "hotel", "food", "info", "final")),
]
"""System, user and five agents' messages: 112 units together."""


@pytest.mark.parametrize(
    ("budget", "kept"),
    [
        (150, ("s", "u", "route", "hotel", "food", "info", "final")),
        (110, ("s", "u", "hotel", "food", "info", "final")),
        (80, ("s", "u", "food", "info", "final")),
        (40, ("s", "u", "final")),
    ],
)
def test_loss_is_gradual_within_one_turn(budget, kept):
    """The newest agents' messages stay when their turn as a whole no longer fits."""
    assert WholeTurns(counter=UNITS)(TURN, {}, "12 user", budget).kept == kept


def test_as_published_loses_the_whole_turn():
    """At 110 of 112 units `start_on="human"` leaves the system prompt only, and the violations say so."""
    published = AsPublished(count=UNITS.messages, counter=UNITS)
    after = published(TURN, {}, "换便宜点的", 110)

    assert after.kept == ("s",)
    assert [v.rule for v in violations(TURN, after, "换便宜点的", 110, UNITS)] == ["turn vanished"]


def test_as_published_keeps_an_empty_prompt_over_a_question_that_does_not_fit():
    """With 50 tokens for 200 characters the published trimming drops the question and says nothing."""
    messages = [SystemMessage("你是助手", id="s"), HumanMessage("便宜点的酒店" * 33, id="u")]
    after = AsPublished()(messages, {}, messages[-1].text, 50)

    assert after.kept == ("s",)
    assert [v.rule for v in violations(messages, after, messages[-1].text, 50)] == ["required message lost"]


def test_as_published_goes_over_its_budget_in_chinese():
    """4,000 tokens by LangChain's estimate are more than 7,000 of the model's in Chinese."""
    messages = [HumanMessage("成都锦江宾馆每晚五百元，第二天去武侯祠和杜甫草堂。" * 20, id=f"u{n}") for n in range(60)]
    after = AsPublished()(messages, {}, "", None)

    assert [v.rule for v in violations(messages, after, "", 4_000)] == ["over budget"]
    assert after.tokens > 7_000


def test_everything_keeps_everything():
    """The default has no budget."""
    assert Everything()(TURN, {}, "", 1).dropped == ()


def test_a_fact_of_the_first_turn_is_there_in_turn_15():
    """An allergy said in the opening words outlives fourteen short turns under the digest, not under the last two turns."""
    messages = [HumanMessage("孩子对花生过敏，帮我规划成都3天", id="u1"), AIMessage("好的", id="a1")]
    for n in range(2, 15):
        messages += [HumanMessage("好的", id=f"u{n}"), AIMessage("请继续", id=f"a{n}")]

    def told(trimming):
        return any("花生" in m.text for m in trimming(messages, RESULTS, "推荐几家餐厅", 400).messages)

    assert (told(PinnedDigest(write=write)), told(WholeTurns(turns=2))) == (True, False)


def test_superseded_handoffs_go_first():
    """The digest takes the place of an agent's old messages: the old price is in no message any more."""
    messages = [HumanMessage("换酒店", id="u"), AIMessage("锦江宾馆每晚800元", name="hotel", id="old")]
    after = PinnedDigest(write=write)(messages, RESULTS, "还有更便宜的吗", 400)

    assert after.dropped == ("old",)
    assert after.added == ("digest-hotel", "digest-food")
    assert "800" not in "".join(m.text for m in after.messages)
