"""Chooses the part to play by the role its system prompt names."""

import re
from collections.abc import Callable, Sequence

from langchain_core.messages import BaseMessage

from travel_lab.chat_models import OfflineChatModel
from travel_lab.errors import UnknownName
from travel_lab.planner.offline_rules import food, hotel, info, route, supervisor
from travel_lab.tokens import text_of

_ROLE = re.compile(r"(?:你是旅行团队的|You are the) (\w+) agent")
_PARTS: dict[str, Callable[[Sequence[BaseMessage]], str]] = {
    "supervisor": supervisor.answer,
    "route": route.route,
    "hotel": hotel.hotel,
    "food": food.food,
    "info": info.info,
}


def play(messages: Sequence[BaseMessage]) -> str:
    """The answer to one call, from its messages and nothing else.

    Raises:
        UnknownName: The system prompt names no part it can play.
    """
    role = _ROLE.search(text_of(messages[0])) if messages else None
    name = role[1] if role else ""
    if name not in _PARTS:
        raise UnknownName("part for the offline model", name, _PARTS, "Its system prompts are in travel_lab.planner.prompts.")
    return _PARTS[name](messages)


def offline_model() -> OfflineChatModel:
    """The deterministic model that plays the whole travel team."""
    return OfflineChatModel(rules=play)
