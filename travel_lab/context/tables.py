"""Tables in a text: lines of cells between pipes under a header line, also when the header holds names or days."""

import re
from collections.abc import Iterator
from typing import NamedTuple

_RULE = re.compile(r"[\s|:\-]+")


class Table(NamedTuple):
    """A header and its rows."""

    header: list[str]
    rows: list[list[str]]
    before: str
    """The stretch of prose the table stands under."""


def split_tables(text: str) -> Iterator[str | Table]:
    """The text in order: stretches of prose and the tables between them."""
    lines = text.replace("｜", "|").split("\n")
    prose: list[str] = []
    at = 0
    while at < len(lines):
        end = at
        while end < len(lines) and "|" in lines[end]:
            end += 1
        rows = [_cells(line) for line in lines[at:end] if not _RULE.fullmatch(line)]
        if len(rows) > 1:
            before = "\n".join(prose)
            yield before
            yield Table(rows[0], rows[1:], before)
            prose = []
        else:
            prose += lines[at : max(end, at + 1)]
        at = max(end, at + 1)
    yield "\n".join(prose)


def _cells(line: str) -> list[str]:
    inner = line.strip()
    inner = inner.removeprefix("|").removesuffix("|")
    return [cell.strip() for cell in inner.split("|")]
