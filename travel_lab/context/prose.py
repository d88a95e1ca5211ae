"""Reads running text clause by clause: which name stands with which numbers, under which day, night and meal.

- A number belongs to the nearest name before it in its sentence, over commas but not over list marks, or to the first
  name after it in its clause when none comes before. A difference between two prices belongs to neither.
- A bracket right after a name belongs to that name.
- A day heading binds what follows up to the next heading, the end of its bracket or the end of the paragraph. A day in
  the middle of a sentence binds its own clause only: the name before it when that has none yet, else those after it.
- A name that its clause takes away ("not", "去掉") is not seen.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, NamedTuple

from travel_lab.context.values import DAYS, MEAL, MEAL_WORDS, NUMBER, STARS, TIME, Amount, Scope, amount_of, days_of, normal

_CJK = "\u4e00-\u9fff"
_SHORT_NAME = re.compile(rf"[{_CJK}]{{1,2}}")
_BEFORE_SHORT = "住在是和与比去到选订换有从至将把游逛吃为或及含"
_AFTER_SHORT = "住和与比是在的有很最更或及换每价评约也门"
_NEGATION = re.compile(
    r"(?:不住|不去|不含|不要|没有|取消|去掉|删掉|删除|替换|而不是|备选[::]?"
    r"|\b(?:instead of|rather than|without|not|no longer|removed?|drop(?:ped)?|cancel(?:led)?|replac(?:e|es|ed|ing)))"
    r"(?:\s+(?:the|an?))?\W*$"
)
_DIFFERENCE_BEFORE = re.compile(
    r"(?:贵|便宜|相差|差|(?<!最)高出?|(?<!最)低|多|少|省|预算|budget(?: is| of)?|by|save|gap of)\W*(?:了|约)?\W*$"
)
_DIFFERENCE_AFTER = re.compile(r"\s*(?:a night\s+)?(?:more|less|cheaper|dearer|off|extra|apart|saved)\b")
"""An amount between two things, or a budget, is no attribute of the thing it stands with."""
_RATED_BEFORE = re.compile(r"\b(?:rated|rating)\s+(?:highest|best|lowest)\s*\(?$")
_STOPS = r"(?P<gap>\n\s*\n)|(?P<stop>[。;!?\n]|\.(?!\d))|(?P<item>、|→|->)|(?P<comma>,(?!\d{3}(?!\d)))"
_BRACKETS = r"(?P<open>[(\[【])|(?P<close>[)\]】])"
_LINE_START = re.compile(r"(?:^|[。;!?\n(\[【]|\.(?!\d))[\s#*>•\-]*$")
_AFTER_HEADING = re.compile(rf"[\s*]*(?:[:(\[|\n—–-]|$|{MEAL.replace('?P<meal>', '?:')})|(?<=[天日晚])\s")
_LOOK_BACK = 60
"""Characters before a name or a day in which a negation or the start of its line is looked for."""
_DEEPEST = 50
"""Brackets inside brackets that are told apart."""


class Seen(NamedTuple):
    """A name in a clause and what stands with it."""

    name: str
    scope: frozenset[Scope]
    amounts: tuple[Amount, ...]
    text: str
    """The words that belong to the name."""


@dataclass
class _Open:
    """A name whose words are still being read."""

    name: str
    scope: frozenset[Scope]
    start: int
    since: int
    """Where its clause begins."""
    placed: bool
    """Whether its own clause says on which day it is."""
    amounts: list[Amount] = field(default_factory=list)


class _Bracket(NamedTuple):
    kind: Literal["name", "days", "plain"]
    owner: _Open | None


def read_prose(text: str, names: Iterable[str], inherited: frozenset[Scope] = frozenset()) -> list[Seen]:
    """Every occurrence of one of `names` in `text`, with what its clause binds to it.

    Args:
        text: Any text; read in its `normal` form.
        names: Names in their `normal` form; the longest match wins.
        inherited: Days, nights and meals that hold for the whole text.
    """
    return _Reader(normal(text), inherited).read(_pattern(frozenset(names)))


@lru_cache(maxsize=64)
def _pattern(names: frozenset[str]) -> re.Pattern[str]:
    longest_first = sorted(names, key=lambda name: (-len(name), name))
    entities = "|".join(_bounded(name) for name in longest_first) or "(?!)"
    return re.compile(rf"(?P<name>{entities})|{DAYS}|{MEAL}|{TIME}|{STARS}|{NUMBER}|{_STOPS}|{_BRACKETS}")


def _bounded(name: str) -> str:
    text = re.escape(name)
    if _SHORT_NAME.fullmatch(name):
        # A short Chinese name turns up inside other words (如家 in 不如家里), so its neighbours must allow it.
        return rf"(?:(?<![{_CJK}])|(?<=[{_BEFORE_SHORT}])){text}(?:(?![{_CJK}])|(?=[{_AFTER_SHORT}]))"
    left = r"(?<![a-z0-9])" if re.match(r"[a-z0-9]", name) else ""
    right = r"(?![a-z0-9])" if re.search(r"[a-z0-9]$", name) else ""
    return f"{left}{text}{right}"


class _Reader:
    """One pass over one text, left to right."""

    def __init__(self, text: str, inherited: frozenset[Scope]) -> None:
        self.text, self.inherited = text, inherited
        self.seen: list[Seen] = []
        self.heading: frozenset[Scope] = frozenset()
        self.mention: frozenset[Scope] = frozenset()
        self.meal: frozenset[Scope] = frozenset()
        self.open: _Open | None = None
        self.waiting: list[Amount] = []
        self.brackets: list[_Bracket] = []
        self.clause_start = 0
        self.heading_end = -1

    def read(self, pattern: re.Pattern[str]) -> list[Seen]:
        for match in pattern.finditer(self.text):
            if match["name"]:
                self._name(match)
            elif match["days"]:
                self._days(match)
            elif match["meal"]:
                self._end(match.start())
                self.meal = frozenset({("meal", MEAL_WORDS[match["meal"]])})
            elif match["num"] or match["stars"]:
                self._amount(match)
            elif match["open"]:
                self._open_bracket(match)
            elif match["close"]:
                self._close_bracket(match)
            elif not match["time"]:
                self._boundary(match)
        self._end(len(self.text))
        return self.seen

    def _amount(self, match: re.Match[str]) -> None:
        clause = max(self.clause_start, match.start() - 20)
        before = _DIFFERENCE_BEFORE.search(self.text, clause, match.start())
        if not before and not _DIFFERENCE_AFTER.match(self.text, match.end()):
            amount = amount_of(match)
            if not amount.unit and _RATED_BEFORE.search(self.text, clause, match.start()):
                amount = amount._replace(unit="rating")
            (self.open.amounts if self.open else self.waiting).append(amount)

    def _name(self, match: re.Match[str]) -> None:
        self._end(match.start())
        if _NEGATION.search(self.text, max(self.clause_start, match.start() - _LOOK_BACK), match.start()):
            self.waiting.clear()
            return
        start = self.clause_start if not self.text[self.clause_start : match.start()].strip() or self.waiting else match.start()
        self.open = _Open(match["name"], self._scope(), start, self.clause_start, bool(self.mention), list(self.waiting))
        self.waiting.clear()

    def _scope(self) -> frozenset[Scope]:
        scope: dict[str, set[Scope]] = {}
        # Nearer words win: a mention in the clause over the heading, the heading over the record around the text.
        for layer in (self.inherited, self.heading, self.mention, self.meal):
            fresh: dict[str, set[Scope]] = {}
            for role, value in layer:
                fresh.setdefault(role, set()).add((role, value))
            scope.update(fresh)
        return frozenset().union(*scope.values())

    def _days(self, match: re.Match[str]) -> None:
        days = days_of(match["days"])
        starts_line = _LINE_START.search(self.text, max(0, match.start() - _LOOK_BACK), match.start())
        if starts_line and _AFTER_HEADING.match(self.text, match.end()):
            self._end(match.start())
            self.heading, self.mention, self.meal = days, frozenset(), frozenset()
            self.heading_end = match.end()
        elif self.open is not None and self.open.since == self.clause_start and not self.open.placed:
            roles = {role for role, _ in days}
            self.open.scope = frozenset(place for place in self.open.scope if place[0] not in roles) | days
            self.open.placed = True
        else:
            self.mention = days

    def _open_bracket(self, match: re.Match[str]) -> None:
        follows_heading = self.heading_end >= 0 and not self.text[self.heading_end : match.start()].strip()
        kind: Literal["name", "days", "plain"] = "days" if follows_heading else "name" if self.open else "plain"
        if len(self.brackets) < _DEEPEST:
            self.brackets.append(_Bracket(kind, self.open))

    def _close_bracket(self, match: re.Match[str]) -> None:
        bracket = self.brackets.pop() if self.brackets else _Bracket("plain", None)
        if self.open is not bracket.owner:
            self._end(match.start())
            self.open = bracket.owner
        if bracket.kind == "days":
            self.heading = frozenset()

    def _boundary(self, match: re.Match[str]) -> None:
        if match["comma"]:
            pass  # the subject may be left out in the next clause: 锦江宾馆每晚500元，评分4.6分
        elif match["item"] and self.brackets and self.brackets[-1].owner is not None:
            if self.open is not self.brackets[-1].owner:
                self._end(match.start())
                self.open = self.brackets[-1].owner
        else:
            self._end(match.start())
        self.mention = self.meal = frozenset()
        self.waiting.clear()
        self.clause_start = match.end()
        if match["stop"] or match["gap"]:
            self.brackets = [bracket for bracket in self.brackets if bracket.kind == "days"]
        if match["gap"]:
            self.heading = frozenset()

    def _end(self, position: int) -> None:
        if self.open is not None and not any(bracket.owner is self.open for bracket in self.brackets):
            words = self.text[self.open.start : position]
            self.seen.append(Seen(self.open.name, self.open.scope, tuple(self.open.amounts), words))
            self.open = None
