"""Reads a traveller's words: where to, how long, from where, for how much, with which wishes.

What the words do not say stays out of the reading: unknown is not zero. What they say and cannot be (0 days) is named in
`problems`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from travel_lab.catalogue import Language
from travel_lab.itinerary.numerals import AMOUNT, COUNT, half_width, read_number

MAX_DAYS = 14
"""The longest trip the planner makes."""

PREFERENCES = {
    "cheap": r"便宜|省钱|实惠|经济|cheap|low[- ]cost",
    "no_spicy": r"不(?:能|要|想)?吃辣|不辣|怕辣|no spicy|not spicy|don'?t (?:eat|like) spicy|non-spicy",
    "vegetarian": r"素食|吃素|素菜|vegetarian",
    "halal": r"清真|halal",
    "no_peanuts": r"花生过敏|不(?:能)?吃花生|peanut allergy|allergic to peanuts?|no peanuts?",
    "no_seafood": r"海鲜过敏|不(?:能)?吃海鲜|no seafood|seafood allergy",
    "slow": r"慢节奏|轻松|悠闲|slow|relaxed",
}
"""Wishes by name and how people say them; tested on half-width, lower-case text."""

_CODES = {"cny": "CNY", "rmb": "CNY", "人民币": "CNY", "aud": "AUD", "usd": "USD"}
_CURRENCY_BEFORE = {**_CODES, "¥": "CNY", "a$": "AUD", "us$": "USD", "$": "USD"}
_CURRENCY_AFTER = {**_CODES, "元": "CNY", "块": "CNY", "yuan": "CNY", "澳元": "AUD", "美元": "USD"}
_BEFORE = rf"(?P<before>a\$|us\$|\$|¥|(?:{'|'.join(_CODES)})\s*)?"
_AFTER = rf"(?P<after>\s*(?:{'|'.join(_CURRENCY_AFTER)}))?"
_BUDGET = re.compile(
    rf"(?:预算|花费|花|budget(?: of| is|:)?|for under|under|within)\D{{0,6}}?{_BEFORE}(?P<amount>{AMOUNT}){_AFTER}"
)
_MONEY = re.compile(rf"{_BEFORE}(?P<amount>{AMOUNT}){_AFTER}")
_DAYS = re.compile(
    rf"(?P<minus>(?<!\d)(?<!\d\s)[-−负]\s*)?(?P<count>(?<!\d)\d+\.\d+|{COUNT})\s*-?\s*"
    r"(?P<unit>天|日游|日(?!元)|days?\b|周|个?星期|weeks?\b)(?P<half>半)?"
)
_NOT_A_DURATION = re.compile(r"第\s*$|day\s*$|月\s*$|[\d一二两三四五六七八九十]\s*(?:[-−~至到]|to)\s*$")
"""Before the number of a day, a date or the end of a range."""
_ORIGIN = re.compile(
    r"从\s*(?P<zh>[^\s,。，、;；]{1,10}?)\s*(?:出发|去|到|飞|走)"
    r"|\bfrom (?P<en>[a-z][a-z' ]{1,20}?)(?=[,.;!?]|$| to | on | in | for | with |\s+\d)"
)


@dataclass(frozen=True, kw_only=True)
class Budget:
    """A sum of money for the whole trip."""

    amount: float
    currency: str
    """ISO 4217 code."""


Problem = Literal["days_not_positive", "days_too_many", "days_not_whole"]


@dataclass(frozen=True, kw_only=True)
class Reading:
    """What a text states; None and empty mean that it does not."""

    destinations: tuple[str, ...] = ()
    """Names as the list of places spells them, in the order of the text."""
    days: int | None = None
    origin: str | None = None
    budget: Budget | None = None
    preferences: tuple[str, ...] = ()
    """Keys of `PREFERENCES`."""
    problems: tuple[Problem, ...] = ()
    """What was said and cannot be."""


def read_request(text: str, places: Mapping[str, str]) -> Reading:
    """Read one message.

    Args:
        text: The traveller's words.
        places: Every name a place is called by → the name to use for it.
    """
    words = half_width(text)
    origin = _read_origin(words)
    rest = words.replace(origin, " ", 1) if origin else words
    days, problems = _read_days(words)
    return Reading(
        destinations=_read_places(rest, places),
        days=days,
        origin=_known(origin, places) if origin else None,
        budget=_read_budget(words),
        preferences=read_preferences(words),
        problems=problems,
    )


def read_preferences(text: str) -> tuple[str, ...]:
    """The wishes a text states, as keys of `PREFERENCES`."""
    words = half_width(text)
    return tuple(name for name, pattern in PREFERENCES.items() if re.search(pattern, words))


def read_money(text: str) -> Budget | None:
    """The sum a short text such as `5000`, `5千` or `A$1,500` consists of; None when it is anything else."""
    match = _MONEY.fullmatch(half_width(text).strip())
    return _budget(match) if match else None


def language_of(text: str, before: Language | None) -> Language:
    """`zh` when the text has Chinese characters, `en` when it has Latin words, else the language used before."""
    if re.search(r"[\u4e00-\u9fff]", text):
        return "zh"
    if re.search(r"[A-Za-z]{2,}", text):
        return "en"
    return before or "zh"


def _read_places(words: str, places: Mapping[str, str]) -> tuple[str, ...]:
    names = sorted((half_width(name) for name in places), key=len, reverse=True)
    by_name = {half_width(name): use for name, use in places.items()}
    # Not `\b`: in 去Sydney玩 a Chinese character is the neighbour, and no boundary.
    pattern = "|".join(rf"(?<![a-z]){re.escape(name)}(?![a-z])" if name.isascii() else re.escape(name) for name in names)
    found = re.findall(pattern, words) if pattern else []
    return tuple(dict.fromkeys(by_name[name] for name in found))


def _known(name: str, places: Mapping[str, str]) -> str:
    return next((use for known, use in places.items() if half_width(known) == name.strip()), name.strip())


def _read_origin(words: str) -> str | None:
    match = _ORIGIN.search(words)
    return (match["zh"] or match["en"]).strip() if match else None


def _read_days(words: str) -> tuple[int | None, tuple[Problem, ...]]:
    for match in _DAYS.finditer(words):
        number = read_number(match["count"])
        if number is None and match["count"] not in {"0", "零"}:
            continue
        if _NOT_A_DURATION.search(words[: match.start()]):
            continue
        weeks = match["unit"].lstrip("个").startswith(("周", "星期", "week"))
        number = (number or 0) + (0.5 if match["half"] else 0)
        return _checked_days(number * (7 if weeks else 1), negative=bool(match["minus"]))
    if re.search(r"周末|weekend", words):
        return 2, ()
    return None, ()


def _checked_days(days: float, *, negative: bool) -> tuple[int | None, tuple[Problem, ...]]:
    if negative or days <= 0:
        return None, ("days_not_positive",)
    if days > MAX_DAYS:
        return None, ("days_too_many",)
    if days != int(days):
        return None, ("days_not_whole",)
    return int(days), ()


def _read_budget(words: str) -> Budget | None:
    match = _BUDGET.search(words)
    if match is None:
        match = next((m for m in _MONEY.finditer(words) if m["before"] or m["after"]), None)
    return _budget(match) if match else None


def _budget(match: re.Match[str]) -> Budget | None:
    amount = read_number(match["amount"])
    if amount is None:
        return None
    before, after = (match["before"] or "").strip(), (match["after"] or "").strip()
    currency = _CURRENCY_BEFORE.get(before) or _CURRENCY_AFTER.get(after) or ""
    return Budget(amount=amount, currency=currency)


def join_names(names: Sequence[str]) -> str:
    """Several destinations as one column of a PLAN line."""
    return "+".join(names)
