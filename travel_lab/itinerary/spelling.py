"""Mends small typing errors in words the rules know, so that every rule need not."""

import re
from collections.abc import Iterable
from difflib import get_close_matches

_KNOWN = (
    *(
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
    ),
    *(
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
    ),
    *(
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
    ),
    *(
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
    ),
    *("friday", "saturday", "sunday", "tomorrow", "nights", "cancel", "replace", "remove", "introduce", "describe", "cheapest"),
)
_SHORTEST = 5
_ALIKE = 0.8


def mend(words: str) -> str:
    """Lower-case text with misspelt known words put right; words that are known, short or unlike any stay."""
    return re.sub(r"[a-z]+", lambda match: _mended(match[0]), words)


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
