"""Which route option the words choose, which they only ask about or turn down."""

import re
from collections.abc import Sequence

from travel_lab.itinerary.numerals import half_width
from travel_lab.planner.state import RouteOption

_NUMBERS = {
    "一": 1, "二": 2, "三": 3, "first": 1, "second": 2, "third": 3, "one": 1, "two": 2, "three": 3, "a": 1, "b": 2, "c": 3,
}  # fmt: skip
_N = r"[1-3]|[一二三]|one|two|three|[abc]"
_NUMBERED = re.compile(
    rf"(?<![a-z])r(?P<r>[1-3])(?!\d)|第\s*(?P<nth>[1-3一二三])\s*(?:条|个|号)?(?:路线|方案)?|(?:路线|方案|选项)\s*(?P<zh>{_N})"
    rf"|\b(?:option|route|number|no\.)\s*(?P<en>{_N})\b|\b(?P<word>first|second|third)\b(?: (?:one|option|route))?"
)
_BARE = re.compile(rf"^(?:{_N})$")
_KINDS = {
    "slow": r"慢游(?:的)?|慢的|\b(?:slow|slower|easy)(?: (?:one|route|option))\b",
    "wide": r"多地游|\b(?:wide|wider) (?:one|route|option)\b",
    "focused": r"深度游|\b(?:focused|in-depth) (?:one|route|option)\b",
}
_CLAUSES = re.compile(r"[,，。.;；!！、\n]+|\b(?:but|and)\b|(?:而是|还是)")
_NO = re.compile(
    r"不(?!过)|别|除了|没|\b(?:not|no|don'?t|never|isn'?t|won'?t|except|anything but|none|neither|dislike|hate)\b|都不"
)
_QUESTION = re.compile(
    r"[?？]|吗|呢\s*$|为什么|为何|多少|什么|哪[个一条家里]|怎么|怎样|是否|会不会|能不能|可不可以|有没有|够不够|要不要|谁"
    r"|^\s*(?:why|what|how|which|who|when|where|is|are|was|does|do (?:you|i|we|they)|did|would|could|can|should|will)\b"
)
_CHOOSING = re.compile(
    r"我们?|就|要|选择|选|想|喜欢|更|吧|了|它|这|那|条|个|路线|方案|定|走|用|来|的|好|行|可以"
    r"|\b(?:i'?ll|i'?d|i|we'?ll|we|will|would|like|take|choose|pick|want|prefer|let'?s|go|with|for|please|the|one|option|route"
    r"|number|me|make|it|that|is|ok|okay|yes|then|best|better|sounds|looks|good|rather|most)\b|[\s.~]"
)


def is_question(text: str) -> bool:
    """Whether the words ask something; a wish in the form of a question counts, and is no decision."""
    return bool(_QUESTION.search(half_width(text)))


def is_refusal(text: str) -> bool:
    """Whether the words turn something down."""
    return bool(_NO.search(half_width(text)))


def named_options(text: str, options: Sequence[RouteOption]) -> list[str]:
    """Ids of the options the words name, by number, letter, kind or name, whatever they say of them."""
    return [option for option, _ in _mentions(half_width(text), options)]


def chosen_option(text: str, options: Sequence[RouteOption]) -> str | None:
    """The one option the words choose and say nothing else; None for questions, refusals and anything unclear."""
    words = half_width(text).strip(" ,.!。！")
    if is_question(words):
        return None
    chosen: set[str] = set()
    for clause in filter(None, map(str.strip, _CLAUSES.split(words))):
        mentions = _mentions(clause, options)
        if _NO.search(clause):
            if not mentions:
                return None
            continue
        rest = clause
        for _, said in mentions:
            rest = rest.replace(said, " ")
        if _CHOOSING.sub("", rest):
            return None
        chosen.update(option for option, _ in mentions)
    return chosen.pop() if len(chosen) == 1 else None


def _mentions(words: str, options: Sequence[RouteOption]) -> list[tuple[str, str]]:
    """(route id, the words that name it)."""
    found = []
    rest = words
    for option in sorted(options, key=lambda option: -len(option["name"])):
        if (name := half_width(option["name"])) in rest:
            found.append((option["route_id"], name))
            rest = rest.replace(name, " ")
    for match in _NUMBERED.finditer(rest):
        said = next(part for part in match.groups() if part)
        found += _at(_NUMBERS.get(said) or int(said), match[0], options)
    if _BARE.match(bare := rest.strip()):
        found += _at(_NUMBERS.get(bare) or int(bare), bare, options)
    for option in options:
        if not found and (kind := re.search(_KINDS[option["kind"]], rest)):
            found.append((option["route_id"], kind[0]))
    return found


def _at(number: int, said: str, options: Sequence[RouteOption]) -> list[tuple[str, str]]:
    return [(options[number - 1]["route_id"], said)] if number <= len(options) else []
