"""The ways a day is written or said: each a pattern and how to read what it matched against a day that is passed in."""

import re
from calendar import monthrange
from collections.abc import Callable, Iterator
from datetime import date, timedelta

from travel_lab.itinerary.numerals import CHINESE_COUNT, COUNT, read_number
from travel_lab.itinerary.wording import NEAR, any_of, says

_WEEKDAYS_ZH = "一二三四五六日"
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_LONG_WEEKDAY = any_of(*_WEEKDAYS, "tues", "tue", "thurs", "thur", "thu", "fri")
_WEEKDAY = any_of(*_WEEKDAYS, "tues", "thurs", "thur", *(day[:3] for day in _WEEKDAYS))
_MONTH = rf"(?P<month>{'|'.join(f'{month}|{month[:3]}' for month in _MONTHS)}|sept)\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_ZH_NUMBER = rf"(?:\d{{1,2}}|{CHINESE_COUNT})"
_ZH_WEEK = r"(?:周|星期|礼拜)"
_COUNTED_AFTER = r"\s*(?:[百千万wk块元个位大岁折星%]|人(?!在|想|要)|点(?!出发|走)|天|小时|公里|km|days?|hours?|stars?|million)"
"""What makes a pair of numbers a sum, a length or a rating instead of a day."""

Read = Callable[[re.Match[str], date], date | None]


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
    month = _MONTHS.index(_spelt_out(match["month"])) + 1
    return _date(int(match["year"]), month, int(match["day"])) if match["year"] else _next(today, month, int(match["day"]))


def _spelt_out(month: str) -> str:
    return next(name for name in _MONTHS if name.startswith(month[:3]))


def _numeric(match: re.Match[str], today: date) -> date | None:
    month, day = int(match["month"]), int(match["day"])
    return _next(today, day, month) if month > 12 else _next(today, month, day)  # 24/10: the day stands first


def _zh_week(match: re.Match[str], today: date) -> date | None:
    return _in_week(today, (match["weeks"] or "").count("下"), _WEEKDAYS_ZH.index(match["weekday"].replace("天", "日")))


def _en_week(match: re.Match[str], today: date) -> date | None:
    said = f"{match['which'] or ''}{match['after'] or ''}"
    weeks = 2 if "after next" in said else 1 if "next" in said else 0
    return _in_week(today, weeks, _weekday(match["short"] or match["long"]))


def _week_from(match: re.Match[str], today: date) -> date | None:
    """A week on Monday, Monday week."""
    coming = _in_week(today, 0, _weekday(match["weekday"] or match["first"]))
    count = read_number(match["count"] or "1") or 1
    return coming + timedelta(days=7 * int(count)) if count < 60 else None


def _weekend(match: re.Match[str], today: date) -> date | None:
    words = match[0]
    weeks = 2 if "after next" in words else words.count("下") or ("next" in words)
    return _in_week(today, int(weeks), 5)


def _in_week(today: date, weeks: int, weekday: int) -> date:
    """The weekday of the week that many weeks on; of this week when it is not over, else of the next."""
    found = today - timedelta(days=today.weekday()) + timedelta(days=7 * weeks + weekday)
    return found if weeks or found >= today else found + timedelta(days=7)


def _weekday(word: str) -> int:
    return next(at for at, name in enumerate(_WEEKDAYS) if name.startswith(word[:3]))


def _relative(match: re.Match[str], today: date) -> date | None:
    words = match[0]
    if words.startswith("大后"):
        return today + timedelta(days=3)
    if "after tomorrow" in words or words.startswith("后"):
        return today + timedelta(days=2)
    return today + timedelta(days=1 if words.startswith(("明", "tomorrow")) else 0)


def _later(match: re.Match[str], today: date) -> date | None:
    if "半个月" in match[0] or "fortnight" in match[0]:
        return today + timedelta(days=15 if "半" in match[0] else 14)
    count = read_number(next(group for group in (match["zh"], match["en"], match["leave"], match["from"]) if group))
    weeks = re.search(r"周|星期|礼拜|week", match[0]) is not None
    return today + timedelta(days=int(count) * (7 if weeks else 1)) if count and count < 400 else None


def _next_month(match: re.Match[str], today: date) -> date | None:
    day = read_number(match["day"])
    year, month = (today.year + 1, 1) if today.month == 12 else (today.year, today.month + 1)
    return _date(year, month, int(day)) if day else None


_MONTH_BEFORE = re.compile(rf"\b{_MONTH}\b(?!\s*\d)|(?P<zh>{_ZH_NUMBER})月(?:份|初|中旬?|底|上旬|下旬)")
"""In October, ..., the 12th: a month that is named before its day."""


def _this_month(match: re.Match[str], today: date) -> date | None:
    day = read_number(match["day"])
    if not day:
        return None
    for named in _MONTH_BEFORE.finditer(match.string, max(match.start() - NEAR, 0), match.start()):
        number = read_number(named["zh"]) if named["zh"] else _MONTHS.index(_spelt_out(named["month"])) + 1
        return _next(today, int(number or 0), int(day))
    here = _date(today.year, today.month, int(day))
    return here if here and here >= today else _next_month(match, today)


_FEASTS = {
    "国庆": (10, 1), "十一": (10, 1), "五一": (5, 1), "劳动节": (5, 1), "元旦": (1, 1), "跨年": (12, 31), "情人节": (2, 14),
    "圣诞": (12, 25), "平安夜": (12, 24), "christmas eve": (12, 24), "christmas": (12, 25), "xmas": (12, 25),
    "boxing day": (12, 26), "new year's eve": (12, 31), "new year's day": (1, 1), "valentine's day": (2, 14),
    "australia day": (1, 26), "anzac day": (4, 25),
}  # fmt: skip


def _holiday(match: re.Match[str], today: date) -> date | None:
    return _next(today, *_FEASTS[match["name"]])


FORMS: tuple[tuple[re.Pattern[str], Read], ...] = (
    (re.compile(r"(?P<year>20\d\d)\s*[-/.年]\s*(?P<month>\d{1,2})\s*[-/.月]\s*(?P<day>\d{1,2})(?!\d)\s*[日号]?"), _full),
    (re.compile(rf"(?:(?P<year>20\d\d)年\s*)?(?P<month>{_ZH_NUMBER})\s*月\s*(?P<day>{_ZH_NUMBER})\s*[日号]?"), _zh_month_day),
    (re.compile(rf"下个?月的?\s*(?P<day>{_ZH_NUMBER})\s*[日号]"), _next_month),
    (re.compile(r"(?:the )?(?P<day>\d{1,2})(?:st|nd|rd|th)? (?:of )?next month"), _next_month),
    (re.compile(r"next month,? (?:on )?the (?P<day>\d{1,2})(?:st|nd|rd|th)?"), _next_month),
    (re.compile(rf"\b{_MONTH}\s+(?:the )?{_DAY}\b(?!\s*(?:days?|nights?)\b)(?:,?\s*(?P<year>20\d\d))?"), _en_month_day),
    (re.compile(rf"\b{_DAY}\s+(?:of\s+)?{_MONTH}\b(?:,?\s*(?P<year>20\d\d))?"), _en_month_day),
    (
        re.compile(
            r"(?<![\d./$¥-])(?<!\d[-–~])(?P<month>\d{1,2})(?P<sign>[/.])(?P<day>\d{1,2})"
            rf"(?![\d%]|[./]\d|{_COUNTED_AFTER}|-\d+\.?\d*{_COUNTED_AFTER})"
        ),
        _numeric,
    ),
    (
        re.compile(
            r"(?<=[\d ][-–~])(?P<month>\d{1,2})(?P<sign>[/.])(?P<day>\d{1,2})(?![\d%./])"
            rf"(?!{_COUNTED_AFTER})"
        ),
        _numeric,
    ),
    (
        says(
            r"(?:the )?weekend after next",
            r"(?:next|this(?: coming)?|coming) (?=weekend)",
            rf"(?:下下个?|下个?|这个?|本)(?={_ZH_WEEK}末)",
        ),
        _weekend,
    ),
    (re.compile(rf"(?P<weeks>下下个?|下个?|这个?|本)?个?{_ZH_WEEK}(?P<weekday>[一二三四五六日天])(?![天个日])"), _zh_week),
    (
        re.compile(
            rf"\b(?:(?P<count>{COUNT}) weeks? (?:from|on|after) (?:next )?(?P<weekday>{_WEEKDAY})|"
            rf"(?P<first>{_LONG_WEEKDAY}) week)\b"
        ),
        _week_from,
    ),
    (
        re.compile(
            rf"\b(?:the )?(?:(?P<which>(?:this )?coming |next week,? (?:on )?|next |this |on |from |until )(?P<short>{_WEEKDAY})"
            rf"|(?P<long>{_LONG_WEEKDAY}))\b(?P<after> after next| (?:of )?next week)?"
        ),
        _en_week,
    ),
    (
        says(
            rf"(?P<zh>{_ZH_NUMBER})\s*(?:天|个?(?:周|星期|礼拜))(?:以后|之后|后)",
            r"半个月(?:以后|之后|后)",
            rf"\bin (?P<en>{COUNT}) (?:weeks?\b(?! of)|days?'? time)",
            rf"\b(?:leav\w*|depart\w*|start\w*|fly\w*|going|set off|arriv\w*) in (?P<leave>{COUNT}) days?\b",
            rf"\b(?P<from>{COUNT}) (?:weeks?|days?) from (?:today|now)",
            r"\b(?:in a fortnight|a fortnight from (?:today|now))\b",
        ),
        _later,
    ),
    (
        says(
            r"大后天|后天|后日(?!游)|明[天日儿早晚](?!游)|今[天日儿早晚](?!游)",
            r"(?:the )?day after tomorrow|tomorrow|\btoday\b|\btonight\b",
        ),
        _relative,
    ),
    (re.compile(rf"(?<![\d月第])(?:这个?月|本月)?(?P<day>{_ZH_NUMBER})号(?![线楼馆房院店门])"), _this_month),
    (
        re.compile(
            r"\b(?:on|from|starting|leaving|departing|beginning|until|till|maybe|probably|around|about|"
            r"say) the (?P<day>\d{1,2})(?:st|nd|rd|th)"
            r"(?=\s*(?:$|[,.;!?)-]|for\b|to\b|until|till|and\b|we\b|i\b|with|from|in\b|at\b))"
        ),
        _this_month,
    ),
    (
        re.compile(
            rf"(?P<name>{'|'.join(sorted(map(re.escape, _FEASTS), key=len, reverse=True))})"
            r"(?![个天月日号点人岁晚万千百位大路])(?!(?:节|假期|长假)?(?:之|以)?后(?!天))(?:节|假期|长假|当天| day)?"
        ),
        _holiday,
    ),
)
"""Every form, the most special first; what one has read is not read again."""


def is_weekday(words: str) -> bool:
    """Whether a day is named by its weekday alone."""
    return re.search(rf"{_ZH_WEEK}[一二三四五六日天]|{_WEEKDAY}", words) is not None and not re.search(r"\d", words)


def day_in_month_of(day: date, number: int) -> date | None:
    """The day with that number in the same month."""
    return _date(day.year, day.month, number)


def _next(today: date, month: int, day: int) -> date | None:
    return next(found for found in _years(today, month, day) if found is None or found >= today)


def _years(today: date, month: int, day: int) -> Iterator[date | None]:
    for year in range(today.year, min(today.year + 9, 9999)):  # 29 February comes at least every eighth year
        if not 1 <= month <= 12 or not 1 <= day <= 31:
            yield None
        elif day <= monthrange(year, month)[1]:
            yield date(year, month, day)
    yield None


def _date(year: int, month: int, day: int) -> date | None:
    return date(year, month, day) if 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1] else None
