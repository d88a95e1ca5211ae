"""Reads what a traveller wants after a plan is there: a change to it, or a question about it.

Only the words are read. Whether what they point at is known is a matter of the view, decided elsewhere.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Literal

from travel_lab.itinerary.dates import read_date
from travel_lab.itinerary.durations import read_duration
from travel_lab.itinerary.followup_words import (
    ADD,
    ASK,
    BETTER,
    CHANGE,
    CHEAPER,
    CHEAPEST,
    COMPARE,
    DIET_ASK,
    DROP,
    ETIQUETTE,
    FEWER_DAYS,
    FOOD,
    HISTORY,
    HOTEL,
    IN_ALL,
    INSTEAD,
    INTRODUCE,
    MORE_DAYS,
    MOVE,
    NEARER,
    NEW_DAYS,
    NO_LIMIT,
    PEOPLE,
    PRICE,
    RESTORE,
    SWAP,
    TOTAL,
)
from travel_lab.itinerary.money import Budget, read_budget
from travel_lab.itinerary.money_changes import BudgetChange, read_budget_change
from travel_lab.itinerary.numerals import AMOUNT, half_width, read_number
from travel_lab.itinerary.people import People, read_people
from travel_lab.itinerary.pointing import Meal, days_of, meal_of, names_in, ordinal_of, typed_name
from travel_lab.itinerary.request import find_places
from travel_lab.itinerary.spelling import mend
from travel_lab.itinerary.wishes import read_diet
from travel_lab.itinerary.wording import just_before

Kind = Literal[
    "hotel_cheaper", "hotel_better", "hotel_nearer", "hotel_other",
    "sight_drop", "sight_add", "sight_swap", "sight_move", "restaurant_change",
    "days_change", "budget_change", "budget_clear", "people_change", "date_change", "destination_change", "restore",
    "ask_cheapest", "ask_price", "ask_compare", "ask_day", "ask_sight", "ask_total", "ask_diet", "ask_etiquette",
    "ask_history", "unclear",
]  # fmt: skip

AGENTS_OF: dict[Kind, tuple[str, ...]] = {
    **dict.fromkeys(("hotel_cheaper", "hotel_better", "hotel_nearer", "hotel_other"), ("hotel",)),
    **dict.fromkeys(("sight_drop", "sight_add", "sight_swap", "sight_move"), ("route",)),
    "restaurant_change": ("food",),
    "days_change": ("route", "hotel", "food"),
    **dict.fromkeys(("budget_change", "budget_clear", "people_change"), ("hotel", "food")),
    "date_change": ("route", "hotel"),
    "destination_change": ("route", "hotel", "food", "info"),
}  # fmt: skip
"""The agents a follow-up runs; those that are missing run none."""
ABOUT: dict[Kind, str] = {
    **dict.fromkeys(("hotel_cheaper", "hotel_better", "hotel_nearer", "hotel_other"), "hotel"),
    **dict.fromkeys(("ask_cheapest", "ask_price", "ask_compare"), "hotel"),
    **dict.fromkeys(("sight_drop", "sight_add", "sight_swap", "sight_move", "ask_day", "ask_sight"), "route"),
    **dict.fromkeys(("restaurant_change", "ask_diet"), "food"),
    "ask_etiquette": "info",
}  # fmt: skip
"""Whose result a follow-up points at."""


@dataclass(frozen=True, kw_only=True)
class FollowUp:
    """What a follow-up asks for; what it does not say is None."""

    kind: Kind
    day: int | None = None
    """Which day or night it names, from 1; -1 is the last; None: none, so all."""
    to_day: int | None = None
    """Where a sight is moved to."""
    meal: Meal | None = None
    ordinal: int | None = None
    """Which one of that day, from 1; -1 is the last."""
    name: str | None = None
    """The place it names, as the known names spell it or as typed."""
    new_name: str | None = None
    """The place to put in its stead."""
    diet: tuple[str, ...] = ()
    days: int | None = None
    """The new length of the trip."""
    days_delta: int | None = None
    """Days more or fewer."""
    budget: Budget | None = None
    budget_change: BudgetChange | None = None
    """A difference to the budget before, said instead of a sum."""
    people: People | None = None
    start: date | None = None
    destinations: tuple[str, ...] = ()
    words: str = ""
    """The message itself."""

    @property
    def about(self) -> str | None:
        """Whose result it points at."""
        return ABOUT.get(self.kind)

    @property
    def only_asks(self) -> bool:
        """Whether it is answered without running an agent."""
        return self.kind.startswith("ask_")


def read_followup(
    text: str, names: Iterable[str] = (), places: Mapping[str, str] | None = None, today: date | None = None
) -> FollowUp:
    """Read one message said after a plan is there.

    Args:
        text: The traveller's words.
        names: Names of sights, hotels and restaurants that are known; others are taken as typed.
        places: Every name a destination is called by → the name to use for it.
        today: The day the words were said; without it dates without a year are read from 2000 on.
    """
    words = mend(half_width(text))
    dated = read_date(words, today or date(2000, 1, 1))
    destinations = find_places(dated.rest, places or {})
    kind = _kind(words, dated.rest, has_date=dated.start is not None, places=destinations)
    days, delta = _new_length(dated.rest) if kind == "days_change" else (None, None)
    pointed, found = days_of(words), names_in(text, names)
    typed = typed_name(text) if not found and kind.startswith(("sight", "ask_sight", "ask_diet", "restaurant", "hotel")) else None
    named = found or ([typed] if typed and not read_diet(f"不吃{typed}") else [])
    money = not kind.startswith(("ask", "sight", "restaurant", "hotel", "unclear", "budget_clear"))
    change = read_budget_change(dated.rest) if money else None
    return FollowUp(
        kind=kind,
        day=_day(kind, pointed),
        to_day=_to_day(kind, pointed),
        meal=meal_of(words),
        ordinal=ordinal_of(words),
        name=named[0] if named else None,
        new_name=named[1] if len(named) > 1 else None,
        diet=read_diet(words),
        days=days,
        days_delta=delta,
        budget=None if change else _budget(kind, dated.rest),
        budget_change=change,
        people=_party(kind, words),
        start=dated.start,
        destinations=_meant(dated.rest, destinations) if kind == "destination_change" else (),
        words=text,
    )


def _day(kind: Kind, pointed: list[int]) -> int | None:
    """The day meant: none when two are compared or it is where a sight goes; of several nights the one a wish follows."""
    if not pointed or (kind == "ask_compare" and len(pointed) > 1) or (kind == "sight_move" and len(pointed) < 2):
        return None
    return pointed[-1] if kind.startswith("hotel") else pointed[0]


def _to_day(kind: Kind, pointed: list[int]) -> int | None:
    return pointed[-1] if kind == "sight_move" and pointed else None


Test = Callable[[str], bool]


def _says(pattern: str) -> Test:
    compiled = re.compile(pattern)
    return lambda words: compiled.search(words) is not None


_hotel, _food, _cheaper, _better, _nearer, _change, _drop, _add, _move, _swap, _ask = (
    _says(p) for p in (HOTEL, FOOD, CHEAPER, BETTER, NEARER, CHANGE, DROP, ADD, MOVE, SWAP, ASK)
)
_restore, _total, _etiquette, _history, _compare, _cheapest, _introduce, _diet_ask, _no_limit, _instead, _people = (
    _says(p) for p in (RESTORE, TOTAL, ETIQUETTE, HISTORY, COMPARE, CHEAPEST, INTRODUCE, DIET_ASK, NO_LIMIT, INSTEAD, PEOPLE)
)
_price, _in_all = _says(PRICE), _says(IN_ALL)
_when = _says(
    r"日期|出发|时间|推迟|延后|提前|改|换|挪|date|start|leave|depart|postpone|move|shift|change|push|instead|go on|travel"
)
_exchange = _says(
    r"对调|互换|调换|交换|(?:swap|switch|exchange) (?:the )?(?:order of )?day \S+ (?:and|with) (?:day )?\S+|"
    r"the other way (?:a)?round|(?:改|换|挪|放|调|移)(?:成|到|在)?(?:早上|上午|中午|下午|晚上|傍晚)(?:再)?去|"
    r"in the (?:morning|afternoon|evening) instead"
)
"""Two things change places, or one its time of day: no agent can be asked for that."""
_joins = _says(
    r"[大小]|人|一起|一块|也|加上|带|和|跟|陪|俩|仨|join|com(?:e|ing)\b|with|bring|of us|adults?|kids?|child|people|\bpax\b|"
    r"for (?:two|three|four|\d)"
)
_in_its_stead = _says(r"换|加上|加个|改去|\b(?:and|then|,) (?:add|include|put|do)\b")
_NOT_RIGHT = (
    r"(?:块|元)?(?:实在|还是|有点|可能|真的)*(?:太[多高贵少低]|[多高贵少低]了|不够|超了|不行|打不住)|(?:is |was |would be |"
    r"sounds )?"
    r"(?:a bit |way |far )?(?:too (?:much|high|steep|little|low|expensive)|not enough|isn'?t enough)"
)
"""After a sum that is not the one to plan with."""
_new_sum = _says(rf"(?:\b(?:by|to|at)\b|[到成为])\s*(?:about |around |大概|大约)?[¥$a]{{0,2}}\s*{AMOUNT}")
_command = _says(rf"{CHANGE}|{DROP}|{MOVE}|{SWAP}|加(?!坡)|\badd\b")
_diet_wish = _says(
    r"不(?:能|要|想|太能)?(?:碰|吃)|过敏|忌口|吃素|素食|清真|不辣|vegetarian|vegan|halal|allerg|"
    r"don'?t eat|can'?t eat|no (?:spicy|peanuts?|pork|seafood)|清淡"
)


def _kind(words: str, rest: str, *, has_date: bool, places: tuple[str, ...]) -> Kind:
    """The first rule that holds, most special first."""
    asks, commands = _ask(words), _command(words)
    rules: tuple[tuple[Kind, Callable[[], bool]], ...] = (
        ("ask_history", lambda: _history(words)),
        ("restore", lambda: _restore(words)),
        ("budget_clear", lambda: _no_limit(words) and not _new_sum(words)),
        ("ask_etiquette", lambda: _etiquette(words)),
        ("destination_change", lambda: bool(places) and _instead(words) and not _hotel(words)),
        ("ask_compare", lambda: _compare(words) and not (_hotel(words) and commands and not asks)),
        ("ask_cheapest", lambda: _cheapest(words) and not commands),
        ("ask_diet", lambda: _diet_ask(words) and asks and not commands),
        ("ask_price", lambda: _hotel(words) and _price(words) and not commands and not _in_all(words)),
        ("ask_total", lambda: _total(words) and asks),
        ("hotel_cheaper", lambda: _hotel(words) and (_cheaper(words) or _cheapest(words))),
        ("hotel_nearer", lambda: _hotel(words) and _nearer(words)),
        ("hotel_better", lambda: _hotel(words) and _better(words)),
        ("unclear", lambda: _exchange(words)),
        ("days_change", lambda: _difference(rest) is not None),
        ("hotel_other", lambda: _hotel(words) and _change(words)),
        ("sight_move", lambda: _moves(words) and not _food(words) and not _drop(words)),
        ("days_change", lambda: _new_length(rest) != (None, None)),
        ("people_change", lambda: _people(words) and _party("people_change", words) is not None and not _food(words)),
        ("budget_change", lambda: _states_budget(rest)),
        ("date_change", lambda: has_date and _when(words)),
        ("restaurant_change", lambda: _food(words) and (commands or _diet_wish(words)) and not _introduce(words)),
        ("restaurant_change", lambda: _food(words) and (_cheaper(words) or _nearer(words) or _better(words)) and not asks),
        ("restaurant_change", lambda: bool(read_diet(words)) and not asks),
        ("ask_sight", lambda: _introduce(words) and not commands and not re.search(r"怎么安排", words)),
        ("sight_swap", lambda: _swap(words) or (_drop(words) and _in_its_stead(words))),
        ("sight_drop", lambda: _drop(words)),
        ("date_change", lambda: has_date),
        ("sight_add", lambda: _add(words) and not re.search(r"怎么安排|什么安排|哪些|what", words)),
        ("ask_day", lambda: bool(days_of(words)) and asks),
        ("ask_sight", lambda: _introduce(words)),
        ("ask_day", lambda: bool(days_of(words)) and not commands),
    )  # fmt: skip
    return next((kind for kind, holds in rules if holds()), "unclear")


def _moves(words: str) -> bool:
    return (_move(words) or "instead" in words) and bool(days_of(words))


def _states_budget(words: str) -> bool:
    budget = _sum(words)
    stated = budget is not None and (budget.amount, budget.low, budget.high) != (None, None, None)
    return stated or read_budget_change(words) is not None


def _difference(words: str) -> int | None:
    """Days or nights more or fewer."""
    for pattern, sign in ((MORE_DAYS, 1), (FEWER_DAYS, -1)):
        match = re.search(pattern, words)
        if match is not None and not re.search(r"(?:第|day )\s*\S{0,2}$", just_before(words, match.start())):
            said = next((word for word in match.groupdict().values() if word), "1")
            return sign * int(read_number(said) or 1)
    return None


def _new_length(words: str) -> tuple[int | None, int | None]:
    """The new number of days, or the difference."""
    difference = _difference(words)
    if difference is not None:
        return None, difference
    match = re.search(NEW_DAYS, words)
    if match is not None:
        number = read_number(match["n"] or match["m"] or match["k"])
        return (int(number), None) if number else (None, None)
    # After a plan, a plain number of days is a new length, unless it stands with something else.
    duration = read_duration(words)
    return (None, None) if days_of(words) or _ask(words) or _add(words) else (duration.days, None)


def _party(kind: Kind, words: str) -> People | None:
    """The party a change states; somebody who only has a say in the money does not travel."""
    if kind.startswith(("ask", "sight", "restaurant", "unclear")):
        return None
    return None if _states_budget(words) and not _joins(words) else read_people(words)


def _budget(kind: Kind, words: str) -> Budget | None:
    """Money a change states; a wish for a cheap hotel alone is none."""
    if kind.startswith(("ask", "sight", "restaurant", "unclear")):
        return None
    return _sum(words) if kind == "budget_clear" or _states_budget(words) else None


def _sum(words: str) -> Budget | None:
    """The new sum: of `from 5000 to 7000` the second; one that is said to be too much is none."""
    old = rf"(?:从|from)\s*{AMOUNT}\s*[块元]?\s*(?=[改加升降提涨减调]|to\b)|{AMOUNT}\s*(?:块钱?|元|yuan|rmb)?\s*(?:{_NOT_RIGHT})"
    return read_budget(re.sub(old, "", words))


def _meant(words: str, places: tuple[str, ...]) -> tuple[str, ...]:
    """The destinations a correction asks for: of several the last, unless "not" stands before it."""
    if len(places) < 2 or re.search(r"[+&、]|\band\b|和", words):
        return places
    return places[:1] if re.search(r"(?:不是|不去|不要|\bnot|instead of|rather than)\s*[^\s,]+\s*$", words) else places[-1:]
