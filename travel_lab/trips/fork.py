"""Plain words read by rule: a second version beside the first (fork), a change of this one (modify), or unclear which.

A fork needs a word for a whole plan together with a word for a further one or for keeping what there is; or another place
together with the wish to keep the present one. A part of a plan (a hotel, a day) that is kept or added is no fork.
"""

import re
from collections.abc import Collection, Mapping
from typing import Literal

from travel_lab.itinerary import read_request
from travel_lab.itinerary.numerals import half_width

Intent = Literal["fork", "modify", "unclear", "other"]
"""`unclear`: another place or another plan is wished for, and not whether what there is shall stay; to be asked."""

_STAYS = re.compile(
    r"留着|保留|留下|别动|不要动|不动|别删|不要改(?![成为到])|\b(?:keep|save|hold on to|leave)\b"
    r"|\bdon'?t (?:touch|change|delete)\b"
)
_CLAUSES = re.compile(
    r"[,，。.;；?？!！\n]+|\b(?:and|but|while)\b(?=[^,.;]*\b(?:keep|save|hold on to)\b)"
    r"|(?<=\bone)\s+(?:and|but)\b|(?<=\bit is)\s+and\b|\b(?:and|but)\b(?=\s+(?:plan|make|draft|draw|start|do|also|show)\b)"
)
_PART = re.compile(
    r"酒店|宾馆|房间|餐厅|饭|午餐|晚餐|景点|博物馆|第[\d一二三四五六七八九十]+[天晚]|时间|预算"
    r"|\b(?:hotels?|rooms?|restaurants?|lunch|dinner|sights?|museums?|days? (?:\d+|one|two|three|four|five)|time|budget)\b"
)
_PLAN = r"(?:方案|版本|版|套(?![餐房间票])|计划|行程|攻略)"
_PLAN_EN = r"(?:plan|version|itinerary|itineraries|trip|variant)s?"
_WHOLE = re.compile(rf"{_PLAN}|这[版套]|\b{_PLAN_EN}\b|\b(?:this|the current|the \w+) one\b")
_MORE = re.compile(
    rf"(?:另外?|再|多|(?<!重)新|单独|额外)(?:给我|帮我)?(?:再)?(?:做|来|出|给|开|规划|弄|要|生成|做出)+了?(?:一|两|几)?[个份套版](?:[^,。?!;]{{0,8}}{_PLAN})?"
    rf"|(?:另外|同时)[^,。?!;]{{0,10}}{_PLAN}|另一[个份套版]|备选{_PLAN}|复制|两(?:个{_PLAN}|套|版)"
    rf"|(?:也|还)[^,。?!;]{{0,8}}{_PLAN}|plan b|\bfork\b|\b(?:copy|duplicate) (?:this|the|it)\b"
    rf"|\b(?:another|second|alternative|separate|extra|additional|two|cheaper|parallel) (?:[\w-]+ ){{0,2}}{_PLAN_EN}\b"
    rf"|\balso\b[^,.;?!]*\b{_PLAN_EN}\b|\b{_PLAN_EN}\b[^,.;?!]*\b(?:too|as well|next to it|beside it)\b"
    rf"|\bas well as this {_PLAN_EN}\b|\b(?:make|draw up|draft|start|plan) (?:me )?(?:another|a new|a second|a separate)"
    r"(?: one)?\b"
)
_SIDE_BY_SIDE = re.compile(rf"对比|比较|\bcompare\b|side by side|\bversus\b|{_PLAN}.*也")
_REPLACE = re.compile(
    r"改成|改为|改到|改去|换成|换到|换去|改一下|不去|不要|不想去|去掉|取消|而不是|算了|降到|提高到|减少|加上|增加"
    r"|\bchange\b|\binstead\b|\bswitch\b|\breplace\b|\bmake it\b|rather than|\bforget\b|\bnot going\b|\bdrop\b|\badd\b|\bset\b"
    r"|\bshorten\b|\bmove\b|\braise\b|\bupdate\b|\bshould be\b|\bslow\b.*\bdown\b|节奏"
)
_INSTEAD = re.compile(r"改成|换成|\binstead\b|\breplace\b|\bchange\b")
_ALSO = re.compile(
    r"也|还想|想看|看看|试试|如果|要是|会怎么样|怎么样|呢[?]?\s*$|\bwhat about\b|\bhow about\b|\bwhat if\b|\balso\b|\btoo\b"
    r"|\bas well\b|\bmaybe\b|\blike to see\b|\bcompare\b"
)
_DIFFERENT = re.compile(
    rf"(?:换个|换一[个套]|重新(?:做|来|出|规划)|别的|其他的?|新的?)[^,。?!;]{{0,3}}{_PLAN}"
    rf"|\b(?:different|new|other) {_PLAN_EN}\b|\bplan it (?:differently|again)\b"
)
_ASKS = re.compile(
    r"吗|哪[个家种套版]|多少|什么|几[个家天]|为什么|区别"
    r"|^\s*(?:is|are|does|do (?:you|we|i|they)|did|how|why|which|what(?! about| if)|who|where|when)\b"
)
_WISHES = re.compile(r"能不能|可以|能再|可不可以|能.*吗|\b(?:could|can|would) (?:you|we|i)\b|\bgive\b|\bmake\b")
_KEPT = re.compile(
    r"保留|留着|留下|不要?动|别动|不要改|别改|不改|两[个套]都|都要|另外|另做|再做|新做|并排|新版|分开|第二[个套]"
    r"|\bkeep\b|\bboth\b|\bbeside\b|\bbesides\b|\bseparate|\bsecond\b|\banother\b|\bnew one\b|\bfork\b"
    r"|\bdon'?t change\b|\bas well\b"
)
_GONE = re.compile(
    r"改掉|改了|改吧|直接改|要改|^\s*改\s*$|换掉|换吧|(?:改|换)成[它那这]|替换|覆盖"
    r"|\bchange (?:it|this|the plan)\b(?! to)|\breplace (?:it|this)\b|\b(?:it|that) instead\b|\bin place\b|\boverwrite\b"
    r"|^\s*change\b\W*$"
)
_NOT_KEPT = re.compile(r"(?:不用|不必|不|别)(?:要)?(?:保留|留)|\b(?:don'?t|not|no need to) keep\b")


def read_intent(text: str, places: Mapping[str, str], here: Collection[str] = ()) -> Intent:
    """What the words ask for while a plan, or a draft of one, is there.

    Args:
        text: The traveller's words, Chinese or English.
        places: Every name a place is called by → the name to use for it.
        here: The places of the present plan, by the names to use.
    """
    words = half_width(text)
    named = read_request(text, places).destinations
    elsewhere = any(place not in here and not _REPLACE.search(place) for place in named)
    stays = any(_STAYS.search(clause) and not _PART.search(clause) for clause in _CLAUSES.split(words))
    asks = bool(_ASKS.search(words)) and not _WISHES.search(words)
    if _is_fork(words, elsewhere=elsewhere, stays=stays) and not asks:
        return "unclear" if _INSTEAD.search(words) and not stays and not _MORE.search(words) else "fork"
    if _REPLACE.search(words) and not asks:
        return "modify" if named or read_request(text, places).states_something else "other"
    if _DIFFERENT.search(words) or (elsewhere and _ALSO.search(words) and not asks):
        return "unclear"
    return "other"


def _is_fork(words: str, *, elsewhere: bool, stays: bool) -> bool:
    whole = bool(_WHOLE.search(words))
    if stays and (elsewhere or (whole and _MORE.search(words))):
        return True
    if _MORE.search(words) and not (_PART.search(words) and not whole):
        return whole or "复制" in words or bool(re.search(r"\bfork\b|plan b", words))
    return whole and elsewhere and bool(_SIDE_BY_SIDE.search(words))


def read_choice(text: str) -> Literal["fork", "modify"] | None:
    """The answer to the question whether the plan is to be changed, or kept beside a second one; None: it is no answer."""
    words = half_width(text)
    if _NOT_KEPT.search(words):
        return "modify"
    return "fork" if _KEPT.search(words) else "modify" if _GONE.search(words) else None


def without_kept(text: str) -> str:
    """The words without the clauses that say what stays, so that a place in them is not taken for a destination."""
    return ", ".join(clause for clause in _CLAUSES.split(text) if clause.strip() and not _STAYS.search(half_width(clause)))
