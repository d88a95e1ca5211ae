"""The context viewer, its frames and plots: thin views of a preview."""

import matplotlib.pyplot as plt
import pandas as pd
import pytest
from langchain_core.messages import AIMessage, HumanMessage

from travel_lab.context import Fact, Moment, NewestWithin, PinnedDigest, ledger, xray
from travel_lab.context.frame import SCORE_COLUMNS, ledger_frame, measures_frame, scores_frame, xray_frame
from travel_lab.context.measure import measure_call
from travel_lab.context.plot import plot_ledger, plot_lines, plot_tradeoff, plot_xray
from travel_lab.context.viewer import ContextViewer
from travel_lab.tokens import DEEPSEEK

PRICE = Fact(agent="hotel", kind="hotel price", subject="锦江宾馆", value=500.0, unit="CNY", keys=("price",))
HISTORY = [AIMessage("锦江宾馆(¥500)", name="hotel", id="old"), AIMessage("<b>好的</b>", name="supervisor", id="new")]


def write(agent, result, language):
    return result


@pytest.fixture
def viewer():
    return ContextViewer(
        {"newest": NewestWithin(), "digest": PinnedDigest(write=write)},
        messages=HISTORY,
        results={"hotel": "锦江宾馆每晚500元"},
        question="换便宜点的",
        facts=[PRICE],
    )


@pytest.fixture
def axes():
    figure, ax = plt.subplots()
    yield ax
    plt.close(figure)


def test_at_first_everything_is_there(viewer):
    """The slider starts at the whole history."""
    assert viewer.budget.value == DEEPSEEK.messages(HISTORY)
    assert viewer.value.visible == {PRICE}
    assert "1 of 1 facts visible, 0 lost" in viewer.numbers.value


def test_a_smaller_budget_fades_a_message_and_loses_a_fact(viewer):
    """The old message is struck out, its fact changes its sign, the numbers move."""
    viewer.budget.value = DEEPSEEK.messages(HISTORY[1:])

    assert viewer.value.lost == (PRICE,)
    assert viewer.conversation.value.count("line-through") == 1
    assert "○ 锦江宾馆 = 500 CNY" in viewer.fact_list.value
    assert "0 of 1 facts visible, 1 lost" in viewer.numbers.value


def test_another_trimming_brings_it_back(viewer):
    """The digest writes the result out; what it wrote stands first."""
    viewer.trimming.value = "digest"

    assert viewer.value.visible == {PRICE}
    assert "＋ hotel" in viewer.conversation.value


def test_texts_are_escaped(viewer):
    """Text of a model is text, not markup."""
    assert "&lt;b&gt;好的&lt;/b&gt;" in viewer.conversation.value


def test_a_budget_that_cannot_be_kept_is_told():
    """The question alone is over the budget: the reason is shown and nothing else."""
    made = ContextViewer(
        {"newest": NewestWithin()}, messages=[HumanMessage("便宜", id="q")], results={}, question="便宜", facts=[]
    )
    made.budget.value = 1

    assert made.value.trimmed is None
    assert "allowed are 1" in made.numbers.value


def made_xray():
    return xray("supervisor", [Moment(turn=2, current=(PRICE,), messages=tuple(HISTORY), view=tuple(HISTORY))])


def test_scores_have_their_columns():
    """The columns of the scores are declared."""
    frame = scores_frame(made_xray(), {2: (PRICE,)})

    assert tuple(frame.columns) == SCORE_COLUMNS
    assert frame.iloc[0].tolist() == [2, "supervisor", "hotel", "hotel price", 1, 1, 1.0, 1, 0, 0.0, 0]


def test_xray_plot_names_kinds_turns_and_places(axes):
    """One label a kind, one a turn, and a legend of the places that occur."""
    plot_xray(xray_frame(made_xray()), ax=axes)

    assert [label.get_text() for label in axes.get_yticklabels()] == ["hotel price"]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["turn 2"]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["visible"]


def test_ledger_plot_says_how_much_of_the_window_is_used(axes):
    """The words at the end of a bar are the sum of its parts and the window."""
    plot_ledger(ledger_frame({"hotel": ledger(HISTORY, window=1_000, reserved=100)}), ax=axes)

    used = DEEPSEEK.messages(HISTORY) + 100
    assert [text.get_text() for text in axes.texts] == [f"{used} of 1,000"]


def test_tradeoff_plot_leaves_out_calls_that_were_not_made(axes):
    """One strategy was measured, the other not called: one label."""
    rest = {"produced": [PRICE], "needed": [PRICE], "asked_back": None, "agent": "hotel"}
    measures = [
        measure_call(strategy="packed", view=HISTORY, tokens=30, **rest),
        measure_call(strategy="silent", view=None, tokens=None, **rest),
    ]
    plot_tradeoff(measures_frame(measures), ax=axes)

    assert [text.get_text() for text in axes.texts] == ["packed"]


def test_lines_plot_has_a_line_a_value(axes):
    """Two strategies, two lines."""
    frame = pd.DataFrame({"turn": [1, 2, 1, 2], "tokens": [10, 20, 10, 11], "strategy": ["a", "a", "b", "b"]})
    plot_lines(frame, "turn", "tokens", "strategy", ax=axes)

    assert [list(line.get_ydata()) for line in axes.lines] == [[10, 20], [10, 11]]
