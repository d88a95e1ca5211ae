"""What travellers eat, avoid and like, in their words and back into words.

A wish is a code: a diet (`no_spicy`), a ban (`no:museum`), a liking (`like:history`), a pace (`slow`) or `cheap`.
"""

import re
from collections.abc import Iterable

from travel_lab.catalogue import Language

_NOT = r"(?:没(?:有)?|不(?:能|要|想|爱|喜欢|太能|太|怎么)?吃|不碰|忌口?|怕|don'?t (?:eat|like|do)|can'?t (?:eat|handle|do|stand)|cannot eat|(?<![a-z])no(?:thing)?|avoid(?:ing)?|without|hates?|not)"
_ALLERGIC = r"allerg(?:y|ies|ic)"
DIETS = {
    "no_spicy": rf"{_NOT}\s*(?:了|得了)?\s*(?:太|any |too |very |food that'?s |eat )?(?:辣|spicy|spice|chil[il]|hot food)|不(?:要|能|想)?(?:太)?辣|(?:一点)?辣(?:的)?(?:都|也)?(?:不(?:能|行|要|吃|沾)|吃不了)|吃不了(?:太)?辣|微辣都|免辣|non-?spicy|mild food",
    "vegetarian": r"(?<!纯)素食|吃素|素菜|素的|全素(?!食主义)|vegetarian|veggie|don'?t eat meat|no meat|不吃肉|meat-?free",
    "vegan": r"纯素|vegan|严格素食",
    "halal": r"清真|halal|穆斯林|muslim|回民",
    "no_peanuts": rf"花生\S{{0,2}}过敏|对花生过敏|{_NOT}\s*(?:了)?\s*(?:any )?(?:花生|peanuts?|nuts\b)|(?:pea)?nut[s]? {_ALLERGIC}|{_ALLERGIC} to (?:pea)?nuts?|(?:pea)?nut-?free",
    "no_seafood": rf"海鲜\S{{0,2}}过敏|对海鲜过敏|{_NOT}\s*(?:了)?\s*(?:any )?(?:海鲜|鱼虾|虾|seafood|shellfish|fish\b)|(?:seafood|shellfish|fish) {_ALLERGIC}|{_ALLERGIC} to (?:seafood|shellfish|fish|shrimp|prawns)",
    "no_pork": rf"{_NOT}\s*(?:了)?\s*(?:any )?(?:猪肉|大肉|pork)|pork-?free|don'?t eat pork",
    "spicy": r"无辣不欢|爱吃辣|喜欢(?:吃)?辣|能吃辣|嗜辣|越辣越好|想吃辣|(?:love|like|enjoy|crave)s? (?:\w+ )?spicy|spicy food (?:lover|fan|please)|the spicier|the hotter the better",
}
"""Diets and how people say them, in half-width, lower-case text."""
_THINGS = {
    "museum": r"博物馆|博物院|美术馆|展馆|museums?|galler(?:y|ies)",
    "park": r"公园|parks?\b",
    "temple": r"寺庙?|庙|道观|temples?|shrines?",
    "shopping": r"购物|逛街|商场|买东西|血拼|shopping|malls?\b|shops\b",
    "hiking": r"爬山|登山|徒步|爬坡|走太多路|hik(?:ing|es?)|trekking|climb(?:ing)?|mountains?",
    "beach": r"海滩|沙滩|海边|beach(?:es)?",
    "food": r"美食|小吃|吃货|好吃的|吃喝|火锅|foodies?|street food|local food|good food|eating|cuisine|(?<![a-z])food(?! court)",
    "history": r"历史|古迹|人文|文化古|histor(?:y|ic|ical)|ancient|heritage",
    "nature": r"自然|风景|风光|户外|山水|nature|scenery|outdoors?|wildlife|landscapes?",
    "family": r"亲子|适合(?:小)?孩子|适合小朋友|适合带娃|kid[- ]friendly|family[- ]friendly|good for kids|child-friendly",
}
_BANNING = re.compile(
    r"(?:不(?:想|要|去|看|喜欢|爱|用|逛|参观|太想|考虑)*(?:再)?(?:去|看|逛|参观|安排|爬)?(?:任何|什么)?|别(?:安排|去|带我|让我)?(?:去|逛|看)?|避开|跳过|讨厌|没兴趣|不含"
    r"|\bno(?: more)?|don'?t (?:want|like|do|care for|need)(?: to (?:see|visit|go to|do))?(?: any)?|skip(?: the)?|without|avoid(?:ing)?|hates?|not into|not interested in|rather not (?:do|see|visit|go)(?: any)?|can'?t stand|\bnor|\bor)\s*(?:any |all |the |visiting |going )?$"
)
_LIKING = re.compile(
    r"(?:喜欢|想(?:多)?(?:看|去|吃|逛|玩|体验|要)?(?:一?点|些)?|冲着|爱(?:看|逛|吃)?|多(?:安排|看|一?点)?(?:点|些)?|主要(?:想)?(?:看|逛|吃|是|去)?|偏(?:爱|好)?|感兴趣的?是?|重点(?:是|看|在)?|对|看看?|逛逛?|热爱|迷|尤其"
    r"|\b(?:loves?|likes?|enjoys?|into|interested in|keen on|fans? of|lots of|plenty of|more|mainly|mostly|focus on|want to (?:see|try|do)|would like|big on|prefer|for|some|and|great|good|really|with))\s*(?:a lot of |lots of |the |some |visiting |trying |local |seeing |good |to )?$"
)
_NOT_AFTER = re.compile(r"\s*(?:也|就|都|什么的)*(?:别|不用|不要|不想|不)(?:安排|去|排|看|逛|考虑|要)?|\s*(?:is|are) (?:out|not)")
_LIKED_AFTER = re.compile(r"\s*(?:爱好者|迷|控|为主|多(?:安排|来|看|去|逛)|优先|lovers?|fans?|buff|first|please)")
_ANY_THING = re.compile("|".join(_THINGS.values()))
_BESIDE_THINGS = re.compile(r"\band\b|和|、|&|\bobviously\b|\bplease\b|\bthe\b|跟|与|\blocal\b")
_SLOW = re.compile(
    r"慢节奏|节奏(?:慢|轻松|放慢|不要太快|别太(?:快|赶))|慢慢(?:玩|来|逛)|轻松(?:一?点|些)?|悠闲|休闲(?!娱乐)|不(?:要|想)?(?:太|那么)?(?:赶|累)|别太(?:赶|累)|佛系|躺平|slow(?:er)?(?:[- ]paced?| pace| and easy)?|relax(?:ed|ing)?|easy[- ]?going|laid[- ]back|leisurely|take it easy|no rush|unhurried|chill|(?:not(?:hing)?) (?:too )?(?:rushed|packed|hectic)"
)
_FAST = re.compile(
    r"特种兵|快节奏|紧凑|多跑|打卡(?:越多|多)|行程(?:满|紧)|安排满|暴走|越多越好|fast[- ]paced?|packed|see as much as|as many (?:sights|places)|action-packed|busy (?:schedule|itinerary)|cram|jam-packed"
)
_CHEAP = re.compile(r"便宜|省钱|实惠|经济|穷游|cheap|low[- ]cost|affordable|inexpensive|shoestring")
SPLIT = re.compile(r"[,，。;；.!！?？\n]|但是?|不过|\bbut\b")

SAY: dict[str, dict[Language, str]] = {
    "no_spicy": {"zh": "不吃辣", "en": "no spicy food"}, "spicy": {"zh": "爱吃辣", "en": "love spicy food"},
    "vegetarian": {"zh": "吃素", "en": "vegetarian"}, "vegan": {"zh": "纯素", "en": "vegan"}, "halal": {"zh": "清真", "en": "halal"},
    "no_peanuts": {"zh": "花生过敏", "en": "peanut allergy"}, "no_seafood": {"zh": "不吃海鲜", "en": "no seafood"},
    "no_pork": {"zh": "不吃猪肉", "en": "no pork"}, "slow": {"zh": "慢节奏", "en": "slow pace"},
    "fast": {"zh": "行程紧凑", "en": "fast pace"}, "cheap": {"zh": "便宜", "en": "cheap"},
}  # fmt: skip
_THING_WORDS: dict[str, dict[Language, str]] = {
    "museum": {"zh": "博物馆", "en": "museums"}, "park": {"zh": "公园", "en": "parks"}, "temple": {"zh": "寺庙", "en": "temples"},
    "shopping": {"zh": "购物", "en": "shopping"}, "hiking": {"zh": "爬山", "en": "hiking"}, "beach": {"zh": "海滩", "en": "beaches"},
    "food": {"zh": "美食", "en": "food"}, "history": {"zh": "历史", "en": "history"}, "nature": {"zh": "自然", "en": "nature"},
    "family": {"zh": "亲子", "en": "family-friendly"},
}  # fmt: skip
EXCLUSIVE = (("slow", "fast"), ("no_spicy", "spicy"))
"""Wishes that rule each other out: the later one holds."""


def read_diet(words: str) -> tuple[str, ...]:
    """Diets half-width, lower-case text states."""
    found = [diet for diet, pattern in DIETS.items() if re.search(pattern, words)]
    if "vegan" in found and "vegetarian" in found and not re.search(r"吃素|vegetarian", words):
        found.remove("vegetarian")
    if "no_spicy" in found and "spicy" in found:
        found.remove("spicy")
    return tuple(found)


def read_things(words: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Bans and likings: what a clause takes away and what it asks for; a ban runs on over "or" and list marks."""
    bans, likes = dict[str, None](), dict[str, None]()
    for clause in SPLIT.split(words):
        banning, bare = False, not _BESIDE_THINGS.sub("", _ANY_THING.sub("", clause)).strip()
        for name, match in sorted(_mentions(clause), key=lambda found: found[1].start()):
            before = clause[: match.start()]
            joined = bool(re.search(r"(?:和|或者?|、|跟|及|\bor|\band|/)\s*(?:any |the )?$", before))
            negated = bool(_BANNING.search(before)) and not (re.search(r"\bor\s*$", before) and not banning)
            banning = negated or (banning and joined)
            if banning or _NOT_AFTER.match(clause, match.end()):
                bans[name] = None
            elif _LIKING.search(before) or joined or name == "family" or _LIKED_AFTER.match(clause, match.end()) or bare:
                likes[name] = None
    return tuple(name for name in bans if name != "food"), tuple(likes)


def _mentions(clause: str) -> Iterable[tuple[str, re.Match[str]]]:
    for name, pattern in _THINGS.items():
        for match in re.finditer(pattern, clause):
            yield name, match


def read_pace(words: str) -> str:
    """`slow`, `fast` or blank."""
    return "slow" if _SLOW.search(words) else "fast" if _FAST.search(words) else ""


def read_wishes(words: str) -> tuple[str, ...]:
    """Every wish half-width, lower-case text states, as codes."""
    bans, likes = read_things(words)
    pace, cheap = read_pace(words), ["cheap"] if _CHEAP.search(words) else []
    return (
        *read_diet(words),
        *(f"no:{ban}" for ban in bans),
        *(f"like:{like}" for like in likes),
        *([pace] if pace else []),
        *cheap,
    )


def say_wish(wish: str, language: Language) -> str:
    """A wish in words that are read back as the same wish."""
    if wish in SAY:
        return SAY[wish][language]
    kind, _, name = wish.partition(":")
    thing = _THING_WORDS.get(name, {"zh": name, "en": name})[language]
    return {"no": {"zh": f"不去{thing}", "en": f"no {thing}"}, "like": {"zh": f"喜欢{thing}", "en": f"love {thing}"}}[kind][
        language
    ]


def add_wishes(saved: Iterable[str], new: Iterable[str]) -> list[str]:
    """Saved and new wishes together; a new one takes away those it rules out."""
    kept = list(dict.fromkeys(saved))
    for wish in new:
        ruled_out = {other for pair in EXCLUSIVE if wish in pair for other in pair if other != wish}
        ruled_out |= {f"like:{wish[3:]}"} if wish.startswith("no:") else {f"no:{wish[5:]}"} if wish.startswith("like:") else set()
        kept = [*(old for old in kept if old not in ruled_out and old != wish), wish]
    return kept
