"""Where names stand in a message and what is bound to them there: JSON objects, table rows, clauses of prose.

A sighting is the common form of all three. Whether it carries a fact is decided in `facts`.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from travel_lab.context.prose import read_prose
from travel_lab.context.values import MEAL_WORDS, Amount, Scope, amount_in, normal, scope_of

_TABLE_RULE = re.compile(r"[\s|:\-]+")
_DECODER = json.JSONDecoder()


class Cell(NamedTuple):
    """A named value beside a name: a JSON member or a table cell."""

    key: str
    """In `normal` form, without a bracket such as "(CNY)"."""
    text: str
    """In `normal` form."""
    amount: Amount | None


class Sighting(NamedTuple):
    """One place where a name stands."""

    name: str
    scope: frozenset[Scope]
    cells: tuple[Cell, ...]
    """What a record binds to it; empty for prose."""
    amounts: tuple[Amount, ...]
    """What a clause binds to it; empty for records."""
    text: str
    """The words of the clause that belong to it; empty for records."""


def sightings_in(text: str, names: frozenset[str]) -> list[Sighting]:
    """Every sighting of one of `names` (in `normal` form) in a message's text."""
    found: list[Sighting] = []
    for piece in _pieces(text):
        if isinstance(piece, str):
            found += _from_prose(piece, names, frozenset())
        elif isinstance(piece, _Table):
            for row in piece.rows:
                found += _from_record(dict(zip(piece.header, row, strict=False)), names, frozenset(), "")
        else:
            found += _from_json(piece, names, frozenset(), "")
    return found


class _Table(NamedTuple):
    header: list[str]
    rows: list[list[str]]


def _pieces(text: str) -> Iterator[Any]:
    """The JSON values, tables and stretches of prose a text consists of, in order."""
    start = position = 0
    while (match := re.compile(r"[{\[]").search(text, position)) is not None:
        try:
            value, end = _DECODER.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            position = match.end()
            continue
        if isinstance(value, dict) or any(isinstance(item, dict) for item in value):
            yield from _prose_and_tables(text[start : match.start()])
            yield value
            start = end
        position = end
    yield from _prose_and_tables(text[start:])


def _prose_and_tables(text: str) -> Iterator[str | _Table]:
    lines = text.split("\n")
    prose: list[str] = []
    at = 0
    while at < len(lines):
        end = at
        while end < len(lines) and lines[end].count("|") >= 1:
            end += 1
        if end - at >= 2:
            yield "\n".join(prose)
            prose = []
            header, *rows = [_split_row(line) for line in lines[at:end] if not _TABLE_RULE.fullmatch(line)]
            yield _Table(header, rows)
            at = end
        else:
            prose.append(lines[at])
            at += 1
    yield "\n".join(prose)


def _split_row(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _from_json(value: Any, names: frozenset[str], scope: frozenset[Scope], key: str) -> Iterator[Sighting]:
    if isinstance(value, dict):
        yield from _from_record(value, names, scope, key)
    elif isinstance(value, list):
        for item in value:
            yield from _from_json(item if isinstance(item, dict | list) else {key: item}, names, scope, key)


def _from_record(record: Mapping[str, Any], names: frozenset[str], scope: frozenset[Scope], key: str) -> Iterator[Sighting]:
    """Sightings in one object or row and all below it; `key` is the member it stands under."""
    inner = _narrowed(scope, {place for k, v in record.items() for place in scope_of(k, v)} | _scope_of_key(key))
    cells = tuple(_cell(k, v) for k, v in record.items() if not isinstance(v, dict | list) and v is not None)
    for subject in {cell.text for cell in cells} | {normal(key)}:
        if subject in names:
            yield Sighting(subject, inner, cells, (), "")
    for cell in cells:
        if cell.key in names:  # {"name": 500}: the member's own name is the subject
            yield Sighting(cell.key, inner, (cell,), (), "")
        if cell.text not in names:
            yield from _from_prose(cell.text, names, _narrowed(inner, _scope_of_key(cell.key)))
        elif place := _scope_of_key(cell.key):  # {"lunch": "name"}
            yield Sighting(cell.text, _narrowed(inner, place), cells, (), "")
    for k, v in record.items():
        if isinstance(v, dict | list):
            yield from _from_json(v, names, inner, k)


def _narrowed(outer: frozenset[Scope], inner: set[Scope] | frozenset[Scope]) -> frozenset[Scope]:
    roles = {role for role, _ in inner}
    return frozenset(place for place in outer if place[0] not in roles) | inner


def _scope_of_key(key: str) -> frozenset[Scope]:
    meal = MEAL_WORDS.get(normal(key).strip())
    return frozenset({("meal", meal)} if meal else ())


def _cell(key: str, value: object) -> Cell:
    text = normal(str(value)).strip()
    return Cell(re.sub(r"\s*\(.*?\)", "", normal(key)).strip(), text, amount_in(text))


def _from_prose(text: str, names: frozenset[str], scope: frozenset[Scope]) -> Iterator[Sighting]:
    for seen in read_prose(text, names, scope):
        yield Sighting(seen.name, seen.scope, (), seen.amounts, seen.text)
