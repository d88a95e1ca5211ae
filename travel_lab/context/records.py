"""A packed handoff for any app: a result's records as one table under one header, long lists by their first items."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from travel_lab.context.handoff import Result
from travel_lab.context.packing import Entry, pack
from travel_lab.context.sightings import NAME_KEYS
from travel_lab.context.values import normal
from travel_lab.tokens import DEEPSEEK, TokenCounter

Record = Mapping[str, Any]
_MORE = {"zh": "另有{count}项未列出", "en": "and {count} more not listed"}
_ITEM_MARK = {"zh": "、", "en": "; "}


@dataclass(frozen=True, kw_only=True)
class PackedRecords:
    """Handoff: every list of records in a result as a table, a key written once and not in every record.

    What is left out is counted where it is left out. Members that are no lists of records are written as `key: value` lines.
    """

    most: int = 10
    """Items of a list inside a record that are written out."""
    leave_out: frozenset[str] = frozenset()
    """Members that no question is about."""
    budget: int | None = None
    """Tokens of one table; None is no limit. When it is short, the first records, as their agent ranked them, come first."""
    weights: Mapping[str, float] = field(default_factory=dict)
    """Member → how useful it is when the budget is short; 1 for those not given."""
    counter: TokenCounter = DEEPSEEK

    def __call__(self, agent: str, result: Result, language: str) -> str:
        """The result as tables; blank when it holds nothing."""
        parts = [self._written(key, value, language) for key, value in result.items() if key not in self.leave_out]
        return "\n".join(part for part in parts if part)

    def _written(self, key: str, value: object, language: str) -> str:
        records = records_in(value)
        if not records:
            text = self._cell(value, language)
            return f"{key}: {text}" if text else ""
        entries = [self._entry(record, rank, language) for rank, record in enumerate(records, 1)]

        def layout(chosen: Sequence[Entry], left_out: int) -> str:
            return "\n".join([f"{key}:", *_table(chosen), *([_MORE[language].format(count=left_out)] if left_out else [])])

        return pack(entries, layout, self.budget, self.counter)

    def _entry(self, record: Record, rank: int, language: str) -> Entry:
        cells = {key: self._cell(value, language) for key, value in record.items() if key not in self.leave_out}
        name = name_key(cells)
        details = {key: text for key, text in cells.items() if text and key != name}
        return Entry(
            place=name,
            column="",
            name=cells[name],
            weight=1 / rank,
            details=details,
            weights={key: self.weights.get(key, 1.0) / rank for key in details},
        )

    def _cell(self, value: object, language: str) -> str:
        if isinstance(value, list | tuple):
            shown, mark = [_plain(item) for item in value[: self.most]], _ITEM_MARK[language]
            more = [_MORE[language].format(count=len(value) - self.most)] if len(value) > self.most else []
            return mark.join([*shown, *more])
        if isinstance(value, Mapping):
            return ", ".join(f"{key}: {_plain(item)}" for key, item in value.items())
        return "" if value is None else _plain(value)


def records_in(value: object) -> list[Record]:
    """The records of a list of records, or a record by itself; none for anything else."""
    if isinstance(value, Mapping):
        return [value]
    if isinstance(value, list | tuple) and value and all(isinstance(item, Mapping) for item in value):
        return [*value]
    return []


def name_key(record: Mapping[str, Any]) -> str:
    """The member that says what the record is called; the first one when none does."""
    return next((key for key in record if normal(key).endswith(NAME_KEYS)), next(iter(record)))


def _table(entries: Sequence[Entry]) -> Iterator[str]:
    """Records that call themselves by one member under one header."""
    for place in dict.fromkeys(entry.place for entry in entries):
        own = [entry for entry in entries if entry.place == place]
        columns = list(dict.fromkeys(key for entry in own for key in entry.details))
        shared = {key: own[0].details[key] for key in columns if len(own) > 1 and _is_shared(key, own)}
        told = [key for key in columns if key not in shared]
        yield "|".join([place, *told, *(f"{key}={value}" for key, value in shared.items())])
        for entry in own:
            yield "|".join([entry.name, *(entry.details.get(column, "") for column in told)])


def _is_shared(key: str, entries: Sequence[Entry]) -> bool:
    return len({entry.details.get(key, "") for entry in entries}) == 1


def _plain(value: object) -> str:
    """One cell's text: on one line, without the mark that ends a cell."""
    return f"{value:g}" if isinstance(value, float) else " ".join(str(value).replace("|", "/").split())
