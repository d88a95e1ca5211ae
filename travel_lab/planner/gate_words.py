"""Words at a gate, read by rule: a confirmation, a choice, a change of the requirements, or none of them."""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from travel_lab.catalogue import Language, Provider
from travel_lab.errors import BadInput
from travel_lab.itinerary import read_request
from travel_lab.itinerary.durations import MAX_DAYS
from travel_lab.itinerary.followup import read_followup
from travel_lab.itinerary.numerals import half_width
from travel_lab.planner.by_hand import check_changes
from travel_lab.planner.columns import plan_line, read_columns
from travel_lab.planner.gates import Decision
from travel_lab.planner.replies import read_line
from travel_lab.planner.state import RouteOption

_YES = re.compile(
    r"(?:好|好的|好呀|好啊|行|可以|确认|确定|没问题|对|对的|是的|就这样|就这么定|没错|嗯|ok|okay|yes|yep|yeah|sure|confirm(?:ed)?|"
    r"looks? good|sounds? good|fine|correct|go ahead|perfect|that'?s right|all right|great)"
)
_ENDS = re.compile(r"[吧了啊呀]*\s*(?:[,.!~、。]+\s*|$)")
_DATED = re.compile(r"出发|日期|改|换|走|去|月|号|\d|\b(?:start|leave|leaving|depart|date|move|change|go|from|on)\b")
_NUMBERS = {
    "一": 1,
    "二": 2,
    "三": 3,
    "first": 1,
    "second": 2,
    "third": 3,
    "one": 1,
    "two": 2,
    "three": 3,
    "a": 1,
    "b": 2,
    "c": 3,
}
_NTH = re.compile(
    r"^(?:我?(?:想)?(?:要|选择|选)?|(?:i(?:'ll| will)? )?(?:take|choose|pick|want|prefer)?)\s*"
    r"(?:the |number |option |route |路线|方案|第)*(?P<n>r?[1-3]|[一二三]|first|second|third|one|two|three|[abc])\s*"
    r"(?:条|个|号|one|option|route|please|路线|方案)*$"
)


def places_by_name(provider: Provider, language: Language) -> dict[str, str]:
    """Every name a city is called by → its name in a language."""
    return {
        name: city.name.in_(language)
        for city in provider.cities()
        for name in (city.id, city.name.zh, city.name.en, *city.aliases)
    }


def is_yes(text: str) -> bool:
    """Whether the words agree and say nothing else."""
    parts = [part for part in _ENDS.split(half_width(text)) if part]
    return bool(parts) and all(_YES.fullmatch(part) for part in parts)


def chosen_route(text: str, options: Sequence[RouteOption]) -> str | None:
    """The option the words name by number, letter or name."""
    words = half_width(text).strip(" ,.!?。！")
    named = [option["route_id"] for option in options if half_width(option["name"]) in words]
    if len(named) == 1:
        return named[0]
    match = _NTH.match(words)
    if match is None:
        return None
    number = match["n"].removeprefix("r")
    at = _NUMBERS[number] if number in _NUMBERS else int(number)
    return options[at - 1]["route_id"] if at <= len(options) else None


def read_change(
    text: str, requirements: Mapping[str, Any], language: Language, provider: Provider, today: date
) -> dict[str, Any] | None:
    """The requirement fields the words change; None when they state none.

    Raises:
        BadInput: They name a place or a length nobody can plan; says which are known.
    """
    places = places_by_name(provider, language)
    followup = read_followup(text, [], places, today)
    if followup.days_delta is not None and requirements.get("days"):
        days = requirements["days"] + followup.days_delta
        if not 1 <= days <= MAX_DAYS:
            raise BadInput(f"{days} days cannot be planned; allowed are 1 to {MAX_DAYS}. Nothing was changed.")
        return {"days": days}
    reading = read_request(text, places, today)
    if not reading.states_something:
        return None
    columns = read_columns(read_line(plan_line(reading, language, "route")), language, provider, today)
    if columns.question:
        raise BadInput(columns.question)
    # "The weather is fine today" names a day and means none of the trip.
    if columns.requirements.keys() == {"date"} and not _DATED.search(half_width(text)):
        return None
    return columns.requirements or None


def field_change(change: Mapping[str, Any], provider: Provider) -> dict[str, Any]:
    """Requirement fields given by name, checked; cities may go by any of their names.

    Raises:
        UnknownName: A field or a city there is not.
        BadInput: A value of another form, or nothing that changes anything.
    """
    fields = dict(change)
    if isinstance(fields.get("destinations"), list | tuple):
        found = {name: provider.find_city(str(name)) for name in fields["destinations"]}
        fields["destinations"] = [city.id if city else name for name, city in found.items()]
        unknown = [name for name, city in found.items() if city is None]
        if unknown:
            raise BadInput(
                f"No city {unknown[0]!r}. Known: {', '.join(city.id for city in provider.cities())}. Nothing was changed."
            )
    check_changes({"requirements": fields})
    return fields


def say_answer(decision: Decision, language: Language) -> str:
    """In words, how a text at a gate was read."""
    what = ", ".join(f"{key}={value}" for key, value in decision["change"].items())
    return {
        "zh": {"CONFIRM": "当作确认", "MODIFY": f"当作修改：{what}", "SELECT": f"当作选择：{decision['route_id']}"},
        "en": {
            "CONFIRM": "read as a confirmation",
            "MODIFY": f"read as a change: {what}",
            "SELECT": f"read as the choice of {decision['route_id']}",
        },
    }[language][decision["kind"]]
