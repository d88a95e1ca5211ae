"""Numbers as people write them in Chinese and English: `3`, `３`, `三`, `十二`, `two`, `5千`, `1万2`, `5k`."""

import re
import unicodedata

_ZEROS = frozenset("零〇")
"""Stand for a gap, as in 一千零五."""
_DIGITS = {"一": 1, "二": 2, "两": 2, "俩": 2, "三": 3, "仨": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
_UNITS = {"十": 10, "百": 100, "千": 1_000, "k": 1_000, "万": 10_000, "w": 10_000}
_ENGLISH = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen",
)  # fmt: skip

CHINESE_COUNT = r"[零〇一二两俩三仨四五六七八九十百千万]+"
ENGLISH_COUNT = rf"(?:{'|'.join(sorted(_ENGLISH, key=len, reverse=True))}|an?)"
DIGIT = r"[一二两三四五六七八九]"
COUNT = rf"(?:\d+|{CHINESE_COUNT}|\b{ENGLISH_COUNT}\b)"
AMOUNT = rf"(?:(?:\d{{1,3}}(?:,\d{{3}})+|\d+)(?:\.\d+)?\s*(?:[百千万kw](?![a-z]))?\d*|{CHINESE_COUNT})"


LARGEST = 1e15
"""Digits without end are read as this: no trip is so long or dear, and it is still a whole number and not infinite."""


def half_width(text: str) -> str:
    """Full-width digits, letters and signs as their half-width forms, in lower case."""
    return unicodedata.normalize("NFKC", text).casefold()


def read_number(word: str) -> float | None:
    """The number a word stands for; None when it stands for none.

    A digit after a unit counts tenths of that unit, as people say it: `1万2` is 12,000, `三千五` is 3,500.
    """
    text = half_width(word).replace(",", "").strip()
    if text in _ENGLISH:
        return float(_ENGLISH.index(text) + 1)
    if text in {"a", "an"}:
        return 1.0
    number = float(text) if re.fullmatch(r"\d+(?:\.\d+)?", text) else _with_units(text)
    return None if number is None else min(number, LARGEST)


def _with_units(text: str) -> float | None:
    if text and _ZEROS.issuperset(text):
        return 0.0
    total, pending, last_unit = 0.0, None, 1
    for part in re.findall(r"\d+(?:\.\d+)?|.", text):
        if part in _ZEROS:
            continue
        if part in _DIGITS or part[0].isdigit():
            if pending is not None:
                return None  # two digits in a row (两三) are a range, not a number
            pending = float(_DIGITS[part]) if part in _DIGITS else float(part)
        elif part in _UNITS:
            unit = _UNITS[part]
            if unit == 10_000:
                total = (total + (pending or 0)) * unit
            else:
                total += (1 if pending is None else pending) * unit
            pending, last_unit = None, unit
        else:
            return None
    if pending is not None:
        tail_is_tenths = last_unit > 10 and 0 < pending < 10 and _ZEROS.isdisjoint(text)
        total += pending * (last_unit / 10 if tail_is_tenths else 1)
    return total or None
