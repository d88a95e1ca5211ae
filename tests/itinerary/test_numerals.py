import pytest
from hypothesis import given
from hypothesis import strategies as st

from travel_lab.itinerary.numerals import half_width, read_number

DIGITS = "零一二三四五六七八九"
UNITS = ((1_000, "千"), (100, "百"), (10, "十"))


def written(number: int, *, two: str = "二") -> str:
    """A number from 1 to 9999 as it is written in Chinese; `two` writes the 2 before 百 and 千."""
    text, rest, gap = "", number, False
    for size, unit in UNITS:
        digit, rest = divmod(rest, size)
        if digit:
            sign = two if digit == 2 and size > 10 else DIGITS[digit]
            text += ("零" if gap else "") + ("" if not text and digit == 1 and size == 10 else sign) + unit
            gap = False
        else:
            gap = gap or bool(text)
    return text + ("零" if gap and rest else "") + (DIGITS[rest] if rest else "")


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (7, "七"),
        (10, "十"),
        (14, "十四"),
        (20, "二十"),
        (105, "一百零五"),
        (110, "一百一十"),
        (2_020, "二千零二十"),
        (9_999, "九千九百九十九"),
    ],
)
def test_writer_of_this_file_writes_as_people_do(number, text):
    """The numbers below are written the way they stand in a book."""
    # 110 is 一百一十: only a leading 一 is left out.
    assert written(number) == text


@pytest.mark.parametrize("two", ["二", "两"])
def test_every_number_to_9999_is_read_back(two):
    """Each number from 1 to 9999, written in Chinese, is read as itself."""
    wrong = {
        written(n, two=two): read_number(written(n, two=two)) for n in range(1, 10_000) if read_number(written(n, two=two)) != n
    }

    assert wrong == {}


@given(st.integers(1, 99_999_999))
def test_every_number_in_digits_is_read_back(number):
    """A number in digits is itself, with and without marks between its thousands, half- and full-width."""
    full = str(number).translate({ord(str(digit)): chr(0xFF10 + digit) for digit in range(10)})

    assert read_number(str(number)) == read_number(f"{number:,}") == read_number(full) == number


@given(st.integers(1, 9_999))
def test_ten_thousands(number):
    """A count of 万 is that many ten thousands, in digits and in words."""
    assert read_number(f"{number}万") == read_number(f"{written(number)}万") == number * 10_000


@pytest.mark.parametrize(
    ("word", "number"),
    [
        ("1万2", 12_000),
        ("一万二", 12_000),
        ("1.5万", 15_000),
        ("3千5", 3_500),
        ("三千五", 3_500),
        ("二百五", 250),
        ("5千", 5_000),
        ("两千", 2_000),
        ("5k", 5_000),
        ("5K", 5_000),
        ("1w", 10_000),
        ("一万二千", 12_000),
        ("1万2千", 12_000),
        ("一千零五", 1_005),
        ("一万零三百", 10_300),
        ("二十五", 25),
        ("百", 100),
        ("３", 3),
        ("两", 2),
        ("1.5", 1.5),
        ("1,234", 1_234),
        ("  7 ", 7),
    ],
)
def test_everyday_writing(word, number):
    """A digit behind a unit is a tenth of that unit, unless 零 stands between."""
    assert read_number(word) == number


@pytest.mark.parametrize(("word", "number"), [("one", 1), ("Two", 2), ("TEN", 10), ("fourteen", 14), ("a", 1), ("an", 1)])
def test_english_words(word, number):
    """English number words up to fourteen are read in any case."""
    assert read_number(word) == number


@pytest.mark.parametrize("word", ["两三", "三五", "七八千", "三四百", "一两", "十七八", "12三"])
def test_about_that_many_is_no_number(word):
    """Two digits in a row are a range: 两三 is neither 23 nor 5."""
    assert read_number(word) is None


@pytest.mark.parametrize(
    "word", ["", " ", "便宜", "五千块", "-3", "1e5", "twenty", "🐼", "3️⃣", "天", "½", "1.2.3", "亿", ".", ","]
)
def test_other_words_are_no_number(word):
    """A word that is no number, or more than one, is not read as a part of it."""
    assert read_number(word) is None


@given(st.text())
def test_any_text_is_a_number_or_none(text):
    """Reading never raises, and what it gives is not negative."""
    number = read_number(text)

    assert number is None or number >= 0


@given(st.text(alphabet="零〇一二两三四五六七八九十百千万0123456789.,kw", max_size=20))
def test_any_numeral_signs_are_a_number_or_none(text):
    """Number signs in any order never raise."""
    number = read_number(text)

    assert number is None or number >= 0


@pytest.mark.parametrize(
    ("text", "half"), [("３天", "3天"), ("ＲＭＢ　５０００", "rmb 5000"), ("￥", "¥"), ("PLAN：成都｜３", "plan:成都|3")]
)
def test_half_width(text, half):
    """Full-width digits, letters and signs become half-width, and capitals small."""
    assert half_width(text) == half
