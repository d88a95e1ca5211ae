import math

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage

from travel_lab.context import Fact, bound_facts, visibility
from travel_lab.context.frame import facts_frame, view_frame
from travel_lab.tokens import TokenCounter


def price(name: str, value: float) -> Fact:
    return Fact(agent="hotel", kind="hotel price", subject=name, value=float(value), unit="CNY", keys=("price",))


INN, HOSTEL, PALACE = price("锦江宾馆", 500), price("青年旅舍", 80), price("皇宫饭店", 900)
SYSTEM = SystemMessage("你是旅行团队的 hotel agent。")
SUMMARY = AIMessage("已筛选酒店：锦江宾馆(¥500)、青年旅舍(¥80)。", name="hotel")
TASK = HumanMessage("换便宜点的。可选：皇宫饭店(¥900)")


def test_view_holds_what_any_of_its_messages_binds():
    """A fact is in view when one message binds it, whichever it is."""
    seen = visibility([SYSTEM, SUMMARY, TASK], [INN, HOSTEL, PALACE])

    assert seen.in_view == {INN, HOSTEL, PALACE}


def test_own_task_is_no_conversation():
    """What the call's own last message lists is in view, but it was not handed on by anybody."""
    seen = visibility([SYSTEM, SUMMARY, TASK], [INN, HOSTEL, PALACE])

    assert seen.in_conversation == {INN, HOSTEL}


def test_system_prompt_is_no_conversation():
    """A fact in the system prompt is in view, but not in the conversation."""
    seen = visibility([SystemMessage("皇宫饭店(¥900)"), SUMMARY, TASK], [INN, PALACE])

    assert (seen.in_view, seen.in_conversation) == ({INN, PALACE}, {INN})


def test_system_message_in_the_middle_is_no_conversation():
    """A system message is never conversation, wherever it stands."""
    seen = visibility([SYSTEM, SystemMessage("锦江宾馆(¥500)"), TASK], [INN])

    assert (seen.in_view, seen.in_conversation) == ({INN}, frozenset())


def test_parts_in_two_messages_are_not_bound():
    """A name in one message and its price in another carry no fact."""
    seen = visibility([SYSTEM, AIMessage("锦江宾馆"), AIMessage("每晚500元"), HumanMessage("换酒店")], [INN])

    assert seen.in_view == frozenset()


def test_parts_are_read_message_by_message():
    """A day heading at the end of one message does not hold for the next message."""
    fact = Fact(agent="route", kind="day sight", subject="宽窄巷子", scope=(("day", 1),))

    assert bound_facts("第1天：\n宽窄巷子", [fact]) == {fact}
    assert visibility([AIMessage("第1天："), AIMessage("宽窄巷子"), TASK], [fact]).in_view == frozenset()


def test_content_in_parts_is_read_as_one_text():
    """A message whose content is a list of parts binds what its joined text binds."""
    message = AIMessage([{"type": "text", "text": "锦江宾馆"}, {"type": "text", "text": "(¥500)"}])

    assert visibility([SYSTEM, message, TASK], [INN]).in_conversation == {INN}


def test_empty_view_holds_nothing():
    """A call without messages saw nothing, which is zero and not unknown."""
    seen = visibility([], [INN])

    assert (seen.in_view, seen.in_conversation, seen.score.value) == (frozenset(), frozenset(), 0.0)


def test_score_is_bound_over_produced():
    """One of five facts present is 0.2, and the reason names the others."""
    others = [price(f"客栈{sign}号", 100 + at) for at, sign in enumerate("甲乙丙丁")]
    score = visibility([SYSTEM, AIMessage("锦江宾馆(¥500)"), TASK], [INN, *others]).score

    assert score.value == 0.2
    assert score.reason == (
        "1 of 5 facts are bound in the view; missing: "
        "客栈甲号 = 100 CNY; 客栈乙号 = 101 CNY; 客栈丙号 = 102 CNY; 客栈丁号 = 103 CNY."
    )


def test_score_of_a_full_view():
    """All facts present is 1, without a word about missing ones."""
    score = visibility([SYSTEM, SUMMARY, TASK], [INN, HOSTEL]).score

    assert (score.value, score.reason) == (1.0, "2 of 2 facts are bound in the view.")


def test_score_is_nan_when_nothing_was_produced():
    """Nothing produced is not zero: there is no number, and the reason says why."""
    score = visibility([SYSTEM, SUMMARY, TASK], []).score

    assert math.isnan(score.value)
    assert score.reason == "No facts were produced, so there is nothing to see."


def test_completeness_is_nan_when_nothing_is_needed():
    """A question that needs no fact has no completeness."""
    score = visibility([SYSTEM, SUMMARY, TASK], [INN]).completeness([])

    assert math.isnan(score.value)
    assert score.reason == "The question needs no fact of a result."


def test_completeness_counts_what_the_probe_needs():
    """Only the needed facts count, and the missing one is named."""
    seen = visibility([SYSTEM, AIMessage("青年旅舍(¥80)"), HumanMessage("换便宜点的")], [INN, HOSTEL, PALACE])
    score = seen.completeness([INN, HOSTEL])

    assert (score.value, score.reason) == (0.5, "1 of 2 facts are bound in the view; missing: 锦江宾馆 = 500 CNY.")


def test_long_list_of_missing_facts_is_cut_with_its_length():
    """Five missing facts are named and the rest is counted."""
    many = [price(f"客栈{sign}号", 100 + at) for at, sign in enumerate("甲乙丙丁戊己庚辛")]
    reason = visibility([SYSTEM, TASK], many).score.reason

    assert reason.startswith("0 of 8 facts are bound in the view; missing: 客栈甲号 = 100 CNY; ")
    assert reason.endswith("客栈戊号 = 104 CNY and 3 more.")


def test_duplicates_count_once():
    """A fact that is given twice is one fact."""
    seen = visibility([SYSTEM, AIMessage("锦江宾馆(¥500)"), TASK], [INN, INN, HOSTEL, INN])

    assert (seen.produced, seen.score.value) == ((INN, HOSTEL), 0.5)


def test_fact_bound_twice_counts_once():
    """A fact in two messages is one fact."""
    assert visibility([SYSTEM, SUMMARY, SUMMARY, TASK], [INN, PALACE]).score.value == 1.0
    assert visibility([SYSTEM, SUMMARY, SUMMARY, HumanMessage("换")], [INN, PALACE]).score.value == 0.5


def test_bound_keeps_order():
    """The bound ones of a list come in the list's order."""
    seen = visibility([SYSTEM, SUMMARY, HumanMessage("换")], [INN, HOSTEL, PALACE])

    assert seen.bound([PALACE, HOSTEL, INN]) == (HOSTEL, INN)


class TestFrames:
    def test_facts_frame(self):
        """One row a fact, with both answers."""
        frame = facts_frame(visibility([SYSTEM, SUMMARY, TASK], [INN, PALACE]))

        assert frame.to_dict("list") == {
            "agent": ["hotel", "hotel"],
            "kind": ["hotel price", "hotel price"],
            "fact": ["锦江宾馆 = 500 CNY", "皇宫饭店 = 900 CNY"],
            "in view": [True, True],
            "in conversation": [True, False],
        }

    def test_view_frame(self):
        """One row a message, with its whole text and the tokens of the counter that is named."""
        frame = view_frame([SYSTEM, SUMMARY], TokenCounter(name="characters", text=len))

        assert frame.to_dict("list") == {
            "role": ["system", "ai"],
            "author": ["", "hotel"],
            "tokens": [len(SYSTEM.text) + 4, len(SUMMARY.text) + 4],
            "text": ["你是旅行团队的 hotel agent。", "已筛选酒店：锦江宾馆(¥500)、青年旅舍(¥80)。"],
        }

    @pytest.mark.parametrize(
        ("frame", "columns"),
        [
            (facts_frame(visibility([], [])), ["agent", "kind", "fact", "in view", "in conversation"]),
            (view_frame([]), ["role", "author", "tokens", "text"]),
        ],
        ids=["facts", "view"],
    )
    def test_empty_frame_has_its_columns(self, frame, columns):
        """A frame without rows still has its columns."""
        assert (list(frame.columns), len(frame)) == (columns, 0)
