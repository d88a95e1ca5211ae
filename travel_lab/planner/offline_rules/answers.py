"""The offline model's answers to questions that need no agent, from what it can see, with a question back where it cannot."""

from collections.abc import Callable, Sequence

from langchain_core.messages import BaseMessage

from travel_lab.catalogue import Language
from travel_lab.itinerary import FollowUp
from travel_lab.itinerary.cost import money
from travel_lab.itinerary.diet import FORBIDDEN, REQUIRED
from travel_lab.itinerary.followup import Kind
from travel_lab.itinerary.pointing import closest, names_in
from travel_lab.planner.offline_rules.sayings import SAY, no_night, which_of
from travel_lab.planner.offline_rules.seen import Seen
from travel_lab.tokens import text_of

Answer = Callable[[FollowUp, Seen, Sequence[BaseMessage], Language], str]


def _cheapest(followup: FollowUp, seen: Seen, history: Sequence[BaseMessage], language: Language) -> str:
    if not seen.prices:
        return SAY[language]["hotel"].format(which=which_of(followup, language))
    name = min(seen.prices, key=lambda hotel: seen.prices[hotel])
    return SAY[language]["cheapest"].format(name=name, price=money(seen.prices[name], seen.currency))


def _price(followup: FollowUp, seen: Seen, history: Sequence[BaseMessage], language: Language) -> str:
    say = SAY[language]
    if wrong := no_night(followup, seen.days, language):
        return wrong
    named = names_in(followup.words, seen.prices)
    last = max(seen.nights, default=0)
    night = last if followup.day == -1 else followup.day
    wanted = {n: name for n, name in seen.nights.items() if night in (None, n) and not named}
    names = named or list(dict.fromkeys(wanted.values()))
    if not names or not all(name in seen.prices for name in names):
        return say["hotel"].format(which=which_of(followup, language))
    parts = []
    for name in names:
        at = say["join"].join(say["night"].format(night=n) for n, hotel in wanted.items() if hotel == name)
        costs = say["costs"].format(name=name, price=money(seen.prices[name], seen.currency))
        parts.append(f"{at}{say['of']}{costs}" if at else costs)
    return "REPLY: " + ("；" if language == "zh" else "; ").join(parts) + ("。" if language == "zh" else ".")


def _compare(followup: FollowUp, seen: Seen, history: Sequence[BaseMessage], language: Language) -> str:
    say, hotels = SAY[language], list(seen.prices)
    if not hotels:
        return say["hotel"].format(which=which_of(followup, language))
    named = [name for name in names_in(followup.words, hotels) if name in hotels]
    two = named if len(named) > 1 else hotels[:2] if not named else []
    if len(two) < 2:
        return say["two"].format(names=say["join"].join(hotels))
    parts = []
    for name in two:
        rated = say["rated"].format(rating=seen.ratings[name]) if name in seen.ratings else ""
        parts.append(say["costs"].format(name=name, price=money(seen.prices[name], seen.currency)) + rated)
    return "REPLY: " + ("；" if language == "zh" else "; ").join(parts) + ("。" if language == "zh" else ".")


def _day(followup: FollowUp, seen: Seen, history: Sequence[BaseMessage], language: Language) -> str:
    say = SAY[language]
    day = max(seen.sights, default=0) if followup.day == -1 else followup.day or 0
    meals = [seen.meals[day, meal] for meal in ("lunch", "dinner") if (day, meal) in seen.meals]
    items = [*seen.sights.get(day, []), *meals, *([seen.nights[day]] if day in seen.nights else [])]
    if not items:
        return say["day"].format(which=which_of(followup, language))
    return say["plan_of_day"].format(which=say["nth"].format(day=day), items=say["join"].join(items))


def _sight(followup: FollowUp, seen: Seen, history: Sequence[BaseMessage], language: Language) -> str:
    say = SAY[language]
    every = [name for names in seen.sights.values() for name in names]
    found = closest(followup.name, every) if followup.name else None
    of_day = seen.sights.get(followup.day or 0, [])
    at = followup.ordinal
    nth = of_day[at - 1 if at > 0 else at :][:1] if at else of_day
    names = [found] if found else nth
    if not names:
        return say["sights"].format(which=which_of(followup, language))
    if not all(name in seen.about for name in names):
        return say["about"].format(names=say["join"].join(names))
    return "REPLY: " + " ".join(f"{name}: {seen.about[name]}" for name in names)


def _total(followup: FollowUp, seen: Seen, history: Sequence[BaseMessage], language: Language) -> str:
    say = SAY[language]
    sights = [name for names in seen.sights.values() for name in names]
    priced = sights and seen.meals and all(name in seen.tickets for name in sights)
    priced = priced and all(name in seen.meal_prices for name in seen.meals.values())
    if not priced or not all(hotel in seen.prices for hotel in seen.nights.values()):
        return say["no_total"]
    tickets = sum(seen.tickets[name] for name in sights)
    meals = sum(seen.meal_prices[name] for name in seen.meals.values())
    hotels = sum(seen.prices[hotel] for hotel in seen.nights.values())
    sums = {"tickets": tickets, "meals": meals, "hotels": hotels, "total": tickets + meals + hotels}
    return say["total"].format(**{kind: money(amount, seen.currency) for kind, amount in sums.items()})


def _diet(followup: FollowUp, seen: Seen, history: Sequence[BaseMessage], language: Language) -> str:
    say = SAY[language]
    named = closest(followup.name, seen.meals.values()) if followup.name else None
    slots = {
        slot: name for slot, name in seen.meals.items() if followup.day in (None, slot[0]) and followup.meal in (None, slot[1])
    }
    names = [named] if named else list(dict.fromkeys(slots.values()))
    if not names:
        return say["meals"]
    if not all(name in seen.tags for name in names):
        return say["no_tags"].format(name=say["join"].join(names))
    lines = []
    for name in names:
        tags = set(seen.tags[name])
        bad = any(FORBIDDEN.get(diet) in tags or (diet in REQUIRED and REQUIRED[diet] not in tags) for diet in followup.diet)
        lines.append(say["diet_no" if bad else "diet_yes"].format(name=name, tags=", ".join(sorted(tags))))
    return "REPLY: " + " ".join(line.removeprefix("REPLY: ") for line in lines)


def _etiquette(followup: FollowUp, seen: Seen, history: Sequence[BaseMessage], language: Language) -> str:
    say = SAY[language]
    return say["manners"].format(text=" ".join(seen.etiquette)) if seen.etiquette else say["no_manners"]


def _history(followup: FollowUp, seen: Seen, history: Sequence[BaseMessage], language: Language) -> str:
    said = [text_of(message) for message in history if message.type == "human"]
    return SAY[language]["first"].format(text=said[0]) if said else SAY[language]["no_first"]


ANSWERS: dict[Kind, Answer] = {
    "ask_cheapest": _cheapest,
    "ask_price": _price,
    "ask_compare": _compare,
    "ask_day": _day,
    "ask_sight": _sight,
    "ask_total": _total,
    "ask_diet": _diet,
    "ask_etiquette": _etiquette,
    "ask_history": _history,
}
