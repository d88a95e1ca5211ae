"""The offline model as hotel agent: chooses, compares in words, and changes a night only when it sees who sleeps where."""

import json
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from langchain_core.messages import BaseMessage

from travel_lab.catalogue import Language
from travel_lab.itinerary import FollowUp
from travel_lab.itinerary.cost import money
from travel_lab.planner.offline_rules.seen import make_out
from travel_lab.planner.offline_rules.task import Task, conversation, read_task

LISTED = 5
SAY: dict[Language, dict[str, str]] = {
    "zh": {
        "ask": "ASK: 我看不到第{night}晚现在住哪家酒店，请告诉我酒店名称，我再帮您换。",
        "none": "ASK: 没有比{name}更合适的酒店了，还要换吗？",
        "compare": "{best}评分最高({rating:g}分)；{cheapest}最便宜，每晚{price}。",
        "change": "{name}每晚{price}，比{old}每晚{change}。", "less": "便宜{by}", "more": "贵{by}",
        "stay": "建议{nights}住{name}。", "night": "第{night}晚", "join": "、",
        "over": "预算内没有合适的酒店，已选最便宜的。",
    },
    "en": {
        "ask": "ASK: I cannot see which hotel night {night} is in now. Tell me its name and I will change it.",
        "none": "ASK: No hotel suits better than {name}. Shall I change it all the same?",
        "compare": "{best} is rated highest ({rating:g}); {cheapest} is cheapest at {price} a night. ",
        "change": "{name} at {price} a night is {change} than {old}. ", "less": "{by} less", "more": "{by} more",
        "stay": "Suggested stay, {nights}: {name}. ", "night": "{night}", "join": " and ",
        "over": "Nothing suitable within the budget, so the cheapest was taken. ",
    },
}  # fmt: skip


class Offer(NamedTuple):
    """A row of the task's list."""

    nights: tuple[int, ...]
    name: str
    price: float
    rating: float
    km: float


def hotel(messages: Sequence[BaseMessage]) -> str:
    """Hotels, a hotel for each night, and a comparison."""
    task = read_task(messages[-1])
    offers = [_offer(row) for row in task.rows]
    followup = task.followup
    if followup.kind.startswith("hotel_"):
        return _changed(followup, make_out(conversation(messages)).nights, offers, task)
    nights: dict[int, str] = {}
    over = False
    for stay, of_city in _by_stay(offers).items():
        fitting = [offer for offer in of_city if task.limit is None or offer.price <= task.limit]
        over = over or not fitting
        chosen = max(fitting, key=lambda o: (o.rating, -o.price)) if fitting else min(of_city, key=lambda o: o.price)
        nights |= dict.fromkeys(stay, chosen.name)
    return _answer(nights, offers, task, SAY[task.language]["over"] if over else "")


def _offer(row: tuple[str, ...]) -> Offer:
    _, nights, name, _, _, price, rating, km = row
    return Offer(tuple(int(n) for n in nights.split(",") if n.isdecimal()), name, float(price), float(rating), float(km))


def _by_stay(offers: list[Offer]) -> dict[tuple[int, ...], list[Offer]]:
    return {stay: list(group) for stay, group in groupby(offers, key=lambda offer: offer.nights)}


def _changed(followup: FollowUp, nights: dict[int, str], offers: list[Offer], task: Task) -> str:
    say = SAY[task.language]
    last = max(task.days - 1, 1)
    wanted = [last if followup.day == -1 else followup.day] if followup.day is not None else sorted(nights) or [1]
    by_name = {offer.name: offer for offer in offers}
    unseen = [night for night in range(1, task.days) if nights.get(night) not in by_name]
    if unseen:
        return say["ask"].format(night=wanted[0] if wanted[0] in unseen else unseen[0])
    new, told = dict(nights), ""
    for night in wanted:
        if night not in nights:
            return say["ask"].format(night=night)
        old = by_name[nights[night]]
        better = _better(followup, old, [offer for offer in offers if offer.nights == old.nights], task.limit)
        if better is None:
            return say["none"].format(name=old.name)
        new[night] = better.name
        by = better.price - old.price
        change = say["less" if by < 0 else "more"].format(by=money(abs(by), task.currency))
        told = say["change"].format(name=better.name, price=money(better.price, task.currency), old=old.name, change=change)
    return _answer(new, offers, task, told)


def _better(followup: FollowUp, old: Offer, offers: list[Offer], limit: float | None) -> Offer | None:
    if followup.kind == "hotel_cheaper":
        return max((o for o in offers if o.price < old.price), key=lambda o: (o.rating, -o.price), default=None)
    if followup.kind == "hotel_better":
        return min((o for o in offers if o.rating > old.rating), key=lambda o: (o.price, o.name), default=None)
    if followup.kind == "hotel_nearer":
        return min((o for o in offers if o.km < old.km), key=lambda o: (o.km, o.name), default=None)
    within = limit if limit is not None else float("inf")
    return max((o for o in offers if o.name != old.name), key=lambda o: (o.price <= within, o.rating, -o.price), default=None)


def _answer(nights: dict[int, str], offers: list[Offer], task: Task, told: str) -> str:
    say = SAY[task.language]
    listed = [name for group in _by_stay(offers).values() for name in _listed(nights, group)]
    shown = [offer for offer in offers if offer.name in listed]
    best, cheapest = max(shown, key=lambda o: (o.rating, -o.price)), min(shown, key=lambda o: o.price)
    words = told + say["compare"].format(
        best=best.name, rating=best.rating, cheapest=cheapest.name, price=money(cheapest.price, task.currency)
    )
    words += "".join(_stays(nights, task.language))
    answer = {
        "hotels": listed,
        "nights": [{"night": n, "hotel": h} for n, h in sorted(nights.items())],
        "comparison": words.strip(),
    }
    return json.dumps(answer, ensure_ascii=False)


def _listed(nights: dict[int, str], offers: list[Offer]) -> list[str]:
    """The chosen ones first, then cheaper and dearer neighbours in price, so that there is something to compare."""
    chosen = [o.name for o in offers if o.name in nights.values()]
    anchor = min((o.price for o in offers if o.name in chosen), default=0.0)
    near = sorted((o for o in offers if o.name not in chosen), key=lambda o: (abs(o.price - anchor), o.name))
    return [*chosen, *(o.name for o in near)][: max(LISTED, len(chosen))]


def _stays(nights: dict[int, str], language: Language) -> list[str]:
    say = SAY[language]
    stays = []
    for name in dict.fromkeys(nights[night] for night in sorted(nights)):
        spent = say["join"].join(say["night"].format(night=n) for n in sorted(nights) if nights[n] == name)
        label = spent if language == "zh" else f"night{'s' if ' and ' in spent else ''} {spent}"
        stays.append(say["stay"].format(nights=label, name=name))
    return stays
