"""The packed handoff: our results as small tables, the facts follow-ups ask for most first."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from travel_lab.context import Entry, pack
from travel_lab.itinerary import AgentResult, FollowUp
from travel_lab.itinerary.cost import money
from travel_lab.planner.facts import MEALS, needs
from travel_lab.tokens import DEEPSEEK, TokenCounter

PACKED_BUDGET = 400
"""Tokens of one packed handoff, unless another number is given."""
PRIORITIES: Mapping[str, float] = {
    "hotel night": 7, "day sight": 6, "hotel price": 5, "meal": 3,
    "hotel rating": 1, "restaurant price": 1, "sight ticket": 1, "etiquette": 1,
    "hotel stars": 0.5, "hotel district": 0.5, "sight start": 0.5, "culture": 0.5, "trivia": 0.5,
}  # fmt: skip
"""Kind of fact → how many kinds of follow-up need it, by `needs`; half a point for facts none of them needs so far."""
_WORDS = {
    "zh": {
        "hotel": "酒店", "price": "价格", "rating": "评分", "stars": "星级", "district": "区域", "night": "晚",
        "day": "天", "lunch": "午餐", "dinner": "晚餐", "sights": "景点",
        "culture": "文化", "trivia": "冷知识", "etiquette": "礼仪",
        "more": "另有{count}项未列出", "join": "、", "nights": "第{nights}晚",
        "head_hotel": "{place}酒店(每晚):", "head_route": "{place}行程:", "head_food": "{place}餐厅(人均):",
        "head_info": "{place}:",
    },
    "en": {
        "hotel": "hotel", "price": "price", "rating": "rating", "stars": "stars", "district": "district", "night": "night",
        "day": "day", "lunch": "lunch", "dinner": "dinner", "sights": "sights",
        "culture": "culture", "trivia": "trivia", "etiquette": "etiquette",
        "more": "and {count} more not listed", "join": " → ", "nights": "nights {nights}",
        "head_hotel": "Hotels in {place}, a night:", "head_route": "Route in {place}:", "head_food": "Food in {place}, a person:",
        "head_info": "{place}:",
    },
}  # fmt: skip
_HOTEL_DETAILS = ("price", "rating", "stars", "district", "night")


@dataclass(frozen=True, kw_only=True)
class Packed:
    """Handoff: the most useful facts of a result under a budget; what is left out is counted in its last line."""

    budget: int | None = PACKED_BUDGET
    """In the counter's unit; None leaves nothing out."""
    counter: TokenCounter = DEEPSEEK
    """What the budget is counted in."""
    priorities: Mapping[str, float] = field(default_factory=lambda: PRIORITIES)
    """Kind of fact → how useful one is; kinds left out count as 0 and come last."""

    def __call__(self, agent: str, result: Mapping[str, Any], language: str) -> str:
        """The result as tables; blank when not even one fact fits."""
        say, weight = _WORDS[language], lambda kind: self.priorities.get(kind, 0.0)
        entries = list(_ENTRIES[agent](result, say, weight))
        head = say[f"head_{agent}"].format(place=result["destination"])
        return pack(entries, _layout(_BODIES[agent], head, result.get("currency", ""), say), self.budget, self.counter)

    @property
    def whole(self) -> "Packed":
        """The same without a limit."""
        return replace(self, budget=None)


def asked_for(followups: Iterable[FollowUp], results: Mapping[str, AgentResult]) -> dict[str, float]:
    """Kind of fact → share of the follow-ups that need one of it: priorities for `Packed` from follow-ups of your own."""
    asked: dict[str, float] = {}
    given = list(followups)
    for followup in given:
        for kind in {fact.kind for fact in needs(followup, results)}:
            asked[kind] = asked.get(kind, 0) + 1 / len(given)
    return dict(sorted(asked.items(), key=lambda item: (-item[1], item[0])))


Say = Mapping[str, str]
Weight = Callable[[str], float]


def _hotels(data: Mapping[str, Any], say: Say, weight: Weight) -> Iterator[Entry]:
    for offer in data["hotels"]:
        nights = [str(night["night"]) for night in data["nights"] if night["hotel"] == offer["name"]]
        details = {
            "night": _nights(nights, say),
            **{kind: f"{offer[kind]:g}" for kind in ("price", "rating", "stars")},
            "district": offer["district"],
        }
        yield Entry(
            place=offer["name"],
            column="",
            name=offer["name"],
            weight=0,
            details={kind: text for kind, text in details.items() if text},
            weights={kind: weight(f"hotel {kind}") * (len(nights) if kind == "night" else 1) for kind in _HOTEL_DETAILS},
        )


def _nights(nights: Sequence[str], say: Say) -> str:
    if not nights:
        return ""
    return say["nights"].format(nights=",".join(nights)) if len(nights) > 1 or say["night"] == "晚" else f"night {nights[0]}"


def _sights(data: Mapping[str, Any], say: Say, weight: Weight) -> Iterator[Entry]:
    for day in data["days"]:
        for sight in day["sights"]:
            yield Entry(
                place=str(day["day"]),
                column="sights",
                name=sight["name"],
                weight=weight("day sight"),
                details={"start": sight["start"], "ticket": money(sight["ticket"], data["currency"])},
                weights={"start": weight("sight start"), "ticket": weight("sight ticket")},
            )


def _meals(data: Mapping[str, Any], say: Say, weight: Weight) -> Iterator[Entry]:
    for day in data["days"]:
        for meal in MEALS:
            if meal in day:
                yield Entry(
                    place=str(day["day"]),
                    column=meal,
                    name=day[meal]["name"],
                    weight=weight("meal"),
                    details={"price": money(day[meal]["price"], data["currency"])},
                    weights={"price": weight("restaurant price")},
                )


def _sentences(data: Mapping[str, Any], say: Say, weight: Weight) -> Iterator[Entry]:
    for kind in ("culture", "trivia", "etiquette"):
        for sentence in data.get(kind, []):
            yield Entry(place=kind, column="", name=sentence, weight=weight(kind), details={}, weights={})


_ENTRIES = {"route": _sights, "hotel": _hotels, "food": _meals, "info": _sentences}


def _layout(body: Callable[[Sequence[Entry], str, Say], list[str]], head: str, currency: str, say: Say) -> Callable[..., str]:
    def layout(entries: Sequence[Entry], left_out: int) -> str:
        more = [say["more"].format(count=left_out)] if left_out else []
        return "\n".join([head, *body(entries, currency, say), *more])

    return layout


def _hotel_table(entries: Sequence[Entry], currency: str, say: Say) -> list[str]:
    columns = [kind for kind in _HOTEL_DETAILS if any(kind in entry.details for entry in entries)]
    heads = [say["price"] + f"({currency})" if kind == "price" else say[kind] for kind in columns]
    rows = [[entry.name, *(entry.details.get(kind, "") for kind in columns)] for entry in entries]
    return ["|".join(row) for row in [[say["hotel"], *heads], *rows]]


def _day_table(entries: Sequence[Entry], currency: str, say: Say) -> list[str]:
    columns = [column for column in ("sights", *MEALS) if any(entry.column == column for entry in entries)]
    lines = ["|".join([say["day"], *(say[column] for column in columns)])]
    for day in dict.fromkeys(entry.place for entry in entries):
        cells = [[_cell(e) for e in entries if e.place == day and e.column == column] for column in columns]
        lines.append("|".join([day, *(say["join"].join(cell) for cell in cells)]))
    return lines


def _cell(entry: Entry) -> str:
    return " ".join([entry.name, *(entry.details[kind] for kind in ("start", "ticket", "price") if kind in entry.details)])


def _lines(entries: Sequence[Entry], currency: str, say: Say) -> list[str]:
    lines: list[str] = []
    for kind in dict.fromkeys(entry.place for entry in entries):
        lines += [f"{say[kind]}:", *(entry.name for entry in entries if entry.place == kind)]
    return lines


_BODIES = {"route": _day_table, "hotel": _hotel_table, "food": _day_table, "info": _lines}
