"""Conversations drawn by seed: a plan, then changes, questions and small talk about what stands in it."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from travel_lab.catalogue import CuratedProvider
from travel_lab.evaluation import Case, Conversation
from travel_lab.planner_app import PlannerApp, results_after

FEWEST_TURNS, MOST_TURNS = 3, 12
BUDGETS = {
    "CNY": (1500, 3000, 6000), "AUD": (900, 1800, 3600), "JPY": (30_000, 60_000, 120_000), "THB": (6_000, 12_000, 24_000),
    "EUR": (300, 600, 1200), "SGD": (400, 800, 1600),
}  # fmt: skip
"""Per day and currency, in round sums."""
MONEY = {"CNY": "{}", "AUD": "A${}", "JPY": "{} JPY", "THB": "{} THB", "EUR": "€{}", "SGD": "S${}"}
"""How a budget is typed."""
WORDS = {
    "zh": {
        "plan": (
            "帮我规划{place}{days}天旅行，预算{budget}", "想去{place}玩{days}天，预算{budget}左右，帮我安排",
            "{place}{days}日游，预算{budget}，请做个计划"),
        "cheaper": ("第{n}晚换便宜点的酒店", "第{n}晚的酒店太贵了，换一家便宜的"),
        "better": ("第{n}晚换一家评分高一点的酒店", "第{n}晚想住好一点的酒店"),
        "drop": ("去掉第{n}天的第一个景点", "第{n}天的最后一个景点不去了"),
        "add": ("第{n}天再加一个景点", "第{n}天想多安排一个景点"),
        "meal": ("第{n}天午餐换一家素食餐厅", "第{n}天晚餐换一家不辣的餐厅"),
        "ask": ("第{n}天有什么安排？", "第{n}晚的酒店多少钱？", "哪家酒店最便宜？", "比较一下前两家酒店", "我最开始说的是什么？"),
        "chat": ("好的，谢谢", "先这样，我想想", "听起来不错"),
    },
    "en": {
        "plan": (
            "Plan {days} days in {place}, budget {budget}",
            "I'd like to spend {days} days in {place} on about {budget}, please plan it",
            "A {days}-day trip to {place} with a budget of {budget}, please"),
        "cheaper": ("a cheaper hotel for night {n}, please", "The hotel on night {n} is too expensive, find a cheaper one"),
        "better": ("a better rated hotel for night {n}", "I'd like a nicer hotel on night {n}"),
        "drop": ("drop the first sight of day {n}", "skip the last sight on day {n}"),
        "add": ("add one more sight on day {n}", "fit one more sight into day {n}"),
        "meal": ("a vegetarian restaurant for lunch on day {n}", "change dinner on day {n} to a vegan place"),
        "ask": ("What is planned for day {n}?", "How much is the hotel on night {n}?", "Which hotel is the cheapest?",
            "Compare the first two hotels", "What did I ask first?"),
        "chat": ("Thanks, that's good", "Let me think about it", "Sounds good"),
    },
}  # fmt: skip
STEPS = ("cheaper", "better", "drop", "add", "meal", "ask", "ask", "chat")


@dataclass(frozen=True, kw_only=True)
class Played:
    """A case without probes yet, and what came of it."""

    case: Case
    conversation: Conversation

    def data(self, after: int) -> dict[str, Any]:
        """Data of each agent's newest result."""
        return {agent: result["data"] for agent, result in results_after(self.conversation, after).items()}


def play_all(language: str, how_many: int, seed: int) -> list[Played]:
    """So many conversations, every other one held out."""
    return [_played(language, number, seed) for number in range(how_many)]


def _played(language: str, number: int, seed: int) -> Played:
    chance = random.Random(f"{seed}-{language}-{number}")
    case = Case(
        case_id=f"{language}-{number:03}",
        language=language,
        split="held_out" if number % 2 else "open",
        turns=_turns(language, number, chance),
        probes=(),
    )
    return Played(case=case, conversation=PlannerApp().play(case))


def _turns(language: str, number: int, chance: random.Random) -> tuple[str, ...]:
    cities = CuratedProvider().cities()
    city, days = cities[number % len(cities)], chance.randint(2, 6)
    per_day = BUDGETS[city.currency]
    words = WORDS[language]
    first = chance.choice(words["plan"]).format(
        place=city.name.in_(language), days=days, budget=MONEY[city.currency].format(chance.choice(per_day) * days)
    )
    # Every third conversation is long, so that there are early facts to come back to.
    length = chance.randint(8, MOST_TURNS) if number % 3 == 0 else chance.randint(FEWEST_TURNS, 7)
    steps = ["cheaper", *(chance.choice(STEPS) for _ in range(length - 2))]
    return (first, *(_say(words[step], chance.randint(1, days - 1), chance) for step in _shuffled(steps, chance)))


def _say(templates: Sequence[str], n: int, chance: random.Random) -> str:
    return chance.choice(templates).format(n=n)


def _shuffled(steps: list[str], chance: random.Random) -> list[str]:
    chance.shuffle(steps)
    return steps
