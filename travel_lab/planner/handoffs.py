"""The article's summary of each agent's result, faults included, and the strategies by name."""

from collections.abc import Mapping
from typing import Any

from travel_lab.context import (
    AsPublished,
    LookUp,
    NothingRemembered,
    PinnedDigest,
    Strategy,
    full_json,
    own_handoff,
    silent,
    task_only,
)
from travel_lab.itinerary import read_followup
from travel_lab.itinerary.cost import money
from travel_lab.planner.packed import Packed
from travel_lab.planner.state import has_content

SUMMARY_CHARACTERS = 300
"""Where the article cuts the hotel and the food summary, also in the middle of a name or a price."""
SUMMARY_CUT = frozenset({"hotel", "food"})
SUMMARY_HOTELS = 5


def article_summary(agent: str, result: Mapping[str, Any], language: str) -> str:
    """The summary message of the article: route whole, hotel and food cut, info a generic line."""
    text = article_text(agent, result, language)
    return text[:SUMMARY_CHARACTERS] if agent in SUMMARY_CUT else text


def article_text(agent: str, result: Mapping[str, Any], language: str) -> str:
    """The article's summary before it is cut: what it would have said."""
    return _SUMMARIES[agent](result, language)


def _route(data: Mapping[str, Any], language: str) -> str:
    days = [(day["day"], " → ".join(sight["name"] for sight in day["sights"])) for day in data["days"]]
    if language == "zh":
        return f"已规划{data['destination']} {len(days)}天行程。" + "；".join(f"第{day}天({names})" for day, names in days)
    return f"Planned {len(days)} days in {data['destination']}. " + "; ".join(f"Day {day} ({names})" for day, names in days)


def _hotel(data: Mapping[str, Any], language: str) -> str:
    shown = [f"{offer['name']}({money(offer['price'], data['currency'])})" for offer in data["hotels"][:SUMMARY_HOTELS]]
    if language == "zh":
        return f"已筛选{data['destination']}酒店：{'、'.join(shown)}。{data['comparison']}"
    return f"Shortlisted hotels in {data['destination']}: {', '.join(shown)}. {data['comparison']}"


def _food(data: Mapping[str, Any], language: str) -> str:
    meals = [(day["day"], *(day.get(meal, {}).get("name", "") for meal in ("lunch", "dinner"))) for day in data["days"]]
    if language == "zh":
        lines = "；".join(f"第{day}天 午餐:{lunch} 晚餐:{dinner}" for day, lunch, dinner in meals)
        return f"已推荐{data['destination']} {len(meals)}天美食。{lines}"
    lines = "; ".join(f"Day {day} lunch: {lunch}, dinner: {dinner}" for day, lunch, dinner in meals)
    return f"Recommended food for {len(meals)} days in {data['destination']}. {lines}"


def _info(data: Mapping[str, Any], language: str) -> str:
    if language == "zh":
        return f"已整理{data['destination']}旅行文化指南（含文化特色、冷知识、礼仪提醒等）"
    return f"Prepared a culture guide to {data['destination']} (culture, trivia, etiquette and so on)"


_SUMMARIES = {"route": _route, "hotel": _hotel, "food": _food, "info": _info}


def record_text(agent: str, result: Mapping[str, Any], language: str) -> str:
    """A result as it stands in the state, packed; blank when it has no content."""
    return Packed()(agent, result["data"], language) if has_content(result["data"]) else ""


def pointed_at(question: str, records: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the results that the words of a follow-up are about; none when they point at none."""
    agent = read_followup(question).about or ""
    return {agent: records[agent]} if agent in records else {}


STRATEGIES: dict[str, Strategy] = {
    strategy.name: strategy
    for strategy in (
        Strategy(name="silent", handoff=silent, briefing=own_handoff),
        Strategy(name="summary/task", handoff=article_summary, briefing=task_only),
        Strategy(name="summary/own", handoff=article_summary, briefing=own_handoff),
        Strategy(name="full/own", handoff=full_json, briefing=own_handoff),
    )
}
"""The strategies of the demo, named handoff/briefing; `Lab` takes any other `Strategy` as well."""

MORE_STRATEGIES: dict[str, Strategy] = {
    strategy.name: strategy
    for strategy in (
        Strategy(name="nothing", handoff=silent, trimming=NothingRemembered(), briefing=task_only),
        Strategy(name="article", handoff=article_summary, trimming=AsPublished(), briefing=task_only),
        Strategy(name="packed", handoff=Packed(), briefing=own_handoff),
        Strategy(name="digest", handoff=Packed(), trimming=PinnedDigest(write=record_text), briefing=own_handoff),
        Strategy(name="look-up", handoff=silent, trimming=LookUp(find=pointed_at, write=record_text), briefing=own_handoff),
    )
}
"""Further strategies, for lessons and experiments: the control that remembers nothing, the article's own triple, the packed
handoff with everything kept, the pinned digest, and results looked up when a question points at them."""
