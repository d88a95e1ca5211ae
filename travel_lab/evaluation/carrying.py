"""Whether what a model was shown carries a fact: the words of a message, and the arguments of its tool calls."""

import json
import re
from collections.abc import Collection, Iterable

from langchain_core.messages import AIMessage, BaseMessage

from travel_lab.context import Fact, bound_facts
from travel_lab.context.values import normal
from travel_lab.tokens import text_of

_NUMBER = r"(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"


def shown_text(message: BaseMessage) -> str:
    """All of a message that a model reads: its text, and the arguments of the tool calls it makes."""
    calls = message.tool_calls if isinstance(message, AIMessage) else []
    return "\n".join([text_of(message), *(json.dumps(call["args"], ensure_ascii=False, default=str) for call in calls)])


class Carrier:
    """Looks for the same facts in many texts.

    As `bound_facts`; and a number that has no name but its own key, such as `budget = 900`, is bound where it stands right
    beside the key: "Budget: 900", "3 nights".
    """

    def __init__(self, facts: Iterable[Fact]) -> None:
        """Sort the facts by the name, or the key, that a text must hold."""
        self._by_name: dict[str, list[Fact]] = {}
        self._by_key: dict[str, list[Fact]] = {}
        for fact in facts:
            name = normal(fact.subject)
            self._by_name.setdefault(name, []).append(fact)
            if isinstance(fact.value, float) and fact.subject in fact.keys:
                self._by_key.setdefault(name.replace("_", " "), []).append(fact)

    def carried(self, text: str, besides: Collection[Fact] = frozenset()) -> set[Fact]:
        """Those of the facts that one text binds; not looked for are those in `besides`."""
        words = normal(text)
        # Where something is escaped, a name need not stand as it is.
        names = self._by_name if "\\" in text else [name for name in self._by_name if name in words]
        named = [fact for name in names for fact in self._by_name[name] if fact not in besides]
        return (bound_facts(text, named) if named else set()) | self._beside_keys(words)

    def _beside_keys(self, words: str) -> set[Fact]:
        spaced = words.replace("_", " ")
        found = {key: _numbers_beside(key, words) for key in self._by_key if key in spaced}
        return {fact for key, numbers in found.items() for fact in self._by_key[key] if fact.value in numbers}


def _numbers_beside(key: str, words: str) -> set[float]:
    name = re.escape(key).replace(r"\ ", "[ _-]")
    found = re.findall(
        rf"(?<![a-z0-9]){name}(?![a-z0-9])[\"']?\s*(?:[:=]|is)?\s*{_NUMBER}|{_NUMBER}[ -]{name}(?![a-z0-9])", words
    )
    return {float((after or before).replace(",", "")) for after, before in found}
