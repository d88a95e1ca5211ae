"""Whether what a model was shown carries a fact: the words of a message, and the arguments of its tool calls."""

import json
import re
from collections.abc import Sequence
from functools import lru_cache

from langchain_core.messages import AIMessage, BaseMessage

from travel_lab.context import Fact, bound_facts
from travel_lab.context.values import normal
from travel_lab.tokens import text_of

_NUMBER = r"(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"


_normal = lru_cache(50_000)(normal)


def shown_text(message: BaseMessage) -> str:
    """All of a message that a model reads: its text, and the arguments of the tool calls it makes."""
    calls = message.tool_calls if isinstance(message, AIMessage) else []
    return "\n".join([text_of(message), *(json.dumps(call["args"], ensure_ascii=False, default=str) for call in calls)])


def carried(text: str, facts: Sequence[Fact]) -> set[Fact]:
    """Those of `facts` that one text binds.

    As `bound_facts`; and a number that has no name but its own key, such as `budget = 900`, is bound where it stands right
    beside the key: "Budget: 900", "3 nights".
    """
    words = normal(text)
    # Where something is escaped, a name need not stand as it is.
    named = facts if "\\" in text else [fact for fact in facts if _normal(fact.subject) in words]
    return (bound_facts(text, named) if named else set()) | {fact for fact in facts if _beside_its_key(words, fact)}


def _beside_its_key(words: str, fact: Fact) -> bool:
    if not isinstance(fact.value, float) or fact.subject not in fact.keys:
        return False
    name = _normal(fact.subject).replace("_", " ")
    if name not in words.replace("_", " "):
        return False
    key = re.escape(name).replace(r"\ ", "[ _-]")
    found = re.findall(rf"(?<![a-z0-9]){key}(?![a-z0-9])[\"']?\s*(?:[:=]|is)?\s*{_NUMBER}|{_NUMBER}[ -]{key}(?![a-z0-9])", words)
    return any(float((after or before).replace(",", "")) == fact.value for after, before in found)
