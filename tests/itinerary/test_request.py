import pytest
from hypothesis import given
from hypothesis import strategies as st

from travel_lab.catalogue import CuratedProvider
from travel_lab.itinerary import MAX_DAYS, language_of, read_request
from travel_lab.itinerary.request import join_names, read_money, read_preferences

PLACES = {name: city.name.zh for city in CuratedProvider().cities() for name in (city.name.zh, city.name.en, *city.aliases)}
DURATIONS = [
    ("成都3天", 3), ("成都３天", 3), ("成都三天", 3), ("成都 3 天", 3), ("成都两天", 2), ("成都二天", 2), ("成都十天", 10),
    ("成都十二天", 12), ("去成都玩3天2晚", 3), ("成都五日游", 5), ("成都一日游", 1), ("成都一周", 7), ("成都1周", 7),
    ("成都一个星期", 7), ("成都两周", 14), ("去成都过周末", 2), ("3 days in Chengdu", 3), ("Three days in Chengdu", 3),
    ("a 3-day trip to Chengdu", 3), ("Chengdu for a week", 7), ("two weeks in Chengdu", 14), ("a weekend in Chengdu", 2),
    ("one day in Chengdu", 1),
]  # fmt: skip
AMOUNTS = [
    ("5千", 5_000), ("五千块", 5_000), ("¥5,000", 5_000), ("5000元", 5_000), ("1.5万", 15_000), ("5k", 5_000), ("两千", 2_000),
    ("3千5", 3_500), ("1万2", 12_000), ("RMB 5000", 5_000), ("５０００", 5_000), ("￥５０００", 5_000), ("5000左右", 5_000),
]  # fmt: skip
PIECES = (
    "成都", "sydney", "从", "from ", "到", "去", "3", "0", "-", "十", "两", "零", ".5", ",", "万", "千", "k", "天", "days ", "周",
    "半", "week ", "预算", "budget ", "元", "¥", "a$", "左右", "第", "月", "日", " ", "to ", "负", "²", "①", "辣", "\ud800",
    "99999999999999999999",
)  # fmt: skip


def reading(text: str):
    return read_request(text, PLACES)


class TestDays:
    @pytest.mark.parametrize(("text", "days"), DURATIONS)
    def test_durations(self, text, days):
        """A length is read in digits, in words, in weeks and in both languages."""
        assert (reading(text).days, reading(text).problems) == (days, ())

    @pytest.mark.parametrize("days", range(1, MAX_DAYS + 1))
    def test_every_possible_length(self, days):
        """Every length the planner can make is read."""
        assert reading(f"帮我规划成都{days}天旅行").days == reading(f"plan {days} days in Chengdu").days == days

    @pytest.mark.parametrize(
        ("text", "problem"),
        [
            ("成都0天", "days_not_positive"),
            ("成都零天", "days_not_positive"),
            ("成都-3天", "days_not_positive"),
            ("成都 -3 天", "days_not_positive"),
            ("成都负三天", "days_not_positive"),
            ("0 days in Chengdu", "days_not_positive"),
            ("成都15天", "days_too_many"),
            ("成都400天", "days_too_many"),
            ("成都三百天", "days_too_many"),
            ("成都三周", "days_too_many"),
            ("成都3.5天", "days_not_whole"),
            ("成都两天半", "days_not_whole"),
        ],
    )
    def test_length_that_cannot_be_is_named(self, text, problem):
        """A length that cannot be planned is no length, and the reading says what is wrong with it."""
        assert (reading(text).days, reading(text).problems) == (None, (problem,))

    @pytest.mark.parametrize(
        "text",
        ["成都两三天", "成都三五天", "成都3-5天", "成都3~5天", "成都3到5天", "成都三到五天", "成都 3 - 5 天", "3 to 5 days"],
    )
    def test_about_that_many_days_is_unknown(self, text):
        """A range is no number of days: neither 23 nor 35 nor one of its ends, and nothing is wrong with it."""
        assert (reading(text).days, reading(text).problems) == (None, ())

    @pytest.mark.parametrize(
        "text", ["第3天换酒店", "第二天去成都", "day 3 in Chengdu", "5月1日去成都", "成都，预算5000日元", "今天去成都", "去成都"]
    )
    def test_number_of_a_day_is_no_length(self, text):
        """The third day, the first of May and a sum in yen say nothing about the length."""
        assert reading(text).days is None

    def test_date_before_the_length(self):
        """A date does not hide the length after it."""
        assert reading("5月1日出发去成都玩3天").days == 3


class TestBudget:
    @pytest.mark.parametrize(("said", "amount"), AMOUNTS)
    def test_everyday_amounts(self, said, amount):
        """An amount is read as people write it, in digits, words, thousands and ten thousands."""
        assert reading(f"帮我规划成都3天旅行，预算{said}").budget.amount == amount

    @pytest.mark.parametrize(
        ("said", "amount", "currency"),
        [
            ("预算5000元", 5_000, "CNY"),
            ("预算¥5000", 5_000, "CNY"),
            ("预算￥5000", 5_000, "CNY"),
            ("预算RMB 5000", 5_000, "CNY"),
            ("预算5000人民币", 5_000, "CNY"),
            ("预算5000块", 5_000, "CNY"),
            ("预算3000澳元", 3_000, "AUD"),
            ("预算A$3000", 3_000, "AUD"),
            ("budget AUD 3,000", 3_000, "AUD"),
            ("budget of A$3,000", 3_000, "AUD"),
            ("预算2000美元", 2_000, "USD"),
            ("budget US$2000", 2_000, "USD"),
            ("budget 5000 RMB", 5_000, "CNY"),
            ("for under 5,000 yuan", 5_000, "CNY"),
            ("预算5000", 5_000, ""),
        ],
    )
    def test_currencies(self, said, amount, currency):
        """A currency is read from its sign, code or word, before or after; without one it stays open."""
        budget = reading(f"成都3天，{said}").budget

        assert (budget.amount, budget.currency) == (amount, currency)

    @pytest.mark.parametrize(
        "text", ["预算不限", "预算随便", "预算七八千", "成都3天", "便宜一点", "两个人，3天", "预算", "2026年去成都"]
    )
    def test_no_sum_is_no_budget(self, text):
        """Words, ranges in words, days, people and years are no sum of money."""
        assert reading(text).budget is None

    def test_amount_with_a_currency_needs_no_word(self):
        """A sum with its currency is a budget, also without the word."""
        assert reading("成都3天，5000元").budget.amount == 5_000

    def test_days_are_no_budget(self):
        """The length before the budget is not taken for it."""
        assert (reading("3天，预算5000").days, reading("3天，预算5000").budget.amount) == (3, 5_000)

    @pytest.mark.parametrize("text", ["便宜", "3000-5000", "5000左右", "", " ", "1e5", "-5", "五千块钱吧"])
    def test_column_that_is_no_sum(self, text):
        """A short text that is more or less than one sum is none."""
        assert read_money(text) is None

    @pytest.mark.parametrize(
        ("text", "amount", "currency"),
        [("5000", 5_000, ""), ("A$1,500", 1_500, "AUD"), (" 5千 ", 5_000, ""), ("1.5万元", 15_000, "CNY")],
    )
    def test_column_that_is_a_sum(self, text, amount, currency):
        """A short text that is one sum is read with its currency."""
        assert (read_money(text).amount, read_money(text).currency) == (amount, currency)


class TestPlaces:
    @pytest.mark.parametrize(
        ("text", "destinations"),
        [
            ("帮我规划成都3天旅行", ("成都",)),
            ("I want to see Chengdu", ("成都",)),
            ("CHENGDU!", ("成都",)),
            ("Ｃｈｅｎｇｄｕ３日游", ("成都",)),
            ("去Sydney玩3天", ("悉尼",)),
            ("蓉城三日游", ("成都",)),
            ("先去成都再去西安", ("成都", "西安")),
            ("先去西安再去成都", ("西安", "成都")),
            ("成都，成都，还是成都", ("成都",)),
            ("Sydney and Melbourne", ("悉尼", "墨尔本")),
            ("去巴黎", ()),
            ("", ()),
        ],
    )
    def test_destinations(self, text, destinations):
        """Known places are read under every name people call them by, in the order of the text, once each."""
        assert reading(text).destinations == destinations

    @pytest.mark.parametrize("text", ["a Chengdulike city", "Sydneysider", "xianyang"])
    def test_part_of_a_word_is_no_place(self, text):
        """A name inside a longer English word is not read."""
        assert reading(text).destinations == ()

    @pytest.mark.parametrize(
        ("text", "origin", "destinations"),
        [
            ("从深圳出发去成都玩3天", "深圳", ("成都",)),
            ("从北京到西安4天", "北京", ("西安",)),
            ("从 上海 飞 成都", "上海", ("成都",)),
            ("fly from Shenzhen to Chengdu for 3 days", "深圳", ("成都",)),
            ("Chengdu from Beijing, 3 days", "北京", ("成都",)),
            ("成都3天", None, ("成都",)),
        ],
    )
    def test_origin_is_no_destination(self, text, origin, destinations):
        """Where the traveller sets out from is read, also when it is not in the catalogue, and is not where to go."""
        assert (reading(text).origin, reading(text).destinations) == (origin, destinations)

    def test_no_known_places(self):
        """With nothing known nothing is found, and the rest is still read."""
        assert (read_request("成都3天", {}).destinations, read_request("成都3天", {}).days) == ((), 3)

    def test_several_destinations_in_one_column(self):
        """A PLAN line joins destinations by a plus."""
        assert join_names(["悉尼", "墨尔本"]) == "悉尼+墨尔本"


class TestWishes:
    @pytest.mark.parametrize(
        ("text", "wishes"),
        [
            ("便宜一点", ("cheap",)),
            ("something cheap", ("cheap",)),
            ("不吃辣", ("no_spicy",)),
            ("我怕辣", ("no_spicy",)),
            ("no spicy food please", ("no_spicy",)),
            ("我们吃素", ("vegetarian",)),
            ("Vegetarian", ("vegetarian",)),
            ("要清真餐厅", ("halal",)),
            ("孩子对花生过敏", ("no_peanuts",)),
            ("my son has a peanut allergy", ("no_peanuts",)),
            ("海鲜过敏", ("no_seafood",)),
            ("轻松一点的行程", ("slow",)),
            ("不吃辣，花生过敏，慢节奏", ("no_spicy", "no_peanuts", "slow")),
            ("爱吃辣", ()),
            ("帮我规划成都3天旅行", ()),
        ],
    )
    def test_wishes(self, text, wishes):
        """Wishes are read by name, in both languages, and liking something is not refusing it."""
        assert read_preferences(text) == reading(text).preferences == wishes


class TestLanguage:
    @pytest.mark.parametrize(
        ("text", "before", "language"),
        [
            ("帮我规划", None, "zh"),
            ("Plan Chengdu", None, "en"),
            ("去 Sydney 玩", None, "zh"),
            ("Plan Chengdu", "zh", "en"),
            ("12345", "en", "en"),
            ("🐼", "en", "en"),
            ("?", "zh", "zh"),
            ("🐼", None, "zh"),
            ("A", "zh", "zh"),
        ],
    )
    def test_language(self, text, before, language):
        """Chinese characters make a text Chinese, else words make it English, else it stays as before."""
        assert language_of(text, before) == language


class TestAnyText:
    @pytest.mark.parametrize(
        "text",
        [
            "",
            "   ",
            "🐼🐼🐼",
            "3️⃣",
            "👨‍👩‍👧‍👦",
            "asdf qwer",
            "......",
            "\x00\x01",
            "\u202e",
            "<script>alert(1)</script>",
            "天天向上",
            "元旦",
        ],
    )
    def test_noise_says_nothing(self, text):
        """Emoji, noise and markup state no place, length, sum, origin or wish."""
        found = reading(text)

        assert (found.destinations, found.days, found.budget, found.origin, found.preferences, found.problems) == (
            (), None, None, None, (), (),
        )  # fmt: skip

    @given(st.text())
    def test_reading_never_raises(self, text):
        """Any text has a reading whose length, if it has one, can be planned."""
        assert reading(text).days in {None, *range(1, MAX_DAYS + 1)}

    @given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
    def test_broken_requests_never_raise(self, text):
        """The words of a request in any order have a reading with a possible length and a sum that is not negative."""
        found = reading(text)

        assert found.days in {None, *range(1, MAX_DAYS + 1)}
        assert found.budget is None or found.budget.amount >= 0

    # Nothing is timed here, but a pattern that tries every split would need hours.
    @pytest.mark.parametrize(
        "unit", ["3", "十", "从", "from a", "预算", "天", "a ", "-", " ", ",", "1,", "budget ", "成都", "第"]
    )
    def test_long_text_comes_to_an_end(self, unit):
        """Twenty thousand characters of one thing are read to the end."""
        assert reading((unit * 20_000)[:20_000]).origin in {None, "a" * 20}
