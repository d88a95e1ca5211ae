"""Mends small typing errors in words the rules know, so that every rule need not."""

import re
from collections.abc import Iterable
from difflib import get_close_matches

_KNOWN = (
    "adult",
    "adults",
    "children",
    "child",
    "people",
    "family",
    "budget",
    "cheaper",
    "better",
    "closer",
    "nearer",
    "hotel",
    "hotels",
    "restaurant",
    "restaurants",
    "dinner",
    "lunch",
    "museum",
    "museums",
    "temple",
    "temples",
    "shopping",
    "hiking",
    "beach",
    "beaches",
    "history",
    "nature",
    "vegetarian",
    "vegan",
    "halal",
    "spicy",
    "peanut",
    "peanuts",
    "seafood",
    "allergy",
    "allergic",
    "relaxed",
    "weekend",
    "september",
    "october",
    "november",
    "december",
    "january",
    "february",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "tomorrow",
    "nights",
    "cancel",
    "replace",
    "remove",
    "introduce",
    "describe",
    "cheapest",
    "chance",
    "change",
    "changes",
    "chances",
    "charge",
    "closet",
    "couch",
    "dinner",
)
_SHORTEST = 5
_ALIKE = 0.8


_TRADITIONAL = (
    "爾發預兩個萬間館樓雙員還國際區灣島廣門東長陽齊龍蘭臺風請麼幫規劃過們開從裡裏來會後週買場廳飯貴換號點較錢費塊幣圓節順飛機"
    "車鐵歡愛閒緊湊輕鬆緩歷歲嬰兒親爺媽婦闆寶貝張趕學習說話問題調剛時該沒給讓對總這樣麵雞魚蝦鹹鮮豬純齋單獨隨無論幾戶樂園遊覽"
    "覺觀寫實現頭變動夠辦禮儀訂價應當結歸繳處備僅願選擇條線遷舊錯誤體華為與參醫藥羅馬紐約倫漢慶蘇揚寧濟瀋濱連廈鄭"
)
_SIMPLIFIED = (
    "尔发预两个万间馆楼双员还国际区湾岛广门东长阳齐龙兰台风请么帮规划过们开从里里来会后周买场厅饭贵换号点较钱费块币圆节顺飞机"
    "车铁欢爱闲紧凑轻松缓历岁婴儿亲爷妈妇板宝贝张赶学习说话问题调刚时该没给让对总这样面鸡鱼虾咸鲜猪纯斋单独随无论几户乐园游览"
    "觉观写实现头变动够办礼仪订价应当结归缴处备仅愿选择条线迁旧错误体华为与参医药罗马纽约伦汉庆苏扬宁济沈滨连厦郑"
)
_TO_SIMPLIFIED = str.maketrans(dict(zip(_TRADITIONAL, _SIMPLIFIED, strict=True)) | {"’": "'", "‘": "'", "`": "'"})
_SHORT_FORMS = {
    "tmrw": "tomorrow", "tmr": "tomorrow", "tmw": "tomorrow", "tomoz": "tomorrow", "2moro": "tomorrow", "pls": "please",
    "plz": "please", "thru": "through", "w/": "with", "w": "with", "w/out": "without ", "gf": "girlfriend", "bf": "boyfriend",
    "hubby": "husband", "wifey": "wife", "u": "you", "dont": "don't", "doesnt": "doesn't", "cant": "can't", "wont": "won't",
    "im": "i'm", "accom": "accommodation",
}  # fmt: skip
_SHORT_FORM = re.compile(rf"(?<![\w'$])(?:{'|'.join(sorted(map(re.escape, _SHORT_FORMS), key=len, reverse=True))})(?![\w'])")


_LONGEST_NUMBER = 20
_ENDLESS_NUMBER = re.compile(rf"(?:\d|[零〇一二两三四五六七八九十百千万]){{{_LONGEST_NUMBER},}}")
"""No number is that long; patterns that try every part of one would take minutes."""


def mend(words: str) -> str:
    """Half-width, lower-case text in simplified characters, with short forms written out and misspelt known words put right."""
    simple = _ENDLESS_NUMBER.sub(lambda match: match[0][:_LONGEST_NUMBER], words.translate(_TO_SIMPLIFIED))
    written_out = _SHORT_FORM.sub(lambda match: _SHORT_FORMS[match[0]], simple)
    return re.sub(r"[a-z]+", lambda match: _mended(match[0]), written_out)


def simplified(text: str) -> str:
    """Text with common traditional characters as simplified ones and one form of apostrophe; its length stays."""
    return text.translate(_TO_SIMPLIFIED)


def _mended(word: str) -> str:
    if len(word) < _SHORTEST or word in _KNOWN:
        return word
    close = get_close_matches(word, [known for known in _KNOWN if known[0] == word[0]], n=1, cutoff=_ALIKE)
    # A plural or another form of the word is no error.
    return close[0] if close and not word.startswith(close[0]) and not close[0].startswith(word) else word


def nearly(words: str, names: Iterable[str]) -> list[str]:
    """Those of `names` (lower case) that half-width text nearly spells: one letter off in a word or a Chinese name."""
    found: list[tuple[int, str]] = []
    latin = [(match.start(), match[0]) for match in re.finditer(r"[a-z]{5,}", words)]
    for name in names:
        if name.isascii():
            near = [at for at, word in latin if word[0] == name[0] and get_close_matches(word, [name], n=1, cutoff=_ALIKE)]
        elif len(name) > 2:
            near = [at for at in range(len(words) - len(name) + 1) if _one_off(words[at : at + len(name)], name)]
        else:
            near = []
        found += [(at, name) for at in near[:1]]
    return [name for _, name in sorted(found)]


def _one_off(one: str, other: str) -> bool:
    return sum(a != b for a, b in zip(one, other, strict=True)) == 1 and one[0] == other[0]
