"""The facts in our agents' results, and which of them an answer to a follow-up must rest on."""

from collections.abc import Iterator, Mapping
from typing import Any

from travel_lab.context import Fact
from travel_lab.itinerary import AgentResult, FollowUp
from travel_lab.itinerary.pointing import names_in

MEALS = ("lunch", "dinner")


def facts_of(results: Mapping[str, AgentResult]) -> tuple[Fact, ...]:
    """Every fact of the results, by agent; a degraded result has those it still holds."""
    found: list[Fact] = []
    for agent, result in results.items():
        found += _READERS[agent](result["data"])
    return tuple(dict.fromkeys(found))


def facts_by_agent(facts: tuple[Fact, ...], agent: str) -> tuple[Fact, ...]:
    """Those one agent produced."""
    return tuple(fact for fact in facts if fact.agent == agent)


def _route_facts(data: Mapping[str, Any]) -> Iterator[Fact]:
    for day in data.get("days", []):
        for sight in day["sights"]:
            yield day_sight(day["day"], sight["name"])
            yield Fact(
                agent="route", kind="sight ticket", subject=sight["name"], value=float(sight["ticket"]),
                unit=data["currency"], keys=("ticket",),
            )  # fmt: skip
            yield Fact(agent="route", kind="sight start", subject=sight["name"], value=sight["start"], keys=("start",))


def _hotel_facts(data: Mapping[str, Any]) -> Iterator[Fact]:
    for offer in data.get("hotels", []):
        yield hotel_price(offer["name"], offer["price"], data["currency"])
        yield Fact(
            agent="hotel",
            kind="hotel rating",
            subject=offer["name"],
            value=float(offer["rating"]),
            unit="rating",
            keys=("rating",),
        )
        yield Fact(
            agent="hotel", kind="hotel stars", subject=offer["name"], value=float(offer["stars"]), unit="stars", keys=("stars",)
        )
        yield Fact(agent="hotel", kind="hotel district", subject=offer["name"], value=offer["district"], keys=("district",))
    for night in data.get("nights", []):
        yield hotel_night(night["night"], night["hotel"])


def _food_facts(data: Mapping[str, Any]) -> Iterator[Fact]:
    for day in data.get("days", []):
        for meal in MEALS:
            if meal in day:
                yield day_meal(day["day"], meal, day[meal]["name"])
                yield Fact(
                    agent="food", kind="restaurant price", subject=day[meal]["name"], value=float(day[meal]["price"]),
                    unit=data["currency"], keys=("price",),
                )  # fmt: skip


def _info_facts(data: Mapping[str, Any]) -> Iterator[Fact]:
    for kind in ("culture", "trivia", "etiquette"):
        for sentence in data.get(kind, []):
            yield Fact(agent="info", kind=kind, subject=sentence)


_READERS = {"route": _route_facts, "hotel": _hotel_facts, "food": _food_facts, "info": _info_facts}


def day_sight(day: int, name: str) -> Fact:
    """A sight is planned for a day."""
    return Fact(agent="route", kind="day sight", subject=name, scope=(("day", day),))


def day_meal(day: int, meal: str, name: str) -> Fact:
    """A restaurant is planned for a meal."""
    return Fact(agent="food", kind="meal", subject=name, scope=(("day", day), ("meal", meal)))


def hotel_night(night: int, name: str) -> Fact:
    """A night is spent in a hotel."""
    return Fact(agent="hotel", kind="hotel night", subject=name, scope=(("night", night),))


def hotel_price(name: str, price: float, currency: str) -> Fact:
    """A room in a hotel costs that much a night."""
    return Fact(agent="hotel", kind="hotel price", subject=name, value=float(price), unit=currency, keys=("price",))


def needs(followup: FollowUp, results: Mapping[str, AgentResult]) -> tuple[Fact, ...]:
    """The facts of the results an answer to the follow-up must rest on; empty when it needs none or none was produced.

    A cheaper (better) hotel needs the hotel of the night in question, its price (rating) and those of every shown hotel
    that is cheaper (better). Dropping or introducing a sight needs the day's sights, or the one that is named. Changing
    restaurants needs the meals in question. A question about a day needs all that is
    planned for it; one about a hotel's price the hotel of the night and that price; one about the total every price it adds up.
    """
    data = {agent: result["data"] for agent, result in results.items()}
    route, hotels, food = data.get("route", {}), data.get("hotel", {}), data.get("food", {})
    match followup.kind:
        case "hotel_cheaper" | "hotel_better" | "hotel_nearer" | "hotel_other":
            return tuple(_hotel_needs(followup, hotels))
        case "ask_cheapest":
            return tuple(hotel_price(o["name"], o["price"], hotels["currency"]) for o in hotels.get("hotels", []))
        case "ask_price":
            return tuple(_night_prices(followup, hotels))
        case "ask_compare":
            return tuple(_compare_needs(followup, hotels))
        case "sight_drop" | "sight_add" | "sight_swap" | "sight_move" | "ask_sight":
            return tuple(_sight_needs(followup, route))
        case "restaurant_change" | "ask_diet":
            return tuple(_meal_needs(followup, food))
        case "ask_day":
            nights = [n for n in hotels.get("nights", []) if n["night"] == followup.day]
            planned = (*_sight_needs(followup, route), *_meal_needs(followup, food))
            return (*planned, *(hotel_night(n["night"], n["hotel"]) for n in nights))
        case "ask_total":
            return tuple(_priced(data))
        case "ask_etiquette":
            return tuple(Fact(agent="info", kind="etiquette", subject=text) for text in data.get("info", {}).get("etiquette", []))
        case _:
            return ()


def _priced(data: Mapping[str, Mapping[str, Any]]) -> Iterator[Fact]:
    """Every price the plan adds up."""
    chosen = {night["hotel"] for night in data.get("hotel", {}).get("nights", [])}
    for fact in _hotel_facts(data.get("hotel", {})):
        if fact.kind == "hotel night" or (fact.kind == "hotel price" and fact.subject in chosen):
            yield fact
    yield from (fact for fact in _route_facts(data.get("route", {})) if fact.kind == "sight ticket")
    yield from (fact for fact in _food_facts(data.get("food", {})) if fact.kind == "restaurant price")


def _night_prices(followup: FollowUp, data: Mapping[str, Any]) -> Iterator[Fact]:
    prices = {offer["name"]: offer["price"] for offer in data.get("hotels", [])}
    named = names_in(followup.words, prices)
    nights = [] if named else [n for n in data.get("nights", []) if followup.day in (None, n["night"])]
    yield from (hotel_night(n["night"], n["hotel"]) for n in nights)
    yield from (
        hotel_price(name, prices[name], data["currency"])
        for name in dict.fromkeys([*named, *(n["hotel"] for n in nights)])
        if name in prices
    )


def _compare_needs(followup: FollowUp, data: Mapping[str, Any]) -> Iterator[Fact]:
    offers = {offer["name"]: offer for offer in data.get("hotels", [])}
    for name in names_in(followup.words, offers) or offers:
        yield hotel_price(name, offers[name]["price"], data["currency"])


def _hotel_needs(followup: FollowUp, data: Mapping[str, Any]) -> Iterator[Fact]:
    offers = {offer["name"]: offer for offer in data.get("hotels", [])}
    nights = [n for n in data.get("nights", []) if followup.day in (None, n["night"])]
    current = [offers[n["hotel"]] for n in nights if n["hotel"] in offers]
    for night in nights:
        yield hotel_night(night["night"], night["hotel"])
    if followup.kind == "hotel_better":
        floor = min((offer["rating"] for offer in current), default=5)
        kept = [offer for offer in offers.values() if offer in current or offer["rating"] > floor]
        for offer in kept:
            yield Fact(
                agent="hotel",
                kind="hotel rating",
                subject=offer["name"],
                value=float(offer["rating"]),
                unit="rating",
                keys=("rating",),
            )
    elif followup.kind == "hotel_cheaper":
        ceiling = max((offer["price"] for offer in current), default=0)
        for offer in offers.values():
            if offer in current or offer["price"] < ceiling:
                yield hotel_price(offer["name"], offer["price"], data["currency"])


def _sight_needs(followup: FollowUp, data: Mapping[str, Any]) -> Iterator[Fact]:
    planned = [(day["day"], sight["name"]) for day in data.get("days", []) for sight in day["sights"]]
    known = names_in(followup.words, [name for _, name in planned])
    named = [(day, name) for day, name in planned if name in known]
    for day, name in named or [(day, name) for day, name in planned if day == followup.day]:
        yield day_sight(day, name)


def _meal_needs(followup: FollowUp, data: Mapping[str, Any]) -> Iterator[Fact]:
    for day in data.get("days", []):
        for meal in MEALS:
            if meal in day and followup.day in (None, day["day"]) and followup.meal in (None, meal):
                yield day_meal(day["day"], meal, day[meal]["name"])
