"""Facts of an app that declares none: read off its state, or declared by its owner in a line each.

    rules = [FactRule(agent="search", field="rooms", subject="title", value="price", unit="USD")]
    facts = declared_facts(rules, state)
    facts = derive_facts(state)  # or none declared: every leaf of the state

In a state, a record with a name gives one fact for each other plain member; a record's day, night and meal hold for it and all
below it; a plain value without a named record around it is a fact about its own key.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from travel_lab.context.facts import Fact
from travel_lab.context.sightings import NAME_KEYS
from travel_lab.context.values import SCOPE_KEYS, Scope, currency_in, normal, scope_of

MONEY_KEYS = ("price", "cost", "fare", "ticket", "amount", "价格", "费用", "票价")
"""Ends of keys whose number is an amount of money."""
LONGEST = 300
"""Characters of a text that can be one fact; a longer one is a document, not a fact."""


@lru_cache(10_000)
def _key(key: str) -> str:
    """The form of a key for comparison; a state has few keys, and each stands in it many times."""
    return normal(key).strip()


@dataclass(frozen=True, kw_only=True)
class FactRule:
    """One kind of fact in an app's state."""

    agent: str
    """Who produces it."""
    field: str
    """State field with the record or the list of records; dots lead inwards, such as `plan.rooms`."""
    subject: str
    """Member with the name."""
    value: str | None = None
    """Member with what is said of it; None: that it is there, on its day."""
    unit: str = ""
    """Of a number: a currency code, `rating` or `stars`."""


def declared_facts(rules: Iterable[FactRule], state: Mapping[str, Any]) -> tuple[Fact, ...]:
    """The facts the rules find in a state; a field that is missing or empty has none."""
    found = [
        fact for rule in rules for record, scope in _records(_at(state, rule.field), ()) for fact in _by_rule(rule, record, scope)
    ]
    return tuple(dict.fromkeys(found))


def derive_facts(state: Mapping[str, Any], *, leave_out: Iterable[str] = ("messages",)) -> tuple[Fact, ...]:
    """Facts read off every field of a state but those left out; a fact's agent is its field, its kind the member's key."""
    skipped = set(leave_out)
    found: list[Fact] = []
    for field, value in state.items():
        if field not in skipped:
            _read(found, field, field, value, (), "")
    return tuple(dict.fromkeys(found))


def _at(state: object, path: str) -> object:
    for key in path.split("."):
        state = state.get(key) if isinstance(state, Mapping) else None
    return state


def _records(value: object, scope: tuple[Scope, ...]) -> Iterator[tuple[Mapping[str, Any], tuple[Scope, ...]]]:
    """Every record at or below a value, with the day, night and meal around it."""
    if isinstance(value, Mapping):
        inner = _scope(value, scope)
        yield value, inner
        for member in value.values():
            yield from _records(member, inner)
    elif isinstance(value, Sequence) and not isinstance(value, str | bytes):
        for item in value:
            yield from _records(item, scope)


def _by_rule(rule: FactRule, record: Mapping[str, Any], scope: tuple[Scope, ...]) -> Iterator[Fact]:
    subject = record.get(rule.subject)
    if not isinstance(subject, str) or not subject.strip():
        return
    if rule.value is None:
        yield Fact(agent=rule.agent, kind=rule.subject, subject=subject, scope=scope)
    elif (value := _plain(record.get(rule.value))) is not None:
        unit = rule.unit if isinstance(value, float) else ""
        yield Fact(agent=rule.agent, kind=rule.value, subject=subject, value=value, unit=unit, keys=(rule.value,))


def _read(found: list[Fact], agent: str, key: str, value: object, scope: tuple[Scope, ...], currency: str) -> None:
    """Add the facts at and below a value. A list is handed down, because a state has many leaves on many levels."""
    if isinstance(value, str):
        if value.strip() and len(value) <= LONGEST:
            found.append(Fact(agent=agent, kind=key, subject=value.strip(), scope=scope))
    elif isinstance(value, Mapping):
        _read_record(found, agent, key, value, scope, currency)
    elif isinstance(value, Sequence) and not isinstance(value, bytes):
        for item in value:
            _read(found, agent, key, item, scope, currency)
    elif (number := _plain(value)) is not None:
        found.append(Fact(agent=agent, kind=key, subject=key, value=number, unit=_unit(key, currency), keys=(key,)))


def _read_record(
    found: list[Fact], agent: str, key: str, record: Mapping[str, Any], scope: tuple[Scope, ...], currency: str
) -> None:
    inner = _scope(record, scope)
    money = next((currency_in(str(v)) for k, v in record.items() if _key(str(k)) == "currency"), currency)
    name_key = next((k for k, v in record.items() if _is_name(str(k), v)), None)
    name = str(record[name_key]).strip() if name_key is not None else ""
    if name and inner:
        found.append(Fact(agent=agent, kind=key, subject=name, scope=inner))
    for member, value in record.items():
        if member == name_key or _key(str(member)) == "currency" or _key(str(member)) in SCOPE_KEYS:
            continue
        plain = _plain(value) if name else None
        if plain is not None and not (isinstance(plain, str) and len(plain) > LONGEST):
            unit = _unit(member, money) if isinstance(plain, float) else ""
            found.append(Fact(agent=agent, kind=str(member), subject=name, value=plain, unit=unit, keys=(str(member),)))
        else:
            _read(found, agent, str(member), value, inner, money)


def _is_name(key: str, value: object) -> bool:
    return _key(key).endswith(NAME_KEYS) and isinstance(value, str) and bool(value.strip())


def _scope(record: Mapping[str, Any], outer: tuple[Scope, ...]) -> tuple[Scope, ...]:
    own = {place for key, value in record.items() if _key(str(key)) in SCOPE_KEYS for place in scope_of(str(key), value)}
    roles = {role for role, _ in own}
    return (*(place for place in outer if place[0] not in roles), *sorted(own, key=str))


def _plain(value: object) -> float | str | None:
    """A number or a text as a fact's value; None for anything else."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return float(value)
    return value.strip() or None if isinstance(value, str) else None


def _unit(key: str, currency: str) -> str:
    words = _key(key)
    if words.endswith(MONEY_KEYS):
        return currency_in(key) or currency
    return next((unit for unit in ("rating", "stars") if words.endswith(unit)), "")
