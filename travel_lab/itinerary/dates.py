"""The day a trip starts, in the traveller's words, read against a day that is passed in."""

import re
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from travel_lab.itinerary.date_forms import FORMS, day_in_month_of, is_weekday
from travel_lab.itinerary.wording import any_of, just_before

_TO = any_of("到", "至", "-", "–", "—", "~", r"\bto\b", r"\buntil\b", r"\btill?\b", r"\bthrough\b")
_UNTIL = re.compile(
    rf"\s*(?:{_TO}|(?:去|走|出发)?[,、]?|,?\s*(?:and |then )?(?:fly(?:ing)? |come |coming )?(?:back|"
    rf"return(?:ing)?|home)(?: on| by)?)"
    r"\s*(?:the )?\s*"
)
_BACK = re.compile(r"\s*(?:号|日)?(?:回|返|离开|结束)")
_STAYS_UNTIL = re.compile(
    r"[^\d;。!?]{0,16}(?:待|玩|呆|住)到|[^\d;。!?]{0,24}\b(?:until|till|back|return(?:ing)?(?: home)?)(?: on)?(?: the)?\s*"
)
"""Between two dates of a span, with a place or a wish in between: 7月18号去深圳,待到20号."""
_GOES = re.compile(r"[^\d;。!?]{0,16}")
_UNTIL_DAY = re.compile(
    rf"\s*(?:{_TO})\s*(?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?!\d|[.,]\d|\s*(?:天|days?|[kw千万元块]))\s*[日号]?"
)
_FROM_DAY = re.compile(rf"(?<![\d.,$¥/])(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s*(?:{_TO})\s*$")
_RETURN_BEFORE = re.compile(
    r"\b(?:fly|flying|go|going|come|coming|be|get|getting|head|heading|need to be) (?:back|home)\b[^,.;!?\d]{0,30}$"
    r"|\b(?:return|home|back)(?:ing)? (?:on|by)\s*$|(?:返程|回程|回来|回家)(?:的?(?:机票|航班|车票|票|时间))?(?:是|在|:)?\s*$"
)
_RETURN_AFTER = re.compile(
    r"\s*(?:之前|以前|前|当天|晚上?|下午)?(?:我们?|就|要|得|必须|一定|需要)*(?:回(?:来|家|国|程|京|去|公司|单位)|返(?:程|回|"
    r"校|工)|到家|上班|开学)"
)
_BESIDE = re.compile(r"[\s,()]*(?:the )?[\s,()]*")


@dataclass(frozen=True, kw_only=True)
class DateReading:
    """A start day and the text without it."""

    start: date | None
    end: date | None
    """The last day, when a span of two dates was said."""
    rest: str
    """The text with every date blanked out, so that its numbers are not read again."""


class _Found(NamedTuple):
    start: int
    end: int
    day: date


def read_date(words: str, today: date) -> DateReading:
    """Read half-width, lower-case text. A day without a year is the next one from `today` on; today counts."""
    found, rest = _find(words, today)
    if not found:
        return DateReading(start=None, end=None, rest=rest)
    if len(found) == 1 and _is_return(rest, found[0]):
        return DateReading(start=None, end=None, rest=rest)
    first, end = found[0], None
    if len(found) > 1 and _is_span(rest, first, found[1]):
        second = found[1].day
        # 8号到12号: both days are in the month of the first, also when the second is nearer to today.
        second = second if second > first.day else day_in_month_of(first.day, second.day) or second
        end = second if second > first.day else None
    elif (match := _UNTIL_DAY.match(rest, first.end)) and (last := day_in_month_of(first.day, int(match["day"]))):
        if last > first.day:
            end, rest = last, _blank(rest, first.end, match.end())
    elif match := _FROM_DAY.search(rest[: first.start]):
        start = day_in_month_of(first.day, int(match["day"]))
        if start is not None and today <= start < first.day:
            return DateReading(start=start, end=first.day, rest=_blank(rest, match.start(), first.start))
    return DateReading(start=first.day, end=end, rest=rest)


def _find(words: str, today: date) -> tuple[list[_Found], str]:
    """Every day in the order of the text, and the text without them; a weekday beside its date is no second day."""
    found: list[_Found] = []
    rest = words
    for pattern, read in FORMS:
        for match in list(pattern.finditer(rest)):
            day = read(match, today)
            if day is not None:
                found.append(_Found(match.start(), match.end(), day))
                rest = _blank(rest, match.start(), match.end())
    found.sort()
    kept: list[_Found] = []
    for at, one in enumerate(found):
        beside = [
            other
            for other in (*kept[-1:], *found[at + 1 : at + 2])
            if _BESIDE.fullmatch(words[min(one.end, other.end) : max(one.start, other.start)])
        ]
        named = [other for other in beside if not is_weekday(words[other.start : other.end])]
        if not (is_weekday(words[one.start : one.end]) and named):
            kept.append(one)
    return kept, rest


def _is_return(words: str, day: _Found) -> bool:
    """Whether a day that stands alone is the last of the trip, and not its first."""
    return bool(_RETURN_BEFORE.search(just_before(words, day.start)) or _RETURN_AFTER.match(words, day.end))


def _is_span(words: str, first: _Found, second: _Found) -> bool:
    between = words[first.end : second.start]
    if _STAYS_UNTIL.fullmatch(between) or (_GOES.fullmatch(between) and _BACK.match(words, second.end)):
        return True
    plain = re.fullmatch(r"\s*(?:去|走|出发)?[,、]?\s*", between) is not None
    return _UNTIL.fullmatch(between) is not None and (not plain or _BACK.match(words, second.end) is not None)


def _blank(words: str, start: int, end: int) -> str:
    return words[:start] + " " * (end - start) + words[end:]
