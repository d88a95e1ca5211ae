import pytest
from hypothesis import given
from hypothesis import strategies as st

from travel_lab.catalogue import CuratedProvider
from travel_lab.itinerary import MAX_DAYS, language_of, read_request
from travel_lab.itinerary.request import join_names

PLACES = {name: city.name.zh for city in CuratedProvider().cities() for name in (city.name.zh, city.name.en, *city.aliases)}
PIECES = (
    "成都", "sydney", "从", "from ", "到", "去", "3", "0", "-", "十", "两", "零", ".5", ",", "万", "千", "k", "天", "days ", "周",
    "半", "week ", "预算", "budget ", "元", "¥", "a$", "左右", "第", "月", "日", " ", "to ", "负", "²", "①", "辣", "\ud800",
    "99999999999999999999",
)  # fmt: skip


def reading(text: str):
    return read_request(text, PLACES)


class TestDays:
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
        ],
    )
    def test_length_that_cannot_be_is_named(self, text, problem):
        """A length that cannot be planned is no length, and the reading says what is wrong with it."""
        assert (reading(text).trip_days, reading(text).problems) == (None, (problem,))

    @pytest.mark.parametrize(
        "text", ["第3天换酒店", "第二天去成都", "day 3 in Chengdu", "5月1日去成都", "成都，预算5000日元", "今天去成都", "去成都"]
    )
    def test_number_of_a_day_is_no_length(self, text):
        """The third day, the first of May and a sum in yen say nothing about the length."""
        assert reading(text).trip_days is None

    def test_date_before_the_length(self):
        """A date does not hide the length after it."""
        assert reading("5月1日出发去成都玩3天").days == 3


class TestPlaces:
    @pytest.mark.parametrize("text", ["a Chengdulike city", "Sydneysider", "xianyang"])
    def test_part_of_a_word_is_no_place(self, text):
        """A name inside a longer English word is not read."""
        assert reading(text).destinations == ()

    def test_no_known_places(self):
        """With nothing known the rest is still read."""
        assert read_request("成都3天", {}).days == 3

    def test_several_destinations_in_one_column(self):
        """A PLAN line joins destinations by a plus."""
        assert join_names(["悉尼", "墨尔本"]) == "悉尼+墨尔本"


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

        assert found.states_something is False

    @given(st.text())
    def test_reading_never_raises(self, text):
        """Any text has a reading whose length, if it has one, can be planned."""
        assert reading(text).days in {None, *range(1, MAX_DAYS + 1)}

    @given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
    def test_broken_requests_never_raise(self, text):
        """The words of a request in any order have a reading with a possible length and a sum that is not negative."""
        found = reading(text)

        assert found.days in {None, *range(1, MAX_DAYS + 1)}
        assert found.budget is None or (found.budget.amount or 0) >= 0

    # Nothing is timed here, but a pattern that tries every split would need hours.
    @pytest.mark.parametrize(
        "unit", ["3", "十", "从", "from a", "预算", "天", "a ", "-", " ", ",", "1,", "budget ", "成都", "第"]
    )
    def test_long_text_comes_to_an_end(self, unit):
        """Twenty thousand characters of one thing are read to the end."""
        assert reading((unit * 20_000)[:20_000]).origin in {None, "a" * 20}
