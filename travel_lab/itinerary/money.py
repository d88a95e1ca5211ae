"""What a trip may cost, in the traveller's words."""

import re
from dataclasses import dataclass
from typing import Literal, NamedTuple

from travel_lab.itinerary.money_words import (
    ABOUT_AFTER,
    ABOUT_BEFORE,
    CHEAP,
    CONTEXT,
    CURRENCY_AFTER,
    CURRENCY_BEFORE,
    MAX_AFTER,
    MAX_BEFORE,
    MIN_AFTER,
    MIN_BEFORE,
    NOT_MONEY_AFTER,
    PER_DAY,
    PER_NIGHT,
    PER_PERSON,
    SHORT_OF_MONEY,
    UNLIMITED,
    WEAK_CONTEXT,
)
from travel_lab.itinerary.numerals import AMOUNT, DIGIT, ENGLISH_COUNT, read_number
from travel_lab.itinerary.wording import just_before

Basis = Literal["total", "per_person", "per_person_per_day", "per_night"]

_SIGN_BEFORE = rf"(?:{'|'.join(re.escape(sign) for sign in sorted(CURRENCY_BEFORE, key=len, reverse=True))})"
_WORDS_AFTER = sorted(CURRENCY_AFTER, key=len, reverse=True)
_SIGN_AFTER = "(?:" + "|".join(word + ("(?![a-z])" if word.isascii() else "") for word in _WORDS_AFTER) + ")"
_CURRENCY_LATER = re.compile(rf"\s*(?:(?:each|a head|pp|per person|in total|total)\b)?,?\s*\bin (?P<currency>{_SIGN_AFTER})\b")
"""4k each in RMB."""
_LARGE = 500
"""A bare number from here on is money when it counts nothing else."""
_LEAST = 10
"""No trip costs less than this."""


def _one(at: int) -> str:
    return rf"(?P<before{at}>{_SIGN_BEFORE})?\s{{0,3}}(?P<amount{at}>{AMOUNT})\s{{0,3}}(?P<after{at}>{_SIGN_AFTER})?"


_TO = r"\s{0,3}(?:-|–|—|~|到|至|\bto\b)\s{0,3}"
_RANGE = re.compile(rf"(?:between\s+)?{_one(1)}(?:{_TO}|\s+and\s+|\s+or\s+){_one(2)}")
_SINGLE = re.compile(_one(1))
_GLUED = re.compile(rf"(?P<low>{DIGIT})(?P<high>{DIGIT})(?P<unit>[百千万])(?!\d*\s*(?:人|个|米|公里))")
"""两三千: from two to three thousand."""
_ENGLISH_SUM = re.compile(
    rf"\b(?P<count>\d+(?:\.\d+)?|{ENGLISH_COUNT})[ -](?P<unit>hundred|thousand|"
    rf"grand)\b(?: and)?(?: (?P<rest>{ENGLISH_COUNT}) hundred)?"
)
_ENGLISH_NUMBER = rf"(?:\d+(?:\.\d+)?|{ENGLISH_COUNT})"
_ENGLISH_RANGE = re.compile(
    rf"\b(?P<low>{_ENGLISH_NUMBER})(?P<to>\s?-\s?| to | and | or )(?={_ENGLISH_NUMBER}[ -](?P<unit>grand|thousand)\b)"
)
"""From 3 to 4 grand: the unit stands once."""
_TOGETHER = re.compile(r"一块(?=儿|[去玩走来])")
"""Together, and no sum of one."""
_ENGLISH_UNITS = {"hundred": 100, "thousand": 1_000, "grand": 1_000}


@dataclass(frozen=True, kw_only=True)
class Budget:
    """What a text says about money; None and blank: nothing."""

    amount: float | None = None
    low: float | None = None
    high: float | None = None
    """Bounds, when a range or a limit was said instead of an amount."""
    currency: str = ""
    """ISO 4217 code; blank when none was said."""
    basis: Basis = "total"
    approximate: bool = False
    words: Literal["", "cheap", "unlimited"] = ""


class Amount(NamedTuple):
    """A number in a text that may be money."""

    start: int
    end: int
    number: float
    currency: str


def read_budget(words: str) -> Budget | None:
    """Read half-width, lower-case text without dates in it; None when it says nothing about money."""
    words = _ENGLISH_RANGE.sub(_low_in_digits, _TOGETHER.sub("一起", words))
    words = _GLUED.sub(_spread, _ENGLISH_SUM.sub(_in_digits, words))
    said: Literal["", "cheap", "unlimited"] = "unlimited" if UNLIMITED.search(words) else "cheap" if CHEAP.search(words) else ""
    for match in _RANGE.finditer(words):
        budget = _read_range(words, match, said)
        if budget is not None:
            return budget
    found = [budget for match in _SINGLE.finditer(words) if (budget := _read_single(words, match, said)) is not None]
    # What a night may cost is the hotel's; a sum for the trip beside it is the budget.
    for budget in sorted(found, key=lambda one: one.basis == "per_night"):
        return budget
    said = said or ("cheap" if SHORT_OF_MONEY.search(words) else "")
    return Budget(words=said) if said else None


def _spread(match: re.Match[str]) -> str:
    low, high = match["low"] + match["unit"], match["high"] + match["unit"]
    return f"{low}-{high}" if (read_number(low) or 0) < (read_number(high) or 0) else match[0]


def amounts_in(words: str) -> list[Amount]:
    """Every number in half-width, lower-case text, with the currency beside it."""
    words = _TOGETHER.sub("一起", words)
    found = ((match, read_number(match["amount1"])) for match in _SINGLE.finditer(words))
    return [Amount(match.start(), match.end(), number, _currency(match, 1)) for match, number in found if number is not None]


def _low_in_digits(match: re.Match[str]) -> str:
    return f"{(read_number(match['low']) or 0) * _ENGLISH_UNITS[match['unit']]:g}{match['to']}"


def _in_digits(match: re.Match[str]) -> str:
    number = (read_number(match["count"]) or 0) * _ENGLISH_UNITS[match["unit"]]
    return f"{number + 100 * (read_number(match['rest'] or '') or 0):g}"


def _read_range(words: str, match: re.Match[str], said: Literal["", "cheap", "unlimited"]) -> Budget | None:
    low, high = read_number(match["amount1"]), read_number(match["amount2"])
    if low is None or high is None or not _is_money(words, match, 2):
        return None
    unit = re.search(r"[千万kw]$", match["amount2"].strip())
    if unit and low < high / 50:  # 3-5千: the unit stands once
        low = read_number(f"{match['amount1'].strip()}{unit[0]}") or low
    if low >= high or high < 10 * _LEAST:
        return None
    return Budget(low=low, high=high, currency=_currency(match, 2) or _currency(match, 1), basis=_basis(words, match), words=said)


def _read_single(words: str, match: re.Match[str], said: Literal["", "cheap", "unlimited"]) -> Budget | None:
    amount = read_number(match["amount1"])
    if amount is None or not _is_money(words, match, 1):
        return None
    before, after = just_before(words, match.start()), words[match.end() :]
    currency, basis = _currency(match, 1), _basis(words, match)
    if MAX_BEFORE.search(before) or MAX_AFTER.match(after):
        return Budget(high=amount, currency=currency, basis=basis, words=said)
    if MIN_BEFORE.search(before) or MIN_AFTER.match(after):
        return Budget(low=amount, currency=currency, basis=basis, words=said)
    about = bool(ABOUT_BEFORE.search(before) or ABOUT_AFTER.match(after))
    return Budget(amount=amount, currency=currency, basis=basis, approximate=about, words=said)


def _is_money(words: str, match: re.Match[str], last: int) -> bool:
    """Whether an amount is money: it has a currency, stands after a word for money, or is large and counts nothing else."""
    if _currency(match, last) or _currency(match, 1):
        return True
    if NOT_MONEY_AFTER.match(words, match.end()) and not MAX_AFTER.match(words, match.end()):
        return False
    number, written = read_number(match[f"amount{last}"]) or 0, match[f"amount{last}"].strip()
    before = just_before(words, match.start(f"amount{last}"))
    if CONTEXT.search(before):
        return number >= _LEAST
    if WEAK_CONTEXT.search(before) or MAX_AFTER.match(words, match.end()):
        return number >= 10 * _LEAST
    year = re.fullmatch(r"20[2-4]\d", written) is not None
    if _basis(words, match) != "total":
        return number >= 10 * _LEAST
    return number >= _LARGE and not year and not re.search(r"\d[.,]?$|[a-z]$", before)


def _currency(match: re.Match[str], at: int) -> str:
    beside = CURRENCY_BEFORE.get(match[f"before{at}"] or "") or CURRENCY_AFTER.get(match[f"after{at}"] or "")
    later = None if beside else _CURRENCY_LATER.match(match.string, match.end())
    return beside or (CURRENCY_AFTER[later["currency"]] if later else "")


def _basis(words: str, match: re.Match[str]) -> Basis:
    before = re.split(r"[,。;!?]", words[max(0, match.start() - 16) : match.start()])[-1]
    after = re.split(r"[,。;!?]|\.(?!\d)", words[match.end() : match.end() + 28])[0]
    around = f"{before}#{after}"
    if PER_DAY.search(around):
        return "per_person_per_day"
    if PER_PERSON.search(around):
        return "per_person"
    return "per_night" if PER_NIGHT.search(around) else "total"
