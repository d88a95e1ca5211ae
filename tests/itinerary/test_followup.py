from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from travel_lab.itinerary import read_followup
from travel_lab.itinerary.followup import ABOUT, AGENTS_OF, Kind

# What is said | kind | day | meal | which one of the day.
SENTENCES = [
    ("把第二天的酒店换成便宜点的", "hotel_cheaper", 2, None, None),
    ("酒店太贵了，有没有便宜点的", "hotel_cheaper", None, None, None),
    ("住宿省钱一点", "hotel_cheaper", None, None, None),
    ("第１晚的宾馆要实惠一些", "hotel_cheaper", 1, None, None),
    ("第十天的酒店换便宜的", "hotel_cheaper", 10, None, None),
    ("make the hotel on day 2 cheaper", "hotel_cheaper", 2, None, None),
    ("a cheaper hotel for night 1 please", "hotel_cheaper", 1, None, None),
    ("Something less expensive to stay at", "hotel_cheaper", None, None, None),
    ("第2晚想住好一点的酒店", "hotel_better", 2, None, None),
    ("第一晚的宾馆换成豪华的", "hotel_better", 1, None, None),
    ("酒店升级", "hotel_better", None, None, None),
    ("Can we have a nicer hotel on the second night?", "hotel_better", 2, None, None),
    ("upgrade the hotel on day 3", "hotel_better", 3, None, None),
    ("换一家酒店", "hotel_other", None, None, None),
    ("第三晚换个民宿", "hotel_other", 3, None, None),
    ("Switch to another hotel", "hotel_other", None, None, None),
    ("去掉第三天的第一个景点", "sight_drop", 3, None, 1),
    ("把第1天第2个地方删掉", "sight_drop", 1, None, 2),
    ("第二天最后一个景点不去了", "sight_drop", 2, None, -1),
    ("不要第三天的博物馆", "sight_drop", 3, None, None),
    ("取消第二天的武侯祠", "sight_drop", 2, None, None),
    ("第二天不去公园了", "sight_drop", 2, None, None),
    ("drop the first sight on day 3", "sight_drop", 3, None, 1),
    ("Remove the last stop of the second day", "sight_drop", 2, None, -1),
    ("the 2nd sight of day 1, please remove it", "sight_drop", 1, None, 2),
    ("skip the museum on day 1", "sight_drop", 1, None, None),
    ("Cancel Wuhou Shrine", "sight_drop", None, None, None),
    ("第三天晚餐换一家", "restaurant_change", 3, "dinner", None),
    ("第二天的午餐换成不辣的", "restaurant_change", 2, "lunch", None),
    ("第1天中午想吃素", "restaurant_change", 1, "lunch", None),
    ("孩子对花生过敏，餐厅要换", "restaurant_change", None, None, None),
    ("换掉第2天的晚饭", "restaurant_change", 2, "dinner", None),
    ("change dinner on day 2", "restaurant_change", 2, "dinner", None),
    ("a vegetarian lunch on day 1, please", "restaurant_change", 1, "lunch", None),
    ("replace the restaurant for lunch on the third day", "restaurant_change", 3, "lunch", None),
    ("day two dinner: another place please", "restaurant_change", 2, "dinner", None),
    ("哪家酒店最便宜", "ask_cheapest", None, None, None),
    ("最便宜的酒店是哪个？", "ask_cheapest", None, None, None),
    ("which hotel is the cheapest?", "ask_cheapest", None, None, None),
    ("第二天有什么安排", "ask_day", 2, None, None),
    ("第3天去哪些地方？", "ask_day", 3, None, None),
    ("第１２天吃什么", "ask_day", 12, None, None),
    ("what is planned for day 2?", "ask_day", 2, None, None),
    ("What do we do on the first day?", "ask_day", 1, None, None),
    ("介绍一下武侯祠", "ask_sight", None, None, None),
    ("tell me about Wuhou Shrine", "ask_sight", None, None, None),
    ("introduce the Opera House", "ask_sight", None, None, None),
    ("谢谢", "unclear", None, None, None),
    ("thanks, that is all", "unclear", None, None, None),
    ("", "unclear", None, None, None),
    ("🐼", "unclear", None, None, None),
]


@pytest.mark.parametrize(("text", "kind", "day", "meal", "ordinal"), SENTENCES, ids=[row[0] or "blank" for row in SENTENCES])
def test_followup_is_read(text, kind, day, meal, ordinal):
    """What is asked for, of which day, which meal and which one of the day, is read from the words alone."""
    found = read_followup(text)

    assert (found.kind, found.day, found.meal, found.ordinal) == (kind, day, meal, ordinal)


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("换一家酒店", "hotel"),
        ("哪家酒店最便宜", "hotel"),
        ("去掉第三天的第一个景点", "route"),
        ("介绍一下武侯祠", "route"),
        ("change dinner on day 2", "food"),
        ("谢谢", None),
    ],
)
def test_followup_is_about_an_agents_result(text, about):
    """Each follow-up is about one agent's result, thanks about none."""
    assert read_followup(text).about == about


@pytest.mark.parametrize(
    ("text", "only_asks"),
    [("哪家酒店最便宜", True), ("第二天有什么安排", True), ("介绍一下武侯祠", True), ("换一家酒店", False), ("谢谢", False)],
)
def test_questions_run_no_agent(text, only_asks):
    """A question is answered, a change is made."""
    assert read_followup(text).only_asks == only_asks


def test_questions_are_in_no_table_of_agents():
    """What only asks runs nobody."""
    assert [kind for kind in AGENTS_OF if kind.startswith("ask_")] == []


def test_a_change_of_one_part_is_about_the_agent_it_runs():
    """Whose result is pointed at and who works are the same, where a single agent works."""
    single = {kind: agents[0] for kind, agents in AGENTS_OF.items() if len(agents) == 1}
    assert single == {kind: ABOUT[kind] for kind in single}


def test_words_are_kept_as_they_were_said():
    """Names in the words can be looked up later, in the traveller's own spelling."""
    assert read_followup("介绍一下 Ｗｕｈｏｕ Shrine").words == "介绍一下 Ｗｕｈｏｕ Shrine"


@given(st.text())
def test_any_text_is_read(text):
    """Reading never raises, and what no rule knows is unclear."""
    assert read_followup(text).kind in get_args(Kind)


@given(
    st.integers(1, 14),
    st.sampled_from(["把第{}天的酒店换成便宜点的", "第{}晚的酒店换便宜点", "make the hotel on day {} cheaper"]),
)
def test_every_day_is_read(day, form):
    """The day named is the day read, whichever it is."""
    assert read_followup(form.format(day)).day == day
