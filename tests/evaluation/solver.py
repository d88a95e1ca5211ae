"""Answers follow-up questions from the agents' result JSON alone: a second opinion on every gold of the cases.

It reads the question's words and what the agents had produced, turn by turn, and imports nothing of the package: neither what
made the golds nor what measures with them. One function a kind of question; each gives all right answers.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

States = Sequence[Mapping[str, Any]]
"""For each turn, oldest first: agent → the data of its newest result."""
Answers = set[frozenset[str]]
"""Right answers; of each, what must be named."""
MEALS = {"午餐": "lunch", "晚餐": "dinner", "lunch": "lunch", "dinner": "dinner"}


def solve(kind: str, words: str, states: States) -> Answers:
    """All right answers to a question after the last of these turns; none when nothing there answers it."""
    return SOLVERS[kind](words, states)


def _number(value: float) -> str:
    return f"{value:.10g}"


def _count(words: str, what: str) -> int:
    """The number in `第2晚`, `night 2`, `第3天` or `day 3`."""
    zh, en = {"night": ("晚", "night"), "day": ("天", "day"), "nth": ("个", "number")}[what]
    found = re.search(rf"第(\d+){zh}|{en} (\d+)", words)
    assert found, f"no {what} in {words!r}"
    return int(found[1] or found[2])


def _hotel_of(state: Mapping[str, Any], night: int) -> str:
    return next(str(row["hotel"]) for row in state["hotel"]["nights"] if row["night"] == night)


def _offers(state: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    return {offer["name"]: offer for offer in state["hotel"]["hotels"]}


def _sights(state: Mapping[str, Any], day: int) -> list[Mapping[str, Any]]:
    return next(list(row["sights"]) for row in state["route"]["days"] if row["day"] == day)


def _meal(state: Mapping[str, Any], day: int, words: str) -> str:
    which = next(MEALS[name] for name in MEALS if name in words)
    return next(str(row[which]["name"]) for row in state["food"]["days"] if row["day"] == day)


def _named(words: str, names: Sequence[str]) -> list[str]:
    """The names in a question, in its order; a name inside a longer one that is there as well does not count."""
    there = [name for name in names if name in words]
    longest = [name for name in there if not any(name != other and name in other for other in there)]
    return sorted(longest, key=words.index)


def cheaper_hotel(words: str, states: States) -> Answers:
    offers = _offers(states[-1])
    now = offers[_hotel_of(states[-1], _count(words, "night"))]["price"]
    return {frozenset({name}) for name, offer in offers.items() if offer["price"] < now}


def drop_sight(words: str, states: States) -> Answers:
    sights = _sights(states[-1], _count(words, "day"))
    return {frozenset({sights[0 if re.search("第一个|first", words) else -1]["name"]})}


def diet(words: str, states: States) -> Answers:
    return {frozenset({_meal(states[-1], _count(words, "day"), words)})}


def introduce(words: str, states: States) -> Answers:
    return {frozenset({_sights(states[-1], _count(words, "day"))[_count(words, "nth") - 1]["name"]})}


def compare(words: str, states: States) -> Answers:
    offers = _offers(states[-1])
    first, second = _named(words, list(offers))
    return {frozenset({_number(offers[first]["price"]), _number(offers[second]["price"])})}


def sum_up(_words: str, states: States) -> Answers:
    offers = _offers(states[-1])
    return {frozenset({_number(sum(offers[row["hotel"]]["price"] for row in states[-1]["hotel"]["nights"]))})}


def day_reference(words: str, states: States) -> Answers:
    day = _count(words, "day")
    eaten = [
        row[meal]["name"] for row in states[-1]["food"]["days"] if row["day"] == day for meal in MEALS.values() if meal in row
    ]
    return {frozenset({*(sight["name"] for sight in _sights(states[-1], day)), *eaten})}


def undo(words: str, states: States) -> Answers:
    return {frozenset({_hotel_of(states[-2], _count(words, "night"))})}


def update(words: str, states: States) -> Answers:
    return {frozenset({_hotel_of(states[-1], _count(words, "night"))})}


def correction(words: str, states: States) -> Answers:
    """The second night named is the one that is meant."""
    meant = re.findall(r"第(\d+)晚|night (\d+)", words)[-1]
    hotel = _hotel_of(states[-1], int(meant[0] or meant[1]))
    return {frozenset({_number(_offers(states[-1])[hotel]["price"])})}


def negation(words: str, states: States) -> Answers:
    offers = _offers(states[-1])
    (left_out,) = _named(words, list(offers))
    others = {name: offer["price"] for name, offer in offers.items() if name != left_out}
    return {frozenset({name}) for name, price in others.items() if price == min(others.values())}


def never_given(words: str, states: States) -> Answers:
    """Nothing, as long as no result has a member for what is asked."""
    (name,) = _named(words, list(_offers(states[-1])))
    members = {"name", "city", "district", "stars", "price", "rating", "about"}
    assert set(_offers(states[-1])[name]) <= members, f"{name} may say what {words!r} asks for"
    return set()


def two_things(words: str, states: States) -> Answers:
    price = _offers(states[-1])[_hotel_of(states[-1], _count(words, "night"))]["price"]
    return {frozenset({_number(price), _meal(states[-1], _count(words, "day"), words)})}


def etiquette(_words: str, states: States) -> Answers:
    return {frozenset(states[-1]["info"]["etiquette"])}


def single(words: str, states: States) -> Answers:
    """One fact, asked for by the name of its place, or by its night or meal."""
    state = states[-1]
    if re.search("住哪家酒店|Which hotel is night", words):
        return {frozenset({_hotel_of(state, _count(words, "night"))})}
    if re.search("餐在哪家|Where is (lunch|dinner)", words):
        return {frozenset({_meal(state, _count(words, "day"), words)})}
    member = next(member for pattern, member in MEMBERS.items() if re.search(pattern, words))
    records = [*_hotels_and_sights(state), *_restaurants(state)]
    (name,) = _named(words, [str(record["name"]) for record in records if member in record])
    # A place may stand in a plan more than once; what is said of it must not differ.
    found = {record[member] for record in records if record["name"] == name and member in record}
    return {frozenset({value if isinstance(value, str) else _number(value)}) for value in found}


def _hotels_and_sights(state: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [*state["hotel"]["hotels"], *(sight for day in state["route"]["days"] for sight in day["sights"])]


def _restaurants(state: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [day[meal] for day in state["food"]["days"] for meal in ("lunch", "dinner") if meal in day]


MEMBERS = {
    "评分|rating": "rating",
    "星级|stars": "stars",
    "哪个区|district": "district",
    "门票|ticket": "ticket",
    "几点到|start": "start",
    "多少|How much": "price",
}
SOLVERS: Mapping[str, Callable[[str, States], Answers]] = {
    "cheaper hotel": cheaper_hotel,
    "drop a sight": drop_sight,
    "restaurant for a diet": diet,
    "introduce a sight": introduce,
    "compare": compare,
    "sum up": sum_up,
    "day reference": day_reference,
    "undo": undo,
    "update": update,
    "correction": correction,
    "negation": negation,
    "never given": never_given,
    "two things": two_things,
    "etiquette": etiquette,
    "look-up": single,
    "early fact": single,
}
