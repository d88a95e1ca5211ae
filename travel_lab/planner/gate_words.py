"""Words at a gate, read by rule: a confirmation, a choice, a change of the requirements, or none of them."""

import re
from collections.abc import Mapping
from datetime import date
from typing import Any

from travel_lab.catalogue import Language, Provider
from travel_lab.errors import BadInput
from travel_lab.itinerary import read_request
from travel_lab.itinerary.durations import MAX_DAYS
from travel_lab.itinerary.followup import read_followup
from travel_lab.itinerary.money import Budget
from travel_lab.itinerary.money_changes import BudgetChange
from travel_lab.itinerary.numerals import half_width
from travel_lab.planner.by_hand import check_changes
from travel_lab.planner.columns import plan_line, read_columns
from travel_lab.planner.gates import Decision
from travel_lab.planner.replies import read_line

_YES = re.compile(
    r"(?:好|好的|好呀|好啊|行|可以|确认|确定|没问题|对|对的|是的|就这样|就这么定|就按这个来?|继续|没错|嗯+|嗯+可以|"
    r"ok|okay|yes|yep|yeah|sure|confirm(?:ed)?|"
    r"looks? good|sounds? good|fine|correct|go ahead|perfect|that'?s right|that is (?:right|correct)|all right|great|"
    r"fine by me|no problem|"
    r"go on|(?:please )?continue|proceed|agreed)"
)
_ENDS = re.compile(r"[吧了啊呀]*\s*(?:[,.!~、。]+\s*|$)")
_DATED = re.compile(r"出发|日期|改|换|走|去|月|号|\d|\b(?:start|leave|leaving|depart|date|move|change|go|from|on)\b")
_OPENING = re.compile(
    r"^\s*(?:no|nope|yes|ok|不|不对|不是|对|好的?|可以|looks good)\s*[,，]\s*(?:但是?|不过|but\b)?\s*", re.IGNORECASE
)
_LENGTH = re.compile(r"天数(?=改|变|换|是|为|减|增)")
_LEAVE_IT = re.compile(r"(?:不要|别|不用|先不)(?:改|换|变)|\b(?:don'?t|do not|not)\s+(?:change|make|switch|replace|move)\b")
_DROP = (
    r"(?:不要|不去|不想去|不想要|别去|不玩|去掉|删掉|拿掉|砍掉|取消)(?:了)?\s*(?:{places})(?:了|吧)*|(?:把|将)?(?:{places})(?:就)?"
    r"(?:不要|不去|去掉|删掉|取消|换成|改成|换为|换掉|替换成)(?:了)?|\b(?:drop|remove|skip|leave out|cut|no|not|without|forget"
    r"(?: about)?|replace|swap|instead of|rather than|(?:don'?t|do not) (?:want|like)(?: to (?:go to|see|visit))?)\s+(?:the )?"
    r"(?:{places})\b(?: (?:with|for|by)\b)?"
)
_ADD = (
    r"(?:加上?|加个|加一个|增加|添加|再去|还要去|顺便去)(?:一个)?\s*(?:{places})|\b(?:add|plus|also (?:go to|visit))\s+(?:the )?"
    r"(?:{places})\b"
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


def read_change(
    text: str, requirements: Mapping[str, Any], language: Language, provider: Provider, today: date
) -> dict[str, Any] | None:
    """The requirement fields the words change; None when they state none.

    Raises:
        BadInput: They name a place or a length nobody can plan; says which are known.
    """
    places = places_by_name(provider, language)
    if _LEAVE_IT.search(half_width(text)):
        return None
    kept, text = _without_dropped(_LENGTH.sub("", _OPENING.sub("", text)), requirements, provider, language)
    followup = read_followup(text, [], places, today)
    if followup.days_delta is not None and requirements.get("days"):
        days = requirements["days"] + followup.days_delta
        if not 1 <= days <= MAX_DAYS:
            raise BadInput(f"{days} days cannot be planned; allowed are 1 to {MAX_DAYS}. Nothing was changed.")
        return {"days": days}
    if followup.budget_change is not None:
        return {"budget": _changed_budget(followup.budget_change, requirements)}
    reading = read_request(text, places, today)
    if reading.choices:
        raise BadInput(f"{' or '.join(reading.choices)}: say which one. Nothing was changed.")
    if not reading.states_something:
        return {"destinations": kept} if kept else None
    columns = read_columns(read_line(plan_line(reading, language, "route")), language, provider, today)
    if columns.question:
        raise BadInput(columns.question)
    # "The weather is fine today" names a day and means none of the trip.
    if columns.requirements.keys() == {"date"} and not _DATED.search(half_width(text)):
        return None
    changed = columns.requirements
    if kept is not None:
        more = [place for place in changed.get("destinations", []) if place not in kept]
        at = next((at for at, place in enumerate(requirements["destinations"]) if place not in kept), len(kept))
        changed = {**changed, **({"destinations": [*kept[:at], *more, *kept[at:]]} if kept or more else {})}
    return changed or None


def _without_dropped(
    text: str, requirements: Mapping[str, Any], provider: Provider, language: Language
) -> tuple[list[str] | None, str]:
    """The destinations that stay, when the words drop or add one (else None), and the words without the dropped ones."""
    names = places_by_name(provider, language)
    spelled = "|".join(re.escape(half_width(name)) for name in sorted(names, key=len, reverse=True))
    words, present = half_width(text), list(requirements.get("destinations", []))
    dropped = re.compile(_DROP.format(places=spelled))
    gone = {
        city.id
        for match in dropped.finditer(words)
        if (said := re.search(spelled, match[0])) and (city := provider.find_city(said[0])) is not None
    }
    if gone:
        return [place for place in present if place not in gone], dropped.sub(" ", words)
    return (present if re.search(_ADD.format(places=spelled), words) else None), text


def _changed_budget(change: BudgetChange, requirements: Mapping[str, Any]) -> dict[str, Any]:
    before = requirements.get("budget")
    sums = {key: before[key] for key in ("amount", "low", "high", "currency", "basis")} if before else {}
    after = change.applied_to(Budget(**sums))
    if after is None:
        raise BadInput("The budget that holds has no sum that could change so. Say the new sum. Nothing was changed.")
    return {**(before or {}), "amount": after.amount, "low": after.low, "high": after.high, "currency": after.currency}


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
