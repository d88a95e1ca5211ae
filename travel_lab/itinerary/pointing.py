"""What a follow-up points at: a day or night, a meal, the n-th of a list, a name."""

import re
from collections.abc import Iterable, Mapping
from typing import Literal

from travel_lab.itinerary.numerals import half_width, read_number

Meal = Literal["lunch", "dinner"]

_ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "last": -1, "final": -1,
    "1st": 1, "2nd": 2, "3rd": 3, "4th": 4, "5th": 5,
}  # fmt: skip
_WORD = rf"(?P<word>{'|'.join(_ORDINALS)})"
_ENGLISH_NUMBER = r"\d+|one|two|three|four|five|six|seven|eight|nine|ten"
_NUMBER = r"(?P<n>\d+|[一二两三四五六七八九十]+)"
_DAY = re.compile(
    rf"第\s*{_NUMBER}\s*(?:[天日晚]|个?晚上)|\bday\s*(?P<en>{_ENGLISH_NUMBER})\b|\bnights?\s*(?P<night>{_ENGLISH_NUMBER})\b"
    rf"|\b{_WORD}\s+(?:day|night)|(?P<last>最后一[天日晚]|头一[天晚])|\bd(?P<d>\d)\b"
)
_NTH = re.compile(
    rf"第\s*{_NUMBER}\s*(?:个|家|处|站|景点|项)|(?P<last>最后(?:一)?(?:个|家|处|站))|(?P<head>首个|头一个)"
    rf"|\b{_WORD}\s+(?:sights?|attraction|stop|place|one|restaurant|museum|spot|thing|activity|hotel|item)"
)
_LATIN_HEAD = 5
_COMMON_HEADS = frozenset({"成都", "四川", "天府", "chengdu", "sichuan", "hotel", "happy", "grand", "people's", "spicy"})
"""Beginnings that say nothing of a place."""
_LUNCH, _DINNER = r"午餐|午饭|中午|中饭|lunch", r"晚餐|晚饭|晚上|dinner|supper"
_QUOTED = re.compile(r"[“\"「『'‘](?P<name>[^”\"」』'’]{2,40})[”\"」』'’]")
_NAME_ZH = r"[\u4e00-\u9fffa-z0-9 ]{2,14}?"
_TYPED_ZH = (
    re.compile(
        rf"(?:把|将)(?:第?[\d一二三四五六七八九十]*[天日](?:的|上午|下午|晚上)*)?(?P<name>{_NAME_ZH})(?:给|"
        rf"换|去掉|删|取消|改|挪|移|调|放|替换|划掉|拿掉|提前|推)"
    ),
    re.compile(rf"(?:介绍|讲讲|说说|讲一下|说一下|了解)(?:一?下)?(?P<name>{_NAME_ZH})(?:吧|呗|吗|好吗|,|。|\?|的|$)"),
    re.compile(
        rf"(?:去掉|删掉|删除|取消|不想吃|不吃|塞个|不去|不想去|跳过|划掉|拿掉|加上?|增加|添加|再加(?:个|"
        rf"一个)?|加(?:个|一个)|安排(?:个|一个|上)?|想去|也去|顺便去)(?P<name>{_NAME_ZH})(?:了|吧|呗|和|,|"
        rf"。|!|\?|行|可以|吗|$)"
    ),
    re.compile(
        rf"(?P<name>{_NAME_ZH})(?:不去了|不想去|就算了|不要了|去掉|删掉|取消|挪到|移到|调到|放到|改到|"
        rf"好玩吗|值得|怎么样|是什么|有什么|有素|辣不辣|是不是|清真吗)"
    ),
)  # fmt: skip
_TYPED_EN = (
    re.compile(
        r"(?i:drop|remove|skip|cancel|delete|add|include|squeeze in|fit in|fitting in|slot in|trade|"
        r"lose|ditch|move|shift|introduce|describe|about|replace|swap(?: out)?|visit|see|is|does|on|"
        r"not|near|to|do|of) (?:the |us |to )?(?P<name>(?:[A-Z][\w'’.-]*|of|the|and|"
        r"de)(?: (?:[A-Z][\w'’.-]*|of|the|and|de))*)"
    ),
)


def day_of(words: str) -> int | None:
    """The first day or night named; -1 is the last."""
    return next(iter(days_of(words)), None)


def days_of(words: str) -> list[int]:
    """Every day or night named, in order, in half-width, lower-case text."""
    found = []
    for match in _DAY.finditer(words):
        if match["last"]:
            found.append(1 if match["last"].startswith("头") else -1)
        elif match["word"]:
            found.append(_ORDINALS[match["word"]])
        else:
            number = read_number(match["n"] or match["en"] or match["night"] or match["d"])
            if number:
                found.append(int(number))
    return found


def ordinal_of(words: str) -> int | None:
    """Which of a list is named, from 1; -1 is the last."""
    match = _NTH.search(words)
    if match is None:
        return None
    if match["last"] or match["head"]:
        return -1 if match["last"] else 1
    if match["word"]:
        return _ORDINALS[match["word"]]
    number = read_number(match["n"])
    return int(number) if number else None


def meal_of(words: str) -> Meal | None:
    """The meal named; None when none or both are."""
    lunch, dinner = bool(re.search(_LUNCH, words)), bool(re.search(_DINNER, words))
    return None if lunch == dinner else "lunch" if lunch else "dinner"


def names_in(text: str, names: Iterable[str]) -> list[str]:
    """Those of `names` that stand in the text, in its order; a name inside a longer one does not count."""
    words = half_width(text)
    by_words = {half_width(name): name for name in names}
    pattern = "|".join(re.escape(name) for name in sorted(by_words, key=len, reverse=True))
    if not pattern:
        return []
    found = {match.start(): by_words[match[0]] for match in re.finditer(pattern, words)}
    rest = re.sub(pattern, lambda match: " " * len(match[0]), words)
    found |= _parts_in(rest, by_words)
    return list(dict.fromkeys(found[at] for at in sorted(found)))


def _parts_in(words: str, by_words: Mapping[str, str]) -> dict[int, str]:
    """Names of which only the beginning stands in the text, by place, when it points at no other name."""
    found: dict[int, set[str]] = {}
    for name, original in by_words.items():
        head = name.split()[0] if name.isascii() else name[: max(2, len(name) // 2)]
        at = words.find(head)
        if at >= 0 and len(head) >= (_LATIN_HEAD if name.isascii() else 2) and head not in _COMMON_HEADS:
            found.setdefault(at, set()).add(original)
    return {at: next(iter(names)) for at, names in found.items() if len(names) == 1}


def typed_name(text: str) -> str | None:
    """A name the text seems to give, as typed, without knowing any."""
    if quoted := _QUOTED.search(text):
        return quoted["name"]
    if re.search(r"[\u4e00-\u9fff]", text):
        words = half_width(text)
        for pattern in _TYPED_ZH:
            match = pattern.search(words)
            if match and not re.search(r"酒店$|景点|餐厅|第.|那个|哪|什么|一天|两天|个人|[天日]的?$|预算|最后", match["name"]):
                return match["name"].strip()
        return None
    for pattern in _TYPED_EN:
        match = pattern.search(text)
        if match and match["name"].casefold() not in {"the", "of", "and", "i", "day"}:
            return match["name"].strip()
    return None


def closest(name: str, names: Iterable[str]) -> str | None:
    """The one of `names` a typed name means: equal, containing it, or spelling it out (熊猫基地 for 大熊猫繁育研究基地)."""
    wanted = half_width(name).strip()
    known = list(names)
    tests = (
        lambda other: other == wanted,
        lambda other: wanted in other or other in wanted,
        lambda other: len(wanted) > 2 and _spells(wanted, other),
    )
    for test in tests:
        found = [other for other in known if test(half_width(other))]
        if found:
            return min(found, key=len)
    return None


def _spells(short: str, long: str) -> bool:
    rest = iter(long)
    return all(char in rest for char in short)
