"""Plain words read by rule: a second version beside the first (fork), a change of this one (modify), or unclear which."""

import re
from collections.abc import Mapping
from typing import Literal

from travel_lab.itinerary import read_request
from travel_lab.itinerary.numerals import half_width

_STAYS = re.compile(r"留着|保留|别动|不要动|不动|\bkeep\b")
_CLAUSES = re.compile(r"[,，。.;；?？!！\n]+|\b(?:and|but)\b(?=[^,.;]*\bkeep\b)")

Intent = Literal["fork", "modify", "unclear", "other"]
"""`unclear`: another place or length is named, and not whether what there is shall stay; to be asked."""

_KEEP = re.compile(
    r"留着|保留|别动|不要动|不动|两个都|都要|另外(?:再)?(?:做|来|出|看|规划)|另做|再(?:做|来|出|看)一?[个版套份]|版本|对比|比较一下|备选"
    r"|\bkeep\b|\bas well\b|side by side|second (?:version|plan)|another (?:version|plan)|separate(?:ly)?|\bcompare\b|\bversion\b"
    r"|alternative|in addition|besides|\bfork\b|\balongside\b"
)
_REPLACE = re.compile(
    r"改成|改为|改到|改去|换成|换到|换去|改一下|不去|不想去|取消|而不是|算了"
    r"|\bchange\b|\binstead\b|\bswitch\b|\breplace\b|\bmake it\b|rather than|\bforget\b|\bnot going\b"
)
_ALSO = re.compile(
    r"也看看|也想看|看看|如果|要是|会怎么样|怎么样|呢[?？]?\s*$|\bwhat about\b|\bhow about\b|\bwhat if\b|\balso\b|\btoo\b"
)


def read_intent(text: str, places: Mapping[str, str]) -> Intent:
    """What the words ask for while a plan, or a draft of one, is there.

    Args:
        text: The traveller's words, Chinese or English.
        places: Every name a place is called by → the name to use for it.
    """
    words = half_width(text)
    if _KEEP.search(words):
        return "unclear" if re.search(r"改成|换成|\binstead\b", words) and not re.search(r"留着|保留|\bkeep\b", words) else "fork"
    if _REPLACE.search(words):
        return "modify"
    if _ALSO.search(words) and read_request(text, places).destinations:
        return "unclear"
    return "other"


def without_kept(text: str) -> str:
    """The words without the clauses that say what stays, so that a place in them is not taken for a destination."""
    return ", ".join(clause for clause in _CLAUSES.split(text) if clause.strip() and not _STAYS.search(half_width(clause)))
