"""Adds up a trip in one currency."""

from dataclasses import dataclass

from travel_lab.catalogue import City, Place
from travel_lab.errors import UnknownName
from travel_lab.itinerary.results import plain

RATES_DATE = "2026-01"
SIGNS = {"CNY": "¥", "AUD": "A$", "USD": "US$", "THB": "฿", "EUR": "€", "SGD": "S$"}
"""How an amount of each currency is written; yen by their code, since `¥` is yuan here."""
CNY_PER = {"CNY": 1.0, "AUD": 4.7, "USD": 7.1, "JPY": 0.047, "THB": 0.21, "EUR": 8.2, "SGD": 5.5}
"""Yuan for one unit, indicative, as of `RATES_DATE`; for adding up, not for exchanging money."""


@dataclass(frozen=True, kw_only=True)
class Cost:
    """What a trip costs by kind, in one currency, for all travellers."""

    tickets: float
    meals: float
    hotels: float
    currency: str

    @property
    def total(self) -> float:
        """The sum of the three."""
        return self.tickets + self.meals + self.hotels


def money(amount: float, currency: str) -> str:
    """An amount with its sign, such as `¥500`; an unknown currency by its code."""
    written = f"{amount:.2f}".rstrip("0").rstrip(".")
    return f"{SIGNS.get(currency, currency + ' ')}{written}"


def priced(place: Place, city: City, currency: str) -> float:
    """A place's price in the currency of the trip, whole numbers without a decimal point."""
    return plain(convert(place.price, city.currency, currency))


def convert(amount: float, currency: str, to: str) -> float:
    """An amount in another currency, by the dated table; to the cent. In its own it is left as it is.

    Raises:
        UnknownName: A currency the table does not have.
    """
    if currency == to:
        return amount
    for code in (currency, to):
        if code not in CNY_PER:
            raise UnknownName("exchange rate for the currency", code, sorted(CNY_PER), "Give the budget in one of these.")
    return round(amount * CNY_PER[currency] / CNY_PER[to], 2)
