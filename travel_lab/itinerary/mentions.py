"""Finds the places a text names and what each is to the trip: where to, or where from."""

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import NamedTuple

from travel_lab.itinerary.gazetteer import CHINESE, ENGLISH
from travel_lab.itinerary.numerals import half_width
from travel_lab.itinerary.place_words import BACK_TO, CHOOSING, OR, is_set_aside, is_set_aside_for
from travel_lab.itinerary.wording import any_of, just_before, says

_OTHER_THING = (
    r"(?!菜|火锅|小吃|路|街|人(?!.{0,2}[去出])|话|烤|早茶|小面|航空|银行|大学|味|料理|公园|陵|站$|"
    r" (?:airlines?|airways|style|food|cuisine|noodles?|duck|cup)\b)"
)
NOT_ITS_NAME = r"(?!江堰)"
"""换成都江堰 changes to 都江堰; it does not name 成都."""
_ORIGIN_BEFORE = re.compile(
    any_of(
        r"从", r"由", r"自(?!驾|由)", r"人在", r"(?:家|坐标|目前|现在|常)?住(?:在)?", r"家(?:在|是)", r"坐标",
        r"出发(?:地|城市|点)?(?:是|为|在|:|,)?", r"始发(?:地|站)?(?:是)?",
        r"起点(?:是|在)?", r"我在", r"我们在", r"老家", r"人还?在",
        r"\bfrom(?: my home in| home in)?:?", r"out of", r"\bleav(?:e|ing)(?: from)?",
        r"\bdepart(?:ing|ure|s)?(?: from| is| city| point|:)*", r"\b(?:based|living|live|lives|located|reside)(?: in| at)",
        r"i'?m in", r"i am in", r"we'?re in", r"we are in", r"home (?:airport|city|base|town|is)(?: is|:)?",
        r"origin(?: is|:)?", r"start(?:ing)? (?:point|from|out)(?: is| from|:)?",
        r"hometown is", r"ex", r"set(?:ting)? off from", r"take off from", r"flights? from",
    )
    + r"\s*(?:the )?$"
)  # fmt: skip
_WEAK_BEFORE = re.compile(r"(?:人还?在|我在|我们在|i'?m in|i am in|we'?re in|we are in|坐标|住(?:在)?)\s*$")
"""Also said of where one goes; an origin only beside another place."""
_NO_ORIGIN_AFTER = re.compile(r"\s*(?:玩|游|旅游|旅行|待|逛|度假)")
_ORIGIN_AFTER = re.compile(
    r"\s*(?:这边|这里|那边)?\s*"
    + any_of(
        r"出发", r"上车", r"起飞", r"走(?!走|一走|慢|遍|起|一圈|的|,?\s*不)", r"启程", r"动身", r"登机", r"始发",
        r"坐(?:高铁|飞机|火车)", r"过(?:去|来)", r"飞过去", r"(?:为)?起点",
        r"人(?=[,，、 ]|想|打算|要)", r"-?based\b",
        r"is (?:my|our|where (?:i|we)) (?:home|start|base|live|depart|leave|are from)",
        r"as (?:my|our|the) (?:start|departure)", r"departure",
    )
)  # fmt: skip
_LEG = re.compile(
    r"\s*(?:,\s*)?(?:坐(?:高铁|飞机|火车|动车)|开车|自驾|直)?\s*(?:飞(?:往|到|去)?|去|到|前往|→|->|>|"
    r"往返?|\bto\b|\binto\b|高铁去)\s*(?:the )?$"
)
_FIRST_BEFORE = re.compile(r"先(?:去|到|玩)?\s*$|\bfirst,? ?(?:to )?$|\bvisit(?:ing)? $")
_JOIN = r"\s*(?:\+|和|、|&|/|再加个?|还有|以及|跟|与|加|然后去?|再去|转(?:去)?|接着去?|之后去?)\s*(?:再)?(?:去|到|转)?"
_NEXT_ZH = re.compile(
    rf"(?:[\d一二两三四五六七八九十]+\s*[天日])?{_JOIN}(?P<place>[\u4e00-\u9fff]{{2,4}}?)(?=[\d一二两三四五六七八九十]+\s*[天日]|[,。\s]|玩|$)"
)
_NEXT_EN = re.compile(
    r"\s*(?:\+|&|\band\b|\bplus\b|as well as|,? then(?: on to)?|followed by)\s*(?P<place>[A-Z][a-z]+(?: [A-Z][a-z]+)?)\b(?!['’])"
)
NO_PLACE_ZH = says(
    r"[天日万千百元块]$", r"^[改换变加减缩延]", r"^[多少再从由先后总合一三求帮麻我你他她咱俺老小大第把将给请]",
    r"第$", r"哪", r"什么", r"安排|规划|计划|设计|推荐",
    r"一个", r"地方", r"我们", r"朋友", r"孩子", r"一起", r"起来", r"旅", r"游", r"玩", r"家人", r"爸", r"妈",
    r"公公", r"婆婆", r"老[公婆]", r"对象", r"同学", r"同事", r"闺蜜", r"女友", r"男友", r"父母", r"国外", r"海边", r"吃",
    r"看", r"几天", r"周末", r"南方", r"北方", r"散", r"走走", r"转转", r"放松",
    r"度假", r"出差", r"探亲", r"休息", r"购物", r"爬山", r"徒步", r"[一二两三四五六七八九十\d][个位人口]", r"打算", r"预算",
    r"酒店", r"博物馆", r"公园", r"寺庙", r"沙滩", r"个人", r"^[一二两三四五六七八九十]+$",
)  # fmt: skip
NO_PLACE_EN = frozenset(
    [
        "I",
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
        "Monday",
        "Tuesday",
        "Wednesday",
        "Thursday",
        "Friday",
        "Saturday",
        "Sunday",
        "Budget",
        "Plan",
        "Trip",
        "Just",
        "Maybe",
        "Hi",
        "Hello",
        "Need",
        "Want",
        "Looking",
        "Chinese",
        "We",
        "My",
        "Our",
        "Please",
        "Thanks",
        "Food",
        "Parks",
        "Museums",
        "Temples",
        "Two",
        "Three",
        "Four",
        "Five",
        "Six",
        "Seven",
        "Christmas",
        "Easter",
        "Day",
        "Days",
        "The",
    ]
)


class Mention(NamedTuple):
    """A place in a text."""

    start: int
    end: int
    name: str
    """As it is listed; as typed when it is not."""
    listed: bool


class Places(NamedTuple):
    """Where to and where from."""

    destinations: tuple[str, ...]
    origin: str | None
    choices: tuple[str, ...] = ()
    """Places between which the text leaves the choice open, as typed; then there is no destination yet."""
    aside: tuple[str, ...] = ()
    """Places named only to say that they are neither, as typed."""


def find_mentions(words: str, text: str, places: Mapping[str, str]) -> list[Mention]:
    """Every place mended words name, in their order; unlisted ones as they stand in `text` when it is as long."""
    by_name = {half_width(name): use for name, use in places.items()}
    known = dict.fromkeys((*CHINESE, *ENGLISH)) | by_name
    pattern = "|".join(
        rf"(?<![a-z]){re.escape(name)}(?![a-z])" if name.isascii() else re.escape(name) + NOT_ITS_NAME
        for name in sorted(known, key=len, reverse=True)
    )
    found = []
    for match in re.finditer(pattern, words):
        listed = match[0] in by_name
        if listed or re.match(_OTHER_THING, words[match.end() :]):
            name = by_name.get(match[0]) or _as_typed(match[0], text)
            found.append(Mention(match.start(), match.end(), name, listed))
    return found


def _as_typed(name: str, text: str) -> str:
    match = re.search(re.escape(name), text, re.IGNORECASE)
    return match[0] if match else name


def read_places(words: str, text: str, places: Mapping[str, str]) -> Places:
    """Which of the places named are gone to, which is where the traveller comes from, and between which one is to be chosen."""
    named = find_mentions(words, text, places)
    mentions = _wanted(words, named)
    origin: Mention | None = None
    to: list[Mention] = []
    for at, mention in enumerate(mentions):
        following = mentions[at + 1] if at + 1 < len(mentions) else None
        if to and BACK_TO.search(just_before(words, mention.start)):
            continue
        if origin is None and _is_origin(words, mention, following, alone=len(mentions) == 1, first=not to):
            origin = mention
        else:
            to.append(mention)
    to = [mention for mention in to if origin is None or mention.name != origin.name]
    names = [mention.name for mention in to]
    start = origin.name if origin else None
    aside = tuple({words[mention.start : mention.end] for mention in named if mention.name not in {*names, start}})
    if _is_open(words, to):
        typed = (_as_typed(words[mention.start : mention.end], text) for mention in to)
        return Places((), start, tuple(dict.fromkeys(typed)), aside)
    if to and any(mention.listed for mention in to):
        names += _next_to(words, text, to[-1], places)
    return Places(tuple(dict.fromkeys(names)), start, (), aside)


def _wanted(words: str, mentions: list[Mention]) -> list[Mention]:
    """The places that are not refused, seen already, or given up for one that is named later."""
    kept = []
    for at, mention in enumerate(mentions):
        before, after = just_before(words, mention.start), words[mention.end :]
        until_next = words[mention.end : mentions[at + 1].start] if at + 1 < len(mentions) else ""
        if not is_set_aside(before, after) and not is_set_aside_for(before, until_next):
            kept.append(mention)
    return kept


def _is_open(words: str, to: list[Mention]) -> bool:
    """Whether one of two destinations is still to be chosen."""
    if len({mention.name for mention in to}) < 2:
        return False
    between = (words[one.end : other.start] for one, other in pairwise(to) if one.name != other.name)
    return CHOOSING.search(words) is not None or any(OR.fullmatch(gap) for gap in between)


def _is_origin(words: str, mention: Mention, following: Mention | None, *, alone: bool, first: bool) -> bool:
    before, after = just_before(words, mention.start), words[mention.end :]
    if _ORIGIN_BEFORE.search(before):
        return not (alone and _WEAK_BEFORE.search(before)) and not _NO_ORIGIN_AFTER.match(after)
    if _ORIGIN_AFTER.match(after):
        return True
    leg = following is not None and _LEG.fullmatch(words[mention.end : following.start]) is not None
    return leg and first and not _FIRST_BEFORE.search(before)


def _next_to(words: str, text: str, last: Mention, places: Mapping[str, str]) -> list[str]:
    """A place nothing knows, joined to one that is known."""
    match = _NEXT_ZH.match(words, last.end)
    if match and not NO_PLACE_ZH.search(match["place"]):
        return [match["place"]]
    if len(words) == len(text):
        match = _NEXT_EN.match(text, last.end)
        if match and match["place"].split()[0] not in NO_PLACE_EN and half_width(match["place"]) not in map(half_width, places):
            return [match["place"]]
    return []
