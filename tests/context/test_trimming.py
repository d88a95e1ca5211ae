"""What the two plain trimmings do with a history of a session, which holds no system messages; see also tests/contracts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, RemoveMessage, ToolMessage

from travel_lab.context import Everything, NewestWithin
from travel_lab.errors import BadInput
from travel_lab.tokens import DEEPSEEK, TokenCounter

CHARACTERS = TokenCounter(name="characters", text=len)
"""A message of n characters costs n + 4, so that costs can be read off the test."""
TRIMMINGS = [
    pytest.param(Everything(), id="everything"),
    pytest.param(Everything(counter=CHARACTERS), id="everything, characters"),
    pytest.param(NewestWithin(), id="newest within"),
    pytest.param(NewestWithin(counter=CHARACTERS), id="newest within, characters"),
]
every = pytest.mark.parametrize("trim", TRIMMINGS)
RESULTS = {"hotel": {"agent": "hotel", "data": {"hotels": [{"name": "锦江宾馆", "price": 500}]}}}
BUDGETS = st.none() | st.integers(0, 400)


@st.composite
def histories(draw):
    """Up to twelve messages of travellers and agents, with ids of their own."""
    kinds = st.sampled_from([HumanMessage, AIMessage])
    texts = draw(st.lists(st.text(max_size=40), max_size=12))
    return [draw(kinds)(text, id=f"m{at}") for at, text in enumerate(texts)]


def history(*texts: str) -> list[HumanMessage]:
    return [HumanMessage(text, id=f"m{at}") for at, text in enumerate(texts)]


@every
@given(messages=histories(), budget=BUDGETS)
def test_kept_and_dropped_are_all_ids_in_order(trim, messages, budget):
    """Each message is either kept or dropped, and the order of the ids is that of the history."""
    trimmed = trim(messages, RESULTS, "换便宜点的", budget)
    ids = [message.id for message in messages]

    assert sorted([*trimmed.kept, *trimmed.dropped], key=ids.index) == ids
    assert list(trimmed.kept) == sorted(trimmed.kept, key=ids.index)
    assert list(trimmed.dropped) == sorted(trimmed.dropped, key=ids.index)


@every
@given(messages=histories(), budget=BUDGETS)
def test_tokens_are_as_counted(trim, messages, budget):
    """The number it tells is what its counter makes of the messages it gives."""
    trimmed = trim(messages, RESULTS, "换便宜点的", budget)

    assert trimmed.tokens == trim.counter.messages(trimmed.messages)


@every
@given(messages=histories(), budget=BUDGETS)
def test_nothing_it_is_given_is_changed(trim, messages, budget):
    """The history and the results are the same afterwards."""
    before = [message.model_copy(deep=True) for message in messages]
    results = {"hotel": {"data": {"hotels": ["锦江宾馆"]}}}
    trim(messages, results, "换便宜点的", budget)

    assert messages == before
    assert results == {"hotel": {"data": {"hotels": ["锦江宾馆"]}}}


@every
@given(messages=histories(), budget=BUDGETS)
def test_same_input_same_view(trim, messages, budget):
    """Trimming twice gives the same twice."""
    assert trim(messages, RESULTS, "换便宜点的", budget) == trim(messages, RESULTS, "换便宜点的", budget)


@every
@given(messages=histories(), budget=BUDGETS)
def test_only_what_is_read_from_results_depends_on_them(trim, messages, budget):
    """A trimming that says it reads no state shows the same whatever the state holds."""
    assert trim.reads_state or trim(messages, RESULTS, "", budget) == trim(messages, {}, "", budget)


@every
@pytest.mark.parametrize("budget", [None, 0, 100])
def test_empty_history_gives_an_empty_one(trim, budget):
    """The first call of a fresh session has nothing to trim."""
    trimmed = trim([], {}, "帮我规划成都3天旅行", budget)

    assert (trimmed.messages, trimmed.kept, trimmed.dropped, trimmed.tokens) == ((), (), (), 0)


@every
@given(messages=histories())
def test_without_budget_everything_stays(trim, messages):
    """No limit means no loss."""
    assert trim(messages, {}, "", None).messages == tuple(messages)


@given(histories(), st.integers(0, 400))
def test_everything_keeps_everything(messages, budget):
    """`Everything` does not look at the budget."""
    trimmed = Everything()(messages, {}, "", budget)

    assert (trimmed.messages, trimmed.dropped) == (tuple(messages), ())


@pytest.mark.parametrize("counter", [DEEPSEEK, CHARACTERS], ids=lambda counter: counter.name)
@given(messages=histories(), budget=st.integers(0, 400))
def test_newest_within_keeps_the_budget(counter, messages, budget):
    """However long the messages are, the view costs no more than the budget."""
    assert NewestWithin(counter=counter)(messages, {}, "", budget).tokens <= budget


@given(histories(), st.integers(0, 400))
def test_newest_within_keeps_a_tail(messages, budget):
    """What stays is the end of the history, without a gap."""
    trimmed = NewestWithin(counter=CHARACTERS)(messages, {}, "", budget)

    assert trimmed.messages == tuple(messages[len(messages) - len(trimmed.messages) :])


@given(histories(), st.integers(0, 400))
def test_newest_within_keeps_all_that_fits(messages, budget):
    """One more message would not have fitted."""
    trimmed = NewestWithin(counter=CHARACTERS)(messages, {}, "", budget)
    one_more = messages[max(0, len(messages) - len(trimmed.messages) - 1) :]

    assert not trimmed.dropped or CHARACTERS.messages(one_more) > budget


@given(histories(), st.integers(0, 400), st.integers(0, 400))
def test_a_larger_budget_keeps_no_less(messages, one, other):
    """Loss is gradual: more room never shows the model less."""
    small, large = sorted((one, other))
    trim = NewestWithin(counter=CHARACTERS)

    assert set(trim(messages, {}, "", small).kept) <= set(trim(messages, {}, "", large).kept)


@pytest.mark.parametrize(
    ("budget", "kept", "dropped"),
    [
        (0, (), ("m0", "m1", "m2")),
        (13, (), ("m0", "m1", "m2")),
        (14, ("m2",), ("m0", "m1")),
        (37, ("m2",), ("m0", "m1")),
        (38, ("m1", "m2"), ("m0",)),
        (46, ("m0", "m1", "m2"), ()),
    ],
)
def test_messages_are_kept_whole(budget, kept, dropped):
    """A message that does not fit is left out whole, and so is all before it, also when that would fit."""
    messages = history("x" * 4, "y" * 20, "z" * 10)
    trimmed = NewestWithin(counter=CHARACTERS)(messages, {}, "", budget)

    assert (trimmed.kept, trimmed.dropped) == (kept, dropped)


def test_agents_summaries_outlive_the_message_before_them():
    """When the traveller's message no longer fits, the newest summaries of its turn are still there."""
    texts = ["p" * 20, "route" * 3, "hotel" * 3, "food" * 3, "final"]
    messages = [HumanMessage(texts[0], id="m0"), *(AIMessage(text, id=f"m{at}") for at, text in enumerate(texts[1:], 1))]
    whole = CHARACTERS.messages(messages)

    assert NewestWithin(counter=CHARACTERS)(messages, {}, "", whole - 1).kept == ("m1", "m2", "m3", "m4")


@pytest.mark.parametrize("budget", [-1, -5, -400])
def test_negative_budget_is_refused(budget):
    """A budget below zero is a mistake, named with the value found and what None means."""
    with pytest.raises(BadInput) as caught:
        NewestWithin()(history("去成都"), {}, "", budget)

    assert str(caught.value) == (f"A trimming budget is a number of tokens from 0 up, found {budget}. None means no limit.")


def test_negative_budget_is_refused_before_anything_is_counted():
    """Bad input costs no work, also with an empty history."""
    with pytest.raises(BadInput):
        NewestWithin()([], {}, "", -1)


def test_tool_results_stay_with_their_call_or_go():
    """A tool's answer is counted with the call it belongs to; without the call it is left out."""
    call = AIMessage("", tool_calls=[{"id": "t1", "name": "find", "args": {}}], id="m0")
    result = ToolMessage("x" * 50, tool_call_id="t1", id="m1")
    trim = NewestWithin(counter=CHARACTERS)

    assert trim([call, result], {}, "", 58).kept == ("m0", "m1")
    assert trim([call, result], {}, "", 57).kept == ()
    assert trim([result], {}, "", 100).kept == ()


@every
def test_a_removal_marker_reaches_no_model(trim):
    """A marker that removes a message is filtered before the view is sent; no client knows such a message."""
    trimmed = trim([HumanMessage("问", id="m0"), RemoveMessage(id="m1"), AIMessage("答", id="m2")], RESULTS, "问", None)

    assert [message.id for message in trimmed.messages] == ["m0", "m2"]
