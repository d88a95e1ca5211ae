"""Who a traveller may bring: every relation once, whatever it is called."""

import re
from collections.abc import Mapping

from travel_lab.itinerary.numerals import COUNT

ADULTS: Mapping[str, tuple[int, str]] = {
    "mother": (1, r"妈妈|妈咪|老妈|我妈|母亲|(?<![大姑姨舅干])妈(?!祖)|\b(?:mum|mom|mother|mummy|mam)\b"),
    "father": (1, r"爸爸|老爸|我爸|父亲|爸|\b(?:dad|father|daddy)\b"),
    "wife": (1, r"老婆|太太|妻子|媳妇|夫人|\bwife\b|\bmissus\b"),
    "husband": (1, r"老公|丈夫|先生|\bhusband\b"),
    "girlfriend": (1, r"女朋友|女友|\bgirlfriend\b"),
    "boyfriend": (1, r"男朋友|男友|\bboyfriend\b"),
    "partner": (1, r"对象|爱人|另一半|伴侣|未婚[夫妻]|\bpartner\b|\bfianc[eé]e?\b|\bspouse\b|\bother half\b"),
    "sister": (1, r"姐姐|妹妹|我姐|我妹|表姐|表妹|堂姐|堂妹|(?<!小)姐(?![妹])|\bsister\b"),
    "brother": (1, r"哥哥|弟弟|我哥|我弟|表哥|表弟|堂哥|堂弟|\bbrother\b"),
    "grandmother": (1, r"奶奶|姥姥|外婆|祖母|\b(?:grandma|granny|nan|nana|grandmother|gran)\b"),
    "grandfather": (1, r"爷爷|姥爷|外公|祖父|\b(?:grandpa|grandad|granddad|grandfather)\b"),
    "mother-in-law": (1, r"婆婆(?!公)|岳母|丈母娘|\bmother-in-law\b"),
    "father-in-law": (1, r"公公|岳父|\bfather-in-law\b"),
    "aunt": (1, r"姑姑|阿姨|姨妈|婶婶|舅妈|\b(?:aunt|auntie)\b"),
    "uncle": (1, r"叔叔|舅舅|伯伯|姑父|\buncle\b"),
    "cousin": (1, r"\bcousin\b"),
    "friend": (1, r"闺蜜|死党|好友|朋友|哥们儿?|发小|\b(?:friend|mate|buddy|bestie|pal)\b"),
    "colleague": (1, r"同事|同学|室友|舍友|\b(?:colleague|coworker|co-worker|roommate|flatmate|classmate)\b"),
    "parents": (2, r"爸妈|父母|爹妈|老爸老妈|爸爸妈妈|\bparents\b|\bfolks\b"),
    "grandparents": (2, r"爷爷奶奶|外公外婆|姥姥姥爷|\bgrandparents\b"),
    "parents-in-law": (2, r"公婆|公公婆婆|岳父岳母|岳父母|\b(?:parents-)?in-laws\b"),
}
"""Relation → how many people it is and how it is called. A word for two swallows the words for one inside it."""

CHILDREN: Mapping[str, tuple[int, str]] = {
    "twins": (2, r"双胞胎|龙凤胎|\btwins\b"),
    "triplets": (3, r"三胞胎|\btriplets\b"),
    "son": (1, r"(?<!双)儿子|\bson\b|\bboy\b"),
    "daughter": (1, r"女儿|闺女|\bdaughter\b|\bgirl\b"),
    "grandson": (1, r"孙子|外孙(?!女)|\bgrandson\b"),
    "granddaughter": (1, r"孙女|外孙女|\bgranddaughter\b"),
    "nephew": (1, r"侄子|外甥(?!女)|\bnephew\b"),
    "niece": (1, r"侄女|外甥女|\bniece\b"),
}
BABY = r"(?:小?孩子?|宝宝|宝贝|娃娃?|小朋友|婴儿|儿童|小家伙|\b(?:kid|child|toddler|baby|infant|bub|little one)\b)"
"""A child whose relation is not said."""

_MANY = r"(?:friends|mates|buddies|pals|sisters|brothers|cousins|aunts|uncles|colleagues|coworkers|roommates|classmates|siblings)"
COUNTED_RELATIONS = re.compile(
    rf"(?P<zh>{COUNT})\s*(?:个|位|名)(?:好|老|大学|高中)?(?:朋友|同学|同事|闺蜜|室友|舍友|哥们|兄弟|姐妹|死党|发小)"
    rf"|\b(?P<en>{COUNT}) (?:of my |old |best |good |close |uni |school |college |work |other )*{_MANY}\b"
)


def members_in(words: str, relations: Mapping[str, tuple[int, str]]) -> dict[str, int]:
    """The relations a text names → how many people each is; each once."""
    found = {}
    rest = words
    for name, (count, pattern) in sorted(relations.items(), key=lambda item: -item[1][0]):
        if re.search(pattern, rest):
            found[name] = count
            rest = re.sub(pattern, "·", rest)
    return found
