from datetime import date

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


class TestProbes:
    """Wordings that were once read wrongly, found by typing new requests at the planner."""

    @pytest.mark.parametrize(
        ("text", "part", "right"),
        [
            ("预算大概一人一天500，北京玩3天", "days", 3),
            ("plan beijing 3d2n, 2ppl, 3500 total", "people", (2, None)),
            ("7月18号去深圳，待到20号", "days", 3),
            ("8月3号出发去成都，6号回", "days", 4),
            ("3 nights Melbourne + 2 nights Whitsundays", "nights", 5),
            ("西安，每天500", "basis", "per_person_per_day"),
            ("Xi'an, under 600 per day", "basis", "per_person_per_day"),
            ("Shenzhen, 2 days, <2000 yuan", "high", 2000),
        ],
    )
    def test_is_read_as_it_was_meant(self, text, part, right):
        """The part that used to be wrong is right."""
        found = read_request(text, PLACES, date(2026, 5, 11))
        read = {
            "days": found.days,
            "nights": found.nights,
            "people": found.people and (found.people.adults, found.people.children),
            "basis": found.budget and found.budget.basis,
            "high": found.budget and found.budget.high,
        }
        assert read[part] == right
