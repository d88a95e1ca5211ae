"""How travellers speak of places they do not go to, go back to, or cannot choose between, in half-width, lower-case text."""

import re

from travel_lab.itinerary.wording import any_of, says

_HERE = r"\s*(?:the )?$"
_REFUSED_BEFORE = re.compile(
    any_of(
        r"(?<!要)不(?:太|是很)?(?:想|要|打算|考虑)?(?:再)?[去玩]", r"别(?:再)?去", r"不是(?:去)?", r"不含", r"不要",
        r"除了(?:去)?",
        r"比起(?:去)?", r"相比", r"与其(?:去)?",
        r"\b(?:not(?: to| going to| in)?|instead of|rather than|except(?: for)?|other than|skip|no|but not|over)",
        r"\b(?:any|every)(?:where|thing) but",
    )
    + _HERE
)  # fmt: skip
_BESIDES = re.compile(r"除了(?:去)?\s*$")
_AS_WELL = re.compile(r"[^。;.!?]*?(?:还|也|另外|顺路|顺便|再)")
_SEEN_BEFORE = re.compile(
    any_of(
        r"(?<![没未])(?:去|到|玩|来|逛|待|住)过(?:了|好几次|很多次|几次|两次|[一二两三]次)?",
        r"(?:去年|前年|上次|上回|上个?月|上个?(?:周|星期|礼拜)|前阵子|前几天)(?:我|我们|才|刚|就|是)*(?:去|玩|逛|在|到)(?:了|"
        r"的|完)?",
        r"(?:刚刚?|之前|以前|早就|已经)(?:我|我们|才|刚|就|是)*(?:去|玩|逛)(?:了|的|完)?",
        r"(?:刚刚?|才)从",
        r"(?<!never )(?<!never actually )(?<!n't )(?<!not )\bbeen (?:to|in|around)",
        r"\b(?:was|were) (?:just |only |recently )?(?:in|at)",
        r"\b(?:got|came|come|coming|get) (?:\w+ )?(?:back|home) from",
        r"\b(?:am|are|is|'m|'re|just) back from", r"\breturned from", r"\b(?:fly|flying|go|going|travel|travelling) home from",
        r"\b(?:we|i|already) (?:already |just |recently )?(?:did|visited|saw|went to)",
        r"\b(?:have|'ve|has) (?:already )?(?:done|seen|visited)",
        r"\bnever left",
    )
    + _HERE
)  # fmt: skip
_ASIDE_AFTER = re.compile(
    r"\s*(?:我们?|咱们?|这边|这个城市|已经|都|也|早就?|就|先|真的|有点)*\s*"
    + any_of(
        r"[玩去逛待]?腻", r"[玩去逛看]烦", r"(?:去|来|玩|逛)过(?!.{0,8}(?:还想|再|又))", r"去了(?:好几|[几两二三多很])+[次回趟]",
        r"不(?:想|打算|要)?(?:再)?去(?!不可)", r"不考虑", r"(?<!不)算了", r"下次(?:再)", r"(?:那边|那里)?(?:回来|回国)",
        r"(?:is|'s|was) (?:\w+ )?(?:out\b|off\b|done\b|a no\b|not for)",
        r"(?:already|before|last (?:year|time|month))? ?\bdidn't",
    )
)  # fmt: skip
_GIVEN_UP_BEFORE = re.compile(
    any_of(
        r"(?:本来|原本|原先|原来)(?:我|我们|是)*(?:打算|想|要|计划|准备|定|订|说)*(?:好)?(?:去|到|飞|玩|的是|的)?",
        r"(?:朋友|同事|同学|家人|老婆|老公|大家|网上|别人|他们|她|他|都)(?:们|都|一直|给我|跟我)*(?:推荐|安利|种草|说|想去|"
        r"建议)(?:了|过|我|去|我去)*",
        r"\b(?:was|were) (?:going|planning|meant|supposed|thinking|hoping|about|set)\b[^,.;!?]{0,24}",
        r"\b(?:originally|initially|at first)\b[^,.;!?]{0,24}",
        r"\b(?:raving|rave|raves|raved|going on|talking) about", r"\b(?:recommend|suggest)(?:s|ed|ing)?(?: me| us| going to)?",
        r"(?<!always )\b(?:wanted|planned|hoped)(?: to \w+| on| for)?(?: to)?",
    )
    + _HERE
)  # fmt: skip
_TURN = re.compile(
    r"但|可是|不过|还是|改|换|这次|这回|今年|现在|不如|结果|更想|\bbut\b|\bso\b|instead|\bnow\b|rather|actually|however|"
    r"this time"
)
"""Stands between a place that was thought of and the one that is meant."""
BACK_TO = re.compile(
    r"(?:(?<!来)(?<!想)(?<!要)(?:返|飞|开车|坐车|送我)?回(?:到|去)?|返程?(?:到|去)?)\s*$"
    r"|\b(?:back|home|return|returning) (?:\w+ )?(?:to|in|from) (?:the )?$"
)
"""Before the place a trip ends at because the traveller lives there."""
OR = re.compile(
    r"\s*(?:,|玩|去|\?)?\s*(?:或者?(?:是|说)?|还是|要么|\bor\b)\s*(?:maybe |perhaps |possibly |even )?(?:是|去|到|玩|"
    r"飞)?\s*(?:to )?(?:the )?"
)
CHOOSING = says(
    r"[二三两]选一", r"(?:选|挑)(?:一个|其一|哪个|哪一)", r"纠结", r"拿不定", r"没(?:想好|决定|定|选好)(?:去)?(?:哪)?",
    r"\beither\b(?! (?:way|of us))", r"(?:can'?t|cannot|could ?n'?t|not) (?:decide|choose|pick)", r"torn between",
    r"\bwhichever\b", r"\btoss[- ]?up\b",
)  # fmt: skip
"""Says that one of several places is still to be chosen."""


def is_set_aside(before: str, after: str) -> bool:
    """Whether a place is refused or was seen already, by what stands right before and after it."""
    if _BESIDES.search(before) and _AS_WELL.match(after):
        return False
    return bool(_REFUSED_BEFORE.search(before) or _SEEN_BEFORE.search(before) or _ASIDE_AFTER.match(after))


def is_set_aside_for(before: str, until_next: str) -> bool:
    """Whether a place was only thought of or recommended, and the text then turns to the next one."""
    return bool(_GIVEN_UP_BEFORE.search(before) and _TURN.search(until_next))
