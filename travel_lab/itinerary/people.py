"""Who travels, in the traveller's words."""

import re
from dataclasses import dataclass

from travel_lab.itinerary.numerals import COUNT, read_number

_ADULTS = re.compile(
    rf"(?P<n>{COUNT})\s*(?:个?大人|位成人|个?成人|名成人|大(?=[\d一二两三四五六]小|\s*[,带和]|$)|adults?\b|grown-?ups?\b)"
)
_BIG_SMALL = re.compile(rf"(?P<adults>{COUNT})\s*个?大\s*(?:人)?\s*(?P<children>{COUNT})\s*个?小")
_CHILDREN = re.compile(
    rf"(?P<n>{COUNT})\s*(?:个|名|位)?\s*(?:\d+岁的?)?(?:小?孩子?|小朋友|儿童|娃娃?|宝宝|宝贝|小孩儿|-?\s*(?:year-olds?|kids?\b|child(?:ren)?\b|toddlers?\b|sons?\b|daughters?\b))"
)
_ONE_CHILD = re.compile(
    r"带(?:着|上)?(?:个|我)?(?:小?孩子?|娃|宝宝|儿子|女儿|闺女|小朋友)|(?:my|our|the|a)\s+(?:\w+[- ])?(?:son|daughter|kid|child|toddler|baby|girl|boy)\b"
)
_HEADS = re.compile(
    rf"(?P<n>{COUNT})\s*(?:个人(?!民)|人(?!均|民|在|少)|位(?!成)|口人|个朋友一起|(?:of us|people|persons?|pax|travell?ers|friends(?! of))\b)|我们(?P<we>{COUNT})个|(?:party|group|family) of (?P<party>{COUNT})"
)
_COUPLE = re.compile(
    r"情侣|夫妻|两口子|(?:我[和跟]?|[和跟])(?:我)?(?:老婆|先生|太太|老公|女朋友|男朋友|女友|男友|对象|媳妇|妻子|丈夫|爱人|闺蜜|妈妈?|爸爸?|朋友)|和(?:我)?(?:老婆|老公|女朋友|男朋友|女友|男友|对象|媳妇|妻子|丈夫|爱人)"
    r"|couple\b(?! of)|honeymoon|蜜月|the two of us|(?:me and my|my) (?:wife|husband|girlfriend|boyfriend|partner|fianc[eé]e?)(?: and (?:i|me))?|with my (?:wife|husband|girlfriend|boyfriend|partner)"
)
_FAMILY = re.compile(rf"一家(?P<n>{COUNT})口")
_PARENTS = re.compile(r"(?:带|和|跟)(?:着)?(?:我)?(?:爸妈|父母|老爸老妈)|with my parents")
_ME_AND = re.compile(
    r"\b(?:me|i) and my (?:\w+ )?(?:son|daughter|kid|child|boy|girl)\b|我(?:和|跟|带)(?:着)?(?:我)?(?:儿子|女儿|闺女|孩子|娃)"
)
_ALONE = re.compile(
    r"(?:我|就|只有)?一个人(?!\s*\d|民)|独自|单人|自己一个|\bsolo\b|by myself|just me|alone|travell?ing on my own"
)


@dataclass(frozen=True, kw_only=True)
class People:
    """What a text says about the party; None: nothing."""

    adults: int | None = None
    children: int | None = None


def read_people(words: str) -> People | None:
    """Read half-width, lower-case text; None when it says nothing about who travels."""
    if match := _BIG_SMALL.search(words):
        return People(adults=_int(match["adults"]), children=_int(match["children"]))
    if match := _FAMILY.search(words):
        count = _int(match["n"]) or 0
        return People(adults=min(count, 2), children=max(count - 2, 0) or None)
    adults, children = _first(_ADULTS, words), _first(_CHILDREN, words)
    if children is None and _ONE_CHILD.search(words):
        children = 1
    if adults is None:
        adults = _heads(words)
    if adults is None and _COUPLE.search(words):
        adults = 2
    if adults is None and _PARENTS.search(words):
        adults = 3
    if adults is None and _ME_AND.search(words):
        adults = 1
    if adults is None and children is None and _ALONE.search(words):
        adults = 1
    return None if adults is None and children is None else People(adults=adults, children=children)


def _heads(words: str) -> int | None:
    match = _HEADS.search(words)
    if match is None:
        return None
    if match["party"] and "family of" in match[0]:
        return 2
    return _int(match["n"] or match["we"] or match["party"])


def _first(pattern: re.Pattern[str], words: str) -> int | None:
    match = pattern.search(words)
    return _int(match["n"]) if match else None


def _int(word: str) -> int | None:
    number = read_number(word)
    return int(number) if number else None
