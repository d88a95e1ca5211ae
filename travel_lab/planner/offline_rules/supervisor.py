"""The offline model as supervisor: decides from the conversation alone, and asks back for what it cannot see."""

import re
from collections.abc import Callable, Sequence

from langchain_core.messages import BaseMessage

from travel_lab.catalogue import Language
from travel_lab.itinerary import FollowUp, Reading, language_of, read_followup, read_request
from travel_lab.itinerary.followup import Kind
from travel_lab.itinerary.request import PREFERENCES, join_names
from travel_lab.planner.offline_rules.seen import Seen, make_out
from travel_lab.planner.offline_rules.task import conversation
from travel_lab.planner.prompts import LINE_FORM
from travel_lab.tokens import text_of

ALL = "route,hotel,food,info"
SAY: dict[Language, dict[str, str]] = {
    "zh": {
        "where": "ASK: 你想去哪玩呢？", "how_long": "ASK: 打算玩几天呢？", "days": "ASK: 天数需要是 1 到 14 之间的整数，你想玩几天？",
        "hotel": "ASK: 请问您之前看的是哪家酒店？我这里看不到{which}的酒店和价格。",
        "sights": "ASK: 请问{which}原来安排了哪些景点？我这里看不到。",
        "meals": "ASK: 请问原来安排了哪些餐厅？我这里看不到。", "day": "ASK: 我这里看不到{which}的安排，请问原来是怎么安排的？",
        "about": "ASK: 我这里看不到{names}的介绍，您想了解哪方面？", "no_day": "ASK: 行程里没有{which}，请问您说的是哪一天？",
        "what": "ASK: 你想改行程的哪一部分？可以说：酒店、景点、餐厅、天数或预算。", "cheap": "便宜",
        "cheapest": "REPLY: 最便宜的是{name}，每晚{price:g}。", "plan_of_day": "REPLY: {which}：{items}。", "nth": "第{day}天", "that": "那",
    },
    "en": {
        "where": "ASK: Where would you like to go?", "how_long": "ASK: How many days will you stay?",
        "days": "ASK: Days must be a whole number from 1 to 14. How many days would you like?",
        "hotel": "ASK: Which hotel did you look at before? I cannot see the hotels and prices of {which}.",
        "sights": "ASK: Which sights were planned for {which}? I cannot see them.",
        "meals": "ASK: Which restaurants were planned? I cannot see them.", "day": "ASK: I cannot see the plan of {which}. What was planned?",
        "about": "ASK: I cannot see a description of {names}. What would you like to know?",
        "no_day": "ASK: The plan has no {which}. Which day do you mean?",
        "what": "ASK: Which part of the plan shall I change? Say hotel, sight, restaurant, days or budget.", "cheap": "cheaper",
        "cheapest": "REPLY: The cheapest is {name} at {price:g} a night.", "plan_of_day": "REPLY: {which}: {items}.",
        "nth": "day {day}", "that": "that day",
    },
}  # fmt: skip


def answer(messages: Sequence[BaseMessage]) -> str:
    """One PLAN, ASK or REPLY line."""
    places = _places(text_of(messages[0]))
    words = text_of(messages[-1]).rsplit("\n", 1)[0]
    history = conversation(messages)
    language = language_of(words, "zh" if "你是" in text_of(messages[0]) else "en")
    reading = read_request(words, places)
    if reading.problems:
        return SAY[language]["days"]
    planned = any(message.name == "aggregator" for message in history)
    followup = read_followup(words)
    if planned and followup.kind != "unclear" and not (reading.destinations and reading.days):
        return _change(followup, make_out(history), reading, language)
    if planned and not _states_something(reading):
        return SAY[language]["what"]
    return _new_plan([_reading_of(m, places) for m in history if m.type == "human"], reading, words, language, planned=planned)


def _places(system: str) -> dict[str, str]:
    """Every name in the prompt's list of places → the name to use."""
    listed = re.findall(r"([^、:：\s(]+)\(([^)]+)\)", system.rsplit("\n", 1)[-1])
    return {name: zh for zh, en in listed for name in (zh, en)}


def _reading_of(message: BaseMessage, places: dict[str, str]) -> Reading:
    return read_request(text_of(message), places)


def _states_something(reading: Reading) -> bool:
    return bool(reading.destinations or reading.days or reading.budget or reading.preferences)


def _new_plan(earlier: list[Reading], now: Reading, words: str, language: Language, *, planned: bool) -> str:
    """A plan from what all messages together say; what is missing is asked for."""
    destinations, days, unknown = now.destinations, now.days, _unknown_place(words)
    if not destinations and unknown:
        return LINE_FORM.format(destination=unknown, days=days or 0, origin="", date="", budget="", agents=ALL)
    origin, budget, preferences = now.origin, now.budget, now.preferences
    for reading in reversed(earlier):
        destinations, days = destinations or reading.destinations, days or reading.days
        origin, budget = origin or reading.origin, budget or reading.budget
        preferences = (*preferences, *reading.preferences)
    if not destinations:
        return SAY[language]["where"]
    if not days:
        return SAY[language]["how_long"]
    known = Reading(destinations=destinations, days=days, origin=origin, budget=budget, preferences=preferences)
    agents = ALL if not planned or now.destinations else "route,hotel,food" if now.days else "hotel,food"
    return _line(known, language, agents)


def _unknown_place(words: str) -> str:
    """A place the words name that is not in the list."""
    chinese = re.search(
        r"(?:去|到|规划)(?:一下)?(?P<place>[\u4e00-\u9fff]{2,6}?)(?=玩|旅|游|待|[\d一二两三四五六七八九十]+\s*[天日]|的|[,，。!！?？\s]|$)",
        words,
    )
    if chinese:
        return chinese["place"]
    english = re.search(r"\b(?:to|in|visit(?:ing)?|around) (?P<place>[A-Z][\w'-]+(?: [A-Z][\w'-]+)*)", words)
    return english["place"] if english else ""


def _line(reading: Reading, language: Language, agents: str) -> str:
    budget = f"{reading.budget.amount:.15g} {reading.budget.currency}".strip() if reading.budget else ""
    return LINE_FORM.format(
        destination=join_names(reading.destinations),
        days=reading.days or 0,
        origin=reading.origin or "",
        date="",
        budget=",".join(part for part in (budget, _wishes(reading, language)) if part),
        agents=agents,
    )


_WISH = {
    "no_spicy": {"zh": "不吃辣", "en": "no spicy"}, "vegetarian": {"zh": "素食", "en": "vegetarian"}, "halal": {"zh": "清真", "en": "halal"},
    "no_peanuts": {"zh": "花生过敏", "en": "no peanuts"}, "no_seafood": {"zh": "不吃海鲜", "en": "no seafood"},
    "slow": {"zh": "慢节奏", "en": "slow"}, "cheap": {"zh": "便宜", "en": "cheap"},
}  # fmt: skip


def _wishes(reading: Reading, language: Language) -> str:
    return ",".join(_WISH[name][language] for name in PREFERENCES if name in reading.preferences)


def _change(followup: FollowUp, seen: Seen, reading: Reading, language: Language) -> str:
    """A follow-up: needs what it points at to be in sight."""
    return _CHANGES[followup.kind](followup, seen, reading, language)


def _which(followup: FollowUp, language: Language) -> str:
    say = SAY[language]
    return say["nth"].format(day=followup.day) if followup.day is not None else say["that"]


def _hotel(followup: FollowUp, seen: Seen, reading: Reading, language: Language) -> str:
    if not seen.prices:
        return SAY[language]["hotel"].format(which=_which(followup, language))
    wish = SAY[language]["cheap"] if followup.kind == "hotel_cheaper" else ""
    return LINE_FORM.format(destination="", days=0, origin="", date="", budget=wish, agents="hotel")


def _drop(followup: FollowUp, seen: Seen, reading: Reading, language: Language) -> str:
    named = any(name.casefold() in followup.words.casefold() for names in seen.sights.values() for name in names)
    if not named and not seen.sights.get(followup.day or 0):
        which = _which(followup, language)
        return SAY[language]["no_day" if seen.sights and followup.day else "sights"].format(which=which)
    return LINE_FORM.format(destination="", days=0, origin="", date="", budget="", agents="route")


def _food(followup: FollowUp, seen: Seen, reading: Reading, language: Language) -> str:
    if not seen.meals:
        return SAY[language]["meals"]
    return LINE_FORM.format(destination="", days=0, origin="", date="", budget=_wishes(reading, language), agents="food")


def _cheapest(followup: FollowUp, seen: Seen, reading: Reading, language: Language) -> str:
    if not seen.prices:
        return SAY[language]["hotel"].format(which=_which(followup, language))
    name = min(seen.prices, key=lambda hotel: seen.prices[hotel])
    return SAY[language]["cheapest"].format(name=name, price=seen.prices[name])


def _day(followup: FollowUp, seen: Seen, reading: Reading, language: Language) -> str:
    day, which = followup.day or 0, _which(followup, language)
    meals = [seen.meals[day, meal] for meal in ("lunch", "dinner") if (day, meal) in seen.meals]
    items = [*seen.sights.get(day, []), *meals, *([seen.nights[day]] if day in seen.nights else [])]
    if not items:
        return SAY[language]["day"].format(which=which)
    return SAY[language]["plan_of_day"].format(which=which, items=("、" if language == "zh" else ", ").join(items))


def _sight(followup: FollowUp, seen: Seen, reading: Reading, language: Language) -> str:
    every = [name for names in seen.sights.values() for name in names]
    named = [name for name in every if name.casefold() in followup.words.casefold()]
    names = named or seen.sights.get(followup.day or 0, [])
    if not names:
        return SAY[language]["sights"].format(which=_which(followup, language))
    joined = ("、" if language == "zh" else ", ").join(names)
    if not all(name in seen.about for name in names):
        return SAY[language]["about"].format(names=joined)
    return "REPLY: " + " ".join(f"{name}: {seen.about[name]}" for name in names)


def _unclear(followup: FollowUp, seen: Seen, reading: Reading, language: Language) -> str:
    return SAY[language]["what"]


_CHANGES: dict[Kind, Callable[[FollowUp, Seen, Reading, Language], str]] = {
    "hotel_cheaper": _hotel, "hotel_better": _hotel, "hotel_other": _hotel, "sight_drop": _drop, "restaurant_change": _food,
    "ask_cheapest": _cheapest, "ask_day": _day, "ask_sight": _sight, "unclear": _unclear,
}  # fmt: skip
