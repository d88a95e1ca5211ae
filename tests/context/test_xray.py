"""Where each fact went, what the traveller saw and the model did not, and what a trimming took away."""

import math

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage

from travel_lab.context import (
    Fact,
    Moment,
    NewestWithin,
    Place,
    asymmetry,
    ledger,
    preview,
    stale_visible,
    verdict,
    visibility,
    xray,
)
from travel_lab.context.frame import ledger_frame, preview_frame, scores_frame, xray_frame
from travel_lab.errors import BadInput
from travel_lab.lab import Lab
from travel_lab.planner import article_text


def price(name, value):
    return Fact(agent="hotel", kind="hotel price", subject=name, value=float(value), unit="CNY", keys=("price",))


JIN, RU = price("锦江宾馆", 500), price("如家酒店", 200)
ASK = HumanMessage("换便宜点的", id="ask")


def said(text, name="hotel"):
    return AIMessage(text, name=name, id=text)


def place(*, messages=(), view=(), uncut=(), facts=(JIN,), agent="supervisor"):
    view = (SystemMessage("你是助手"), *view, ASK)
    moment = Moment(turn=2, current=facts, messages=tuple(messages), view=view, uncut=uncut)
    return xray(agent, [moment]).places[facts[0], 2]


WRITTEN = said("锦江宾馆(¥500)")


@pytest.mark.parametrize(
    ("story", "expected"),
    [
        ({"messages": [WRITTEN], "view": [WRITTEN]}, Place.VISIBLE),
        ({"messages": [said("好的")]}, Place.NOT_WRITTEN),
        ({"messages": [said("锦江宾馆(¥5")], "uncut": ("锦江宾馆(¥500)",)}, Place.CUT),
        ({"messages": [WRITTEN]}, Place.TRIMMED),
        ({"messages": [WRITTEN], "agent": "hotel"}, Place.NOT_SELECTED),
        ({"messages": [WRITTEN], "view": [said("去成都", "summary")]}, Place.SUMMARISED),
    ],
)
def test_place_of_loss(story, expected):
    """Each way to lose a fact has its own name."""
    assert place(**story) is expected


def two_turns(view):
    old, new = price("锦江宾馆", 800), JIN
    first = Moment(turn=2, current=(old,), messages=(), view=(ASK,))
    second = Moment(turn=3, current=(new,), messages=tuple(view), view=(*view, ASK))
    made = xray("supervisor", [first, second])
    return made.places[old, 3], made.places[new, 3], made.places[new, 2]


OLD = said("锦江宾馆(¥800)")


@pytest.mark.parametrize(
    ("view", "old", "new"),
    [
        ([OLD, WRITTEN], Place.SUPERSEDED, Place.VISIBLE),
        ([WRITTEN, OLD], Place.STALE, Place.CONTRADICTED),
        ([OLD], Place.STALE, Place.NOT_WRITTEN),
        ([], Place.SUPERSEDED, Place.NOT_WRITTEN),
    ],
)
def test_old_and_new_in_one_view(view, old, new):
    """The newer fact counts only when it is the later word; the older one is stale when it is the last."""
    assert two_turns(view) == (old, new, Place.NOT_PRODUCED)


def test_stale_visible_lists_the_old_price_only():
    """A price that no longer holds and stands uncorrected is named; one that was corrected is not."""
    old, gone = price("锦江宾馆", 800), price("如家酒店", 300)
    view = [OLD, said("如家酒店(¥300)"), said("如家酒店(¥200)")]

    assert stale_visible(view, [JIN, RU], [old, gone, JIN]) == (old,)


def test_without_a_call_nothing_is_measured():
    """A turn in which the agent made no call gives neither visible nor lost facts."""
    made = xray("hotel", [Moment(turn=2, current=(JIN,), messages=(WRITTEN,), view=None)])

    assert made.places[JIN, 2] is Place.NOT_MEASURED
    assert math.isnan(scores_frame(made, {2: (JIN,)})["visibility"].item())


def test_an_early_miss_does_not_zero_the_rest():
    """Of four turns a miss in the first leaves three full scores; a miss in the last leaves the first three."""

    def scores(missing):
        moments = [
            Moment(turn=n, current=(JIN,), messages=(WRITTEN,), view=(ASK,) if n == missing else (WRITTEN, ASK))
            for n in range(1, 5)
        ]
        return list(scores_frame(xray("supervisor", moments), {})["visibility"])

    assert (scores(1), scores(4)) == ([0, 1, 1, 1], [1, 1, 1, 0])


def test_one_of_five_is_a_fifth_and_says_so():
    """5 facts, 1 present: 0.2, with the count and the missing ones in the reason."""
    facts = [price(f"宾馆{letter}座", 100 + n) for n, letter in enumerate("甲乙丙丁戊")]
    score = visibility([said("宾馆甲座(¥100)")], facts).score

    assert score.value == pytest.approx(0.2)
    assert score.reason.startswith("1 of 5 facts are bound in the view; missing: 宾馆乙座 = 101 CNY;")


def test_asymmetry_is_what_only_the_traveller_saw():
    """Two prices on the card, one in the view: half of what was shown is hidden from the model."""
    score = asymmetry([WRITTEN, ASK], [JIN, RU])

    assert score.value == pytest.approx(0.5)
    assert score.reason == "1 of 2 facts the traveller was shown are not bound in the view: 如家酒店 = 200 CNY."


def test_no_evidence_is_no_score():
    """Nothing shown and nothing needed is nan and `not enough evidence`, neither 0 nor 1."""
    assert math.isnan(asymmetry([ASK], []).value)
    assert verdict(visibility([ASK], []).score) == "not enough evidence"
    assert verdict(visibility([WRITTEN], [JIN]).score) == "complete"
    assert verdict(visibility([ASK], [JIN]).score) == "incomplete"


def test_a_preview_says_what_a_trimming_takes_away():
    """Kept and dropped ids, tokens before and after, and the facts lost."""
    messages = [WRITTEN, said("如家酒店(¥200)"), ASK]
    made = preview(NewestWithin(), messages, {}, ASK.text, 25, [JIN, RU])

    assert made.trimmed.dropped == ("锦江宾馆(¥500)",)
    assert made.trimmed.tokens <= 25 < made.trimmed.tokens_before
    assert made.lost == (JIN,)
    assert preview_frame({"newest": made}).loc["newest", ["visible", "lost"]].tolist() == [1, 1]


def test_a_preview_of_an_impossible_budget_tells_why():
    """When the question alone is over the budget there is nothing to show but the reason."""
    made = preview(NewestWithin(), [WRITTEN, ASK], {}, ASK.text, 1, [JIN])

    assert (made.trimmed, made.visible, made.lost) == (None, frozenset(), (JIN,))
    assert "allowed are 1" in made.refused


def test_a_ledger_fills_the_window():
    """The parts of a call, the reserved reply and the free rest add up to the window."""
    view = [SystemMessage("你是助手。旅客不吃辣。"), WRITTEN, HumanMessage("便宜点的\n\n酒店|价格")]
    made = ledger(view, window=1_000, reserved=300, profile="旅客不吃辣。", offers="酒店|价格")

    assert made.window == 1_000
    assert made.free == 1_000 - 300 - made.system - made.profile - made.history - made.question - made.offers
    assert min(vars(made).values()) > 0
    assert ledger_frame({"hotel": made}).loc["hotel", "reply"] == 300


def test_a_ledger_refuses_a_part_that_is_not_there():
    """A profile that does not stand in the system prompt would make the numbers wrong."""
    with pytest.raises(BadInput, match="profile"):
        ledger([SystemMessage("你是助手"), ASK], window=100, reserved=10, profile="不吃辣")


@pytest.fixture(scope="module")
def article():
    with Lab.open() as lab:
        session = lab.session(strategy="article")
        yield [session.send(text) for text in ("帮我规划成都5天旅行", "把第二天的酒店换成便宜点的")]


def test_the_article_in_a_real_session(article):
    """The supervisor sees each hotel's price, the hotel agent does not know who sleeps where: 1.00 against less."""
    after = article[1]

    assert after.measure("supervisor").completeness.value == 1
    assert after.measure("hotel").completeness.value < 1


def test_xray_of_a_real_session_has_a_place_for_every_fact_and_turn(article):
    """Facts × turns, and every ticket and start was never written by the article's summary."""
    made = xray("supervisor", [turn.moment("supervisor", article_text) for turn in article])
    frame = xray_frame(made)

    assert len(frame) == len(made.facts) * 2
    starts = frame[(frame["turn"] == 2) & (frame["kind"] == "sight start")]
    assert set(starts["place"]) == {"not written"}


def test_silent_hides_all_that_was_shown(article):
    """The traveller saw the card, the model saw none of it."""
    with Lab.open() as lab:
        session = lab.session(strategy="silent")
        session.send("帮我规划成都5天旅行")
        turn = session.send("把第二天的酒店换成便宜点的")

    assert len(turn.shown) >= 15
    assert asymmetry(turn.call("supervisor").view, turn.shown).value == 1
