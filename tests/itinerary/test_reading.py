"""Numerals, lengths, money and any text (topics P, Q, R of the field requirements), and readings that survive a PLAN line."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from travel_lab.catalogue import CuratedProvider
from travel_lab.itinerary import Budget, People, Reading, read_followup, read_request
from travel_lab.itinerary.durations import read_duration
from travel_lab.itinerary.money import read_budget
from travel_lab.itinerary.numerals import half_width
from travel_lab.itinerary.people import read_people
from travel_lab.itinerary.wishes import DIETS, THINGS, read_wishes, say_wish
from travel_lab.planner.columns import plan_line, read_columns, say_budget, say_people
from travel_lab.planner.replies import read_line

TODAY = date(2026, 5, 11)
PROVIDER = CuratedProvider()
PLACES = {name: city.name.zh for city in PROVIDER.cities() for name in (city.name.zh, city.name.en, *city.aliases)}
LANGUAGES = st.sampled_from(["zh", "en"])
SUMS = st.integers(600, 99_999).filter(lambda amount: not 2020 <= amount < 2050).map(float)
CURRENCIES = st.sampled_from(["", "CNY", "AUD", "USD"])
BASES = st.sampled_from(["total", "per_person", "per_person_per_day", "per_night"])


@st.composite
def budgets(draw: st.DrawFn) -> Budget:
    """Any sum, bound or range the reading can hold."""
    kind, one, more = draw(st.sampled_from(["amount", "low", "high", "range"])), draw(SUMS), draw(st.integers(1, 9_000))
    said = {"amount": {"amount": one}, "low": {"low": one}, "high": {"high": one}, "range": {"low": one, "high": one + more}}
    approximate = kind == "amount" and draw(st.booleans())
    return Budget(**said[kind], currency=draw(CURRENCIES), basis=draw(BASES), approximate=approximate)


PARTIES = st.builds(People, adults=st.integers(1, 9), children=st.one_of(st.none(), st.integers(1, 5)))
WISHES = st.sampled_from(
    [*DIETS, *(f"no:{thing}" for thing in THINGS if thing not in {"food", "family"}), "slow", "fast", "cheap"]
)


@pytest.mark.parametrize(("text", "days"), [("三天", 3), ("3天2晚", 3), ("３天", 3), ("两天", 2), ("十二天", 12), ("一周", 7)])
def test_lengths_of_q1(text, days):
    """A length is read in every script and width."""
    assert read_duration(half_width(text)).days == days


def test_half_a_day_is_rounded_up_and_told():
    """Half a day more is a whole day, and the reading says so."""
    assert (read_duration("3.5天").days, read_duration("3.5天").rounded) == (4, True)


@pytest.mark.parametrize(("text", "low", "high"), [("两三天", 2, 3), ("三五天", 3, 5)])
def test_glued_days_of_q2(text, low, high):
    """Two digits in a row are a range, never 23 or 35."""
    assert (read_duration(text).days, read_duration(text).range) == (None, (low, high))


def test_glued_sum_of_q2():
    """七八千 is from seven to eight thousand."""
    assert (read_budget("七八千").low, read_budget("七八千").high) == (7_000, 8_000)


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("5千", 5_000), ("五千块", 5_000), ("¥5,000", 5_000), ("5000元", 5_000), ("1.5万", 15_000), ("5k", 5_000),
        ("两千", 2_000), ("3千5", 3_500), ("1万2", 12_000), ("RMB 5000", 5_000),
    ],
)  # fmt: skip
def test_sums_of_r1(text, amount):
    """A sum is read as people write it."""
    assert read_budget(half_width(text)).amount == amount


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        ("便宜", Budget(words="cheap")),
        ("不限", Budget(words="unlimited")),
        ("随便", Budget(words="unlimited")),
        ("5000左右", Budget(amount=5_000, approximate=True)),
        ("3000-5000", Budget(low=3_000, high=5_000)),
        ("五千以内", Budget(high=5_000)),
    ],
)
def test_words_of_r3(text, budget):
    """Words about money stay words, ranges and bounds."""
    assert read_budget(text) == budget


@given(st.integers(1, 14), st.sampled_from([0x30, 0xFF10, 0x1D7CE]))
def test_digits_of_any_width(days, zero):
    """Full-width and mathematical digits are digits."""
    text = "".join(chr(zero + int(digit)) for digit in str(days))

    assert read_request(f"成都{text}天", PLACES, TODAY).days == days


@given(st.text())
def test_reading_never_raises(text):
    """Any text has a reading, as a request and as a follow-up."""
    assert read_request(text, PLACES, TODAY).days != 0
    assert read_followup(text, (), PLACES, TODAY).kind


@pytest.mark.parametrize(
    "text",
    ["we're off somewhere", "公公婆婆", "预算四千", "想带1.2w出门", "Any chance of fitting that in?", "sun and sand", "散散心"],
)
def test_ordinary_words_are_no_place_and_no_date(text):
    """Everyday words state neither where nor when."""
    found = read_request(text, PLACES, TODAY)

    assert (found.destinations, found.origin, found.start) == ((), None, None)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("悉尼4天墨尔本3天", 7),
        ("Sydney for four days followed by three in Melbourne", 7),
        ("重庆三天转成都三天，合计六天", 6),
        ("一周，先悉尼后墨尔本", 7),
    ],
)
def test_days_of_several_stops(text, days):
    """The lengths of the stops are added up unless a total is said."""
    assert read_request(text, PLACES, TODAY).days == days


@given(budgets(), LANGUAGES)
def test_money_is_read_back(budget, language):
    """Money written into a PLAN line is read back the same."""
    assert read_budget(half_width(say_budget(budget, language))) == budget


@given(PARTIES, LANGUAGES)
def test_people_are_read_back(people, language):
    """A party written into a PLAN line is read back the same."""
    assert read_people(half_width(say_people(people, language))) == people


@given(WISHES, LANGUAGES)
def test_wish_is_read_back(wish, language):
    """A wish written into a PLAN line is read back the same."""
    assert read_wishes(half_width(say_wish(wish, language))) == (wish,)


@given(
    st.builds(
        Reading,
        destinations=st.lists(st.sampled_from(sorted(set(PLACES.values()))), min_size=1, max_size=2, unique=True).map(tuple),
        days=st.integers(1, 14),
        origin=st.sampled_from([None, "深圳", "Perth"]),
        start=st.one_of(st.none(), st.dates(TODAY, date(2027, 5, 1))),
        budget=st.one_of(st.none(), budgets()),
        people=st.one_of(st.none(), PARTIES),
        wishes=st.one_of(st.just(()), st.tuples(WISHES.filter(lambda wish: wish != "cheap"))),
    ),
    LANGUAGES,
)
def test_whole_reading_survives_a_plan_line(reading, language):
    """Every part of a reading stands in the columns of its PLAN line and is read back out of them."""
    changes = read_columns(read_line(plan_line(reading, language, "route")), language, PROVIDER, TODAY).requirements
    people, budget = changes.get("people"), changes.get("budget")

    assert [PLACES[PROVIDER.find_city(city).name.zh] for city in changes["destinations"]] == list(reading.destinations)
    assert (changes["days"], changes.get("origin")) == (reading.days, reading.origin)
    assert changes.get("date") == (reading.start.isoformat() if reading.start else None)
    assert (budget is None) == (reading.budget is None)
    assert budget is None or (budget["amount"], budget["low"], budget["high"]) == (
        reading.budget.amount, reading.budget.low, reading.budget.high,
    )  # fmt: skip
    assert people == ({"adults": reading.people.adults, "children": reading.people.children or 0} if reading.people else None)
    assert tuple(changes.get("preferences", ())) == reading.wishes


@pytest.mark.parametrize(
    ("said", "currency"),
    [
        ("预算50000日元", "JPY"),
        ("budget 50000 yen", "JPY"),
        ("预算1万泰铢", "THB"),
        ("budget ฿20000", "THB"),
        ("预算800欧元", "EUR"),
        ("budget 800€", "EUR"),
        ("预算2000新币", "SGD"),
        ("budget s$1500", "SGD"),
        ("budget us$1500", "USD"),
        ("预算¥5000", "CNY"),
        ("budget 3000 european style", ""),
    ],
)
def test_currency_is_the_one_said(said, currency):
    """A sum is in the currency of its sign or word; a sign that could be two keeps its reading, and half a word is none."""
    assert read_budget(said).currency == currency
