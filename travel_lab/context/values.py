"""Numbers with their units, days, nights and meals as they stand in Chinese and English text.

All texts pass `normal` first: full-width digits, brackets, commas and signs become half-width.
"""

import re
import unicodedata
from typing import NamedTuple

Scope = tuple[str, int | str]
"""Where a fact holds: ("day", 2), ("night", 1) or ("meal", "lunch")."""

CURRENCY = {
    "¥": "CNY", "人民币": "CNY", "块": "CNY", "cny": "CNY", "rmb": "CNY",
    "a$": "AUD", "aud": "AUD", "澳元": "AUD", "us$": "USD", "usd": "USD", "美元": "USD",
    "s$": "SGD", "sgd": "SGD", "新币": "SGD", "€": "EUR", "eur": "EUR", "欧元": "EUR", "jpy": "JPY", "日元": "JPY", "yen": "JPY",
    "฿": "THB", "thb": "THB", "泰铢": "THB", "元": "CNY", "$": "$",
}  # fmt: skip
"""Signs and words of a currency; a plain `$` fits any dollar."""
DOLLARS = frozenset({"AUD", "USD", "SGD", "$"})

MEAL_WORDS = {
    "午餐": "lunch", "午饭": "lunch", "中餐": "lunch", "中午": "lunch", "lunch": "lunch",
    "晚餐": "dinner", "晚饭": "dinner", "dinner": "dinner", "早餐": "breakfast", "早饭": "breakfast", "breakfast": "breakfast",
}  # fmt: skip
SCOPE_KEYS = {
    "day": "day", "天": "day", "日": "day", "第几天": "day", "日期": "day", "date": "day",
    "night": "night", "晚": "night", "第几晚": "night", "meal": "meal", "餐": "meal", "餐次": "meal",
}  # fmt: skip
"""JSON keys and table headers whose value says where the rest holds."""
KEY_WORDS = {
    "价格": "price", "房价": "price", "每晚": "price", "酒店价格": "price", "hotel price": "price", "price per night": "price",
    "人均": "price", "per person": "price", "评分": "rating", "星级": "stars", "区": "district", "区域": "district",
    "area": "district", "门票": "ticket", "票价": "ticket", "开始": "start",
}  # fmt: skip
"""Other names of a JSON key or table header."""
UNPLANNED_KEYS = frozenset(
    {"removed", "dropped", "rejected", "not_chosen", "cancelled", "alternatives", "去掉", "已取消", "备选"}
)
"""Keys of what is named but not planned: it stands under no day, night or meal."""

_DIGITS = "一二三四五六七八九"
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")
_ENGLISH = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

NUMBER = (
    r"(?<![\d.a-z])(?<!\d,)(?P<pre>(?:a\$|us\$|s\$|\$|¥|€|฿|cny|rmb|aud|usd|sgd|eur|jpy|thb|评分|rated|rating)\s*:?\s*)?"
    r"(?P<num>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?![\d:])"
    r"(?P<post>\s*(?:元|块|分|星级?|[- ]?stars?|cny|rmb|aud|usd|sgd|eur|jpy|thb|yen|澳元|美元|新币|欧元|日元|泰铢))?"
)
STARS = r"(?P<stars>[一二三四五])星"
TIME = r"(?P<time>\d{1,2}:\d{2})"
_COUNT = rf"(?:\d{{1,3}}|[{_DIGITS}]?十?[{_DIGITS}]|[{_DIGITS}]?十)"
_ENGLISH_COUNT = rf"(?:\d{{1,3}}|{'|'.join(_ENGLISH)})"
_JOIN = r"\s*(?:、|,|和|与|及|至|到|and|to|-|–|~|&)\s*"
DAYS = (
    rf"(?P<days>第\s*{_COUNT}\s*[天日晚]?(?:{_JOIN}第?\s*{_COUNT}\s*[天日晚]?)*(?<=[天日晚])"
    rf"|\b(?:days|nights)\s+{_ENGLISH_COUNT}(?:{_JOIN}{_ENGLISH_COUNT}\b)+"
    rf"|\b(?:day|night)[\s_]*{_ENGLISH_COUNT}\b(?:{_JOIN}(?:day|night)\s+{_ENGLISH_COUNT}\b)*"
    rf"|\b(?:{'|'.join(_ORDINALS)})\s+(?:day|night)\b)"
)
MEAL = rf"(?P<meal>{'|'.join(MEAL_WORDS)})"


class Amount(NamedTuple):
    """A number in a text."""

    number: float
    unit: str
    """A currency code, `$`, `rating`, `stars`, or blank when the text names none."""


def normal(text: str) -> str:
    """Half-width, lower-case form for comparison."""
    return unicodedata.normalize("NFKC", text).casefold()


def amount_of(match: re.Match[str]) -> Amount:
    """The amount a match of `NUMBER` or `STARS` stands for."""
    groups = match.groupdict()
    if groups.get("stars"):
        return Amount(float(count_of(groups["stars"])), "stars")
    number = float(groups["num"].replace(",", ""))
    return Amount(number, _unit((groups["pre"] or "").strip(" :"), (groups["post"] or "").strip(" -")))


def _unit(before: str, after: str) -> str:
    if before in CURRENCY:
        return CURRENCY[before]
    if after in CURRENCY:
        return CURRENCY[after]
    if after.startswith(("星", "star")):
        return "stars"
    return "rating" if before or after == "分" else ""


def amount_in(text: str) -> Amount | None:
    """The amount a text consists of, such as `500`, `¥500` or `500元`; None when it is anything else."""
    match = re.fullmatch(rf"{NUMBER}(?:\s*/?\s*(?:晚|人|night|person))?|{STARS}级?", normal(text).strip())
    return amount_of(match) if match else None


def currency_in(text: str) -> str:
    """The currency a header such as `price (CNY)` or a cell such as `元` names; blank for none."""
    words = normal(text)
    return next((code for sign, code in CURRENCY.items() if sign != "$" and sign in words), "")


def same_unit(one: str, other: str) -> bool:
    """Whether two units can mean the same; a plain `$` fits every dollar."""
    return one == other or (one in DOLLARS and other in DOLLARS and "$" in (one, other))


def count_of(word: str) -> int:
    """`3`, `三`, `十二` or `three` as a number."""
    word = word.strip()
    if word.isdecimal():
        return int(word)
    for words in (_ENGLISH, _ORDINALS):
        if word in words:
            return words.index(word) + 1
    tens, ten, ones = word.rpartition("十")
    if not ten:
        return _DIGITS.index(ones) + 1
    return (_DIGITS.index(tens) + 1 if tens else 1) * 10 + (_DIGITS.index(ones) + 1 if ones else 0)


def days_of(text: str) -> frozenset[Scope]:
    """The days and nights a match of `DAYS` names: `第1晚、第2晚` two nights, `Days 1-3` three days."""
    role = "night" if "晚" in text or "night" in text else "day"
    numbers = [count_of(word) for word in re.findall(rf"\d+|[{_DIGITS}十]+|{'|'.join((*_ENGLISH, *_ORDINALS))}", text)]
    if len(numbers) == 2 and re.search(r"至|到|\bto\b|-|–|~", text):
        numbers = list(range(numbers[0], numbers[1] + 1))
    return frozenset((role, number) for number in numbers)


def scope_of_words(text: str) -> frozenset[Scope]:
    """The day, night or meal a key or header such as `第1天`, `day_1` or `lunch` stands for; empty for any other."""
    words = normal(text).strip()
    if words in MEAL_WORDS:
        return frozenset({("meal", MEAL_WORDS[words])})
    return days_of(words) if re.fullmatch(DAYS, words) else frozenset()


def scope_of(key: str, value: object) -> frozenset[Scope]:
    """What a JSON member or table cell says about where its neighbours hold; empty when it says nothing."""
    role = SCOPE_KEYS.get(normal(key).strip())
    if role is None or isinstance(value, bool | dict | list) or value is None:
        return frozenset()
    text = normal(str(value)).strip()
    if role == "meal":
        return frozenset({("meal", MEAL_WORDS[text])} if text in MEAL_WORDS else ())
    match = re.fullmatch(rf"{DAYS}|(?P<plain>{_COUNT})", text)
    if match is None:
        return frozenset()
    return days_of(text) if match["days"] else frozenset({(role, count_of(match["plain"]))})
