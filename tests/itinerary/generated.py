"""Seeded requests for whole plans, from easy to impossible: `python tests/itinerary/generated.py` prints how the plans fare."""

import random
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from travel_lab.catalogue import CuratedProvider
from travel_lab.itinerary import Requirements
from travel_lab.itinerary.check import Check, check_plan
from travel_lab.lab import Lab
from travel_lab.turn import Turn

COUNT = 300
SEED = 20261130
LENGTHS = (1, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 7, 8, 10, 12, 14)
"""Trips of a few days are the most common; long ones come as well."""
MONEY_A_DAY = (100, 250, 350, 450, 600, 800, 1000, 1200, 1600, 2500)
"""In yuan; the first is too little almost everywhere, the second in many places."""
FACTOR = {"CNY": 1, "AUD": 0.5, "JPY": 30, "THB": 6, "EUR": 0.4, "SGD": 0.5}
"""What a yuan of it is elsewhere, as prices go."""
MONEY = {"CNY": "元", "AUD": "澳元", "JPY": "日元", "THB": "泰铢", "EUR": "欧元", "SGD": "新币"}
DIETS = {
    "zh": ["不吃辣", "吃素", "清真", "花生过敏", "不吃海鲜"],
    "en": ["no spicy food", "vegetarian", "halal", "peanut allergy", "no seafood"],
}
BANS = {"zh": ["不去博物馆", "不去寺庙", "不去公园"], "en": ["no museums", "no temples", "no parks"]}
DATES = {"zh": ["，10月3号出发", "，下周五出发"], "en": [", starting October 3", ", starting next Friday"]}


class Planned(NamedTuple):
    """One generated request, its turn and what the rules say."""

    text: str
    turn: Turn
    requirements: Requirements
    checks: tuple[Check, ...]

    @property
    def passes(self) -> bool:
        """Whether no rule that can tell fails."""
        return all(check.verdict != "fail" for check in self.checks)


def requests(count: int = COUNT, seed: int = SEED) -> Iterator[str]:
    """First messages: 1 to 14 days, one or two cities, half with a budget from lavish to impossible, diets, bans, dates."""
    rng = random.Random(seed)
    cities = CuratedProvider().cities()
    for _ in range(count):
        zh = rng.random() < 0.5
        first = rng.choice(cities)
        stops = [first]
        others = [city for city in cities if city != first and city.currency == first.currency]
        if rng.random() < 0.25 and others:
            stops.append(rng.choice(others))
        days = max(len(stops), rng.choice(LENGTHS))
        language = "zh" if zh else "en"
        names = ("和" if zh else " and ").join(city.name.zh if zh else city.name.en for city in stops)
        text = f"去{names}玩{days}天" if zh else f"{days} days in {names}"
        if rng.random() < 0.6:
            budget = rng.choice(MONEY_A_DAY) * FACTOR[first.currency] * days
            text += f"，预算{budget:.0f}{MONEY[first.currency]}" if zh else f", budget {budget:.0f} {first.currency}"
        if rng.random() < 0.3:
            text += ("，" if zh else ", ") + rng.choice(DIETS[language])
        if rng.random() < 0.25:
            text += ("，" if zh else ", ") + rng.choice(BANS[language])
        if rng.random() < 0.2:
            text += rng.choice(DATES[language])
        yield text


def plans(count: int = COUNT, seed: int = SEED) -> Iterator[Planned]:
    """Each request planned by the offline model and checked."""
    provider = CuratedProvider()
    with Lab.open(strategy="silent") as lab:
        for text in requests(count, seed):
            session = lab.session()
            turn = session.send(text)
            requirements = session.state()["requirements"]
            checks = check_plan(turn.itinerary, requirements, provider) if turn.itinerary else ()
            yield Planned(text, turn, requirements, checks)


def main() -> None:
    """Print the share of plans that pass, and what the others fail."""
    planned = list(plans())
    made = [p for p in planned if p.turn.itinerary]
    failures = Counter(check.rule for p in made for check in p.checks if check.verdict == "fail")
    excuses = Counter(excuse["shortage"] for p in made for excuse in p.turn.itinerary["excuses"])
    print(
        f"{len(planned)} requests, {len(made)} plans, "
        f"{sum(p.passes for p in made) / len(planned):.3f} pass every rule that can tell"
    )
    print("rules failed:", dict(failures))
    print("excuses:", dict(excuses))
    for p in planned:
        if not p.turn.itinerary:
            print("no plan:", p.text, "→", p.turn.reply)
        elif not p.passes:
            print(
                p.text,
                "→",
                "; ".join(f"{c.rule}: {c.reason}" for c in p.checks if c.verdict == "fail")[:200],
                [e["shortage"] for e in p.turn.itinerary["excuses"]],
            )


if __name__ == "__main__":
    main()
