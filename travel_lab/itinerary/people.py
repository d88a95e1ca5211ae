"""Who travels, in the traveller's words."""

import re
from dataclasses import dataclass

from travel_lab.itinerary.numerals import CHINESE_COUNT, COUNT, read_number
from travel_lab.itinerary.relations import ADULTS, BABY, CHILDREN, COUNTED_RELATIONS, members_in
from travel_lab.itinerary.wording import any_of, just_before, says

_RATE = says(
    rf"(?:人均|每人|每个人|一个?人)\s*(?:每天|一天)?\s*(?:预算|大概|不超过|最多|控制在|约|"
    rf"差不多)?\s*(?=\d{{3}}|\d[\d.]*\s*[千万kw百元块]|{CHINESE_COUNT}[百千万元块]|"
    rf"[一二两三四五六七八九]*[百千万])",
    r"(?:每天|一天|/天|元|块钱?|[\d百千万kw])\s*(?:每|一)\s*个?人",
    r"一个?人\s*(?:一天|每天)",
)
"""One person as a measure of money."""
_ADULT = any_of(
    r"(?:个|位|名)?(?:大人|成年人|成人)", r"大(?=[\d一二两三四五六]小|\s*[,带和]|$)", r"(?:all[- ])?adults?\b",
    r"grown-?ups?\b", r"(?:of us )?all adults",
)  # fmt: skip
_ELDER = any_of(r"(?:个|位|名)?(?:老人家?|长辈|老年人)", r"seniors?\b", r"elderly\b", r"pensioners?\b")
_ADULTS = re.compile(rf"(?P<n>{COUNT})\s*{_ADULT}")
_ELDERS = re.compile(rf"(?P<n>{COUNT})\s*{_ELDER}")
_BIG_SMALL = re.compile(rf"(?P<adults>{COUNT})\s*个?大(?:人)?\s*[,、加和+]?\s*(?P<children>{COUNT})\s*个?小(?!时)")
_CHILD_WORDS = any_of(
    r"小?孩(?:子|儿)?", r"小朋友", r"儿童", r"娃娃?(?!菜)", r"宝宝", r"宝贝", r"小家伙", r"婴儿", r"未成年人?", r"儿子",
    r"女儿", r"闺女",
    r"kids?\b(?!['-])", r"child(?:ren)?\b(?!-)", r"toddlers?\b", r"bab(?:y|ies)\b", r"infants?\b", r"sons?\b", r"daughters?\b",
    r"boys\b", r"girls\b",
    r"little ones?\b", r"teen(?:ager)?s?\b", r"grandkids\b", r"grandchildren\b", r"minors?\b", r"youngsters\b", r"nephews\b",
    r"nieces\b",
    r"year-?\s?olds?\b", r"under-?\s?(?:\d+|fives|tens)s?\b",
)  # fmt: skip
_AGE = (
    r"(?:(?:\d{1,2}|[一二两三四五六七八九十]+)\s*个?(?:岁|个?月)(?:大)?(?:半)?的?|\d{1,2}[- ]?(?:year|"
    r"yr)s?[- ]?olds?|\d{1,2}\s?yo\b)"
)
_CHILDREN = re.compile(
    rf"(?P<n>{COUNT})\s*(?:个|名|位)?\s*(?:-?(?:little|small|young|wee|teenage|tiny|more|\d+-)\s*)*(?:{_AGE}\s*)?{_CHILD_WORDS}"
)
_KIDS_OF_THEM = re.compile(rf"(?:kids|children|boys|girls)\s*\((?P<n>{COUNT})(?: of them)?\)")
_AGES = re.compile(
    r"(?:kids?|children|boys|girls|sons|daughters|孩子|小孩|娃|小朋友)\s*(?:are|aged?|ages|\(aged?|\(ages|\(|分别)?:?\s*"
    r"(?P<ages>\d{1,2}(?:岁)?(?:\s*(?:,|、|and|&|和|还有|\+)\s*\d{1,2}(?:岁)?)+)"
)
_ONE_CHILD = says(
    rf"(?:带(?:着|上)?|和|跟|与|加上?|外加|还有|、)\s*(?:我|我们|咱|一)?(?:家)?(?:个|的|"
    rf"俩)?(?:{_AGE}|(?:上|读|念)\S{{1,4}}的)?(?:小?孩子?|娃娃?|宝宝|宝贝|儿子|女儿|闺女|小朋友|婴儿)",
    rf"{_AGE}\s*(?:小?孩子?|娃娃?|宝宝|宝贝|儿子|女儿|闺女|小朋友|婴儿|son|daughter|kid|child|boy|girl|toddler)",
    r"(?:孩子|儿子|女儿|闺女|娃|宝宝)\s*(?:才|刚|今年|快)?(?:\d|[一二两三四五六七八九十])+\s*(?:个月|岁)",
    r"(?:my|our|the|a|an|one|single|[&+]|with|and)\s+(?:little |small |young |wee |[\w-]*old )?(?:son|"
    r"daughter|kid|child|toddler|baby|infant|girl|boy|bub|little one)\b(?![-'])",
    r"\b(?:a|my|our) \d{1,2}[- ]?(?:year|yr)s?[- ]?old\b|\b(?:a|my|our) \d{1,2}\s?yo\b",
)
_HEADS = re.compile(
    rf"(?P<n>{COUNT})\s*(?:个人(?!民)|个(?:同学|同事|闺蜜|室友|朋友)|人(?!均|民|在|少|家)|位(?!成|数)|口人|个朋友一起"
    rf"|(?:of us|people|ppl\b|persons?\b|pax\b|travell?ers|guests|friends(?! of)|mates|of them|heads)\b)"
    rf"|(?:我们|咱们?|他们|俺们)(?P<we>{COUNT})(?:个|人|位)|(?:我们|咱们?|他们|俺们)(?P<pair>俩|仨)|"
    rf"[三四五六]人行|一行(?P<line>{COUNT})"
    rf"|(?:party|group|crew|team|bunch) of (?P<party>{COUNT})\b|\bwe(?:'re|"
    rf" are) (?P<were>{COUNT})\b(?! (?:to|hours?|days?|weeks?|big|couple))"
)
_FAMILY = re.compile(
    rf"一家(?P<n>{COUNT})口|(?P<zh>[三四五六])口之家|一家子?(?P<zh2>[三四五六])[口个人]|family of (?P<en>{COUNT})\b"
)
_COUPLES = re.compile(rf"(?P<n>{COUNT})\s*对\s*(?:小|老)?(?:情侣|夫妻|夫妇|恋人|couples?)?|(?P<en>{COUNT}) (?:\w+ )?couples\b")
_MEMBERS_IN_ALL = re.compile(
    rf"(?:姐妹|兄弟|闺蜜|哥们儿?|朋友|同学|同事|室友|老同学)(?:几个)?(?P<n>{COUNT})(?:个|位|人)(?!月|小时|天)"
)
"""姐妹三个: the sisters are three, the speaker among them."""
_PAIR = says(
    r"(?:姐妹|兄弟|闺蜜|哥|姐|兄妹|姐弟|夫妻|夫妇|情侣|小两口|老两口|母女|父女|母子|父子|婆媳|爷孙)\s*(?:俩|两个?人?)",
    r"情侣", r"夫妻", r"夫妇", r"两口子", r"[小老]两口", r"蜜月", r"二人世界", r"两人世界",
    r"couple\b(?! of)", r"honeymoon(?:ers)?", r"(?:our|wedding) anniversary", r"结婚纪念日",
    r"(?:the|just|for|us) two\b(?! (?:days|nights|weeks|cit|stops|places))",
    r"(?:the )?two of us", r"both of us", r"neither of us",
)  # fmt: skip
_JUST_TWO = says(
    r"\b(?:just|only) (?:the |us )?two\b", r"(?:就|只有)(?:我们|咱们?)?(?:俩|两个)", r"\bus two\b|\b(?:the )?two of us\b"
)
"""Two in all, a child that is named among them."""
_PARTNER = says(
    r"(?:my|the) (?:wife|husband|girlfriend|boyfriend|partner|fianc[eé]e?|spouse|other half|missus)",
    r"我?(?:老婆|老公|女朋友|男朋友|女友|男友|媳妇|妻子|丈夫|爱人)",
)
_ME_WITH_CHILD = says(
    r"我(?:和|跟|带)(?:着)?(?:我|一个|个|两个|俩)?(?:儿子|女儿|闺女|孩子|娃|宝宝)",
    r"\b(?:me|i)\s*(?:and|&|\+|n|plus) (?:my|a|one|two|the|our) ",
    r"\bjust me (?:and|with)\b",
    r"(?:son|daughter|kids?|child|toddler|baby|boys?|girls?|twins) and (?:me|i|myself)\b",
)
_PARENT_CHILD = says(r"(?:娘|爷|母|父)儿?[俩仨]", r"single (?:dad|mum|mom|parent|father|mother)", r"单亲")
_SELF = says(
    r"我(?:和|跟|与|同|带|陪|、|加|还有|一个人带)",
    r"(?:和|跟|与|同|陪|带|领)(?:着|上)?(?:我|俺|爸|妈|老|父|女|男|对象|闺|爱人|爷|奶|外|姥|公|岳|同|朋友|几|一|两|三)",
    r"(?:、|和|跟)我(?!们)(?=[,、。\s]|$|一起|去|想|要|俩|都)",
    r"就我(?!们)",
    r"(?:^|[,&+(/]|\band|\bn|\bwith|\bjust|\bplus|it's|:)\s*me\b", r"\bme\s*(?:,|and\b|&|\+|n\b|plus\b|with\b)",
    r"(?:\band|&|,|\bn) i\b", r"\bi and\b", r"\bmyself\b",
    rf"\bwith\s+(?:my|our|a|an|the|one|{COUNT}|mum|mom|dad)\b(?!\$)",
    r"\b(?:taking|bringing|i'm taking|take|bring) (?:my|our|a|the|mum|mom|dad)\b",
    r"(?:my|our) .{2,40} (?:is|are) (?:coming|joining)",
)  # fmt: skip
_PLAIN_SELF = re.compile(r"我|\b(?:me|i|my|myself|with)\b")
_ALONE = says(
    r"(?:我|就|只有|独自)?(?<![\d一二两三四五六七八九十几每])一个?人(?!民|均)(?!\s*\d{3})", r"独自", r"单人", r"独行",
    r"就我自己", r"自己一个", r"就我一", r"只有我", r"单枪匹马", r"我自己",
    r"\bsolo\b", r"by myself", r"(?:just|only) (?:for )?me\b", r"\balone\b", r"on my own", r"one person\b", r"for one\b",
    r"(?:just|only) myself", r"party of one", r"lone travell?er",
)  # fmt: skip
_PART = re.compile(r"其中|包括|包含|含|including|incl\b|of (?:whom|which|them)|counting")
_NOT_TRAVELLING = re.compile(
    r"适合\S{0,4}(?:孩子|小朋友)|亲子|(?:kid|child|family)s?[- ](?:friendly|menu)|(?:good|great|suitable) for (?:kids|children)"
)

MAX_PEOPLE = 50
"""A larger party needs other hotels and other prices than a catalogue has."""


@dataclass(frozen=True, kw_only=True)
class People:
    """What a text says about the party; None: nothing."""

    adults: int | None = None
    children: int | None = None


def read_people(words: str) -> People | None:
    """Read half-width, lower-case text; None when it says nothing about who travels."""
    words = words.replace("独自一人", "独自")
    words = _NOT_TRAVELLING.sub(" ", _RATE.sub(lambda match: re.sub(r"一?个?人|人均|每", " ", match[0]), words))
    if match := _BIG_SMALL.search(words):
        return People(adults=_int(match["adults"]), children=_int(match["children"]))
    children = _children(words)
    if match := _FAMILY.search(words):
        return _family(words, _int(next(group for group in match.groups() if group)) or 0, children)
    adults = _adults(words, children)
    return None if adults is None and children is None else People(adults=adults, children=children)


def _family(words: str, count: int, children: int | None) -> People:
    """A family of so many: two adults, and the rest children, unless the text says how many of either."""
    grown = count - children if children and children < count else min(count, 2)
    adults = _sum(_ADULTS, words) or grown
    return People(adults=adults, children=children or max(count - adults, 0) or None)


def _adults(words: str, children: int | None) -> int | None:
    """The first way of saying it that is used, the plainest first."""
    explicit = _sum(_ADULTS, words)
    if explicit:
        return explicit + (_sum(_ELDERS, words) or 0)
    if match := _COUPLES.search(words):
        return 2 * (_int(match["n"] or match["en"]) or 1)
    heads = _heads(words)
    if heads is not None:
        return heads - children if children and children < heads and _PART.search(words) else heads
    if children and _PARENT_CHILD.search(words):
        return 1
    return _sum(_ELDERS, words) or _members(words, children) or (1 if children is None and _ALONE.search(words) else None)


def _members(words: str, children: int | None) -> int | None:
    """A party told by its members: "mum, dad and me"; whoever goes "with" somebody counts as well."""
    members = members_in(words, ADULTS)
    counted = COUNTED_RELATIONS.search(words)
    others = sum(members.values())
    if "mother" in members and "father" in members and children and not _PLAIN_SELF.search(words):
        return others
    if counted:
        others = (
            others
            - (1 if {"friend", "colleague"} & members.keys() and counted["zh"] else 0)
            + (_int(counted["zh"] or counted["en"]) or 0)
        )
    has_self = _SELF.search(words) is not None
    if others and (has_self or _PARTNER.search(words)):
        return others + 1
    if match := _MEMBERS_IN_ALL.search(words):
        return _int(match["n"])
    if _PAIR.search(words):
        return 1 if children == 1 and _JUST_TWO.search(words) else 2
    if others >= 2:
        return others
    return 1 if children and (_ME_WITH_CHILD.search(words) or re.search(r"就我", words)) else None


def _heads(words: str) -> int | None:
    for match in _HEADS.finditer(words):
        group = next((word for word in match.groups() if word), None)
        count = _int(group or match[0][0])
        plus_me = re.search(
            r"我(?:和|跟|带着?|约了?)\s*$|(?:和|跟)\s*$|\b(?:me (?:and|n|&|\+|plus)|with) (?:my )?$",
            just_before(words, match.start()),
        )
        relation = re.search(r"朋友|同学|同事|闺蜜|室友|friends|mates", match[0])
        if just_before(words, match.start()).endswith("("):
            continue  # "the kids (3 of them)"
        if count == 1 and group in {"一", "1", "one", "a"}:
            continue
        return count + 1 if count and plus_me and relation else count
    return None


def _children(words: str) -> int | None:
    if match := _KIDS_OF_THEM.search(words):
        return _int(match["n"])
    if match := _AGES.search(words):
        return len(re.findall(r"\d+", match["ages"]))
    related = members_in(words, {name: CHILDREN[name] for name in ("twins", "triplets")})
    if related:
        return sum(related.values())
    counts = []
    for match in _CHILDREN.finditer(words):
        if re.match(r"year-?\s?old", match[0][len(match["n"]) :].lstrip("- ")) and re.fullmatch(r"\d+|an?", match["n"]):
            continue  # an age, not a number of children
        counts.append(_int(match["n"]) or 0)
    if counts:
        return sum(counts) or None
    if _ONE_CHILD.search(words):
        return max(
            1,
            sum(members_in(words, CHILDREN).values())
            + (1 if re.search(BABY, words) and re.search(r"和|、|and", words) and len(members_in(words, CHILDREN)) > 1 else 0),
        )
    return None


def _sum(pattern: re.Pattern[str], words: str) -> int | None:
    return sum(_int(match["n"]) or 0 for match in pattern.finditer(words)) or None


def _int(word: str) -> int | None:
    number = read_number(word)
    return int(number) if number else None
