"""The strategies corpora are measured under, fixed before the replies were scored.

What `packed` leaves out of CrossWOZ is by its ontology: the domain repeats the agent's name, and the nearest metro station
belongs to the metro domain, so no question asks a hotel, sight or restaurant for it. The budget of SGD's tables was set by the
length of the views alone (half of the full handoff's), without looking at what the replies say.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from travel_lab.context import NothingRemembered, PackedRecords, PinnedDigest, Result, Strategy, full_json, silent
from travel_lab.context.records import name_key, records_in

CUT = 300
"""Characters at which the articles cut a summary."""
LEFT_OUT = {"zh": frozenset({"领域", "地铁"}), "en": frozenset[str]()}
TABLE_BUDGET = {"zh": None, "en": 225}
"""Tokens of one packed table."""


@dataclass(frozen=True)
class ShortSummary:
    """A summary after the articles' manner: names with a price, cut at 300 characters wherever that falls."""

    def __call__(self, agent: str, result: Result, language: str) -> str:
        """The text, cut."""
        shown = [_priced(record) for value in result.values() for record in records_in(value)]
        text = f"已为您找到{agent}：{'、'.join(shown)}。" if language == "zh" else f"Found in {agent}: {', '.join(shown)}."
        return text[:CUT]


def strategies_for(language: str) -> tuple[Strategy, ...]:
    """Nothing, silent, summary, packed, full, and packed × pinned digest, for corpora of a language."""
    packed = PackedRecords(leave_out=LEFT_OUT[language], budget=TABLE_BUDGET[language])
    return (
        Strategy(name="nothing", handoff=silent, trimming=NothingRemembered()),
        Strategy(name="silent", handoff=silent),
        Strategy(name="summary", handoff=ShortSummary()),
        Strategy(name="packed", handoff=packed),
        Strategy(name="full", handoff=full_json),
        Strategy(name="packed × pinned digest", handoff=packed, trimming=PinnedDigest(write=packed)),
    )


def _priced(record: Mapping[str, object]) -> str:
    name = record[name_key(record)]
    price = next((value for key, value in record.items() if key in {"价格", "人均消费", "门票"} or "price" in key), None)
    return f"{name}({price})" if price is not None else str(name)
