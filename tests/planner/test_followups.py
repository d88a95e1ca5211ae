"""Each kind of follow-up in both languages: who works, what changes, what is answered, and what is asked for when out of view."""

from typing import get_args

import pytest

from travel_lab.itinerary.followup import Kind
from travel_lab.lab import Lab

FIRST = {"zh": "帮我规划成都3天旅行，预算5000", "en": "Plan 3 days in Chengdu, budget 5000 CNY"}
RESULTS = ("route_result", "hotel_result", "food_result", "info_result")
ALL = ("route", "hotel", "food", "info")
# Kind | language | words | agents that run | results whose content changes | requirements that change.
CHANGES = [
    ("hotel_cheaper", "zh", "酒店都换便宜点的", ("hotel",), {"hotel"}),
    ("hotel_cheaper", "en", "cheaper hotels please", ("hotel",), {"hotel"}),
    ("hotel_better", "zh", "换个好点的酒店", ("hotel",), {"hotel"}),
    ("hotel_better", "en", "change to a better hotel", ("hotel",), {"hotel"}),
    ("hotel_nearer", "zh", "酒店换近一点的", ("hotel",), {"hotel"}),
    ("hotel_nearer", "en", "hotels closer to the sights please", ("hotel",), {"hotel"}),
    ("hotel_other", "zh", "换一家酒店", ("hotel",), {"hotel"}),
    ("hotel_other", "en", "switch to another hotel", ("hotel",), {"hotel"}),
    ("sight_drop", "zh", "不去宽窄巷子了", ("route",), {"route"}),
    ("sight_drop", "en", "skip Kuanzhai Alley", ("route",), {"route"}),
    ("sight_add", "zh", "第二天加上天府广场", ("route",), {"route"}),
    ("sight_add", "en", "add Tianfu Square on day 2", ("route",), {"route"}),
    ("sight_swap", "zh", "把宽窄巷子换成天府广场", ("route",), {"route"}),
    ("sight_swap", "en", "replace Kuanzhai Alley with Tianfu Square", ("route",), {"route"}),
    ("sight_swap", "zh", "把宽窄巷子换成都江堰", ("route",), {"route"}),
    ("sight_move", "zh", "把宽窄巷子挪到第三天", ("route",), {"route"}),
    ("sight_move", "en", "move Kuanzhai Alley to day 3", ("route",), {"route"}),
    ("restaurant_change", "zh", "我花生过敏，餐厅换一下", ("food",), {"food"}),
    ("restaurant_change", "en", "I have a peanut allergy, change the restaurants", ("food",), {"food"}),
    ("days_change", "zh", "多玩一天", ("route", "hotel", "food"), {"route", "hotel", "food"}),
    ("days_change", "en", "add one more day", ("route", "hotel", "food"), {"route", "hotel", "food"}),
    ("days_change", "zh", "少玩一天", ("route", "hotel", "food"), {"route", "hotel", "food"}),
    ("days_change", "en", "cut one day", ("route", "hotel", "food"), {"route", "hotel", "food"}),
    ("budget_change", "zh", "预算改成8000", ("hotel", "food"), {"hotel"}),
    ("budget_change", "en", "change the budget to 8000", ("hotel", "food"), {"hotel"}),
    ("budget_clear", "zh", "预算不限了", ("hotel", "food"), {"hotel", "food"}),
    ("budget_clear", "en", "no budget limit any more", ("hotel", "food"), {"hotel", "food"}),
    ("people_change", "zh", "我们2个大人带一个孩子", ("hotel", "food"), {"hotel", "food"}),
    ("people_change", "en", "we are 2 adults and 1 child", ("hotel", "food"), {"hotel", "food"}),
    ("date_change", "zh", "改成10月5号出发", ("route", "hotel"), set()),
    ("date_change", "en", "leave on October 5 instead", ("route", "hotel"), set()),
    ("destination_change", "zh", "不去成都，改去西安", ALL, set(ALL)),
    ("destination_change", "en", "not Chengdu, Xi'an", ALL, set(ALL)),
]
QUESTIONS = [
    ("ask_cheapest", "zh", "最便宜的酒店是哪家？", ["成都环球中心天堂洲际大饭店", "¥880"]),
    ("ask_cheapest", "en", "which hotel is the cheapest?", ["InterContinental Chengdu Global Center", "¥880"]),
    ("ask_compare", "zh", "对比一下前两家酒店", ["成都尼依格罗酒店每晚¥1380", "成都富力丽思卡尔顿酒店每晚¥1420"]),
    ("ask_compare", "en", "compare the first two hotels", ["Niccolo Chengdu costs ¥1380", "¥1420"]),
    ("ask_day", "zh", "第二天怎么安排的？", ["文殊院", "杜甫草堂", "金沙遗址博物馆", "红杏酒家", "成都尼依格罗酒店"]),
    ("ask_day", "en", "what is day 2?", ["Wenshu Monastery", "Du Fu Thatched Cottage", "Jinsha Site Museum", "Niccolo Chengdu"]),
    ("ask_sight", "zh", "介绍一下宽窄巷子", ["由宽巷子窄巷子和井巷子组成的清代街区"]),
    ("ask_sight", "en", "tell me about Kuanzhai Alley", ["Kuanzhai Alley: "]),
    ("ask_price", "zh", "第2天的酒店多少钱", ["第2晚：", "每晚¥1380"]),
    ("ask_price", "en", "how much is the hotel on night 1?", ["night 1: ", " a night"]),
    ("ask_total", "zh", "一共要花多少钱？", ["¥323", "¥695", "¥2760", "合计¥3778"]),
    ("ask_total", "en", "what does it cost in total?", ["¥323", "¥695", "¥2760", "¥3778 in all"]),
    ("ask_diet", "zh", "餐厅有素食吗？", ["鹤鸣茶社可以", "红杏酒家恐怕不合适"]),
    ("ask_diet", "en", "is the food vegetarian?", ["suits (mild, snacks, vegetarian)", "does not seem to suit"]),
    ("ask_etiquette", "zh", "当地有什么礼仪要注意？", ["公筷"]),
    ("ask_etiquette", "en", "any etiquette to know?", ["raw food"]),
    ("ask_history", "zh", "我一开始问的是什么？", [FIRST["zh"]]),
    ("ask_history", "en", "what did I ask first?", [FIRST["en"]]),
]
STATED = {"days_change", "budget_change", "budget_clear", "people_change", "date_change", "destination_change", "ask_history"}
"""Kinds whose words hold all that is needed; the traveller's own messages are always in view."""
NEEDING = [(kind, lang, words) for kind, lang, words, *_ in (*CHANGES, *QUESTIONS) if kind not in STATED]
REQUIREMENT = {
    "budget_change": {"budget"},
    "budget_clear": {"budget"},
    "people_change": {"people"},
    "date_change": {"date"},
    "days_change": {"days"},
    "destination_change": {"destinations"},
    "restaurant_change": {"preferences"},
}


class Played:
    """One follow-up after a plan."""

    def __init__(self, strategy, language, words):
        with Lab.open(strategy=strategy) as lab:
            session = lab.session()
            self.first = session.send(FIRST[language]).itinerary
            self.before = session.state()
            self.turn = session.send(words)
            self.after = session.state()

    @property
    def changed(self):
        """Agents whose content is another one."""
        return {name.removesuffix("_result") for name in RESULTS if self.before[name]["data"] != self.after[name]["data"]}

    @property
    def stated(self):
        """Requirements that are other ones."""
        before, after = self.before["requirements"], self.after["requirements"]
        return {key for key in {*before, *after} if before.get(key) != after.get(key)}

    def sights(self, card):
        return {day["day"]: [visit["name"] for visit in day["sights"]] for day in card["days"]}

    def hotels(self, card):
        return [day["hotel"] for day in card["days"] if day["hotel"]]


def test_every_kind_is_played():
    """No kind of follow-up is left out; going back has a file of its own."""
    assert {kind for kind, *_ in (*CHANGES, *QUESTIONS)} == {*get_args(Kind)} - {"unclear", "restore"}


@pytest.mark.parametrize(("kind", "language", "words", "agents", "changed"), CHANGES, ids=[row[2] for row in CHANGES])
def test_change_runs_who_is_needed_and_changes_that_alone(kind, language, words, agents, changed):
    """Only these agents make a call, only these contents and requirements are other ones afterwards, and none is degraded."""
    played = Played("full/own", language, words)
    status = {name: played.after[name]["status"] for name in RESULTS}
    assert (played.turn.agents, played.changed, played.stated - {"preferences"}, status) == (
        ("supervisor", *agents),
        changed,
        REQUIREMENT.get(kind, set()) - {"preferences"},
        dict.fromkeys(RESULTS, "ok"),
    )


@pytest.mark.parametrize(("kind", "language", "words", "facts"), QUESTIONS, ids=[row[2] for row in QUESTIONS])
def test_question_runs_no_agent_and_is_answered_with_the_fact(kind, language, words, facts):
    """The answer holds the facts, nothing of the plan changes and there is no new card."""
    played = Played("full/own", language, words)
    missing = [fact for fact in facts if fact not in played.turn.reply]
    assert (played.turn.agents, played.turn.reply_kind, missing) == (("supervisor",), "reply", [])
    assert (played.changed, played.stated, played.turn.itinerary) == (set(), set(), None)


@pytest.mark.parametrize(("kind", "language", "words"), NEEDING, ids=[row[2] for row in NEEDING])
def test_without_the_fact_in_view_it_asks_back(kind, language, words):
    """Where handoffs are silent the supervisor asks, runs nobody and changes nothing."""
    played = Played("silent", language, words)
    assert (played.turn.agents, played.turn.reply_kind, played.changed, played.stated) == (("supervisor",), "ask", set(), set())


@pytest.mark.parametrize(
    ("language", "words"), [("zh", "第二晚换便宜点的酒店"), ("en", "a cheaper hotel for night 2")], ids=["zh", "en"]
)
def test_cheaper_hotel_for_one_night_leaves_the_other(language, words):
    """Night 2 costs less, night 1 is spent where it was."""
    played = Played("full/own", language, words)
    (one, two), (new_one, new_two) = played.hotels(played.first), played.hotels(played.turn.itinerary)
    assert new_one == one
    assert new_two["price"] < two["price"]


@pytest.mark.parametrize(("language", "words"), [("zh", "酒店都换便宜点的"), ("en", "cheaper hotels please")], ids=["zh", "en"])
def test_cheaper_hotels_for_all_nights(language, words):
    """Every night costs less."""
    played = Played("full/own", language, words)
    pairs = zip(played.hotels(played.first), played.hotels(played.turn.itinerary), strict=True)
    assert all(new["price"] < old["price"] for old, new in pairs)


@pytest.mark.parametrize(
    ("language", "words"), [("zh", "第一晚换个好点的酒店"), ("en", "a better hotel for night 1")], ids=["zh", "en"]
)
def test_better_hotel_for_one_night(language, words):
    """Night 1 is rated higher, night 2 stays."""
    played = Played("full/own", language, words)
    (one, two), (new_one, new_two) = played.hotels(played.first), played.hotels(played.turn.itinerary)
    assert new_one["rating"] > one["rating"]
    assert new_two == two


@pytest.mark.parametrize(
    ("words", "days"),
    [
        ("skip Kuanzhai Alley", {1: (-1, 0)}),
        ("add Tianfu Square on day 2", {2: (0, 1)}),
        ("replace Kuanzhai Alley with Tianfu Square", {1: (-1, 1)}),
        ("move Kuanzhai Alley to day 3", {1: (-1, 0), 3: (0, 1)}),
    ],
)
def test_change_of_a_sight_leaves_the_other_days(words, days):
    """On the days named as many sights go and come as said; the others are as they were."""
    played = Played("full/own", "en", words)
    before, after = played.sights(played.first), played.sights(played.turn.itinerary)
    moved = {
        day: (-len({*before[day]} - {*after[day]}), len({*after[day]} - {*before[day]}))
        for day in before
        if {*before[day]} != {*after[day]}
    }
    assert moved == days


@pytest.mark.parametrize(("kind", "language", "words", "agents", "changed"), [r for r in CHANGES if r[0] == "restaurant_change"])
def test_changed_restaurants_keep_the_diet(kind, language, words, agents, changed):
    """No meal has peanuts any more."""
    days = Played("full/own", language, words).turn.itinerary["days"]
    assert [meal["name"] for day in days for meal in (day["lunch"], day["dinner"]) if "peanuts" in meal["tags"]] == []


@pytest.mark.parametrize(
    ("language", "words", "length"),
    [("zh", "多玩一天", 4), ("en", "add one more day", 4), ("zh", "少玩一天", 2), ("en", "cut one day", 2), ("zh", "改成2天", 2)],
)
def test_length_of_the_trip(language, words, length):
    """The card has the new number of days, none of them empty."""
    card = Played("full/own", language, words).turn.itinerary
    assert [bool(day["sights"]) for day in card["days"]] == [True] * length


@pytest.mark.parametrize(("language", "words"), [("zh", "预算不限了"), ("en", "no budget limit any more")], ids=["zh", "en"])
def test_cleared_budget_survives_reopening_and_differs_from_none(tmp_path, language, words):
    """What was taken away is stored as such; a traveller who never spoke of money has no budget field at all."""
    with Lab.open(tmp_path / "lab.db") as lab:
        lab.session("cleared").send(FIRST[language])
        lab.session("cleared").send(words)
        lab.session("never").send("去成都玩3天")
    with Lab.open(tmp_path / "lab.db") as lab:
        cleared = lab.session("cleared").state()["requirements"]["budget"]
        assert (cleared["unlimited"], cleared["amount"], cleared["low"], cleared["high"]) == (True, None, None, None)
        assert "budget" not in lab.session("never").state()["requirements"]


@pytest.mark.parametrize(
    ("language", "words"), [("zh", "第二晚换便宜点的酒店"), ("en", "a cheaper hotel for night 2")], ids=["zh", "en"]
)
def test_a_cheaper_hotel_is_no_wish_for_the_whole_trip(language, words):
    """Later meals and hotels are not held to half their limits because one night became cheaper."""
    assert "cheap" not in Played("full/own", language, words).after["requirements"].get("preferences", [])


@pytest.mark.parametrize(
    ("first", "asked"),
    [
        ("帮我规划成都3天旅行，1000000000000000个人", "我最多能为 50 人安排"),
        ("plan 3 days in Chengdu for 51 adults", "I plan for 50 people at most"),
        ("安排5天", "你想去哪玩呢？"),
    ],
)
def test_a_request_that_cannot_be_planned_is_asked_about(first, asked):
    """A party no catalogue holds, or a verb in the place of a town, brings a question that says what is wrong."""
    with Lab.open() as lab:
        turn = lab.session().send(first)
    assert turn.reply_kind == "ask"
    assert asked in turn.reply


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ("第9晚的酒店多少钱？", "没有第9晚"),
        ("第9晚换便宜点的酒店", "没有第9晚"),
        ("how much is the hotel on night 9?", "no night 9"),
        ("a cheaper hotel for night 9", "no night 9"),
    ],
)
@pytest.mark.parametrize("strategy", ["summary/own", "full/own"])
def test_a_night_the_trip_does_not_have_is_named_as_a_night(strategy, words, asked):
    """Three days have two nights: no agent runs, and the question back names the night."""
    played = Played(strategy, "en" if words.isascii() else "zh", words)
    assert (played.turn.agents, played.turn.reply_kind) == (("supervisor",), "ask")
    assert asked in played.turn.reply


@pytest.mark.parametrize(
    ("language", "words", "night", "kind"),
    [("zh", "第二晚换便宜点的酒店", "第2晚", "plan"), ("en", "a cheaper hotel for night 2", "night 2", "ask")],
)
def test_a_night_cut_off_a_summary_is_asked_about(language, words, night, kind):
    """The article's summary ends after 300 characters: in English before it says who sleeps where, so the agent asks."""
    played = Played("summary/own", language, words)
    summary = next(message.content for message in played.before["messages"] if message.name == "hotel")
    assert (len(summary) < 300, night in summary) == (kind == "plan", kind == "plan")
    assert played.turn.reply_kind == kind


DIFFERENCES = [
    ("预算再加1000", 6000),
    ("多给两千块预算", 7000),
    ("预算砍一半", 2500),
    ("预算减20%", 4000),
    ("we can spend 2000 more", 7000),
    ("add 500 to the budget", 5500),
    ("drop the budget by 500 yuan", 4500),
    ("double the budget", 10000),
]


@pytest.mark.parametrize(("words", "amount"), DIFFERENCES)
def test_a_difference_is_made_to_the_sum_said_before(words, amount):
    """More, less, half or double is no new sum: it is worked out from the sum the traveller's own words hold."""
    played = Played("full/own", "en" if words.isascii() else "zh", words)
    assert played.after["requirements"]["budget"]["amount"] == amount


@pytest.mark.parametrize(("first", "words"), [("成都3天", "预算再加1000"), ("Chengdu 3 days", "halve the budget")])
def test_a_difference_to_no_sum_is_asked_about(first, words):
    """Without a sum said before, the new one is asked for, and nothing changes."""
    with Lab.open() as lab:
        session = lab.session()
        session.send(first)
        turn = session.send(words)
        known = session.state()["requirements"]
    assert turn.reply_kind == "ask"
    assert "budget" not in known


@pytest.mark.parametrize(
    ("words", "asked"), [("成都或者西安，5天", "成都还是西安"), ("Sydney or Melbourne, 4 days", "Sydney or Melbourne")]
)
def test_a_choice_left_open_is_asked_about(words, asked):
    """Between two places the traveller decides: both are named in the question."""
    with Lab.open() as lab:
        turn = lab.session().send(words)
    assert turn.reply_kind == "ask"
    assert asked in turn.reply


def test_of_two_sums_the_second_is_the_new_one():
    """`预算从5000改到7000` is a budget of 7,000."""
    assert Played("full/own", "zh", "预算从5000改到7000").after["requirements"]["budget"]["amount"] == 7000
