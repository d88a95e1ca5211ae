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
from travel_lab.itinerary.mentions import NO_PLACE_EN, NO_PLACE_ZH, NOT_ITS_NAME, read_places
from travel_lab.itinerary.money import Budget, read_budget
from travel_lab.itinerary.numerals import half_width
from travel_lab.itinerary.people import People, read_people
from travel_lab.itinerary.spelling import mend, nearly
from travel_lab.itinerary.wishes import THINGS, named_bans, read_wishes

_ORIGIN = re.compile(
    r"(?:从|由|自|from|人在|我在|我们在|住在|家在)\s*(?P<zh>[\u4e00-\u9fff]{2,6}?)\s*(?:出发|去|到|飞|"
    r"走|坐|过去|启程|自驾|动身|,|想|要)|(?P<zh2>[\u4e00-\u9fff]{2,4})出发"
    r"|\b(?:from|out of|departing|leaving(?: from)?|based in|live in|i'm in|i am in|we're in|"
    r"living in) (?P<en>[a-z][a-z' ]{1,20}?)"
    r"(?=[,.;!?)]|$| to | on | in | for | with | and | i | we | by | next | this | around | at |\s+\d)"
)
_NOT_AN_ORIGIN = frozenset({"the", "now", "there", "here", "day", "home", "我们", "现在", "今天", "明天"})


@dataclass(frozen=True, kw_only=True)
class Reading:
    """What a text states; None and empty mean that it does not."""

    destinations: tuple[str, ...] = ()
    """Names as the list of places spells them, in the order of the text; a place that is not in it, as typed."""
    choices: tuple[str, ...] = ()
    """Places between which the text leaves the choice open, as typed; then it states no destination."""
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
    found = read_places(dated.rest, text, places)
    unlisted_origin = _read_origin(dated.rest, places)
    not_origin = (*found.destinations, *found.choices, *found.aside)
    if unlisted_origin and any(half_width(name) in half_width(unlisted_origin) for name in not_origin):
        unlisted_origin = None
    origin = found.origin or unlisted_origin
    destinations = found.destinations or (() if found.choices else _read_destinations(dated.rest, text, places, origin))
    rest = dated.rest
    duration = read_duration(rest, stops=max(1, len(destinations)))
    budget = read_budget(rest)
    return Reading(
        destinations=destinations,
        choices=found.choices,
        days=None if duration.problem else duration.days or _span(dated),
        days_range=duration.range,
        nights=duration.nights,
        rounded=duration.rounded,
        origin=origin,
        start=dated.start if today else None,
        budget=budget,
        people=read_people(rest),
        wishes=_wishes(rest, text, budget, destinations),
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


def _wishes(words: str, text: str, budget: Budget | None, destinations: Sequence[str]) -> tuple[str, ...]:
    """Every wish; a trip that is to cost little is one, too."""
    said = [wish if not wish.startswith("no:") else f"no:{_as_typed(wish[3:], text)}" for wish in read_wishes(words)]
    named = [f"no:{name}" for name in named_bans(text) if name.casefold() not in map(str.casefold, destinations)]
    known = {wish.casefold() for wish in said}
    cheap = ["cheap"] if budget is not None and budget.words == "cheap" else []
    return tuple(dict.fromkeys((*said, *(name for name in named if name.casefold() not in known), *cheap)))


def _as_typed(name: str, text: str) -> str:
    match = re.search(re.escape(name), text, re.IGNORECASE) if name not in THINGS else None
    return match[0] if match else name


def _read_origin(words: str, places: Mapping[str, str]) -> str | None:
    """An origin nothing knows, or one that is misspelt."""
    leg = _leg(words, places)
    if leg is not None:
        return leg
    by_name = {half_width(name): use for name, use in places.items()}
    for match in _ORIGIN.finditer(words):
        name = (match["zh"] or match["zh2"] or match["en"]).strip()
        if match["zh2"]:
            name = next((known for known in sorted(by_name, key=len, reverse=True) if name.endswith(known)), name[-2:])
        if (
            name
            and name.split()[0] not in _NOT_AN_ORIGIN
            and not _NO_START.search(name)
            and not NO_PLACE_ZH.search(name)
            and not re.search(r"\d", name)
        ):
            return by_name.get(name, name)
    return None


_LEG = re.compile(
    r"(?:flying |going |driving |travel(?:l)?ing |坐飞机|自驾|从|"
    r"由)?(?:from )?(?P<a>[\u4e00-\u9fff]{2,5}?|[a-z']{3,12}(?: [a-z']{3,12})?)"
    r"\s*(?:飞往?|到|过去|->|→| to )\s*(?:the )?(?P<b>[\u4e00-\u9fff]{2,5}|[a-z' ]{3,20})"
)
_NO_START = re.compile(
    r"出发|我|想|打算|计划|准备|帮|带|要|一人|号|预算|trip|want|like|plan|going|need|hope|love|think|"
    r"days?|week|night|travel|fly|been\b|\bi\b|from|off"
    r"|\bthe\b|\bmy\b|(?:three|four|five|six|seven|two|one|dawn|morning|scratch|couple|family|people|adults?|us)\b"
)


def _leg(words: str, places: Mapping[str, str]) -> str | None:
    """The start of "A to B" at the head of a text, as listed: A is where one comes from."""
    match = _LEG.match(words)
    if match is None or _NO_START.search(match["a"]):
        return None
    by_name = {half_width(name): use for name, use in places.items()}
    if not find_places(match["b"], places) and not nearly(match["b"], by_name):
        return None
    close = nearly(match["a"], by_name)
    name = match["a"].strip()
    return by_name.get(name) or (by_name[close[0]] if close else name)


def find_places(words: str, places: Mapping[str, str]) -> tuple[str, ...]:
    """The listed places half-width, lower-case text names, in its order, each once."""
    by_name = {half_width(name): use for name, use in places.items()}
    longest_first = sorted(by_name, key=len, reverse=True)
    pattern = "|".join(
        rf"(?<![a-z]){re.escape(name)}(?![a-z])" if name.isascii() else re.escape(name) + NOT_ITS_NAME for name in longest_first
    )
    found = re.findall(pattern, words) if pattern else []
    return tuple(dict.fromkeys(by_name[name] for name in found))


_UNLISTED_ZH = re.compile(
    r"(?:去|到|飞|玩|规划(?:一下|下)?|安排(?:一下|下)?|游|想看看)(?:一下|下|趟|个)?\s*(?P<place>[\u4e00-\u9fff]{2,5}?)"
    r"(?=玩|旅|游|待|住|逛|看|[\d一二两三四五六七八九十半]+\s*[天日周晚个]|的|,|。|!|\?|\s|行程|怎么|吧|度假|过|$)"
)
_UNLISTED_ZH_FIRST = re.compile(r"^(?P<place>[\u4e00-\u9fff]{2,4}?)(?=[\d一二两三四五六七八九十]+\s*[天日])")
_UNLISTED_EN = re.compile(
    r"\b(?:to|in|visit(?:ing)?|around|explor(?:e|ing)|see) (?P<place>[A-Z][\w'’-]+(?: (?!in |on |for |"
    r"from |with )[A-Z][\w'’-]+)*)|(?:^|"
    r"[.,] )(?P<first>[A-Z][a-z'’-]+(?: [A-Z][a-z'’-]+)?)(?=,? (?:for )?(?:\d+|a week|two|three|four|"
    r"five|six|seven) ?-?(?:days?|weeks?|nights?|,|$))"
)


def _read_destinations(words: str, text: str, places: Mapping[str, str], origin: str | None) -> tuple[str, ...]:
    """Places that are misspelt, else one nothing knows."""
    by_name = {half_width(name): use for name, use in places.items()}
    mended = tuple(dict.fromkeys(by_name[name] for name in nearly(words, by_name) if by_name[name] != origin))
    if mended:
        return mended
    unlisted = next((name for name in _unlisted(words, text) if half_width(name) != half_width(origin or "")), None)
    return (unlisted,) if unlisted else ()


def _unlisted(words: str, text: str) -> Iterable[str]:
    for pattern in (_UNLISTED_ZH, _UNLISTED_ZH_FIRST):
        for match in pattern.finditer(words):
            if not NO_PLACE_ZH.search(match["place"]):
                yield match["place"]
    for match in _UNLISTED_EN.finditer(text):
        name = match["place"] or match["first"]
        if name.split()[0] not in NO_PLACE_EN:
            yield name


def join_names(names: Sequence[str]) -> str:
    """Several destinations as one column of a PLAN line."""
    return "+".join(names)
