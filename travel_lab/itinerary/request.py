"""Reads a traveller's words: where to, how long, when, from where, who, for how much, with which wishes.

What the words do not say stays out of the reading: unknown is not zero. What they say and cannot be (0 days) is named in
`problems`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from travel_lab.catalogue import Language
from travel_lab.itinerary.dates import DateReading, read_date
from travel_lab.itinerary.durations import MAX_DAYS, Problem, read_duration
from travel_lab.itinerary.money import Budget, read_budget
from travel_lab.itinerary.numerals import half_width
from travel_lab.itinerary.people import People, read_people
from travel_lab.itinerary.spelling import mend, nearly
from travel_lab.itinerary.wishes import read_wishes

_ORIGIN = re.compile(
    r"(?:从|由|自|from|人在|我在|我们在|住在|家在)\s*(?P<zh>[\u4e00-\u9fff]{2,6}?)\s*(?:出发|去|到|飞|走|坐|过去|启程|自驾|动身|,|想|要)|(?P<zh2>[\u4e00-\u9fff]{2,4})出发"
    r"|\b(?:from|out of|departing|leaving(?: from)?|based in|live in|i'm in|i am in|we're in|living in) (?P<en>[a-z][a-z' ]{1,20}?)"
    r"(?=[,.;!?)]|$| to | on | in | for | with | and | i | we | by | next | this | around | at |\s+\d)"
)
_NOT_AN_ORIGIN = frozenset({"the", "now", "there", "here", "day", "home", "我们", "现在", "今天", "明天"})


@dataclass(frozen=True, kw_only=True)
class Reading:
    """What a text states; None and empty mean that it does not."""

    destinations: tuple[str, ...] = ()
    """Names as the list of places spells them, in the order of the text; a place that is not in it, as typed."""
    days: int | None = None
    days_range: tuple[int, int] | None = None
    """Lowest and highest number of days, when a range was said."""
    nights: int | None = None
    rounded: bool = False
    """Whether half a day was rounded up to a whole one."""
    origin: str | None = None
    start: date | None = None
    budget: Budget | None = None
    people: People | None = None
    wishes: tuple[str, ...] = ()
    """Codes, see `itinerary.wishes`."""
    problems: tuple[Problem, ...] = ()
    """What was said and cannot be."""

    @property
    def trip_days(self) -> int | None:
        """The days to plan: those said; the lower end of a range; one more than the nights."""
        if self.days is not None or self.problems:
            return None if self.problems else self.days
        if self.days_range is not None:
            return self.days_range[0]
        return None if self.nights is None else self.nights + 1

    @property
    def states_something(self) -> bool:
        """Whether anything was understood."""
        return any(
            (
                self.destinations,
                self.days,
                self.days_range,
                self.nights,
                self.origin,
                self.start,
                self.budget,
                self.people,
                self.wishes,
                self.problems,
            )
        )


def read_request(text: str, places: Mapping[str, str], today: date | None = None) -> Reading:
    """Read one message.

    Args:
        text: The traveller's words.
        places: Every name a place is called by → the name to use for it.
        today: The day the words were said; without it no date is read.
    """
    words = mend(half_width(text))
    dated = read_date(words, today or date(2000, 1, 1))
    origin = _read_origin(dated.rest, places)
    rest = dated.rest.replace(origin.words, " ", 1) if origin else dated.rest
    duration = read_duration(rest)
    return Reading(
        destinations=_read_destinations(rest, text, places),
        days=None if duration.problem else duration.days or _span(dated),
        days_range=duration.range,
        nights=duration.nights,
        rounded=duration.rounded,
        origin=origin.name if origin else None,
        start=dated.start if today else None,
        budget=read_budget(rest),
        people=read_people(rest),
        wishes=read_wishes(rest),
        problems=(duration.problem,) if duration.problem else (),
    )


def language_of(text: str, before: Language | None) -> Language:
    """`zh` when the text has Chinese characters, `en` when it has Latin words, else the language used before."""
    if re.search(r"[\u4e00-\u9fff]", text):
        return "zh"
    if re.search(r"[A-Za-z]{2,}", text):
        return "en"
    return before or "zh"


def _span(dated: DateReading) -> int | None:
    """Days from the first to the last date, both counted."""
    days = (dated.end - dated.start).days + 1 if dated.start and dated.end else None
    return days if days is None or days <= MAX_DAYS else None


@dataclass(frozen=True, kw_only=True)
class _Origin:
    words: str
    """As it stands in the text, with "from" before it."""
    name: str


def _read_origin(words: str, places: Mapping[str, str]) -> _Origin | None:
    leg = _leg(words, places)
    if leg is not None:
        return _Origin(words=leg[0], name=leg[1])
    by_name = {half_width(name): use for name, use in places.items()}
    for match in _ORIGIN.finditer(words):
        name = (match["zh"] or match["zh2"] or match["en"]).strip()
        if match["zh2"]:
            name = next((known for known in sorted(by_name, key=len, reverse=True) if name.endswith(known)), name[-2:])
        if name and name not in _NOT_AN_ORIGIN and not re.search(r"\d", name):
            start = match.start("zh") if match["zh"] else match.start("zh2") if match["zh2"] else match.start("en")
            return _Origin(words=words[match.start() : max(start + len(name), match.start() + 1)], name=by_name.get(name, name))
    return None


_LEG = re.compile(
    r"(?:flying |going |driving |travel(?:l)?ing |坐飞机|自驾|从|由)?(?:from )?(?P<a>[\u4e00-\u9fff]{2,5}?|[a-z' ]{3,20}?)"
    r"\s*(?:飞往?|到|过去|->|→| to )\s*(?:the )?(?P<b>[\u4e00-\u9fff]{2,5}|[a-z' ]{3,20})"
)
_NO_START = re.compile(r"出发|我|想|打算|计划|准备|帮|trip|want|like|plan|going|need|hope|love|days?|week|\bi\b|from|day trip")


def _leg(words: str, places: Mapping[str, str]) -> tuple[str, str] | None:
    """The start of "A to B" at the head of a text, as written and as listed: A is where one comes from."""
    match = _LEG.match(words)
    if match is None or _NO_START.search(match["a"]):
        return None
    by_name = {half_width(name): use for name, use in places.items()}
    if not find_places(match["b"], places) and not nearly(match["b"], by_name):
        return None
    close = nearly(match["a"], by_name)
    name = match["a"].strip()
    return match["a"], by_name.get(name) or (by_name[close[0]] if close else name)


def find_places(words: str, places: Mapping[str, str]) -> tuple[str, ...]:
    """The listed places half-width, lower-case text names, in its order, each once."""
    by_name = {half_width(name): use for name, use in places.items()}
    longest_first = sorted(by_name, key=len, reverse=True)
    pattern = "|".join(rf"(?<![a-z]){re.escape(name)}(?![a-z])" if name.isascii() else re.escape(name) for name in longest_first)
    found = re.findall(pattern, words) if pattern else []
    return tuple(dict.fromkeys(by_name[name] for name in found))


_UNLISTED_ZH = re.compile(
    r"(?:去|到|飞|玩|规划(?:一下|下)?|安排(?:一下|下)?|游|想看看)(?:一下|下|趟|个)?\s*(?P<place>[\u4e00-\u9fff]{2,5}?)"
    r"(?=玩|旅|游|待|住|逛|看|[\d一二两三四五六七八九十半]+\s*[天日周晚个]|的|,|。|!|\?|\s|行程|怎么|吧|度假|过|$)"
)
_UNLISTED_ZH_FIRST = re.compile(r"^(?P<place>[\u4e00-\u9fff]{2,4}?)(?=[\d一二两三四五六七八九十]+\s*[天日])")
_UNLISTED_EN = re.compile(
    r"\b(?:to|in|visit(?:ing)?|around|explor(?:e|ing)|see) (?P<place>[A-Z][\w'’-]+(?: (?!in |on |for |from |with )[A-Z][\w'’-]+)*)|(?:^|[.,] )(?P<first>[A-Z][a-z'’-]+(?: [A-Z][a-z'’-]+)?)(?=,? (?:for )?(?:\d+|a week|two|three|four|five|six|seven) ?-?(?:days?|weeks?|nights?|,|$))"
)
_NO_PLACE_ZH = re.compile(
    r"[天日]$|^[多少再]|哪|什么|一个|个地方|地方|我们|朋友|孩子|一起|旅|游|玩|家人|爸妈|国外|海边|吃|看|几天|周末|南方|北方"
)
_NO_PLACE_EN = frozenset({"I", "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday", "Budget", "Plan", "Trip", "Just", "Maybe", "Hi", "Hello", "Need", "Want", "Looking", "Chinese"})  # fmt: skip


def _read_destinations(words: str, text: str, places: Mapping[str, str]) -> tuple[str, ...]:
    listed = find_places(words, places)
    if listed:
        return (*listed, *_joined(words, text, places))
    by_name = {half_width(name): use for name, use in places.items()}
    mended = tuple(dict.fromkeys(by_name[name] for name in nearly(words, by_name)))
    if mended:
        return mended
    unlisted = next(iter(_unlisted(words, text)), None)
    return (unlisted,) if unlisted else ()


_JOINED_ZH = re.compile(
    r"(?:\+|和|、|&|再加个?|还有|以及|跟|加)\s*(?P<place>[\u4e00-\u9fff]{2,4}?)"
    r"(?=[\d一二两三四五六七八九十]+\s*[天日]|,|。|\s|玩|$)"
)
_JOINED_EN = re.compile(r"(?:\+|&|\band\b|\bplus\b|as well as)\s*(?P<place>[A-Z][a-z]+(?: [A-Z][a-z]+)?)\b(?!')")


def _joined(words: str, text: str, places: Mapping[str, str]) -> tuple[str, ...]:
    """Places that are not in the list but joined to one that is."""
    zh = [match["place"] for match in _JOINED_ZH.finditer(words) if not _NO_PLACE_ZH.search(match["place"])]
    en = [match["place"] for match in _JOINED_EN.finditer(text) if match["place"].split()[0] not in _NO_PLACE_EN]
    known = {half_width(name) for name in places}
    return tuple(name for name in (*zh, *en) if half_width(name) not in known and not nearly(half_width(name), known))


def _unlisted(words: str, text: str) -> Iterable[str]:
    for pattern in (_UNLISTED_ZH, _UNLISTED_ZH_FIRST):
        for match in pattern.finditer(words):
            if not _NO_PLACE_ZH.search(match["place"]):
                yield match["place"]
    for match in _UNLISTED_EN.finditer(text):
        name = match["place"] or match["first"]
        if name.split()[0] not in _NO_PLACE_EN:
            yield name


def join_names(names: Sequence[str]) -> str:
    """Several destinations as one column of a PLAN line."""
    return "+".join(names)
