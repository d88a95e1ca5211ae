"""Where names stand in a message and what is bound to them there: JSON objects, table rows, clauses of prose.

A sighting is the common form of all three. Whether it carries a fact is decided in `facts`.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from travel_lab.context.json_text import split_json
from travel_lab.context.prose import read_prose
from travel_lab.context.tables import Table, split_tables
from travel_lab.context.values import (
    DAYS,
    KEY_WORDS,
    UNPLANNED_KEYS,
    Amount,
    Scope,
    amount_in,
    currency_in,
    days_of,
    normal,
    scope_of,
    scope_of_words,
)

Names = frozenset[str]
Places = frozenset[Scope]
NOWHERE: Places = frozenset()
NAME_KEYS = ("name", "名称", "名字", "title")
"""Ends of keys under which a record says what it is."""
_LIST_MARKS = re.compile(r"、|;\s")
"""What stands between the items of a list in one cell."""
_HEADING_AT_END = re.compile(rf"(?:^|\n)[\s#*>•\-]*{DAYS}[\s:*]*$")


class Cell(NamedTuple):
    """A named value beside a name: a JSON member or a table cell."""

    key: str
    """In `normal` form, by its common name and without a bracket such as "(CNY)"."""
    text: str
    """In `normal` form."""
    amount: Amount | None


class Sighting(NamedTuple):
    """One place where a name stands."""

    name: str
    scope: Places
    cells: tuple[Cell, ...]
    """What a record binds to it; empty for prose."""
    amounts: tuple[Amount, ...]
    """What a clause binds to it; empty for records."""
    text: str
    """The words of the clause that belong to it; empty for records."""


def sightings_in(text: str, names: Names) -> list[Sighting]:
    """Every sighting of one of `names` (in `normal` form) in a message's text."""
    found: list[Sighting] = []
    for piece in split_json(text):
        if not isinstance(piece, str):
            found += _from_json(piece, names, NOWHERE)
            continue
        for part in split_tables(piece):
            found += _from_table(part, names) if isinstance(part, Table) else _from_prose(part, names, NOWHERE)
    return found


def _from_table(table: Table, names: Names) -> Iterator[Sighting]:
    heading = _HEADING_AT_END.search(normal(table.before))
    scope = days_of(heading["days"]) if heading else NOWHERE
    header = table.header
    across = [at for at in range(1, len(header)) if normal(header[at]) in names]
    if across:  # names across the top: each column is a record
        for at in across:
            column = {row[0]: row[at] for row in table.rows if at < len(row)}
            yield from _from_json({"name": header[at], **column}, names, scope)
        return
    # `city=Delhi` in the header holds for every row.
    shared = dict(cell.split("=", 1) for cell in header if "=" in cell)
    columns = [cell for cell in header if "=" not in cell]
    for row in table.rows:
        yield from _from_json({**dict(zip(columns, row, strict=False)), **shared}, names, scope)


def _from_json(value: dict[str, Any] | list[Any], names: Names, scope: Places) -> Iterator[Sighting]:
    """Sightings in an object, a list of them or a row, and in all below it, however deep."""
    rest = [(value, scope, "")]
    while rest:
        value, around, key = rest.pop()
        if isinstance(value, list):
            rest += [(item if isinstance(item, dict | list) else {key: item}, around, key) for item in value]
            continue
        inner = _places_in(value, around, key)
        yield from _from_record(value, names, inner, key)
        rest += [(v, inner, k) for k, v in value.items() if isinstance(v, dict | list)]


def _places_in(record: Mapping[str, Any], around: Places, key: str) -> Places:
    """Where the members of an object hold; `key` is the member it stands under."""
    if normal(key) in UNPLANNED_KEYS:
        return NOWHERE
    own = frozenset(place for k, v in record.items() for place in scope_of(k, v))
    return _narrowed(_narrowed(around, scope_of_words(key)), own)


def _from_record(record: Mapping[str, Any], names: Names, inner: Places, key: str) -> Iterator[Sighting]:
    """Sightings in one object or row, without those in objects below it."""
    currency = next((currency_in(str(v)) for k, v in record.items() if normal(k) == "currency"), "")
    cells = tuple(_cell(k, v, currency) for k, v in record.items() if not isinstance(v, dict | list) and v is not None)
    if normal(key) in names:  # {"name": {"price": 500}}
        yield Sighting(normal(key), inner, cells, (), "")
    listed = tuple(_cell(key, item, "") for key, value in record.items() for item in _items(value))
    # The words of a record with a name of its own describe that name; whom else they mention is not placed by it.
    described = NOWHERE if any(cell.text in names and cell.key.endswith(NAME_KEYS) for cell in cells) else inner
    for cell in cells:
        place = _narrowed(inner, scope_of_words(cell.key))  # {"lunch": "name"}
        if cell.key in names:  # {"name": 500}
            yield Sighting(cell.key, inner, (cell,), (), "")
        if cell.text in names:
            # What a record lists belongs to what the record is called, not to whatever else it holds.
            yield Sighting(cell.text, place, cells + listed if cell.key.endswith(NAME_KEYS) else cells, (), "")
        else:
            yield from _from_prose(cell.text, names, _narrowed(described, scope_of_words(cell.key)))


def _items(value: object) -> list[str]:
    """The texts of a list, as a JSON list or written in one cell; a number out of a list is nobody's amount."""
    texts = value if isinstance(value, list) else _LIST_MARKS.split(value) if isinstance(value, str) else []
    return [text for text in texts if isinstance(text, str)] if len(texts) > 1 or isinstance(value, list) else []


def _narrowed(outer: Places, inner: Places) -> Places:
    roles = {role for role, _ in inner}
    return frozenset(place for place in outer if place[0] not in roles) | inner


def _cell(key: str, value: object, currency: str) -> Cell:
    text = normal(str(value)).strip()
    amount = amount_in(text)
    if amount is not None and not amount.unit:
        amount = amount._replace(unit=currency_in(key))
    name = re.sub(r"\s*\(.*?\)", "", normal(key)).strip()
    name = KEY_WORDS.get(name, name)
    if amount is not None and not amount.unit and name in {"price", "ticket"}:
        amount = amount._replace(unit=currency)
    return Cell(name, text, amount)


def _from_prose(text: str, names: Names, scope: Places) -> Iterator[Sighting]:
    for seen in read_prose(text, names, scope):
        yield Sighting(seen.name, seen.scope, (), seen.amounts, seen.text)
