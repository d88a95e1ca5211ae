"""How well requests and follow-ups are read: `python tests/itinerary/reading_accuracy.py [open|open2|open3|kept_out] [--wrong]`.

A line is *right* when every part the data states is read as stated and nothing else is read; *asked* when the reading leads to
a question back although the data does not want one (or the other way round); anything else is *silently wrong*.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any, Literal, NamedTuple

from travel_lab.catalogue import load_catalogue
from travel_lab.itinerary import FollowUp, Reading, read_followup, read_request
from travel_lab.itinerary.followup import AGENTS_OF
from travel_lab.itinerary.money import Budget
from travel_lab.itinerary.money_words import CURRENCY_AFTER, CURRENCY_BEFORE
from travel_lab.itinerary.numerals import half_width

DATA = Path(__file__).parents[2] / "data" / "requests"
CITIES = load_catalogue().cities
PLACES = {name: city.id for city in CITIES for name in (city.name.zh, city.name.en, *city.aliases)}
CATALOGUE = load_catalogue()
NAMES = [
    name
    for places in (CATALOGUE.sights, CATALOGUE.hotels, CATALOGUE.restaurants)
    for place in places
    if place.city == "chengdu"
    for name in (place.name.zh, place.name.en)
]
PLANNED = Budget(amount=5000, currency="CNY")
"""The budget of the fixed plan, for follow-ups that say a difference to it."""
Verdict = Literal["right", "asked", "wrong"]


class Judged(NamedTuple):
    """One line of data and what became of it."""

    id: str
    kind: str
    text: str
    verdict: Verdict
    differences: str


def judge(part: str) -> Iterator[Judged]:
    """Every request and follow-up of a part (`open`, `open2`, `open3` or `kept_out`)."""
    for line in _lines(part, "requests"):
        said = request_as_data(read_request(line["text"], PLACES, date.fromisoformat(line["today"])))
        yield _judged(line, _comparable(line["reading"]), _comparable(said), asks="asks")
    for line in _lines(part, "followups"):
        said = followup_as_data(read_followup(line["text"], NAMES, PLACES, date(2026, 5, 11)))
        yield _judged(line, _comparable(line["reading"]), _comparable(said), asks="action")


def _lines(part: str, what: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / f"{part}_{what}.jsonl").read_text(encoding="utf-8").splitlines()]


def request_as_data(reading: Reading) -> dict[str, Any]:
    """A reading in the form of the data files."""
    codes = reading.wishes
    asks = [*([] if reading.destinations else ["destination"])]
    if reading.trip_days is None:
        asks.append("days")
    return {
        "destinations": list(reading.destinations),
        "days": reading.days,
        "days_range": list(reading.days_range) if reading.days_range else None,
        "nights": reading.nights,
        "origin": reading.origin,
        "date": reading.start.isoformat() if reading.start else None,
        "budget": _budget(reading.budget),
        "people": {"adults": reading.people.adults, "children": reading.people.children} if reading.people else None,
        "diet": sorted(code for code in codes if not code.startswith(("no:", "like:")) and code not in {"slow", "fast", "cheap"}),
        "bans": sorted(code[3:] for code in codes if code.startswith("no:")),
        "likes": sorted(code[5:] for code in codes if code.startswith("like:")),
        "pace": next((code for code in codes if code in {"slow", "fast"}), None),
        "asks": asks,
    }


def followup_as_data(followup: FollowUp) -> dict[str, Any]:
    """A follow-up in the form of the data files."""
    return {
        "action": followup.kind,
        "agents": sorted(AGENTS_OF.get(followup.kind, ())),
        "day": followup.day,
        "to_day": followup.to_day,
        "meal": followup.meal,
        "ordinal": followup.ordinal,
        "name": followup.name,
        "diet": sorted(followup.diet),
        "days": followup.days,
        "days_delta": followup.days_delta,
        "budget": _budget(followup.budget_change.applied_to(PLANNED) if followup.budget_change else followup.budget),
        "people": {"adults": followup.people.adults, "children": followup.people.children} if followup.people else None,
        "date": followup.start.isoformat() if followup.start else None,
        "destination": followup.destinations[0] if followup.destinations else None,
    }


def _budget(budget: Budget | None) -> dict[str, Any] | None:
    if budget is None:
        return None
    return {
        "amount": budget.amount,
        "min": budget.low,
        "max": budget.high,
        "currency": budget.currency,
        "basis": budget.basis,
        "approximate": budget.approximate,
        "words": budget.words,
    }


def _comparable(data: dict[str, Any]) -> dict[str, Any]:
    """Without what is absent, and with names in one form."""
    kept = {key: value for key, value in data.items() if value not in (None, [], {}, "")}
    # A place that was unknown when a line was written may be a city of the catalogue by now.
    if "destinations" in kept:
        kept["destinations"] = [PLACES.get(name, name) for name in kept["destinations"]]
    if "origin" in kept:
        kept["origin"] = PLACES.get(kept["origin"], kept["origin"])
    if "budget" in kept:
        budget = {k: v for k, v in kept["budget"].items() if v not in (None, "", False, "total")}
        # The data hold a sum or only words.
        budget.pop("words" if {"amount", "min", "max"} & set(budget) else "basis", None)
        kept["budget"] = budget
    if "people" in kept:
        kept["people"] = {k: v for k, v in kept["people"].items() if v}
    if kept.get("action") == "unclear":  # asked back; what else was made out is not used
        kept = {"action": "unclear"}
    if kept.get("action") == "budget_clear":  # that the budget is gone is the action itself
        kept.pop("budget", None)
    if kept.get("action") == "ask_history":  # first or last is not told apart in every file
        kept.pop("ordinal", None)
    if kept.get("action", "").startswith("hotel") and -1 in (kept.get("day"), kept.get("night")):
        kept["night"] = 2  # the fixed plan has two nights
    for key in ("day", "to_day"):
        if kept.get(key) == -1:
            kept[key] = 3  # the fixed plan has three days
    if "night" in kept:  # a night is named by its day
        kept["day"] = kept.pop("night")
    for key in ("diet", "bans", "likes", "agents", "asks"):
        if key in kept:
            kept[key] = sorted(kept[key])
    for key in ("origin", "name", "destination"):
        if key in kept:
            kept[key] = half_width(str(kept[key])).strip()
    if "destinations" in kept:
        kept["destinations"] = [half_width(name).strip() for name in kept["destinations"]]
    if "days" in kept.get("asks", ()):
        kept.pop("days", None)
    return {key: value for key, value in kept.items() if value not in ([], {})}


_NAMES_A_CURRENCY = re.compile("|".join(re.escape(word) for word in (*CURRENCY_BEFORE, *CURRENCY_AFTER)))


def _judged(line: dict[str, Any], want: dict[str, Any], got: dict[str, Any], *, asks: str) -> Judged:
    if not _NAMES_A_CURRENCY.search(half_width(line["text"])):
        # By one card 千 and 万 mean CNY, by the other nothing: where no currency is named, none is compared.
        for side in (want, got):
            side.get("budget", {}).pop("currency", None)
    differing = [key for key in sorted({*want, *got}) if want.get(key) != got.get(key) and not _same_name(key, want, got)]
    if not differing:
        verdict: Verdict = "right"
    elif asks == "asks":
        verdict = "asked" if got.get("asks") else "wrong"
    else:
        verdict = "asked" if got["action"] == "unclear" else "wrong"
    words = "; ".join(f"{key}: want {want.get(key)}, got {got.get(key)}" for key in differing)
    return Judged(line["id"], line["kind"], line["text"], verdict, words)


def _same_name(key: str, want: dict[str, Any], got: dict[str, Any]) -> bool:
    """Whether a name was typed short or with a little word around it."""
    one, other = str(want.get(key, "")), str(got.get(key, ""))
    return key == "name" and bool(one) and bool(other) and (one in other or other in one)


def main(arguments: list[str]) -> None:
    """Print accuracy overall and by kind."""
    part = next((a for a in arguments if not a.startswith("--")), "open")
    judged = list(judge(part))
    for what, lines in (
        ("requests", [j for j in judged if j.id[1] == "r"]),
        ("follow-ups", [j for j in judged if j.id[1] == "f"]),
    ):
        counts = Counter(j.verdict for j in lines)
        print(
            f"{part} {what}: {len(lines)} lines",
            *(f"{verdict} {counts[verdict] / len(lines):.3f}" for verdict in ("right", "asked", "wrong")),
            sep=", ",
        )
        for kind in sorted({j.kind for j in lines}):
            of_kind = [j for j in lines if j.kind == kind]
            print(f"  {kind:14} {sum(j.verdict == 'right' for j in of_kind):3} of {len(of_kind):3}")
    if "--wrong" in arguments:
        for j in judged:
            if j.verdict != "right":
                print(f"{j.verdict} {j.id} {j.kind} | {j.text} | {j.differences}")


if __name__ == "__main__":
    main(sys.argv[1:])
