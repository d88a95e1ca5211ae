"""Reads what a traveller wants after a plan is there: a change to it, or a question about it.

Only the words are read. Whether what they point at is known is a matter of the view, decided elsewhere.
"""

import re
from dataclasses import dataclass
from typing import Literal

from travel_lab.itinerary.numerals import half_width, read_number

Kind = Literal[
    "hotel_cheaper", "hotel_better", "hotel_other", "sight_drop", "restaurant_change",
    "ask_cheapest", "ask_day", "ask_sight", "unclear",
]  # fmt: skip

AGENT_OF: dict[Kind, str] = {
    "hotel_cheaper": "hotel", "hotel_better": "hotel", "hotel_other": "hotel", "ask_cheapest": "hotel",
    "sight_drop": "route", "ask_day": "route", "ask_sight": "route", "restaurant_change": "food",
}  # fmt: skip
"""Whose result a follow-up is about."""
QUESTIONS: frozenset[Kind] = frozenset({"ask_cheapest", "ask_day", "ask_sight"})
"""Follow-ups that only ask and run no agent."""

_HOTEL = r"酒店|宾馆|住宿|民宿|住的|住处|hotel|stay|accommodation|room"
_FOOD = r"餐厅|餐馆|饭店|馆子|午餐|晚餐|午饭|晚饭|吃|菜|辣|restaurant|lunch|dinner|food|meal|eat|spicy"
_SIGHT = r"景点|景区|行程|地方|博物馆|公园|sight|attraction|stop|place|museum"
_CHEAPER = r"便宜|实惠|省钱|预算低|价格低|cheaper|less expensive|lower price"
_BETTER = r"好一点|更好|好点|高档|豪华|升级|better|nicer|upgrade|luxur"
_CHANGE = r"换|改|change|swap|replace|switch|another|different"
_DROP = r"去掉|删掉|删除|取消|不去|不要|跳过|划掉|drop|remove|skip|cancel|delete|take out|leave out"
_ASK = r"[?？]|吗|哪|什么|多少|怎么样|介绍|说说|讲讲|what|which|tell me|introduce|describe|how"
_CHEAPEST = r"最便宜|cheapest"
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "last": -1, "1st": 1, "2nd": 2, "3rd": 3}
_NUMBER = r"(?P<n>\d+|[一二两三四五六七八九十]+)"
_DAY = re.compile(
    rf"第\s*{_NUMBER}\s*[天日晚]|day\s+(?P<en>\d+|one|two|three|four|five|six|seven)\b"
    r"|night\s+(?P<night>\d+|one|two|three|four|five|six|seven)\b"
    rf"|\b(?P<word>{'|'.join(_ORDINALS)})\s+(?:day|night)"
)
_NTH = re.compile(
    rf"第\s*{_NUMBER}\s*(?:个|家|处|站|景点)|(?P<last>最后一[个家处站])"
    rf"|\b(?P<word>{'|'.join(_ORDINALS)})\s+(?:sight|attraction|stop|place|one|restaurant|museum)"
)


@dataclass(frozen=True, kw_only=True)
class FollowUp:
    """What a follow-up asks for."""

    kind: Kind
    day: int | None = None
    """Which day or night it names; None: none, so all."""
    meal: Literal["lunch", "dinner"] | None = None
    ordinal: int | None = None
    """Which one of that day, from 1; -1 is the last."""
    words: str = ""
    """The message itself, for names in it."""

    @property
    def agent(self) -> str | None:
        """Whose result it is about."""
        return AGENT_OF.get(self.kind)

    @property
    def only_asks(self) -> bool:
        """Whether it is answered without running an agent."""
        return self.kind in QUESTIONS


def read_followup(text: str) -> FollowUp:
    """Read one message said after a plan is there."""
    words = half_width(text)
    return FollowUp(kind=_kind(words), day=_day(words), meal=_meal(words), ordinal=_ordinal(words), words=text)


def _kind(words: str) -> Kind:
    def says(pattern: str) -> bool:
        return re.search(pattern, words) is not None

    if says(_CHEAPEST):
        return "ask_cheapest"
    if says(_HOTEL) and says(_CHEAPER):
        return "hotel_cheaper"
    if says(_HOTEL) and says(_BETTER):
        return "hotel_better"
    if says(_HOTEL) and says(_CHANGE):
        return "hotel_other"
    if says(_DROP) and not says(_HOTEL) and not says(_FOOD):
        return "sight_drop"
    if says(_FOOD) and (says(_CHANGE) or says(r"不(?:能|要)?吃|过敏|素|清真|vegetarian|halal|allerg|don'?t eat|no spicy")):
        return "restaurant_change"
    if says(r"介绍|introduce|tell me (?:more )?about|describe") and not says(_HOTEL):
        return "ask_sight"
    if says(_ASK) and _day(words) is not None:
        return "ask_day"
    return "unclear"


def _day(words: str) -> int | None:
    match = _DAY.search(words)
    if match is None:
        return None
    if match["word"]:
        return _ORDINALS[match["word"]]
    number = read_number(match["n"] or match["en"] or match["night"])
    return int(number) if number else None


def _ordinal(words: str) -> int | None:
    match = _NTH.search(words)
    if match is None:
        return None
    if match["last"]:
        return -1
    if match["word"]:
        return _ORDINALS[match["word"]]
    number = read_number(match["n"])
    return int(number) if number else None


def _meal(words: str) -> Literal["lunch", "dinner"] | None:
    if re.search(r"午餐|午饭|中午|lunch", words):
        return "lunch"
    return "dinner" if re.search(r"晚餐|晚饭|dinner", words) else None
