"""The day a trip starts, in the traveller's words, read against a day that is passed in."""

import re
from calendar import monthrange
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from travel_lab.itinerary.numerals import CHINESE_COUNT, read_number

_WEEKDAYS_ZH = "一二三四五六日"
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_WEEKDAY = rf"(?P<weekday>{'|'.join(f'{day}|{day[:3]}' for day in _WEEKDAYS)}|tues|thur|thurs)"
_MONTH = rf"(?P<month>{'|'.join(f'{month}|{month[:3]}' for month in _MONTHS)}|sept)\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_ZH_NUMBER = rf"(?:\d{{1,2}}|{CHINESE_COUNT})"

_UNTIL = re.compile(r"\s*(?:到|至|-|–|~|to|until|till|through)\s*")

Read = Callable[[re.Match[str], date], date | None]


@dataclass(frozen=True, kw_only=True)
class DateReading:
    """A start day and the text without it."""

    start: date | None
    end: date | None
    """The last day, when a span of two dates was said."""
    rest: str
    """The text with every date blanked out, so that its numbers are not read again."""


def read_date(words: str, today: date) -> DateReading:
    """Read half-width, lower-case text. A day without a year is the next one from `today` on; today counts."""
    found: list[tuple[int, int, date]] = []
    rest = words
    for pattern, read in _FORMS:
        for match in list(pattern.finditer(rest)):
            day = read(match, today)
            if day is not None:
                found.append((match.start(), match.end(), day))
                rest = rest[: match.start()] + " " * len(match[0]) + rest[match.end() :]
    found.sort()
    if not found:
        return DateReading(start=None, end=None, rest=rest)
    end = None
    if len(found) > 1 and _UNTIL.fullmatch(words[found[0][1] : found[1][0]]) and found[0][2] < found[1][2]:
        end = found[1][2]
    return DateReading(start=found[0][2], end=end, rest=rest)


def _full(match: re.Match[str], today: date) -> date | None:
    return _date(int(match["year"]), int(match["month"]), int(match["day"]))


def _zh_month_day(match: re.Match[str], today: date) -> date | None:
    month, day = read_number(match["month"]), read_number(match["day"])
    if month is None or day is None:
        return None
    if match["year"]:
        return _date(int(match["year"]), int(month), int(day))
    return _next(today, int(month), int(day))


def _en_month_day(match: re.Match[str], today: date) -> date | None:
    month = next(at for at, name in enumerate(_MONTHS, 1) if name.startswith(match["month"][:3]))
    return _date(int(match["year"]), month, int(match["day"])) if match["year"] else _next(today, month, int(match["day"]))


def _numeric(match: re.Match[str], today: date) -> date | None:
    return _next(today, int(match["month"]), int(match["day"]))


def _zh_week(match: re.Match[str], today: date) -> date | None:
    weekday = _WEEKDAYS_ZH.index(match["weekday"].replace("天", "日"))
    weeks = match["weeks"].count("下")
    if weeks:
        return _monday(today) + timedelta(days=7 * weeks + weekday)
    coming = _monday(today) + timedelta(days=weekday)
    return coming if coming >= today else coming + timedelta(days=7)


def _en_week(match: re.Match[str], today: date) -> date | None:
    weekday = next(at for at, name in enumerate(_WEEKDAYS) if name.startswith(match["weekday"][:3]))
    if match["which"] and match["which"].startswith("next"):
        return _monday(today) + timedelta(days=7 + weekday)
    coming = _monday(today) + timedelta(days=weekday)
    return coming if coming >= today else coming + timedelta(days=7)


def _relative(match: re.Match[str], today: date) -> date | None:
    days = {"今天": 0, "today": 0, "明天": 1, "明儿": 1, "tomorrow": 1, "后天": 2, "day after tomorrow": 2, "大后天": 3}
    return today + timedelta(days=days[match[0]])


def _later(match: re.Match[str], today: date) -> date | None:
    count = read_number(match["zh"] or match["en"])
    weeks = re.search(r"周|星期|week", match[0]) is not None
    return today + timedelta(days=int(count) * (7 if weeks else 1)) if count else None


def _next_month(match: re.Match[str], today: date) -> date | None:
    day = read_number(match["day"])
    year, month = (today.year + 1, 1) if today.month == 12 else (today.year, today.month + 1)
    return _date(year, month, int(day)) if day else None


def _this_month(match: re.Match[str], today: date) -> date | None:
    day = read_number(match["day"])
    if not day:
        return None
    here = _date(today.year, today.month, int(day))
    return here if here and here >= today else _next_month(match, today)


def _holiday(match: re.Match[str], today: date) -> date | None:
    month, day = {"国庆": (10, 1), "十一": (10, 1), "五一": (5, 1), "元旦": (1, 1), "劳动节": (5, 1)}.get(match["name"], (12, 25))
    return _next(today, month, day)


_FORMS: tuple[tuple[re.Pattern[str], Read], ...] = (
    (re.compile(r"(?P<year>20\d\d)\s*[-/.年]\s*(?P<month>\d{1,2})\s*[-/.月]\s*(?P<day>\d{1,2})\s*[日号]?"), _full),
    (re.compile(rf"(?:(?P<year>20\d\d)年\s*)?(?P<month>{_ZH_NUMBER})\s*月\s*(?P<day>{_ZH_NUMBER})\s*[日号]?"), _zh_month_day),
    (re.compile(rf"下个?月\s*(?P<day>{_ZH_NUMBER})\s*[日号]"), _next_month),
    (re.compile(rf"\b{_MONTH}\s+{_DAY}\b(?:,?\s*(?P<year>20\d\d))?"), _en_month_day),
    (re.compile(rf"\b{_DAY}\s+(?:of\s+)?{_MONTH}\b(?:,?\s*(?P<year>20\d\d))?"), _en_month_day),
    (re.compile(r"(?<![\d./-])(?P<month>\d{1,2})[/.](?P<day>\d{1,2})(?![\d./%-]|\s*(?:万|千|k\b|天|days?))"), _numeric),
    (re.compile(r"(?P<weeks>下下?|这|本)?个?(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天])"), _zh_week),
    (re.compile(rf"\b(?P<which>next |this |coming |on )?(?:coming )?{_WEEKDAY}\b"), _en_week),
    (
        re.compile(
            rf"(?P<zh>{_ZH_NUMBER})\s*(?:天|个?(?:周|星期|礼拜))(?:以后|之后|后)"
            r"|\bin (?P<en>\d+|a|one|two|three|four) weeks?\b(?! of)"
        ),
        _later,
    ),
    (re.compile(r"大后天|后天|明天|明儿|今天|day after tomorrow|tomorrow|\btoday\b"), _relative),
    (re.compile(rf"(?<![\d月])(?P<day>{_ZH_NUMBER})号"), _this_month),
    (re.compile(r"(?P<name>国庆|五一|元旦|劳动节)(?:节|假期|长假)?|(?P<christmas>christmas(?: day)?|圣诞节?)"), _holiday),
)


def _monday(today: date) -> date:
    return today - timedelta(days=today.weekday())


def _next(today: date, month: int, day: int) -> date | None:
    return next(found for found in _years(today, month, day) if found is None or found >= today)


def _years(today: date, month: int, day: int) -> Iterator[date | None]:
    for year in range(today.year, today.year + 9):  # 29 February comes at least every eighth year
        if not 1 <= month <= 12 or not 1 <= day <= 31:
            yield None
        elif day <= monthrange(year, month)[1]:
            yield date(year, month, day)
    yield None


def _date(year: int, month: int, day: int) -> date | None:
    return date(year, month, day) if 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1] else None
