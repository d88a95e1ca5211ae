"""Reads the small tables of the packed handoff, as the offline model would read them in its view."""

import re
from collections.abc import Iterator, Mapping, Sequence

NAMES = {
    "酒店": "hotel", "hotel": "hotel", "价格": "price", "price": "price", "评分": "rating", "rating": "rating",
    "晚": "night", "night": "night", "天": "day", "day": "day", "景点": "sights", "sights": "sights",
    "午餐": "lunch", "lunch": "lunch", "晚餐": "dinner", "dinner": "dinner",
}  # fmt: skip
_DETAILS = re.compile(r"(?:\s+\d{2}:\d{2})?(?:\s+(?:¥|A\$|US\$|[A-Z]{3} )(?P<price>[\d.]+))?$")
_ETIQUETTE = re.compile(r"^(?:礼仪|etiquette):\n(?P<lines>(?:.*[。.!！]\n?)+)", re.MULTILINE)


def table_rows(text: str) -> Iterator[dict[str, str]]:
    """The rows of the tables in a text, each cell under its column's common name."""
    header: Sequence[str] = ()
    for line in text.split("\n"):
        cells = line.split("|")
        heads = [NAMES.get(cell.partition("(")[0], "") for cell in cells]
        if len(cells) > 1 and heads[0] in {"hotel", "day"}:
            header = heads
        elif len(cells) == len(header):
            yield {head: cell.strip() for head, cell in zip(header, cells, strict=True) if head and cell.strip()}
        else:
            header = ()


def nights_in(row: Mapping[str, str]) -> list[int]:
    """The nights a hotel's row names."""
    return [int(night) for night in re.findall(r"\d+", row.get("night", ""))]


def named_in(cell: str) -> list[tuple[str, float | None]]:
    """The names in a cell, each with its price when it has one, without times."""
    found = []
    for part in (part.strip() for part in re.split(r"、|→", cell)):
        details = _DETAILS.search(part)
        price = details["price"] if details else None
        found.append((_DETAILS.sub("", part), float(price) if price else None))
    return [(name, price) for name, price in found if name]


def etiquette_in(text: str) -> list[str]:
    """The sentences under the heading of the etiquette."""
    match = _ETIQUETTE.search(text)
    return match["lines"].strip().split("\n") if match else []
