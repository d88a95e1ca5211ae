"""What travellers eat, avoid and like, in their words and back into words.

A wish is a code: a diet (`no_spicy`), a ban (`no:museum`), a liking (`like:history`), a pace (`slow`) or `cheap`.
"""

import re
from collections.abc import Iterable

from travel_lab.catalogue import Language
from travel_lab.itinerary.money_words import CHEAP
from travel_lab.itinerary.wording import any_of, says

_NOT = any_of(
    r"没(?:有)?", r"不(?:能|要|想|爱|喜欢|太能|太|怎么|可以|会|敢)*(?:吃|碰|沾|放)(?:任何)?", r"别(?:放|给|有|吃|来|安排)",
    r"不碰", r"(?:闻|吃|碰|沾|受)不(?:了|得|惯|来)", r"忌口?:?", r"(?<!不)怕", r"戒",
    r"(?:don'?t|doesn'?t|do not|never|won'?t|neither of us|none of us) (?:eats?|likes?|do|does|touch|have|want)",
    r"(?:can'?t|cannot|can not|unable to) (?:eat|handle|do|stand|take|have|tolerate|cope with|touch)",
    r"(?<![a-z])no(?:thing)?", r"avoid(?:ing)?", r"without",
    r"hates?", r"\bnot\b", r"steer clear of", r"stay away from", r"\boff\b", r"intolerant to", r"neither of us eats",
)  # fmt: skip
_ALLERGIC = r"allerg(?:y|ies|ic)"
_GAP = r"\s*(?:了|得了)?\s*(?:(?:任何|太|一点|any|too|very|food that'?s|eat|all|其他)\s*)*"


def _refused(chinese: str, english: str) -> str:
    """The ways of not eating something: said before it, after it, together with something else, or as an allergy."""
    both = f"(?:{chinese}|{english})"
    beside_zh, beside_en = r"[\u4e00-\u9fff]{1,4}(?:和|跟|、|或|以及|与)", r"\w+(?: \w+)?(?:,| and| or| nor)(?: and)? "
    return any_of(
        rf"{_NOT}{_GAP}(?:{beside_zh}|{beside_en})?{both}",
        rf"(?:{chinese})[^,.。;]{{0,6}}?(?:过敏|不能(?:吃|碰)|不(?:吃|碰|沾|要|行)|忌口|吃不了|碰不得|免了)",
        rf"过敏(?:原|源)?(?:是|:)?{both}",
        rf"(?:{english})(?:,? (?:and|or|&) \w+)?[- ](?:{_ALLERGIC}|free|intoleran\w+)",
        rf"{_ALLERGIC} to (?:any |all )?(?:{beside_en})?(?:{english})",
        rf"(?:{english}) (?:is|are) (?:out|off|a no|not an option)",
    )


DIETS = {
    "no_spicy": any_of(
        _refused(r"(?<!不)辣(?!的?都行|也行)", r"spic(?:y|e|es)|chill?i(?:es)?|chile|hot food|heat\b"),
        r"不(?:要|能|想)?(?:太)?辣(?!不欢|不行)", r"(?:一点|微|丁点)儿?辣(?:的)?(?:都|也)?(?:不|吃不)",
        r"吃不(?:了|来|得)(?:太)?辣",
        r"免辣", r"辣(?:的)?(?:不行|不能)",
        r"non-?spicy", r"mild (?:food|only|dishes|please)", r"spice wimp",
    ),
    "vegetarian": (
        r"(?<!纯)素食|吃素|吃斋|茹素|素菜|素的|全素(?!食主义)|vegetarian|vegg?ie|\bvego\b|(?:don'?t|"
        r"doesn'?t) eat meat|no meat|不吃(?:荤|肉)|meat-?free|meatless"
    ),
    "vegan": r"纯素|vegan|严格素食|plant[- ]based",
    "halal": r"清真|halal|穆斯林|muslim|回民|回族",
    "no_peanuts": _refused(r"花生|坚果", r"(?:pea|ground)?nuts?"),
    "no_seafood": _refused(r"海鲜|鱼虾|虾蟹|鱼|虾|海产", r"seafood|shellfish|fish|shrimps?|prawns?|crab"),
    "no_pork": _refused(r"猪肉|大肉", r"pork|bacon|ham"),
    "spicy": any_of(
        r"[无没不]辣不[欢行]", r"(?:爱|喜欢|超爱|好|嗜|想)(?:吃)?辣", r"(?<!不)(?<!不太)能吃辣", r"不怕辣", r"越辣越", r"多放辣",
        r"(?:love|like|enjoy|crave|want)s? (?:\w+ )?(?:spicy|chill?i|hot food)",
        r"spicy food (?:lover|fan|please)", r"the spicier", r"the hotter the better", r"bring on the (?:spice|heat|chill?i)",
        r"extra spicy", r"(?:spicy|hot) (?:is|as) (?:good|great|fine|possible|hell|it gets|you can|can be)",
    ),
}  # fmt: skip
"""Diets and how people say them, in half-width, lower-case text."""
THINGS = {
    "museum": r"博物馆|博物院|美术馆|展馆|museums?|galler(?:y|ies)",
    "park": r"公园|parks?\b",
    "temple": r"寺庙?|庙|道观|temples?|shrines?",
    "shopping": r"购物店?|逛街|商场|买东西|血拼|shopping|malls?\b|shops\b",
    "hiking": r"爬山|登山|徒步|爬坡|走太多路|hik(?:ing|es?)|trekking|climb(?:ing)?|mountains?",
    "beach": r"海滩|沙滩|海边|beach(?:es)?",
    "food": (
        r"(?<=爱)吃(?=[,、爱逛]|$)|(?<=主打一个)吃|美食|小吃|吃货|好吃的|吃喝|火锅|foodies?|street food|"
        r"local food|good food|eating|cuisine|(?<![a-z])food(?! court)"
    ),
    "history": r"历史|古迹|人文|文化古|histor(?:y|ic|ical)|ancient|heritage",
    "nature": r"自然|风景|风光|户外|山水|nature|scenery|outdoors?|wildlife|landscapes?",
    "family": r"亲子|适合(?:小)?孩子|适合小朋友|适合带娃|kid[- ]friendly|family[- ]friendly|good for kids|child-friendly",
}
_BANNING = re.compile(
    r"(?:不(?:想|要|去|看|喜欢|爱|用|逛|参观|太想|考虑)*(?:再)?(?:去|看|逛|参观|安排|爬)?(?:任何|"
    r"什么)?|别(?:安排|去|带我|让我)?(?:去|逛|看)?|避开|跳过|讨厌|没兴趣|不含"
    r"|\bno(?: more)?|(?:don'?t|doesn'?t) (?:want|like|do|care for|need|fancy)(?: to (?:see|visit|"
    r"go to|do))?(?: any)?|skip(?: the)?|without|avoid(?:ing)?|hates?|leave out|not (?:\w+ )?into|"
    r"not keen on|not (?:a )?fans? of|tired of|sick of|had enough|not interested in|rather not (?:do|"
    r"see|visit|go)(?: any)?|can'?t stand|\bnor|\bor)\s*(?:any |all |the |visiting |going |theme |amusement |art |big )*$"
)
_LIKING = re.compile(
    r"(?:喜欢|偏好|钟爱|最爱|超爱|主打(?:一个)?|必须(?:有|去)?|一定要(?:去|有)?|要(?:去|看|逛)|"
    r"多(?:逛|去|来)(?:几个|些|点)?|想(?:多)?(?:看|去|吃|逛|玩|体验|要)?(?:一?点|些)?|冲着|爱(?:看|逛|"
    r"吃)?|多(?:安排|看|一?点)?(?:点|些)?|主要(?:想)?(?:看|逛|吃|是|去)?|偏(?:爱|好)?|感兴趣的?是?|"
    r"重点(?:是|看|在)?|对|看看?|逛逛?|热爱|迷|尤其"
    r"|\b(?:loves?|likes?|enjoys?|into|interested in|keen on|fans? of|lots of|plenty of|more|mainly|"
    r"mostly|focus on|wants?|want to (?:see|try|do)|would like|big on|prefer|for|some|and|great|good|really|"
    r"with|after|adore|crave|obsessed with|all about|here for|keen for|mad about|crazy about|as many|"
    r"see|lot of|time for))\s*(?:a lot of |lots of |the |some |visiting |trying |local |seeing |good |"
    r"to )?$"
)
_NOT_AFTER = re.compile(
    r"\s*(?:这些|那些|之类的?|什么的|一个|全|我|我们|也|就|都|还是|可以|tours?|visits?|trips?)*\s*"
    + any_of(
        r"(?:别|不用|不要|不想|不必|甭)(?:安排|去|排|看|逛|考虑|要|了)?", r"不(?:去|看|逛|要|排|考虑|感兴趣|喜欢|行)", r"免了?",
        r"算了", r"省了", r"跳过", r"没(?:什么)?兴趣", r"无感", r"去过",
        r"(?:is|are|'s) (?:out\b|not\b|a waste|boring|off\b|a no|no thanks)", r"isn'?t (?:my|our|for)",
        r"aren'?t (?:my|our|for)", r"bores?\b", r"(?:can|could) wait", r"- ?no\b", r"not (?:my|our|for)\b",
        r"don'?t interest", r"leave me cold",
    )
)  # fmt: skip
_LIKED_AFTER = re.compile(
    r"\s*(?:这种|之类的?|的(?:地方|东西)|什么的|我们?|可以|一定|最好|的话)*\s*"
    + any_of(
        r"爱好者", r"迷(?!路)", r"控", r"为主", r"为重", r"多(?:安排|来|看|去|逛|排|点|一点|一些|些|多益善|几)", r"优先",
        r"都(?:蹭|逛|看|去)(?:一遍|个遍|一下|遍)", r"必须", r"必(?:去|看|玩|逛|打卡|备)", r"不能少", r"少不了",
        r"越多越好", r"安排上",
        r"走起", r"要(?:多|有)", r"管够", r"第一", r"拉满", r"来几个", r"很感兴趣", r"感兴趣", r"都(?:要|想|爱|喜欢)",
        r"lovers?", r"fans?", r"buff", r"first", r"second",
        r"(?:is|are) (?:a |an |my |our |the )?(?:absolute |big |total |whole )?(?:must|musts|priority|"
        r"point|thing|passion|favou?rite|key|essential|main)",
        r"(?:is|are) (?:what|why|top)", r"please", r"galore", r"every day", r"all the way", r"all day",
        r"would be (?:great|nice|lovely)", r"if possible", r"junkie", r"nut\b", r"nerd", r"addict", r"over everything",
        r"are (?:great|good)", r"top(?:s)? (?:of )?(?:the|my|our)",
    )
)  # fmt: skip
_ANY_THING = re.compile("|".join(THINGS.values()))
_NEXT_THING = re.compile(rf"\s*(?:and|&|\+|,|和|跟|、|or|或)\s*(?:the )?(?:{_ANY_THING.pattern})")
_BESIDE_THINGS = re.compile(r"\+|\bthen\b|\s|\band\b|和|、|&|\bobviously\b|\bplease\b|\bthe\b|跟|与|\blocal\b")
_SLOW = says(
    r"慢节奏", r"节奏(?:要)?(?:慢|轻松|放慢|舒缓|不要太(?:快|赶|紧)|别太?(?:快|赶|紧)|松)", r"慢慢(?:玩|来|逛|走)", r"慢悠悠",
    r"(?:走|玩|放|安排)得?慢(?:一?点|些)", r"慢(?:一点|些)", r"轻松(?:一?点|些)?",
    r"松(?:一?点|散|些|弛)", r"宽松", r"悠闲", r"悠哉", r"悠着", r"休闲(?!娱乐)",
    r"(?:不(?:要|想)?|别)(?:安排|排|弄|搞)?(?:得)?(?:太|那么)?(?:赶|累|满)", r"佛系", r"躺平", r"养老", r"自然醒",
    r"不着急", r"不慌不忙",
    r"slow(?:er|ly)?(?:[- ]paced?| pace| and easy| travel)?\b", r"relax(?:ed|ing)?", r"easy[- ]?going", r"easy pace",
    r"laid[- ]back", r"leisurely", r"(?:take|taking|takes) (?:it|things|everything) (?:easy|slow(?:ly)?)",
    r"no (?:rush(?:ing)?|hurry)", r"unhurried", r"\bchill(?:ed|ing|axed)?\b(?! ?i)",
    r"(?:not(?:hing)?|never|don'?t|without) (?:be |too |feel |want )?(?:rush(?:ed|ing)?|packed|hectic|hurried|full[- ]on)",
    r"\bgentle\b",
    r"mellow", r"low[- ]key", r"downtime", r"lazy",
)  # fmt: skip
_FAST = says(
    r"特种兵", r"快节奏", r"节奏快", r"紧凑", r"能多跑", r"多跑(?:几|点|些)", r"打卡(?:越多|多)",
    r"(?:景点|地方|行程)(?:安排得?|排|塞)?(?:越多越好|越满越好)", r"行程(?:满|紧)", r"(?:安排|排|塞)得?(?:得)?(?:越)?满",
    r"满满当当",
    r"暴走", r"高强度", r"不怕(?:累|赶)", r"fast[- ]paced?", r"(?<!not )(?<!too )(?<!nothing )packed(?! lunch)",
    r"(?:see|do|fit|pack|cram|squeeze) (?:in )?as (?:much|many)", r"as many (?:sights|places|stops|things)", r"action-packed",
    r"busy (?:schedule|itinerary|days)", r"cram", r"full[- ]on", r"full[- ]throttle", r"pack (?:it|them|the days) ",
    r"dawn (?:to|till|until) dusk", r"back[- ]to[- ]back", r"non-?stop", r"\bgo go go\b", r"whirlwind", r"intens(?:e|ive)",
    r"as much as (?:you|u|we|i|possible)", r"see (?:it all|everything)",
)  # fmt: skip
SPLIT = re.compile(r"[,，。;；.!！?？\n]|但是?|不过|\bbut\b")

SAY: dict[str, dict[Language, str]] = {
    "no_spicy": {"zh": "不吃辣", "en": "no spicy food"}, "spicy": {"zh": "爱吃辣", "en": "love spicy food"},
    "vegetarian": {"zh": "吃素", "en": "vegetarian"}, "vegan": {"zh": "纯素", "en": "vegan"}, "halal": {"zh": "清真",
    "en": "halal"},
    "no_peanuts": {"zh": "花生过敏", "en": "peanut allergy"}, "no_seafood": {"zh": "不吃海鲜", "en": "no seafood"},
    "no_pork": {"zh": "不吃猪肉", "en": "no pork"}, "slow": {"zh": "慢节奏", "en": "slow pace"},
    "fast": {"zh": "行程紧凑", "en": "fast pace"}, "cheap": {"zh": "便宜", "en": "cheap"},
}  # fmt: skip
_THING_WORDS: dict[str, dict[Language, str]] = {
    "museum": {"zh": "博物馆", "en": "museums"}, "park": {"zh": "公园", "en": "parks"}, "temple": {"zh": "寺庙", "en": "temples"},
    "shopping": {"zh": "购物", "en": "shopping"}, "hiking": {"zh": "爬山", "en": "hiking"}, "beach": {"zh": "海滩",
    "en": "beaches"},
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
            joined = bool(re.search(r"(?:和|或者?|、|跟|及|\bor|\band|/|\+|&)\s*(?:any |the )?$", before))
            negated = bool(_BANNING.search(before)) and not (re.search(r"\bor\s*$", before) and not banning)
            banning = negated or (banning and joined)
            if banning or _NOT_AFTER.match(clause, _end_of_list(clause, match.end())):
                bans[name] = None
            elif (
                _LIKING.search(before)
                or joined
                or name == "family"
                or _LIKED_AFTER.match(clause, _end_of_list(clause, match.end()))
                or bare
            ):
                likes[name] = None
    return tuple(name for name in bans if name != "food"), tuple(likes)


def _end_of_list(clause: str, end: int) -> int:
    """Where the things joined to the one that ends here end: what follows them is said of all."""
    while match := _NEXT_THING.match(clause, end):
        end = match.end()
    return end


def _mentions(clause: str) -> Iterable[tuple[str, re.Match[str]]]:
    for name, pattern in THINGS.items():
        for match in re.finditer(pattern, clause):
            yield name, match


_REFUSING = re.compile(r"\b(?:skip|avoid|leave out|without|not|no|don'?t|seen|been to|rather not|hate)\b", re.IGNORECASE)
_NAME = re.compile(r"\b[A-Z][\w'’]+(?: (?:of |the )?[A-Z][\w'’]+)+")
_NAME_ZH = (
    r"(?P<name>[\u4e00-\u9fff]{1,6}?(?:巷子?|寺|馆|街|山|园|城|塔|宫|湖|岛|基地|广场|祠|堂|陵|门|坊|桥|村|"
    r"镇|院|湾|路|庙|里|墙|俑|峰|谷|池))"
)
_NAMED_ZH = (
    re.compile(rf"(?:不(?:想|要|用)?(?:再)?[去看排]|别(?:再)?(?:去|排|安排|看)|跳过|避开)(?:了)?{_NAME_ZH}"),
    re.compile(
        rf"(?:^|[,，。、;；\s]){_NAME_ZH}(?:我|我们)?(?:都|已经|就)?(?:去过了?|不去|别[去排安]|"
        rf"不用[去排安]|就?算了|跳过|就?免了|不想去)"
    ),
)


def named_bans(text: str) -> tuple[str, ...]:
    """Sights a text takes away by their own name, as typed."""
    found: dict[str, None] = {}
    for pattern in _NAMED_ZH:
        for match in pattern.finditer(text):
            if not _ANY_THING.fullmatch(match["name"]):
                found[match["name"]] = None
    for clause in re.split(r"[,.;!?]| but ", text):
        refusing = _REFUSING.search(clause)
        if refusing and not clause.isupper():
            found |= dict.fromkeys(match[0] for match in _NAME.finditer(clause, refusing.end()))
    return tuple(found)


def read_pace(words: str) -> str:
    """`slow`, `fast` or blank."""
    return "slow" if _SLOW.search(words) else "fast" if _FAST.search(words) else ""


def read_wishes(words: str) -> tuple[str, ...]:
    """Every wish half-width, lower-case text states, as codes."""
    bans, likes = read_things(words)
    pace, cheap = read_pace(words), ["cheap"] if CHEAP.search(words) else []
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
