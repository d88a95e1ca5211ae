import pytest
from hypothesis import given
from hypothesis import strategies as st

from travel_lab.errors import UnknownName
from travel_lab.itinerary.cost import CNY_PER, Cost, convert, money

CODES = st.sampled_from(sorted(CNY_PER))
CENTS = st.integers(0, 100_000_000).map(lambda cents: cents / 100)


@given(CENTS, CODES | st.sampled_from(["GBP", ""]))
def test_same_currency_is_left_alone(amount, code):
    """An amount in the currency asked for is the amount itself, also when no rate is known."""
    assert convert(amount, code, code) == amount


@given(CENTS, CODES, CODES)
def test_there_and_back_is_the_same_to_the_rounding(amount, one, other):
    """Converting back gives the amount again, up to the cent that was rounded on the way, in the dearer currency."""
    back = convert(convert(amount, one, other), other, one)

    assert abs(back - amount) <= 0.005 * CNY_PER[other] / CNY_PER[one] + 0.005 + 1e-6


@given(CENTS, CODES, CODES)
def test_amount_is_rounded_to_the_cent(amount, one, other):
    """A converted amount has at most two decimals."""
    assert convert(amount, one, other) == round(convert(amount, one, other), 2)


@pytest.mark.parametrize(
    ("amount", "one", "other", "result"),
    [
        (100, "AUD", "CNY", 470),
        (470, "CNY", "AUD", 100),
        (100, "USD", "CNY", 710),
        (71, "CNY", "USD", 10),
        (47, "USD", "AUD", 71),
        (1000, "JPY", "CNY", 47),
        (100, "THB", "CNY", 21),
        (10, "EUR", "CNY", 82),
        (10, "SGD", "CNY", 55),
    ],
)
def test_rates_of_the_table(amount, one, other, result):
    """A converted amount is the one the dated table gives."""
    assert convert(amount, one, other) == result


@pytest.mark.parametrize(("one", "other", "named"), [("GBP", "CNY", "GBP"), ("CNY", "CHF", "CHF"), ("", "CNY", "")])
def test_unknown_currency_is_named(one, other, named):
    """A currency the table does not have is named, with those it has and what to do."""
    with pytest.raises(UnknownName) as caught:
        convert(100, one, other)

    assert str(caught.value) == (
        f"No exchange rate for the currency {named!r}. Known: AUD, CNY, EUR, JPY, SGD, THB, USD. Give the budget in one of these."
    )


def test_total_is_the_sum_of_the_three():
    """A trip costs its tickets, meals and hotels."""
    assert Cost(tickets=120, meals=330.5, hotels=1_000, currency="CNY").total == 1_450.5


@pytest.mark.parametrize(
    ("amount", "code", "text"),
    [
        (500, "CNY", "¥500"),
        (79.5, "CNY", "¥79.5"),
        (320, "AUD", "A$320"),
        (99, "USD", "US$99"),
        (9000, "JPY", "JPY 9000"),
        (450, "THB", "฿450"),
        (25, "EUR", "€25"),
        (40, "SGD", "S$40"),
        (10, "GBP", "GBP 10"),
    ],
)
def test_money_is_written_with_its_sign(amount, code, text):
    """An amount has the sign of its currency, or its code when it has none."""
    assert money(amount, code) == text


@pytest.mark.parametrize("amount", [0, 1_250_000, 1_234_567, 12_345.67])
def test_money_is_written_out(amount):
    """However large, an amount is written with all its digits."""
    assert float(money(amount, "CNY").removeprefix("¥").replace(",", "")) == amount
