"""What it costs to hand facts over: as small tables of just these facts, or as the whole value in JSON."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from travel_lab.context import Entry, Fact, pack
from travel_lab.evaluation.carrying import Carrier
from travel_lab.evaluation.state_facts import Plain
from travel_lab.tokens import PER_MESSAGE, TokenCounter


@dataclass(frozen=True, kw_only=True)
class Cost:
    """Tokens of one more message that would hand a field's invisible facts over."""

    packed: int
    """With tables of the invisible facts alone."""
    kept: int
    """How many facts that text binds; fewer than `facts` when the budget is too small."""
    facts: int
    """Invisible facts that the field holds at the end."""
    full: int
    """With the field's whole value as JSON."""


def cost_of(field: str, value: Plain, missing: Sequence[Fact], budget: int | None, counter: TokenCounter) -> Cost:
    """What handing over would cost; nothing when nothing is missing.

    Args:
        field: Name of the field.
        value: What it holds at the end.
        missing: Facts of that value that no later call saw.
        budget: Most tokens for the tables; None: no limit.
        counter: Counts them.
    """
    if not missing:
        return Cost(packed=0, kept=0, facts=0, full=0)
    tables = packed_tables(field, missing, budget, counter)
    whole = json.dumps({field: value}, ensure_ascii=False, separators=(",", ":"))
    return Cost(
        packed=counter.text(tables) + PER_MESSAGE if tables else 0,
        kept=len(Carrier(missing).carried(tables)),
        facts=len(missing),
        full=counter.text(whole) + PER_MESSAGE,
    )


def packed_tables(field: str, facts: Sequence[Fact], budget: int | None, counter: TokenCounter) -> str:
    """The facts as small tables under the field's name; whole facts only, what is left out is counted in the last line."""

    def layout(entries: Sequence[Entry], left_out: int) -> str:
        more = [f"and {left_out} more not listed"] if left_out else []
        tables = [_table(place, [e for e in entries if e.place == place]) for place in dict.fromkeys(e.place for e in entries)]
        return "\n".join([f"{field}:", *("\n".join(lines) for lines in tables), *more])

    return pack(list(_entries(facts)), layout, budget, counter)


def _entries(facts: Iterable[Fact]) -> Iterable[Entry]:
    """One entry a name and place; a sentence and a bare number are lines of their own."""
    records: dict[tuple[str, str, str], dict[str, str]] = {}
    for fact in facts:
        if _is_line(fact):
            yield Entry(place="", column="", name=_line(fact), weight=1, details={}, weights={})
            continue
        heads, cells = "|".join(role for role, _ in fact.scope), "|".join(str(value) for _, value in fact.scope)
        details = records.setdefault((heads, cells, fact.subject), {})
        if fact.value is not None:
            details[_head(fact)] = _cell(fact.value)
    for (heads, cells, name), details in records.items():
        weight = 1 if heads else 0
        yield Entry(
            place=f"{heads}|name" if heads else "name",
            column=cells,
            name=name,
            weight=weight,
            details=details,
            weights=dict.fromkeys(details, 1),
        )


def _is_line(fact: Fact) -> bool:
    alone = (fact.value is None and not fact.scope) or fact.subject in fact.keys
    return alone or any(mark in f"{fact.subject}{fact.value}" for mark in "|｜\n")


def _line(fact: Fact) -> str:
    if fact.value is None and not fact.scope:
        return f"- {fact.subject}"
    if fact.subject in fact.keys and fact.value is not None:
        return f"{fact.subject}: {_cell(fact.value)} {fact.unit}".rstrip()
    said = {**dict(fact.scope), "name": fact.subject} | ({} if fact.value is None else {fact.kind: fact.value})
    return json.dumps(said, ensure_ascii=False)


def _head(fact: Fact) -> str:
    is_money = fact.unit not in {"", "rating", "stars"}
    return f"{fact.kind} ({fact.unit})" if is_money else fact.kind


def _cell(value: float | str) -> str:
    if isinstance(value, str):
        return value
    return str(int(value)) if value.is_integer() else repr(value)


def _table(place: str, entries: Sequence[Entry]) -> list[str]:
    if not place:
        return [entry.name for entry in entries]
    columns = list(dict.fromkeys(head for entry in entries for head in entry.details))
    rows = [[*([entry.column] if entry.column else []), entry.name, *_details(entry.details, columns)] for entry in entries]
    return ["|".join([place, *columns]), *("|".join(row) for row in rows)]


def _details(details: Mapping[str, str], columns: Sequence[str]) -> list[str]:
    return [details.get(column, "") for column in columns]
