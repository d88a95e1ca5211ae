"""The columns of a PLAN line: a reading of the traveller's words written into them, and read back out of them.

The budget column holds whatever has no column of its own: money, people and wishes, separated by commas.
"""

from dataclasses import dataclass, field
from datetime import date
from typing import Any

from travel_lab.catalogue import City, Language, Provider
from travel_lab.itinerary import MAX_DAYS, MAX_PEOPLE, Budget, People, Reading
from travel_lab.itinerary.dates import read_date
from travel_lab.itinerary.durations import read_duration
from travel_lab.itinerary.money import read_budget
from travel_lab.itinerary.numerals import half_width
from travel_lab.itinerary.people import read_people
from travel_lab.itinerary.request import join_names
from travel_lab.itinerary.wishes import read_wishes, say_wish
from travel_lab.planner.prompts import LINE_FORM, WORDS
from travel_lab.planner.replies import SupervisorLine


def plan_line(reading: Reading, language: Language, agents: str) -> str:
    """A reading as a PLAN line; what it does not state stays blank."""
    return LINE_FORM.format(
        destination=join_names(reading.destinations),
        days=_say_days(reading),
        origin=reading.origin or "",
        date=reading.start.isoformat() if reading.start else "",
        budget=", ".join(_say_rest(reading, language)),
        agents=agents,
    )


def _say_days(reading: Reading) -> str:
    if reading.days_range is not None and reading.days is None:
        return f"{reading.days_range[0]}-{reading.days_range[1]}"
    days = reading.trip_days or 0
    return f"{days - 0.5:g}" if reading.rounded else str(days)


def _say_rest(reading: Reading, language: Language) -> list[str]:
    said = []
    if reading.budget is not None:
        said.append(say_budget(reading.budget, language))
    if reading.people is not None:
        said.append(say_people(reading.people, language))
    cheap_is_said = reading.budget is not None and reading.budget.words == "cheap"
    said += [say_wish(wish, language) for wish in reading.wishes if not (wish == "cheap" and cheap_is_said)]
    return [part for part in said if part]


def say_budget(budget: Budget, language: Language) -> str:
    """Money in words that are read back as the same budget."""
    words = {
        "zh": {"unlimited": "预算不限", "cheap": "便宜", "": ""},
        "en": {"unlimited": "no budget limit", "cheap": "cheap", "": ""},
    }
    amount = _say_amount(budget, language)
    return ", ".join(part for part in (amount, words[language][budget.words]) if part)


def _say_amount(budget: Budget, language: Language) -> str:
    unit = f" {budget.currency}" if budget.currency else ""
    zh = language == "zh"
    if budget.amount is not None:
        about = ("左右" if zh else "around ") if budget.approximate else ""
        sum_ = f"{budget.amount:.15g}{unit}{about}" if zh else f"{about}{budget.amount:.15g}{unit}"
    elif budget.low is not None and budget.high is not None:
        sum_ = f"{budget.low:.15g}-{budget.high:.15g}{unit}"
    elif budget.high is not None:
        sum_ = f"{budget.high:.15g}{unit}以内" if zh else f"under {budget.high:.15g}{unit}"
    elif budget.low is not None:
        sum_ = f"{budget.low:.15g}{unit}以上" if zh else f"at least {budget.low:.15g}{unit}"
    else:
        return ""
    before = {"total": "预算", "per_person": "人均", "per_person_per_day": "每人每天", "per_night": "每晚"}[budget.basis]
    after = {"total": "", "per_person": " per person", "per_person_per_day": " per person per day", "per_night": " a night"}[
        budget.basis
    ]
    return f"{before}{sum_}" if zh else f"budget {sum_}{after}"


def say_people(people: People, language: Language) -> str:
    """A party in words that are read back as the same party."""
    adults = (f"{people.adults}个大人" if language == "zh" else f"{people.adults} adults") if people.adults else ""
    children = (f"{people.children}个孩子" if language == "zh" else f"{people.children} children") if people.children else ""
    return (" " if language == "en" else "").join(part for part in (adults, children) if part)


@dataclass(frozen=True, kw_only=True)
class Changes:
    """What a PLAN line changes in the requirements."""

    requirements: dict[str, Any]
    """The fields it states."""
    question: str | None = None
    """What must be asked back because a column cannot be."""
    notes: tuple[str, ...] = field(default=())
    """What a reader should know, such as a range that was read as its lower end."""


def read_columns(line: SupervisorLine, language: Language, provider: Provider, today: date) -> Changes:
    """The requirement fields a PLAN line states.

    A cheaper hotel is a wish about that hotel: it is in the words the agent gets, and no wish for the whole trip.
    """
    say, notes = WORDS[language], []
    cities, unknown = _cities(line.destination, provider)
    question = None
    if unknown:
        known = ", ".join(city.name.in_(language) for city in provider.cities())
        question = say["unknown_place"].format(place=unknown, places=known)
    duration = read_duration(f"{half_width(line.days)}天" if line.days.strip() not in {"", "0"} else "")
    days = duration.range[0] if duration.range else duration.days
    if duration.problem or (line.days.strip() not in {"", "0"} and days is None):
        question, days = question or say["bad_days"].format(most=MAX_DAYS), None
    elif duration.range or duration.rounded:
        notes.append(say["days_read_as"].format(said=line.days, days=days))
    rest = half_width(line.budget)
    budget, people = read_budget(rest), read_people(rest)
    if people and (people.adults or 0) + (people.children or 0) > MAX_PEOPLE:
        question, people = question or say["bad_people"].format(most=MAX_PEOPLE), None
    requirements: dict[str, Any] = {
        "destinations": [] if unknown else [city.id for city in cities],
        "days": days,
        "origin": line.origin,
        "date": _iso(line.date, today),
        "budget": _note(budget),
        "people": {"adults": people.adults or 1, "children": people.children or 0} if people else None,
        "preferences": [wish for wish in read_wishes(rest) if not (wish == "cheap" and line.agents == ("hotel",))],
    }
    return Changes(requirements={k: v for k, v in requirements.items() if v}, question=question, notes=tuple(notes))


def _note(budget: Budget | None) -> dict[str, Any] | None:
    """A budget as it stands in the state; a wish for something cheap is a preference, not a budget."""
    if budget is None or (budget.words != "unlimited" and (budget.amount, budget.low, budget.high) == (None, None, None)):
        return None
    return {
        "amount": budget.amount,
        "low": budget.low,
        "high": budget.high,
        "currency": budget.currency,
        "basis": budget.basis,
        "approximate": budget.approximate,
        "unlimited": budget.words == "unlimited",
    }


def _iso(column: str, today: date) -> str:
    start = read_date(half_width(column), today).start
    return start.isoformat() if start else column.strip()


def _cities(column: str, provider: Provider) -> tuple[list[City], str]:
    names = [name.strip() for name in column.replace("、", "+").replace("&", "+").replace(",", "+").split("+") if name.strip()]
    found = {name: provider.find_city(name) for name in names}
    unknown = next((name for name, city in found.items() if city is None), "")
    return [city for city in found.values() if city is not None], unknown
