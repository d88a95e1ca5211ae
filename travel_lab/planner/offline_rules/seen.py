"""What the offline model can make out in the messages it is shown: hotels with prices, nights, sights, meals.

It reads JSON objects, small tables and the plain sentences agents write. Later messages win over earlier ones.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import BaseMessage

from travel_lab.itinerary.numerals import half_width
from travel_lab.planner.offline_rules.seen_tables import etiquette_in, named_in, nights_in, table_rows
from travel_lab.tokens import text_of

_PRICED = re.compile(
    r"(?:^|[:,、。;.]\s*)(?P<name>[^:,、。;()\n]+?)\s*\((?:¥|a\$|us\$|s\$|\$|€|฿|cny|aud|jpy|thb|eur|sgd)\s*(?P<price>[\d,.]+)\)",
    re.IGNORECASE,
)
_NIGHTS_ZH = re.compile(r"(?P<nights>第\s*\d+\s*晚(?:、第\s*\d+\s*晚)*)住(?P<hotel>[^。;,、\n]+)")
_NIGHTS_EN = re.compile(r"nights? (?P<nights>\d+(?:(?:, | and )\d+)*): (?P<hotel>[^.;\n]+)", re.IGNORECASE)
_LENGTH = re.compile(r"(?<!第)(?P<zh>\d+)\s*天行程|\b(?P<en>\d+) days in ", re.IGNORECASE)
_DAY = re.compile(r"(?:第\s*(?P<zh>\d+)\s*天|day (?P<en>\d+))\s*\((?P<names>[^()]*)\)", re.IGNORECASE)
_MEALS = re.compile(
    r"(?:第\s*(?P<zh>\d+)\s*天|day (?P<en>\d+))\s+(?:午餐|lunch):\s*(?P<lunch>[^;,\s][^;,]*?),?\s+(?:晚餐|dinner):\s*(?P<dinner>[^;\n]+)",
    re.IGNORECASE,
)


@dataclass
class Seen:
    """Everything made out so far."""

    prices: dict[str, float] = field(default_factory=dict)
    """Hotel → price a night."""
    ratings: dict[str, float] = field(default_factory=dict)
    nights: dict[int, str] = field(default_factory=dict)
    """Night → hotel."""
    sights: dict[int, list[str]] = field(default_factory=dict)
    """Day → names of its sights, in order."""
    about: dict[str, str] = field(default_factory=dict)
    """Sight → description."""
    tickets: dict[str, float] = field(default_factory=dict)
    """Sight → ticket for one."""
    meals: dict[tuple[int, str], str] = field(default_factory=dict)
    """(day, meal) → restaurant."""
    meal_prices: dict[str, float] = field(default_factory=dict)
    """Restaurant → price for one."""
    tags: dict[str, list[str]] = field(default_factory=dict)
    """Restaurant → what it is good for."""
    etiquette: list[str] = field(default_factory=list)
    days: int | None = None
    """Length of the trip."""
    currency: str = ""

    @property
    def names(self) -> list[str]:
        """Every name made out."""
        sights = [name for names in self.sights.values() for name in names]
        return [*self.prices, *sights, *self.meals.values()]


def make_out(messages: Sequence[BaseMessage]) -> Seen:
    """Read the agents' messages, oldest first; the traveller's own words say nothing about results."""
    seen = Seen()
    for message in messages:
        if message.type != "ai":
            continue
        text = text_of(message)
        data = _object(text)
        if data is not None:
            _read_object(data, seen)
        else:
            _read_prose(text, seen)
            _read_tables(text, seen)
    return seen


def _object(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _read_object(data: dict[str, Any], seen: Seen) -> None:
    seen.currency = data.get("currency", seen.currency)
    seen.etiquette = data.get("etiquette", seen.etiquette)
    for offer in data.get("hotels", []):
        seen.prices[offer["name"]] = offer["price"]
        seen.ratings[offer["name"]] = offer["rating"]
    for night in data.get("nights", []):
        seen.nights[night["night"]] = night["hotel"]
    if any("sights" in day for day in data.get("days", [])):
        seen.sights = {}
    for day in data.get("days", []):
        if "sights" in day:
            seen.sights[day["day"]] = [sight["name"] for sight in day["sights"]]
            seen.about |= {sight["name"]: sight["about"] for sight in day["sights"]}
            seen.tickets |= {sight["name"]: sight["ticket"] for sight in day["sights"]}
        for meal in ("lunch", "dinner"):
            if meal in day:
                seen.meals[day["day"], meal] = day[meal]["name"]
                seen.meal_prices[day[meal]["name"]] = day[meal]["price"]
                seen.tags[day[meal]["name"]] = day[meal]["tags"]


def _read_tables(text: str, seen: Seen) -> None:
    seen.etiquette = etiquette_in(text) or seen.etiquette
    rows = list(table_rows(text))
    if any("sights" in row for row in rows):
        seen.sights = {}
    for row in rows:
        if "hotel" in row:
            seen.nights |= dict.fromkeys(nights_in(row), row["hotel"])
            for kind, found in (("price", seen.prices), ("rating", seen.ratings)):
                if kind in row:
                    found[row["hotel"]] = float(row[kind])
        elif "sights" in row:
            sights = named_in(row["sights"])
            seen.sights[int(row["day"])] = [name for name, _ in sights]
            seen.tickets |= {name: price for name, price in sights if price is not None}
        else:
            for meal in ("lunch", "dinner"):
                for name, price in named_in(row.get(meal, "")):
                    seen.meals[int(row["day"]), meal] = name
                    seen.meal_prices |= {name: price} if price is not None else {}


_SIGNS = {"¥": "CNY", "A$": "AUD", "S$": "SGD", "€": "EUR", "฿": "THB", "JPY ": "JPY"}
"""How the handoffs write money."""


def _read_prose(text: str, seen: Seen) -> None:
    words = _plain_signs(text)
    seen.currency = next((code for sign, code in _SIGNS.items() if sign in words), seen.currency)
    if length := _LENGTH.search(words):
        seen.days = int(length["zh"] or length["en"])
    for match in _PRICED.finditer(words):
        seen.prices[match["name"].strip()] = float(match["price"].replace(",", ""))
    for match in [*_NIGHTS_ZH.finditer(words), *_NIGHTS_EN.finditer(words)]:
        for night in re.findall(r"\d+", match["nights"]):
            seen.nights[int(night)] = match["hotel"].strip()
    if _DAY.search(words):
        seen.sights = {}
    for match in _DAY.finditer(words):
        names = [name.strip() for name in match["names"].split("→")]
        seen.sights[int(match["zh"] or match["en"])] = [name for name in names if name]
    for match in _MEALS.finditer(words):
        day = int(match["zh"] or match["en"])
        seen.meals[day, "lunch"], seen.meals[day, "dinner"] = match["lunch"].strip(), match["dinner"].strip(" 。.")


def _plain_signs(text: str) -> str:
    """Half-width signs, but letters as they are: names are compared later."""
    return "".join(half_width(char) if not char.isalpha() else char for char in text)
