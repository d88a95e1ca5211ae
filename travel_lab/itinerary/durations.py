"""How long a trip is, in the traveller's words."""

import re
from dataclasses import dataclass
from typing import Literal

from travel_lab.itinerary.numerals import COUNT, DIGIT, read_number
from travel_lab.itinerary.wording import just_before

MAX_DAYS = 14
"""The longest trip the planner makes."""

Problem = Literal["days_not_positive", "days_too_many"]

_DAY_UNIT = r"(?:天(?!津|府|坛|安门)|日游|日(?![元本])|(?:\s*(?:full|whole|extra|spare|free))?-?\s*days?\b)"
_WEEK_UNIT = r"(?:周(?![一二三四五六日天末])|个?(?:星期|礼拜)(?![一二三四五六日天末])|(?:\s*(?:full|whole))?-?\s*weeks?\b)"
_TO = r"\s*(?:-|–|—|~|到|至|或者?|、|\bto\b|\bor\b|\band\b|/)\s*"
_GLUED = re.compile(rf"(?<!第)(?P<low>{DIGIT})(?P<high>{DIGIT})\s*(?:{_DAY_UNIT})")
_RANGE = re.compile(rf"(?P<low>{COUNT})\s*天?{_TO}(?P<high>{COUNT})\s*{_DAY_UNIT}")
_DAYS = re.compile(
    rf"(?P<minus>(?:(?<![a-z\d])[-−]|负|minus )\s*)?(?P<count>\d+\.\d+|{COUNT})\s*个?{_DAY_UNIT}(?P<half>半| and a half)?"
)
_SHORT = re.compile(r"(?<![a-z\d])(?P<days>\d+)\s*d\s*/?\s*(?P<nights>\d+)\s*n\b")
_LABELLED = re.compile(rf"(?:\b(?:days|duration|length)|天数)\s*(?::|=|是|为)\s*(?P<days>{COUNT})\b(?!\s*(?:nights?|weeks?))")
"""A form that was filled in."""
_WEEKS = re.compile(rf"(?P<count>{COUNT})\s*{_WEEK_UNIT}")
_NIGHTS = re.compile(rf"(?P<count>{COUNT})\s*个?(?:晚(?!上|餐|饭)|夜|-?\s*(?:nights?|sleeps)\b)")
_NAMED = (
    (re.compile(r"半个月"), 15),
    (re.compile(r"fortnight"), 14),
    (re.compile(r"week-?long"), 7),
    (re.compile(r"couple of days|couple days"), 2),
    (re.compile(r"一个月|a month\b|one month"), 30),
    (re.compile(r"long weekend|小长假|三天小假"), 3),
    (re.compile(r"day trip|一日游"), 1),
    (re.compile(r"(?:周|星期|礼拜)末(?!之)|weekend"), 2),
)
_ORDINAL_BEFORE = re.compile(r"第\s*$|(?:day|night)\s*$|每\s*$|提前\s*$")
_RATE_BEFORE = re.compile(
    r"(?:[\d百千万kw]|元|块|钱|刀|币|yuan|rmb|aud|usd|dollars|bucks|each|person|head|pp|times|每人|一?个人|一人|人均)\s*$"
)
_RATE_AFTER = re.compile(r"\s*(?:per|each|一个人|每人|一人|\d{2,}(?!\d*\s*[号日月]))")
_TOTAL_BEFORE = re.compile(
    r"(?:一共|总共|合计|总计|加起来|共计?|给我|拢共|全程|in total|total of|altogether|in all)\s*(?:是|有|玩)?\s*$"
)
_TOTAL_AFTER = re.compile(r"\s*(?:in total|total\b|altogether|in all|all up|all told|overall|combined|总共|一共)")
_PART_BEFORE = re.compile(r"(?:待|住|玩|呆|逛)了\s*$|(?:其中|包括|including|of which|of them)[^,.;]{0,8}$")
_BARE_STOP = re.compile(
    rf"(?:\b(?:followed by|then|and|after that|plus)|,)\s+(?P<count>{COUNT})\s+(?:more\s+)?(?:in|at|on)\b"
    rf"|\b(?:then|and|plus) (?:on to |to )?[a-z' ]{{3,24}}? for (?P<for>{COUNT})(?=\s*(?:$|[,.;!?]))"
)
"""A further stop whose unit is not said again: "... then three in Sydney"."""


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


def read_duration(words: str, stops: int = 1) -> Duration:
    """Read half-width, lower-case text without dates in it.

    A range keeps both ends; half days are rounded up; a duration that cannot be is named as a problem. With several stops, a
    length for each of them is added up, unless a total is said.

    Args:
        words: The text.
        stops: How many places the trip goes to.
    """
    nights = _read_nights(words, stops)
    if short := _SHORT.search(words):
        return _checked(float(short["days"]), nights=int(short["nights"]))
    if (labelled := _LABELLED.search(words)) and (number := read_number(labelled["days"])):
        return _checked(number, nights=nights)
    for pattern in (_GLUED, _RANGE):
        for match in pattern.finditer(words):
            low, high = read_number(match["low"]), read_number(match["high"])
            if low and high and low < high and not _ORDINAL_BEFORE.search(just_before(words, match.start())):
                return Duration(range=(int(low), int(high)), nights=nights)
    counts = _counts(words, stops)
    if counts:
        return _checked(counts[0] if stops < 2 or len(counts) != stops else sum(counts), nights=nights)
    named = next((days for pattern, days in _NAMED if pattern.search(words)), None)
    return Duration(nights=nights) if named is None else _checked(float(named), nights=nights)


def _counts(words: str, stops: int) -> list[float]:
    """Every length in days, in the order of the text; only the total, when one is said."""
    found: list[tuple[int, float]] = []
    for match in _DAYS.finditer(words):
        number = read_number(match["count"])
        before = just_before(words, match.start())
        if number is None or _ORDINAL_BEFORE.search(before) or _is_rate(words, match) or _PART_BEFORE.search(before):
            continue
        number = -number if match["minus"] else number + (0.5 if match["half"] else 0)
        if _TOTAL_BEFORE.search(before) or _TOTAL_AFTER.match(words, match.end()):
            return [number]
        found.append((match.start(), number))
    for match in _WEEKS.finditer(words):
        number = read_number(match["count"])
        if number is not None and not _is_rate(words, match) and (stops > 1 or not found):
            found.append((match.start(), number * 7))
    if found and stops > len(found):
        bare = ((match.start(), read_number(match["count"] or match["for"])) for match in _BARE_STOP.finditer(words))
        found += [(at, number) for at, number in bare if number]
    return [number for _, number in sorted(found)]


def _is_rate(words: str, match: re.Match[str]) -> bool:
    """Whether "a day" stands for "every day", as in 500 a day."""
    one = match["count"] in {"一", "a", "an", "one"}
    return one and bool(_RATE_BEFORE.search(just_before(words, match.start())) or _RATE_AFTER.match(words, match.end()))


def _read_nights(words: str, stops: int) -> int | None:
    found = []
    for match in _NIGHTS.finditer(words):
        number = read_number(match["count"])
        before = just_before(words, match.start())
        a_night = match["count"] in {"一", "a"} and not re.search(r"天\s*$|days?\s*$", before)  # 一晚: a rate
        if number and number == int(number) and not a_night and not _ORDINAL_BEFORE.search(before):
            found.append(int(number))
    if not found:
        return None
    return sum(found) if stops > 1 and len(found) == stops else found[0]


def _checked(days: float, *, nights: int | None) -> Duration:
    if days <= 0:
        return Duration(nights=nights, problem="days_not_positive")
    whole = int(-(-days // 1))
    if whole > MAX_DAYS:
        return Duration(days=whole, nights=nights, problem="days_too_many")
    return Duration(days=whole, nights=nights, rounded=whole != days)
