"""How long a trip is, in the traveller's words."""

import re
from dataclasses import dataclass
from typing import Literal

from travel_lab.itinerary.numerals import COUNT, DIGIT, read_number

MAX_DAYS = 14
"""The longest trip the planner makes."""

Problem = Literal["days_not_positive", "days_too_many"]

_DAY_UNIT = r"(?:天|日游|日(?!元)|-?\s*days?\b)"
_WEEK_UNIT = r"(?:周(?![一二三四五六日天末])|个?(?:星期|礼拜)(?![一二三四五六日天])|-?\s*weeks?\b)"
_TO = r"\s*(?:-|–|~|到|至|或者?|、|to|or)\s*"
_GLUED = re.compile(rf"(?<!第)(?P<low>{DIGIT})(?P<high>{DIGIT})\s*(?:{_DAY_UNIT})")
_RANGE = re.compile(rf"(?P<low>{COUNT})\s*天?{_TO}(?P<high>{COUNT})\s*{_DAY_UNIT}")
_DAYS = re.compile(rf"(?P<minus>(?:[-−]|负|minus )\s*)?(?P<count>\d+\.\d+|{COUNT})\s*个?{_DAY_UNIT}(?P<half>半)?")
_SHORT = re.compile(r"(?<![a-z\d])(?P<days>\d+)\s*d\s*(?P<nights>\d+)\s*n\b")
_WEEKS = re.compile(rf"(?P<count>{COUNT})\s*{_WEEK_UNIT}")
_NIGHTS = re.compile(rf"(?P<count>{COUNT})\s*个?(?:晚(?!上|餐|饭)|夜|-?\s*nights?\b)")
_NAMED = (
    (re.compile(r"半个月"), 15),
    (re.compile(r"fortnight"), 14),
    (re.compile(r"couple of days"), 2),
    (re.compile(r"一个月|a month\b|one month"), 30),
    (re.compile(r"long weekend|小长假|三天小假"), 3),
    (re.compile(r"day trip|一日游"), 1),
    (re.compile(r"周末(?!之)|weekend"), 2),
)
_ORDINAL_BEFORE = re.compile(r"第\s*$|(?:day|night)\s*$|每\s*$|提前\s*$")


@dataclass(frozen=True, kw_only=True)
class Duration:
    """What a text says about the length of the trip; None: nothing."""

    days: int | None = None
    range: tuple[int, int] | None = None
    """Lowest and highest, when a range was said."""
    nights: int | None = None
    rounded: bool = False
    """Whether half a day was rounded up."""
    problem: Problem | None = None


def read_duration(words: str) -> Duration:
    """Read half-width, lower-case text without dates in it.

    A range keeps both ends; half days are rounded up; a duration that cannot be is named as a problem.
    """
    nights = _read_nights(words)
    if short := _SHORT.search(words):
        return _checked(float(short["days"]), nights=int(short["nights"]))
    for pattern in (_GLUED, _RANGE):
        for match in pattern.finditer(words):
            low, high = read_number(match["low"]), read_number(match["high"])
            if low and high and low < high and not _ORDINAL_BEFORE.search(words[: match.start()]):
                return Duration(range=(int(low), int(high)), nights=nights)
    for match in _DAYS.finditer(words):
        number = read_number(match["count"])
        if number is None or _ORDINAL_BEFORE.search(words[: match.start()]):
            continue
        return _checked(-number if match["minus"] else number + (0.5 if match["half"] else 0), nights=nights)
    for match in _WEEKS.finditer(words):
        number = read_number(match["count"])
        if number is not None:
            return _checked(number * 7, nights=nights)
    named = next((days for pattern, days in _NAMED if pattern.search(words)), None)
    return Duration(nights=nights) if named is None else _checked(float(named), nights=nights)


def _read_nights(words: str) -> int | None:
    for match in _NIGHTS.finditer(words):
        number = read_number(match["count"])
        a_night = match["count"] in {"一", "a"} and not re.search(r"天\s*$|days?\s*$", words[: match.start()])  # 一晚: a rate
        if number and number == int(number) and not a_night and not _ORDINAL_BEFORE.search(words[: match.start()]):
            return int(number)
    return None


def _checked(days: float, *, nights: int | None) -> Duration:
    if days <= 0:
        return Duration(nights=nights, problem="days_not_positive")
    whole = -int(-days // 1)
    if whole > MAX_DAYS:
        return Duration(days=whole, nights=nights, problem="days_too_many")
    return Duration(days=whole, nights=nights, rounded=whole != days)
