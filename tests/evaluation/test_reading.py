"""What a reader's reply counts as."""

import pytest
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage

from tests.evaluation.small import FULL, app, case, price, probe, some_cases
from travel_lab.evaluation import evaluate, judge, reader_of

FACTS = (price("Harbour Inn", 200), price("Garden Lodge", 150))
ASKED = probe("p", FACTS[0], gold=(("200",),))
ABSENT = probe("p")


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        ("Harbour Inn costs 200 a night.", "answered"),
        ("It is A$200.", "answered"),
        ("一晚200元", "answered"),
        ("Which hotel do you mean?", "abstained"),
        ("请问您说的是哪家酒店？", "abstained"),
        ("I don't have that information.", "abstained"),
        ("Harbour Inn costs 2000 a night.", "made up"),
        ("Harbour Inn costs 120 a night.", "made up"),
        ("It costs 1,200.50", "vague"),
        ("Prices vary.", "vague"),
    ],
)
def test_a_reply_to_what_was_given(reply, outcome):
    """Answered with the right number; asked back; a number nobody found; nothing said."""
    assert judge(reply, ASKED, FACTS) == outcome


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [("The phone number is 0298765432.", "made up"), ("没有看到电话号码。", "abstained"), ("It is a nice hotel.", "vague")],
)
def test_a_reply_to_what_was_never_given(reply, outcome):
    """Only saying so is right; a number is made up."""
    assert judge(reply, ABSENT, FACTS) == outcome


def test_all_parts_of_an_answer_must_stand_in_it():
    """One price of two is no answer."""
    both = probe("p", *FACTS, gold=(("200", "150"),))
    assert judge("200 and 150", both, FACTS) == "answered"
    assert judge("200", both, FACTS) != "answered"


def test_one_of_several_right_answers_is_enough():
    """Any cheaper hotel will do."""
    either = probe("p", *FACTS, gold=(("Harbour Inn",), ("Garden Lodge",)))
    assert judge("Take Garden Lodge.", either, FACTS) == "answered"


def test_replicates_are_rows_of_their_own():
    """Two replies of a model that wavers, beside the row of the view."""
    cases = [case(1, ASKED)]
    model = GenericFakeChatModel(messages=iter([AIMessage("200"), AIMessage("which one?")]))
    rows = evaluate(app(cases), cases, [FULL], readers=[reader_of(model, "wavering")], repeats=2).rows
    assert [(row.reader, row.replicate, row.outcome) for row in rows] == [
        ("", 0, "not measured"),
        ("wavering", 0, "answered"),
        ("wavering", 1, "abstained"),
    ]


def test_without_a_reader_answers_are_not_measured():
    """Every row says so."""
    cases = some_cases(1)
    assert {row.outcome for row in evaluate(app(cases), cases, [FULL]).rows} == {"not measured"}
