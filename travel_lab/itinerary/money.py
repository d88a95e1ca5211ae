"""What a trip may cost, in the traveller's words."""

import re
from dataclasses import dataclass
from typing import Literal

from travel_lab.itinerary.numerals import AMOUNT, read_number

Basis = Literal["total", "per_person", "per_person_per_day", "per_night"]

_BEFORE = {
    "¥": "CNY",
    "cny": "CNY",
    "rmb": "CNY",
    "人民币": "CNY",
    "a$": "AUD",
    "au$": "AUD",
    "aud": "AUD",
    "us$": "USD",
    "usd": "USD",
    "$": "USD",
}
_AFTER = {
    "元": "CNY", "块": "CNY", "cny": "CNY", "rmb": "CNY", "人民币": "CNY", "yuan": "CNY", "aud": "AUD", "澳元": "AUD", "澳币": "AUD",
    "澳刀": "AUD", "australian dollars": "AUD", "aussie dollars": "AUD", "usd": "USD", "美元": "USD", "美金": "USD", "刀": "USD",
    "dollars": "USD", "bucks": "USD",
}  # fmt: skip
_SIGN_BEFORE = rf"(?:{'|'.join(re.escape(sign) for sign in sorted(_BEFORE, key=len, reverse=True))})"
_SIGN_AFTER = rf"(?:{'|'.join(sorted(_AFTER, key=len, reverse=True))})"


def _one(at: int) -> str:
    return rf"(?P<before{at}>{_SIGN_BEFORE})?\s*(?P<amount{at}>{AMOUNT})\s*(?P<after{at}>{_SIGN_AFTER})?"


_TO = r"\s*(?:-|–|~|到|至|to)\s*"
_RANGE = re.compile(rf"(?:between\s+)?{_one(1)}(?:{_TO}|\s+and\s+){_one(2)}")
_SINGLE = re.compile(_one(1))
_CONTEXT = re.compile(
    r"(?:预算|经费|花费?|费用|价位|人均|每人|一个人|总共|一共|budget|spend|cost|afford|under|below|within|up to|at most|max(?:imum)?|around|about)"
    r"[^\d一二两三四五六七八九十百千万]{0,14}$"
)
_NOT_MONEY_AFTER = re.compile(
    r"\s*(?:天|日|号|月|年|晚|夜|人|个|大|小|岁|公里|点|周|星期|days?|nights?|weeks?|adults?|people|persons?|pax|kids?|child|am|pm|[-/]\d|st\b|nd\b|rd\b|th\b)"
)
_MAX_BEFORE = re.compile(
    r"(?:不超过|不要超过|别超过|不能超过|最多|顶多|封顶|控制在|under|below|less than|no more than|up to|at most|max(?:imum)?|within|not exceed(?:ing)?)[^\d]{0,12}$"
)
_MAX_AFTER = re.compile(r"\s*(?:以内|之内|以下|封顶|内(?!容)|max\b|or less|tops|at most)")
_MIN_BEFORE = re.compile(r"(?:至少|不低于|at least|more than|minimum)[^\d]{0,8}$")
_MIN_AFTER = re.compile(r"\s*(?:以上|起\b)")
_ABOUT_BEFORE = re.compile(r"(?:大概|大约|约|差不多|about|around|roughly|approximately|some|~)[^\d]{0,6}$")
_ABOUT_AFTER = re.compile(r"\s*(?:左右|上下|差不多|出头|ish\b|or so)")
_PER_DAY = re.compile(r"每人每天|人均每天|每天每人|一人一天|per person (?:per|a) day|each (?:per|a) day|a day each|pp/day|pppd")
_PER_PERSON = re.compile(
    r"人均|每人|每个人|一个人\s*(?=[\d一二两三四五六七八九十])|一人\s*(?=[\d])|/人|per person|per head|each\b|a head|apiece|\bpp\b|a person"
)
_PER_NIGHT = re.compile(r"每晚|一晚上?|/晚|per night|a night|nightly")
_CHEAP = re.compile(
    r"便宜|省钱|实惠|经济|穷游|性价比|cheap|low[- ]cost|on a (?:tight )?budget|affordable|inexpensive|shoestring|low budget|tight budget"
)
_UNLIMITED = re.compile(
    r"(?:预算|钱|价格|花费)\S{0,4}?(?:不限|无所谓|随便|不是问题|没有?上限|不设限|没限制|不用管)|不限预算|不差钱|不限(?:制)?(?:预算|价格)|预算随意"
    r"|no (?:budget )?limit|unlimited|money is no (?:object|problem)|budget (?:is )?(?:open|flexible|no(?:t an)? (?:issue|object))|forget (?:about )?the budget|no budget (?:limit|cap)|price doesn'?t matter"
)


@dataclass(frozen=True, kw_only=True)
class Budget:
    """What a text says about money; None and blank: nothing."""

    amount: float | None = None
    low: float | None = None
    high: float | None = None
    """Bounds, when a range or a limit was said instead of an amount."""
    currency: str = ""
    """ISO 4217 code; blank when none was said."""
    basis: Basis = "total"
    approximate: bool = False
    words: Literal["", "cheap", "unlimited"] = ""


def read_budget(words: str) -> Budget | None:
    """Read half-width, lower-case text without dates in it; None when it says nothing about money."""
    said: Literal["", "cheap", "unlimited"] = "unlimited" if _UNLIMITED.search(words) else "cheap" if _CHEAP.search(words) else ""
    for match in _RANGE.finditer(words):
        budget = _read_range(words, match, said)
        if budget is not None:
            return budget
    for match in _SINGLE.finditer(words):
        budget = _read_single(words, match, said)
        if budget is not None:
            return budget
    return Budget(words=said) if said else None


def _read_range(words: str, match: re.Match[str], said: Literal["", "cheap", "unlimited"]) -> Budget | None:
    low, high = read_number(match["amount1"]), read_number(match["amount2"])
    if low is None or high is None or not _is_money(words, match, 2):
        return None
    unit = re.search(r"[千万kw]$", match["amount2"].strip())
    if unit and low < high / 50:  # 3-5千: the unit stands once
        low = read_number(f"{match['amount1'].strip()}{unit[0]}") or low
    if low >= high or high < 100:
        return None
    return Budget(low=low, high=high, currency=_currency(match, 2) or _currency(match, 1), basis=_basis(words, match), words=said)


def _read_single(words: str, match: re.Match[str], said: Literal["", "cheap", "unlimited"]) -> Budget | None:
    amount = read_number(match["amount1"])
    if amount is None or not _is_money(words, match, 1):
        return None
    before, after, currency, basis = words[: match.start()], words[match.end() :], _currency(match, 1), _basis(words, match)
    if _MAX_BEFORE.search(before) or _MAX_AFTER.match(after):
        return Budget(high=amount, currency=currency, basis=basis, words=said)
    if _MIN_BEFORE.search(before) or _MIN_AFTER.match(after):
        return Budget(low=amount, currency=currency, basis=basis, words=said)
    about = bool(_ABOUT_BEFORE.search(before) or _ABOUT_AFTER.match(after))
    return Budget(amount=amount, currency=currency, basis=basis, approximate=about, words=said)


def _is_money(words: str, match: re.Match[str], last: int) -> bool:
    """Whether an amount is money: it has a currency, stands after a word for money, or is large and counts nothing else."""
    if _currency(match, last) or _currency(match, 1):
        return True
    if _NOT_MONEY_AFTER.match(words, match.end()) and not _MAX_AFTER.match(words, match.end()):
        return False
    if _CONTEXT.search(words[: match.start()]):
        return True
    number = read_number(match[f"amount{last}"]) or 0
    large = number >= 500 and not re.search(r"\d[.,]?$", words[: match.start()])
    return large and not re.match(r"\s*(?:公里|km|米|m\b)", words[match.end() :])


def _currency(match: re.Match[str], at: int) -> str:
    return _BEFORE.get(match[f"before{at}"] or "") or _AFTER.get(match[f"after{at}"] or "") or ""


def _basis(words: str, match: re.Match[str]) -> Basis:
    around = words[max(0, match.start() - 12) : match.end() + 24]
    if _PER_DAY.search(around):
        return "per_person_per_day"
    if _PER_PERSON.search(around):
        return "per_person"
    return "per_night" if _PER_NIGHT.search(around) else "total"
