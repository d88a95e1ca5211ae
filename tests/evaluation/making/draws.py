"""Probes drawn by seed from what the agents of a conversation produced: each kind offers what it can, and quotas choose."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.evaluation.making.talk import Played
from travel_lab.context import Fact
from travel_lab.planner.facts import MEALS, day_meal, day_sight, facts_of, hotel_night, hotel_price
from travel_lab.planner_app import results_after

EARLY = 4
"""Turns that must lie between an early fact and its probe."""
ABSENT = {
    "zh": ("{name}的电话号码是多少？", "{name}有游泳池吗？", "{name}几点可以入住？", "{name}停车怎么收费？",
        "{name}可以带宠物吗？"),
    "en": ("What is the phone number of {name}?", "Does {name} have a pool?", "When is check-in at {name}?",
        "How much is parking at {name}?",
        "Are pets allowed at {name}?"),
}  # fmt: skip
MEAL_NAMES = {"zh": {"lunch": "午餐", "dinner": "晚餐"}, "en": {"lunch": "lunch", "dinner": "dinner"}}
Gold = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, kw_only=True)
class Draw:
    """A probe before it has an id."""

    kind: str
    words: str
    after: int
    calls: tuple[str, ...]
    needed: tuple[Fact, ...]
    gold: Gold


@dataclass(frozen=True)
class Place:
    """Where in a conversation a probe is drawn."""

    played: Played
    after: int
    chance: random.Random

    @property
    def data(self) -> dict[str, Any]:
        return self.played.data(self.after)

    @property
    def language(self) -> str:
        return self.played.case.language

    def say(self, zh: Sequence[str], en: Sequence[str], **parts: object) -> str:
        return self.chance.choice(zh if self.language == "zh" else en).format(**parts)

    def night(self) -> dict[str, Any] | None:
        nights = self.data["hotel"]["nights"]
        return self.chance.choice(nights) if nights else None

    def offers(self) -> dict[str, dict[str, Any]]:
        return {offer["name"]: offer for offer in self.data["hotel"]["hotels"]}

    def price(self, name: str) -> Fact:
        return hotel_price(name, self.offers()[name]["price"], self.data["hotel"]["currency"])

    def meal(self) -> tuple[int, str, dict[str, Any]] | None:
        meals = [(day["day"], meal, day[meal]) for day in self.data["food"]["days"] for meal in MEALS if meal in day]
        return self.chance.choice(meals) if meals else None

    def day(self) -> dict[str, Any] | None:
        days = [day for day in self.data["route"]["days"] if day["sights"]]
        return self.chance.choice(days) if days else None


Kind = Callable[[Place], Iterator[Draw]]
SUPERVISOR = ("supervisor",)


def number(value: float) -> str:
    """A number as an answer says it."""
    return f"{value:g}"


def one(*parts: str) -> Gold:
    """The one right answer."""
    return (parts,)


def cheaper_hotel(place: Place) -> Iterator[Draw]:
    night = place.night()
    offers = place.offers()
    if night is None or night["hotel"] not in offers:
        return
    now = offers[night["hotel"]]["price"]
    cheaper = [name for name, offer in offers.items() if offer["price"] < now]
    if not cheaper:
        return
    words = place.say(
        ("第{n}晚换一家便宜点的酒店", "第{n}晚那家酒店能不能便宜些？"),
        ("find a cheaper hotel for night {n}", "night {n} should be in a cheaper hotel"),
        n=night["night"],
    )
    needed = (hotel_night(night["night"], night["hotel"]), *(place.price(name) for name in [night["hotel"], *cheaper]))
    yield Draw(
        kind="cheaper hotel",
        words=words,
        after=place.after,
        calls=("supervisor", "hotel"),
        needed=needed,
        gold=tuple((name,) for name in cheaper),
    )


def drop_sight(place: Place) -> Iterator[Draw]:
    day = place.day()
    if day is None:
        return
    at = place.chance.choice((0, -1))
    words = place.say(
        ("去掉第{n}天的{nth}景点", "第{n}天的{nth}景点不去了"),
        ("drop the {nth} sight of day {n}", "skip the {nth} sight on day {n}"),
        n=day["day"], nth={"zh": ("第一个", "最后一个"), "en": ("first", "last")}[place.language][at],
    )  # fmt: skip
    needed = tuple(day_sight(day["day"], sight["name"]) for sight in day["sights"])
    yield Draw(
        kind="drop a sight",
        words=words,
        after=place.after,
        calls=("supervisor", "route"),
        needed=needed,
        gold=one(day["sights"][at]["name"]),
    )


def diet(place: Place) -> Iterator[Draw]:
    meal = place.meal()
    if meal is None:
        return
    day, which, restaurant = meal
    words = place.say(
        ("第{n}天{meal}换一家素食餐厅，原来那家是哪家？",),
        ("Change {meal} on day {n} to a vegetarian place; which one was it?",),
        n=day,
        meal=MEAL_NAMES[place.language][which],
    )
    yield Draw(
        kind="restaurant for a diet",
        words=words,
        after=place.after,
        calls=("supervisor", "food"),
        needed=(day_meal(day, which, restaurant["name"]),),
        gold=one(restaurant["name"]),
    )


def introduce(place: Place) -> Iterator[Draw]:
    day = place.day()
    if day is None:
        return
    at = place.chance.randrange(len(day["sights"]))
    words = place.say(("介绍一下第{n}天的第{k}个景点",), ("Tell me about sight number {k} on day {n}",), n=day["day"], k=at + 1)
    needed = tuple(day_sight(day["day"], sight["name"]) for sight in day["sights"][: at + 1])
    yield Draw(
        kind="introduce a sight",
        words=words,
        after=place.after,
        calls=SUPERVISOR,
        needed=needed,
        gold=one(day["sights"][at]["name"]),
    )


def compare(place: Place) -> Iterator[Draw]:
    offers = place.offers()
    if len(offers) < 2:
        return
    first, second = place.chance.sample(sorted(offers), 2)
    words = place.say(("比较一下{a}和{b}，价格各是多少？",), ("Compare {a} and {b}: what does each cost?",), a=first, b=second)
    yield Draw(
        kind="compare",
        words=words,
        after=place.after,
        calls=SUPERVISOR,
        needed=(place.price(first), place.price(second)),
        gold=one(number(offers[first]["price"]), number(offers[second]["price"])),
    )


def sum_up(place: Place) -> Iterator[Draw]:
    nights, offers = place.data["hotel"]["nights"], place.offers()
    if not nights or any(night["hotel"] not in offers for night in nights):
        return
    words = place.say(
        ("所有晚上的酒店一共多少钱？", "住宿加起来要多少钱？"),
        ("What do all hotel nights cost together?", "How much is the accommodation in all?"),
    )
    total = sum(offers[night["hotel"]]["price"] for night in nights)
    needed = (
        *(hotel_night(night["night"], night["hotel"]) for night in nights),
        *dict.fromkeys(place.price(night["hotel"]) for night in nights),
    )
    yield Draw(kind="sum up", words=words, after=place.after, calls=SUPERVISOR, needed=needed, gold=one(number(total)))


def day_reference(place: Place) -> Iterator[Draw]:
    day = place.day()
    if day is None:
        return
    meals = next((food for food in place.data["food"]["days"] if food["day"] == day["day"]), {})
    words = place.say(
        ("第{n}天有哪些景点，午餐和晚餐在哪吃？",),
        ("Which sights are on day {n}, and where are lunch and dinner?",),
        n=day["day"],
    )
    sights = tuple(day_sight(day["day"], sight["name"]) for sight in day["sights"])
    eaten = tuple(day_meal(day["day"], meal, meals[meal]["name"]) for meal in MEALS if meal in meals)
    needed = (*sights, *eaten)
    yield Draw(
        kind="day reference",
        words=words,
        after=place.after,
        calls=SUPERVISOR,
        needed=needed,
        gold=one(*(fact.subject for fact in needed)),
    )


def undo(place: Place) -> Iterator[Draw]:
    """What a night was before the newest change of it."""
    for before, changed, night in _changed_nights(place):
        words = place.say(
            ("第{n}晚还是换回改之前的那家酒店，它叫什么？",),
            ("Go back to the hotel night {n} had before the change; what was it called?",),
            n=night,
        )
        yield Draw(
            kind="undo", words=words, after=changed, calls=SUPERVISOR, needed=(hotel_night(night, before),), gold=one(before)
        )


def update(place: Place) -> Iterator[Draw]:
    """What a night is after its newest change."""
    for _, changed, night in _changed_nights(place):
        now = next(n["hotel"] for n in place.played.data(changed)["hotel"]["nights"] if n["night"] == night)
        words = place.say(
            ("换过之后，现在第{n}晚住哪家酒店？",), ("After the change, which hotel is night {n} in now?",), n=night
        )
        yield Draw(kind="update", words=words, after=changed, calls=SUPERVISOR, needed=(hotel_night(night, now),), gold=one(now))


def _changed_nights(place: Place) -> Iterator[tuple[str, int, int]]:
    """(hotel before, turn of the change, night) for the night this very turn changed."""
    if place.after < 2:
        return
    then, now = (place.played.data(after)["hotel"]["nights"] for after in (place.after - 1, place.after))
    for old, new in zip(then, now, strict=False):
        if old["night"] == new["night"] and old["hotel"] != new["hotel"]:
            yield old["hotel"], place.after, old["night"]


def correction(place: Place) -> Iterator[Draw]:
    nights, offers = place.data["hotel"]["nights"], place.offers()
    if len(nights) < 2:
        return
    wrong, right = place.chance.sample(nights, 2)
    if right["hotel"] not in offers:
        return
    words = place.say(
        ("说错了，不是第{m}晚，是第{n}晚：那晚的酒店多少钱？",),
        ("Sorry, not night {m}, I mean night {n}: how much is that hotel?",),
        m=wrong["night"], n=right["night"],
    )  # fmt: skip
    needed = (hotel_night(right["night"], right["hotel"]), place.price(right["hotel"]))
    yield Draw(
        kind="correction",
        words=words,
        after=place.after,
        calls=SUPERVISOR,
        needed=needed,
        gold=one(number(offers[right["hotel"]]["price"])),
    )


def negation(place: Place) -> Iterator[Draw]:
    offers = place.offers()
    if len(offers) < 3:
        return
    left_out = place.chance.choice(sorted(offers))
    others = {name: offer["price"] for name, offer in offers.items() if name != left_out}
    words = place.say(("除了{name}，哪家酒店最便宜？",), ("Apart from {name}, which hotel is the cheapest?",), name=left_out)
    least = min(others.values())
    yield Draw(
        kind="negation",
        words=words,
        after=place.after,
        calls=SUPERVISOR,
        needed=tuple(place.price(name) for name in others),
        gold=tuple((name,) for name, price in others.items() if price == least),
    )


def never_given(place: Place) -> Iterator[Draw]:
    name = place.chance.choice(sorted(place.offers()))
    words = place.say(ABSENT["zh"], ABSENT["en"], name=name)
    yield Draw(kind="never given", words=words, after=place.after, calls=SUPERVISOR, needed=(), gold=())


def two_things(place: Place) -> Iterator[Draw]:
    meal, night = place.meal(), place.night()
    offers = place.offers()
    if meal is None or night is None or night["hotel"] not in offers:
        return
    day, which, restaurant = meal
    words = place.say(
        ("第{n}晚的酒店多少钱，还有第{d}天{meal}是哪家？",),
        ("How much is the hotel of night {n}, and where is {meal} on day {d}?",),
        n=night["night"], d=day, meal=MEAL_NAMES[place.language][which],
    )  # fmt: skip
    needed = (hotel_night(night["night"], night["hotel"]), place.price(night["hotel"]), day_meal(day, which, restaurant["name"]))
    yield Draw(
        kind="two things",
        words=words,
        after=place.after,
        calls=SUPERVISOR,
        needed=needed,
        gold=one(number(offers[night["hotel"]]["price"]), restaurant["name"]),
    )


ASKS: Mapping[str, tuple[str, str]] = {
    "hotel price": ("{subject}一晚多少钱？", "How much is {subject} a night?"),
    "hotel rating": ("{subject}的评分是多少？", "What is the rating of {subject}?"),
    "hotel stars": ("{subject}是几星级？", "How many stars has {subject}?"),
    "hotel district": ("{subject}在哪个区？", "Which district is {subject} in?"),
    "hotel night": ("第{night}晚住哪家酒店？", "Which hotel is night {night} in?"),
    "sight ticket": ("{subject}门票多少钱？", "What is the ticket for {subject}?"),
    "sight start": ("计划几点到{subject}？", "When does the visit to {subject} start?"),
    "restaurant price": ("{subject}人均多少？", "How much is {subject} a person?"),
    "meal": ("第{day}天{meal}在哪家？", "Where is {meal} on day {day}?"),
}
"""How any single fact is asked for; kinds that are lists or sentences have a probe of their own."""


def look_up(place: Place) -> Iterator[Draw]:
    yield from _single(place, "look-up", facts_of(results_after(place.played.conversation, place.after)))


def early_fact(place: Place) -> Iterator[Draw]:
    """A fact that was there many turns ago and still holds."""
    if place.after <= EARLY:
        return
    conversation = place.played.conversation
    old = set(facts_of(results_after(conversation, place.after - EARLY)))
    # The results must be the old ones: a fact that was said again is not an early one.
    said_since = {agent for exchange in conversation.exchanges[place.after - EARLY : place.after] for agent in exchange.results}
    still = [fact for fact in facts_of(results_after(conversation, place.after)) if fact in old and fact.agent not in said_since]
    yield from _single(place, "early fact", still)


def etiquette(place: Place) -> Iterator[Draw]:
    sentences = place.data["info"]["etiquette"]
    if not sentences:
        return
    words = place.say(
        ("当地有什么礼仪要注意？", "有哪些礼仪提醒？"), ("What etiquette should I know?", "Any manners to mind there?")
    )
    needed = tuple(Fact(agent="info", kind="etiquette", subject=sentence) for sentence in sentences)
    yield Draw(kind="etiquette", words=words, after=place.after, calls=SUPERVISOR, needed=needed, gold=one(*sentences))


def _single(place: Place, kind: str, facts: Sequence[Fact]) -> Iterator[Draw]:
    asked = [fact for fact in facts if fact.kind in ASKS]
    if not asked:
        return
    # First a kind of fact, then a fact of it: else the many hotel facts would crowd out the rest.
    chosen = place.chance.choice(sorted({fact.kind for fact in asked}))
    fact = place.chance.choice([fact for fact in asked if fact.kind == chosen])
    scope = dict(fact.scope)
    parts = {"subject": fact.subject, **scope, "meal": MEAL_NAMES[place.language].get(str(scope.get("meal")), "")}
    answer = fact.subject if fact.value is None else number(fact.value) if isinstance(fact.value, float) else fact.value
    zh, en = ASKS[fact.kind]
    words = place.say((zh,), (en,), **parts)
    yield Draw(kind=kind, words=words, after=place.after, calls=SUPERVISOR, needed=(fact,), gold=one(answer))


KINDS: tuple[Kind, ...] = (
    cheaper_hotel, drop_sight, diet, introduce, compare, sum_up, day_reference, undo, update, correction, negation,
    never_given, two_things, look_up, early_fact, etiquette,
)  # fmt: skip
