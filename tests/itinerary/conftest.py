from copy import deepcopy

import pytest

from travel_lab.itinerary import AgentResult, requirements_hash


def budget(amount, currency="CNY", basis="total"):
    """A sum as the requirements keep it."""
    return {
        "amount": amount,
        "low": None,
        "high": None,
        "currency": currency,
        "basis": basis,
        "approximate": False,
        "unlimited": False,
    }


NEEDS = {"destinations": ["chengdu"], "days": 3, "people": {"adults": 2, "children": 0}, "budget": budget(5_000)}


def visit(name, start, end, ticket):
    return {"name": name, "start": start, "end": end, "ticket": ticket, "about": f"关于{name}"}


def offer(name, price):
    return {"name": name, "city": "成都", "district": "锦江区", "stars": 4, "price": price, "rating": 4.5}


def dish(name, price):
    return {"name": name, "cuisine": "川菜", "price": price, "tags": []}


DATA = {
    "route": {
        "destination": "成都",
        "currency": "CNY",
        "days": [
            {
                "day": 1,
                "city": "成都",
                "sights": [visit("宽窄巷子", "09:00", "11:00", 0), visit("杜甫草堂", "13:00", "15:00", 50)],
            },
            {"day": 2, "city": "成都", "sights": [visit("武侯祠", "09:00", "11:00", 50)]},
            {"day": 3, "city": "成都", "sights": []},
        ],
    },
    "hotel": {
        "destination": "成都",
        "currency": "CNY",
        "hotels": [offer("锦江宾馆", 500), offer("青年旅舍", 80), offer("皇宫饭店", 900)],
        "nights": [{"night": 1, "hotel": "锦江宾馆"}, {"night": 2, "hotel": "青年旅舍"}],
        "comparison": "锦江宾馆比青年旅舍贵420元。",
    },
    "food": {
        "destination": "成都",
        "currency": "CNY",
        "days": [
            {"day": 1, "lunch": dish("陈麻婆豆腐", 60), "dinner": dish("小龙坎火锅", 120)},
            {"day": 2, "lunch": dish("龙抄手", 30)},
            {"day": 3},
        ],
    },
    "info": {
        "destination": "成都",
        "culture": ["成都人爱喝茶。"],
        "trivia": ["熊猫一天吃12小时。"],
        "etiquette": ["敬茶用双手。"],
    },
}


@pytest.fixture
def needs():
    """What is known of a trip of three days for two."""
    return deepcopy(NEEDS)


@pytest.fixture
def results():
    """A result of each agent, made in turn 1 for `needs`."""
    return {
        agent: AgentResult(
            agent=agent,
            status="ok",
            reason="",
            turn=1,
            requirements_hash=requirements_hash(NEEDS, agent),
            provider="curated",
            data=deepcopy(data),
        )
        for agent, data in DATA.items()
    }
