"""Other projects' summaries in the same report as ours; the real libraries, a model of our own."""

import builtins

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic import Field

from travel_lab.context.peers import LangChainSummarization, LangMemSummary
from travel_lab.errors import BadInput
from travel_lab.tokens import DEEPSEEK

PEERS = {"langchain": LangChainSummarization, "langmem": LangMemSummary}
every = pytest.mark.parametrize("peer", PEERS.values(), ids=PEERS)


class Summariser(BaseChatModel):
    """Keeps what it was asked; its summary names one hotel."""

    answer: str = "锦江宾馆500元"
    asked: list = Field(default_factory=list)

    @property
    def _llm_type(self):
        return "summariser"

    def _generate(self, messages, stop=None, run_manager=None, **kwargs):
        self.asked.append("\n".join(str(message.content) for message in messages))
        return ChatResult(generations=[ChatGeneration(message=AIMessage(self.answer))])


def history(turns):
    messages = []
    for n in range(1, turns + 1):
        messages += [HumanMessage(f"问题{n}", id=f"u{n}"), AIMessage(f"第{n}个回答：" + "成都很好玩。" * 10, id=f"a{n}")]
    return messages


@every
def test_a_history_within_the_budget_stays_as_it_is(peer):
    """Nothing is summarised while there is room."""
    model = Summariser()
    after = peer(model=model)(history(2), {}, "换", 4_000)

    assert (after.kept, after.dropped, model.asked) == (("u1", "a1", "u2", "a2"), (), [])


@every
def test_a_history_over_the_budget_becomes_a_summary_and_a_tail(peer):
    """The model's answer stands in the place of the old messages, and the report lists what went."""
    model = Summariser()
    messages = history(9)
    after = peer(model=model)(messages, {}, "换", 400)

    assert any("锦江宾馆500元" in str(message.content) for message in after.messages)
    assert "u1" in after.dropped
    assert "a9" in after.kept
    assert set(after.kept) | set(after.dropped) == {message.id for message in messages}
    assert after.tokens == DEEPSEEK.messages(after.messages)


@every
def test_the_callers_history_is_left_as_it_is(peer):
    """The libraries get copies."""
    messages = history(12)
    before = [message.model_copy(deep=True) for message in messages]
    peer(model=Summariser())(messages, {}, "换", 400)

    assert messages == before


@every
def test_no_budget_is_no_summary(peer):
    """Without a limit there is no trigger."""
    assert len(peer(model=Summariser())(history(12), {}, "换", None).messages) == 24


def test_what_is_over_the_budget_is_told():
    """LangChain's keeps six messages however long they are; the report says by how much that is too long."""
    after = LangChainSummarization(model=Summariser())(history(12), {}, "换", 60)

    assert after.tokens > 60
    assert after.incidents == (f"{after.tokens} tokens ({DEEPSEEK.name}) of 60 allowed",)


def test_langmems_summary_goes_on_from_turn_to_turn():
    """What was summarised once is not read again; the earlier summary is."""
    model = Summariser()
    trim = LangMemSummary(model=model)
    trim(history(9), {}, "换", 400)
    model.asked.clear()
    trim(history(18), {}, "换", 400)

    assert "问题1\n" not in "\n".join(model.asked)
    assert "锦江宾馆500元" in "\n".join(model.asked)


def test_langchain_reads_all_it_replaces_within_its_limit():
    """Of a short history every message that leaves is in the summariser's input."""
    model = Summariser()
    after = LangChainSummarization(model=model)(history(9), {}, "换", 400)

    assert all(f"问题{id_[1:]}" in "\n".join(model.asked) for id_ in after.dropped)


def test_langchain_drops_messages_of_a_long_history_unread():
    """Of 120 turns handed over at once, the first leave without having been in any summariser's input."""
    model = Summariser()
    after = LangChainSummarization(model=model)(history(120), {}, "换", 2_000)

    assert "u1" in after.dropped
    assert "问题1\n" not in "\n".join(model.asked)


@every
def test_an_empty_summary_replaces_the_history(peer):
    """Neither library keeps the history when its model says nothing; ours does."""
    after = peer(model=Summariser(answer=""))(history(9), {}, "换", 400)

    assert "u1" in after.dropped


@pytest.mark.parametrize("turns", [8, 12])
def test_langmem_cuts_the_oldest_messages_before_it_summarises(turns):
    """A history over the budget loses its first turn unread: it is dropped, and in no summary."""
    model = Summariser()
    after = LangMemSummary(model=model)(history(turns), {}, "换", 400)

    assert "u1" in after.dropped
    assert "问题1\n" not in "\n".join(model.asked)


@every
def test_without_the_extra_the_error_names_it(peer, monkeypatch):
    """Where the library is missing, the error says what to install."""
    found = builtins.__import__

    def without_peers(name, *args):
        if name.startswith(("langchain.", "langmem")):
            raise ImportError(name)
        return found(name, *args)

    monkeypatch.setattr(builtins, "__import__", without_peers)
    with pytest.raises(BadInput, match="travel_lab\\[peers\\]"):
        peer(model=Summariser())(history(1), {}, "换", 400)
