"""Facts: atomic, checkable parts of a result, and whether a message binds their parts.

A message carries a fact only when the parts stand together: in the same JSON object, in the same table row under its
header, or in the same clause, with day, night and meal given by the object around them or by the heading above them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from travel_lab.context.sightings import Cell, Sighting, sightings_in
from travel_lab.context.values import KEY_WORDS, Amount, Scope, normal, same_unit


@dataclass(frozen=True, kw_only=True)
class Fact:
    """One thing an agent found out, such as a hotel's price or a day's sight."""

    agent: str
    """Who produced it."""
    kind: str
    """Such as `hotel price`; the unit of counting in tables."""
    subject: str
    """The name it is about; for a sentence, the sentence itself."""
    value: float | str | None = None
    """What is said of the subject; None when the scope says it all."""
    unit: str = ""
    """Of a number: a currency code, `rating` or `stars`; blank when it is not known, then any will do."""
    keys: tuple[str, ...] = ()
    """Names of the JSON member or table column the value stands under; empty: any."""
    scope: tuple[Scope, ...] = ()
    """Where it holds, such as (("day", 2), ("meal", "lunch"))."""

    def __str__(self) -> str:
        """The fact in one line, such as `night 2: 锦江宾馆` or `锦江宾馆 = 500 CNY`."""
        where = ", ".join(f"{role} {value}" for role, value in self.scope)
        value = f"{self.value:g} {self.unit}".strip() if isinstance(self.value, float) else self.value
        said = self.subject if value is None else f"{self.subject} = {value}"
        return f"{where}: {said}" if where else said


def bound_facts(text: str, facts: Sequence[Fact]) -> set[Fact]:
    """Those of `facts` that the text binds."""
    return FactFinder(facts).bound_in(text)


class FactFinder:
    """Looks for the same facts in many texts; what a text costs does not grow with facts it does not name."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        """Sort the facts by the name they are about."""
        self._by_name: dict[str, list[Fact]] = {}
        for fact in facts:
            self._by_name.setdefault(normal(fact.subject), []).append(fact)
        self._names = frozenset(self._by_name)

    def bound_in(self, text: str) -> set[Fact]:
        """Those of the facts that the text binds."""
        seen = _sightings(text, self._names)
        return {fact for sighting in seen for fact in self._by_name[sighting.name] if _carries(sighting, fact)}


@lru_cache(maxsize=500)
def _sightings(text: str, names: frozenset[str]) -> tuple[Sighting, ...]:
    return tuple(sightings_in(text, names))


def _carries(sighting: Sighting, fact: Fact) -> bool:
    if not all(_holds(place, sighting.scope) for place in fact.scope):
        return False
    if fact.value is None:
        return True
    if sighting.cells:
        return any(_cell_has(cell, fact) for cell in sighting.cells)
    if isinstance(fact.value, str):
        return normal(fact.value) in sighting.text
    # A bare number is no price; but where nobody said what a fact is counted in, nobody can be asked to write it.
    return any(_same_amount(amount, fact.value, fact.unit) and (amount.unit or not fact.unit) for amount in sighting.amounts)


def _holds(place: Scope, scope: Iterable[Scope]) -> bool:
    role, value = place
    # Travellers and cards name a night by its day: "the hotel of day 2" is night 2.
    return place in scope or (role == "night" and ("day", value) in scope and not any(r == "night" for r, _ in scope))


def _cell_has(cell: Cell, fact: Fact) -> bool:
    if fact.keys and cell.key not in {KEY_WORDS.get(normal(key), normal(key)) for key in fact.keys}:
        return False
    if isinstance(fact.value, str):
        return cell.text == normal(fact.value)
    return cell.amount is not None and fact.value is not None and _same_amount(cell.amount, fact.value, fact.unit)


def _same_amount(amount: Amount, value: float, unit: str) -> bool:
    return amount.number == value and (not amount.unit or not unit or same_unit(amount.unit, unit))
