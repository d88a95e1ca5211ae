from collections import Counter

import pytest

from travel_lab.catalogue import CuratedProvider
from travel_lab.context import bound_facts, full_json
from travel_lab.itinerary import read_followup
from travel_lab.planner import article_summary, facts_by_agent, facts_of, needs, results_of

PLAN = {"zh": "帮我规划{city}{days}天旅行，预算5000", "en": "Plan a {days}-day trip to {city}, budget 5000"}
CITIES = CuratedProvider().cities()
LANGUAGES = pytest.mark.parametrize("language", ["zh", "en"])


def visit(name, ticket=0, start="09:00"):
    return {"name": name, "start": start, "end": "11:00", "ticket": ticket, "about": "…"}


def offer(name, price, rating=4.5, stars=4, district="锦江区"):
    return {"name": name, "city": "成都", "district": district, "stars": stars, "price": price, "rating": rating}


def meal(name, price):
    return {"name": name, "cuisine": "川菜", "price": price, "tags": []}


ROUTE = {
    "destination": "成都",
    "currency": "CNY",
    "days": [
        {"day": 1, "city": "成都", "sights": [visit("宽窄巷子"), visit("武侯祠", 50, "13:00")]},
        {"day": 2, "city": "成都", "sights": [visit("杜甫草堂", 50)]},
    ],
}
HOTEL = {
    "destination": "成都",
    "currency": "CNY",
    "hotels": [offer("锦江宾馆", 500, 4.6, 5), offer("如家酒店", 200, 4.2, 3), offer("瑞吉酒店", 1200, 4.8, 5)],
    "nights": [{"night": 1, "hotel": "锦江宾馆"}],
    "comparison": "锦江宾馆适中。",
}
FOOD = {
    "destination": "成都",
    "currency": "CNY",
    "days": [
        {"day": 1, "lunch": meal("龙抄手", 45), "dinner": meal("陈麻婆豆腐", 60)},
        {"day": 2, "lunch": meal("钟水饺", 30)},
    ],
}
INFO = {"destination": "成都", "culture": ["喝盖碗茶。"], "trivia": ["有熊猫。"], "etiquette": ["排队。"]}
DATA = {"route": ROUTE, "hotel": HOTEL, "food": FOOD, "info": INFO}
RESULTS = {
    agent: {
        "agent": agent,
        "status": "ok",
        "reason": "",
        "turn": 1,
        "requirements_hash": "abc",
        "provider": "curated",
        "data": data,
    }
    for agent, data in DATA.items()
}


def told(facts):
    return [str(fact) for fact in facts]


class TestFactsOf:
    def test_counts_by_kind(self):
        """A sight has day, ticket and start; a hotel price, rating, stars and district; a meal its slot and price."""
        assert Counter(fact.kind for fact in facts_of(RESULTS)) == {
            "day sight": 3,
            "sight ticket": 3,
            "sight start": 3,
            "hotel price": 3,
            "hotel rating": 3,
            "hotel stars": 3,
            "hotel district": 3,
            "hotel night": 1,
            "meal": 3,
            "restaurant price": 3,
            "culture": 1,
            "trivia": 1,
            "etiquette": 1,
        }

    def test_reads_in_one_line(self):
        """The hotel agent's facts as a reader sees them."""
        assert told(facts_by_agent(facts_of(RESULTS), "hotel"))[:5] == [
            "锦江宾馆 = 500 CNY",
            "锦江宾馆 = 4.6 rating",
            "锦江宾馆 = 5 stars",
            "锦江宾馆 = 锦江区",
            "如家酒店 = 200 CNY",
        ]

    def test_a_fact_stands_once(self):
        """A restaurant visited twice has one price."""
        food = {**FOOD, "days": [{"day": 1, "lunch": meal("龙抄手", 45), "dinner": meal("龙抄手", 45)}]}

        assert told(facts_of({"food": {**RESULTS["food"], "data": food}})) == [
            "day 1, meal lunch: 龙抄手",
            "龙抄手 = 45 CNY",
            "day 1, meal dinner: 龙抄手",
        ]

    def test_an_empty_result_has_none(self):
        """What an agent could not produce is no fact."""
        empty = {"destination": "成都", "currency": "CNY", "hotels": [], "nights": [], "comparison": ""}

        assert facts_of({"hotel": {**RESULTS["hotel"], "status": "degraded", "data": empty}}) == ()

    def test_no_results_have_none(self):
        """Before the first plan there is nothing to know."""
        assert facts_of({}) == ()

    @LANGUAGES
    def test_of_a_real_plan_count_by_kind(self, planner, language):
        """Three days in Chengdu: nine sights at most, five hotels, two nights, six meals."""
        state = planner().say(PLAN[language].format(city="成都", days=3))
        counts = Counter(fact.kind for fact in facts_of(results_of(state)))
        sights = sum(len(day["sights"]) for day in state["route_result"]["data"]["days"])

        assert counts["hotel price"] == counts["hotel rating"] == counts["hotel stars"] == counts["hotel district"] == 5
        assert (counts["hotel night"], counts["meal"]) == (2, 6)
        assert counts["day sight"] == counts["sight ticket"] == counts["sight start"] == sights


@LANGUAGES
@pytest.mark.parametrize("city", CITIES, ids=[city.id for city in CITIES])
@pytest.mark.parametrize("days", range(1, 8))
def test_the_full_json_handoff_binds_every_fact_of_its_result(planner, city, language, days):
    """What an agent hands over whole can all be read off its message, for any city, language and length of trip."""
    results = results_of(planner().say(PLAN[language].format(city=city.name.in_(language), days=days)))

    assert list(results) == ["route", "hotel", "food", "info"]
    for agent, result in results.items():
        facts = facts_of({agent: result})
        assert told(fact for fact in facts if fact not in bound_facts(full_json(agent, result["data"], language), facts)) == []
        assert len(facts) >= (3 if agent != "hotel" else 20)


class TestNeeds:
    @pytest.mark.parametrize(
        ("words", "needed"),
        [
            # the night's hotel, its price, and every cheaper one
            ("把第一天的酒店换成便宜点的", ["night 1: 锦江宾馆", "锦江宾馆 = 500 CNY", "如家酒店 = 200 CNY"]),
            ("Change the hotel on day 1 to a cheaper one", ["night 1: 锦江宾馆", "锦江宾馆 = 500 CNY", "如家酒店 = 200 CNY"]),
            ("酒店换便宜点的", ["night 1: 锦江宾馆", "锦江宾馆 = 500 CNY", "如家酒店 = 200 CNY"]),
            # the night's hotel, its rating, and every better one
            ("第一晚换更好的酒店", ["night 1: 锦江宾馆", "锦江宾馆 = 4.6 rating", "瑞吉酒店 = 4.8 rating"]),
            ("A better hotel for night 1 please", ["night 1: 锦江宾馆", "锦江宾馆 = 4.6 rating", "瑞吉酒店 = 4.8 rating"]),
            # any other hotel: only who sleeps where
            ("第一晚换一家酒店", ["night 1: 锦江宾馆"]),
            ("最便宜的酒店是哪家？", ["锦江宾馆 = 500 CNY", "如家酒店 = 200 CNY", "瑞吉酒店 = 1200 CNY"]),
            ("Which hotel is the cheapest?", ["锦江宾馆 = 500 CNY", "如家酒店 = 200 CNY", "瑞吉酒店 = 1200 CNY"]),
            ("去掉第一天的第一个景点", ["day 1: 宽窄巷子", "day 1: 武侯祠"]),
            ("Drop the first sight on day 2", ["day 2: 杜甫草堂"]),
            ("不去武侯祠", ["day 1: 武侯祠"]),
            ("介绍一下武侯祠", ["day 1: 武侯祠"]),
            ("Tell me about the sights on day 2", ["day 2: 杜甫草堂"]),
            ("换掉第一天的晚餐", ["day 1, meal dinner: 陈麻婆豆腐"]),
            ("Change lunch on day 2", ["day 2, meal lunch: 钟水饺"]),
            ("我不吃辣", ["day 1, meal lunch: 龙抄手", "day 1, meal dinner: 陈麻婆豆腐", "day 2, meal lunch: 钟水饺"]),
            (
                "第一天怎么安排的？",
                [
                    "day 1: 宽窄巷子",
                    "day 1: 武侯祠",
                    "day 1, meal lunch: 龙抄手",
                    "day 1, meal dinner: 陈麻婆豆腐",
                    "night 1: 锦江宾馆",
                ],
            ),
            ("What is planned for day 2?", ["day 2: 杜甫草堂", "day 2, meal lunch: 钟水饺"]),
            # a night, a day and a meal that the plan does not have
            ("把第五天的酒店换成便宜点的", []),
            ("去掉第九天的第一个景点", []),
            ("换掉第二天的晚餐", []),
            # nothing of a result
            ("你好", []),
            ("随便改改", []),
        ],
    )
    def test_are_what_an_answer_must_rest_on(self, words, needed):
        """Each kind of follow-up needs the facts it points at and no others."""
        assert told(needs(read_followup(words), RESULTS)) == needed

    @pytest.mark.parametrize(
        "words", ["酒店换便宜点的", "去掉第一天的第一个景点", "换掉第一天的晚餐", "第一天怎么安排的？", "最便宜的酒店是哪家？"]
    )
    def test_are_empty_before_anything_was_produced(self, words):
        """Not produced is not lost: without results a follow-up needs no fact of them."""
        assert needs(read_followup(words), {}) == ()

    def test_are_facts_of_the_results(self):
        """Whatever a follow-up needs has been produced, so it can be looked for in a view."""
        words = (
            "酒店换便宜点的",
            "第一晚换更好的酒店",
            "最便宜的酒店是哪家？",
            "去掉第一天的第一个景点",
            "我不吃辣",
            "第一天怎么安排的？",
        )

        assert {fact for text in words for fact in needs(read_followup(text), RESULTS)} <= set(facts_of(RESULTS))


class TestArticleSummary:
    @pytest.mark.parametrize(
        ("agent", "language", "text"),
        [
            ("route", "zh", "已规划成都 2天行程。第1天(宽窄巷子 → 武侯祠)；第2天(杜甫草堂)"),
            ("route", "en", "Planned 2 days in 成都. Day 1 (宽窄巷子 → 武侯祠); Day 2 (杜甫草堂)"),
            ("hotel", "zh", "已筛选成都酒店：锦江宾馆(¥500)、如家酒店(¥200)、瑞吉酒店(¥1200)。锦江宾馆适中。"),
            ("hotel", "en", "Shortlisted hotels in 成都: 锦江宾馆(¥500), 如家酒店(¥200), 瑞吉酒店(¥1200). 锦江宾馆适中。"),
            ("food", "zh", "已推荐成都 2天美食。第1天 午餐:龙抄手 晚餐:陈麻婆豆腐；第2天 午餐:钟水饺 晚餐:"),
            (
                "food",
                "en",
                "Recommended food for 2 days in 成都. Day 1 lunch: 龙抄手, dinner: 陈麻婆豆腐; Day 2 lunch: 钟水饺, dinner: ",
            ),
            ("info", "zh", "已整理成都旅行文化指南（含文化特色、冷知识、礼仪提醒等）"),
            ("info", "en", "Prepared a culture guide to 成都 (culture, trivia, etiquette and so on)"),
        ],
    )
    def test_is_the_line_of_the_article(self, agent, language, text):
        """One message an agent, as the article writes it; info says nothing of what it found."""
        assert article_summary(agent, DATA[agent], language) == text

    def test_of_a_hotel_names_five_at_most(self):
        """The sixth hotel and all after it stand in no summary."""
        many = {**HOTEL, "hotels": [offer(f"酒店{n}", 100 * n) for n in range(1, 8)], "comparison": ""}

        assert article_summary("hotel", many, "zh") == (
            "已筛选成都酒店：酒店1(¥100)、酒店2(¥200)、酒店3(¥300)、酒店4(¥400)、酒店5(¥500)。"
        )

    def test_of_a_hotel_is_cut_at_three_hundred_characters(self):
        """The cut falls where it falls: what comes after is lost, and no mark says so."""
        head = "已筛选成都酒店：锦江宾馆(¥500)、如家酒店(¥200)、瑞吉酒店(¥1200)。"
        long = {**HOTEL, "comparison": "好" * 300 + "但已满房"}

        assert article_summary("hotel", long, "zh") == head + "好" * (300 - len(head))

    def test_of_a_hotel_that_fits_exactly_is_whole(self):
        """Three hundred characters are not too many."""
        head = "已筛选成都酒店：锦江宾馆(¥500)、如家酒店(¥200)、瑞吉酒店(¥1200)。"
        exact = {**HOTEL, "comparison": "好" * (300 - len(head))}

        assert article_summary("hotel", exact, "zh") == head + "好" * (300 - len(head))

    @LANGUAGES
    @pytest.mark.parametrize("agent", ["hotel", "food"])
    def test_of_hotel_and_food_never_exceeds_the_cut(self, agent, language):
        """A long result gives exactly three hundred characters in either language."""
        days = [{"day": day, "lunch": meal("龙抄手总店" * 5, 45), "dinner": meal("陈麻婆豆腐" * 5, 60)} for day in range(1, 15)]
        long = {"hotel": {**HOTEL, "comparison": "好" * 400}, "food": {**FOOD, "days": days}}

        assert len(article_summary(agent, long[agent], language)) == 300

    def test_of_a_food_result_may_end_inside_a_name(self):
        """The food summary is cut in the middle of a restaurant's name like any text."""
        days = [{"day": day, "lunch": meal("龙抄手总店" * 5, 45), "dinner": meal("陈麻婆豆腐" * 5, 60)} for day in range(1, 15)]

        text = article_summary("food", {**FOOD, "days": days}, "zh")

        assert text.startswith("已推荐成都 14天美食。第1天 午餐:龙抄手总店")
        assert not text.endswith(("总店", "豆腐", "；"))

    @LANGUAGES
    def test_of_a_route_is_never_cut(self, language):
        """Fourteen days of long names are all in the route's summary."""
        days = [{"day": day, "city": "成都", "sights": [visit(f"成都大熊猫繁育研究基地{day}号馆")]} for day in range(1, 15)]

        text = article_summary("route", {**ROUTE, "days": days}, language)

        assert len(text) > 300
        assert [day for day in range(1, 15) if f"成都大熊猫繁育研究基地{day}号馆" not in text] == []

    @LANGUAGES
    def test_shows_prices_in_the_currency_of_the_place(self, language):
        """Australian prices carry their own sign."""
        sydney = {**HOTEL, "destination": "悉尼", "currency": "AUD", "hotels": [offer("QT Sydney", 320)], "comparison": ""}

        assert "QT Sydney(A$320)" in article_summary("hotel", sydney, language)
