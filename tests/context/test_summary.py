"""The rolling summary: nothing leaves the history without having been read, and a bad summary replaces nothing."""

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langgraph.errors import GraphInterrupt
from pydantic import Field

from travel_lab.context import RollingSummary


class Summariser(BaseChatModel):
    """Keeps what it was asked and answers as told."""

    answer: object = "锦江宾馆500元"
    finish: str = "stop"
    asked: list = Field(default_factory=list)

    @property
    def _llm_type(self):
        return "summariser"

    def _generate(self, messages, stop=None, run_manager=None, **kwargs):
        self.asked.append(messages[-1].text)
        if isinstance(self.answer, BaseException):
            raise self.answer
        message = AIMessage(content=self.answer, response_metadata={"finish_reason": self.finish})
        return ChatResult(generations=[ChatGeneration(message=message)])


def history(turns):
    messages = []
    for n in range(1, turns + 1):
        messages.append(HumanMessage(f"问题{n}", id=f"u{n}"))
        messages.append(AIMessage(f"第{n}个回答：" + "成都很好玩。" * 10, id=f"a{n}", name="hotel"))
    return messages


def test_all_that_leaves_is_in_the_input():
    """Every message before the last turns is given to the summariser, the long ones whole."""
    model = Summariser()
    after = RollingSummary(model=model, turns=1, part=60)(history(4), {}, "换", 200)
    read = "\n".join(model.asked)

    assert all(f"问题{n}" in read and f"第{n}个回答：" + "成都很好玩。" * 10 in read for n in (1, 2, 3))
    assert after.dropped == ("u1", "a1", "u2", "a2", "u3", "a3")
    assert after.messages[0].text == "锦江宾馆500元"


def test_the_next_turn_reads_only_what_is_new():
    """A summary grows: the part it covers is not read again."""
    model = Summariser()
    rolling = RollingSummary(model=model, turns=1)
    rolling(history(4), {}, "换", 200)
    model.asked.clear()
    rolling(history(5), {}, "换", 200)

    assert len(model.asked) == 1
    assert "summary so far: 锦江宾馆500元" in model.asked[0]
    assert "问题4" in model.asked[0]
    assert "问题3" not in model.asked[0]


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (Summariser(answer=""), "empty summary"),
        (Summariser(answer=ConnectionError("no route")), "ConnectionError: no route"),
        (Summariser(answer="锦江", finish="length"), "cut off"),
    ],
)
def test_a_bad_summary_replaces_nothing(model, words):
    """Empty, failed or cut off: the newest turns are used as they are and the incident is told."""
    after = RollingSummary(model=model, turns=1)(history(4), {}, "换", 200)

    assert after.added == ()
    assert after.kept == ("u2", "a2", "u3", "a3", "u4", "a4")
    assert words in after.incidents[0]


def test_after_a_failure_the_next_turn_tries_again():
    """A failed summary is not remembered as done."""
    model = Summariser(answer="")
    rolling = RollingSummary(model=model, turns=1)
    rolling(history(4), {}, "换", 200)
    model.answer = "锦江宾馆500元"

    assert rolling(history(4), {}, "换", 200).added == ("summary",)


def test_a_summary_that_does_not_fit_is_told():
    """A summary longer than its room replaces nothing."""
    after = RollingSummary(model=Summariser(answer="长" * 500), turns=1)(history(4), {}, "换", 200)

    assert after.added == ()
    assert "does not fit into 200" in after.incidents[0]


def test_a_pause_of_the_graph_is_no_failure():
    """An interrupt raised inside the model's call goes through."""
    with pytest.raises(GraphInterrupt):
        RollingSummary(model=Summariser(answer=GraphInterrupt(())), turns=1)(history(4), {}, "换", 200)
