"""A budget said as a difference to the one before: 2000 more, 1000 less, half, double, up by 20 %."""

import re
from dataclasses import dataclass, replace

from travel_lab.itinerary.money import Budget, amounts_in
from travel_lab.itinerary.money_words import NOT_MONEY_AFTER
from travel_lab.itinerary.wording import any_of, just_before, says

_MORE = says(
    r"(?:再|多)?(?:多给|多出|多花|多加|追加|增加|提高|提(?!前|升)|上调|上浮|加|涨|添)(?:个|了|上|预算|一下|大概|大约)*\s*#",
    r"(?:再|预算|可以|能)多\s*#",
    r"\b(?:add|another|extra|additional)\b[^#,.;]{0,14}#",
    r"# (?:\w+ )?(?:more|extra|on top)\b",
    r"\b(?:increase|raise|bump|up|stretch|boost)\b[^#,.;]{0,24}\bby #",
)
_LESS = says(
    r"(?:减少|减|降低|降|砍掉|砍|省出来?|省下|省掉|节省|省|少花|压缩|压|下调|扣掉|扣|缩减|少)(?:个|了|掉|预算|一下|大概|"
    r"大约)*\s*#",
    r"\b(?:down|cut|reduce|lower|decrease|drop|trim|shrink|bring)\b[^#,.;]{0,24}\bby #",
    r"\b(?:shave|knock|take|trim|cut|save)\b(?: \w+){0,3} #",
    r"# (?:\w+ )?(?:less|lower|cheaper|off)\b",
)
"""`#` stands for the amount."""
_PARTS = re.compile(r"(?P<n>\d+)\s*(?:%|percent|个点)")
_HALF = says(
    r"(?:砍|减|降|压|省|缩|扣|打)(?:掉|到|成|了|个|去)*(?:一半|半|对折|五折)", r"(?:对半|拦腰)(?:砍|减)",
    r"(?:减|砍|折|对)半", r"\bhalve\b|\bhalving\b",
    r"(?:cut|slash|reduce|drop|bring|lower|chop)\b[^.,;]{0,20}\b(?:in|by|to) half", r"half (?:the|that|my|our) budget",
    r"half as much",
)  # fmt: skip
_DOUBLE = says(r"翻(?:一)?(?:倍|番)", r"加倍", r"两倍", r"\bdoubl(?:e|ing)\b", r"twice (?:the budget|as much)")
_TRIPLE = says(r"(?:翻)?三倍", r"\btripl(?:e|ing)\b", r"three times (?:the budget|as much)")
_OF_MONEY = any_of(r"预算", r"钱", r"总价", r"费用", r"花", r"budget", r"total", r"spend", r"cost", r"cap\b", r"limit")

_SMALLEST = 50
"""A number below this counts days, people or sights."""


@dataclass(frozen=True, kw_only=True)
class BudgetChange:
    """What is to become of the budget that holds; one of the two is said."""

    by: float | None = None
    """Money more, or less when it is negative."""
    times: float | None = None
    currency: str = ""
    """ISO 4217 code of `by`; blank when none was said."""

    def applied_to(self, before: Budget) -> Budget | None:
        """The new budget; None when it cannot be told: no sum before, another currency, or nothing left."""
        if self.currency and before.currency not in {"", self.currency}:
            return None
        amount, low, high = (self._changed(sum_) for sum_ in (before.amount, before.low, before.high))
        sums = [sum_ for sum_ in (amount, low, high) if sum_ is not None]
        if not sums or min(sums) <= 0:
            return None
        return replace(before, amount=amount, low=low, high=high, currency=before.currency or self.currency, words="")

    def _changed(self, before: float | None) -> float | None:
        if before is None:
            return None
        return before * self.times if self.times is not None else before + (self.by or 0)


def read_budget_change(words: str) -> BudgetChange | None:
    """Read half-width, lower-case text; None when it states no difference."""
    if re.search(_OF_MONEY, words):
        for pattern, times in ((_HALF, 0.5), (_TRIPLE, 3.0), (_DOUBLE, 2.0)):
            if pattern.search(words):
                return BudgetChange(times=times)
        if match := _PARTS.search(words):
            around = f"{just_before(words, match.start()).rstrip()} #"
            sign = 1 if _MORE.search(around) else -1 if _LESS.search(around) else 0
            if sign:
                return BudgetChange(times=1 + sign * float(match["n"]) / 100)
    for said in amounts_in(words):
        if said.number < _SMALLEST or NOT_MONEY_AFTER.match(words, said.end):
            continue
        around = f"{just_before(words, said.start)[-28:].rstrip()} # {words[said.end : said.end + 16].lstrip()}"
        sign = -1 if _LESS.search(around) else 1 if _MORE.search(around) else 0
        if sign:
            return BudgetChange(by=sign * said.number, currency=said.currency)
    return None
