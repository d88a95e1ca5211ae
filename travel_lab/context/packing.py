"""Packing: the most useful facts per token under a budget, whole facts only.

A text is made of entries (a hotel, a sight, a meal, a sentence); an entry has a name and details (a price, a rating).
Entries and details are added one by one, the most weight per token first, for as long as the whole text, counted
exactly, stays within the budget. How the entries are written out is the caller's layout.
"""

import heapq
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from travel_lab.errors import BadInput
from travel_lab.tokens import TokenCounter


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One thing a text can hold."""

    place: str
    """Where it belongs, such as a day; entries of one place stand together."""
    column: str
    """Such as a meal; blank when the place says it all."""
    name: str
    """What it is called, or the sentence it is."""
    weight: float
    """How useful the name alone is; 0 when it states no fact."""
    details: Mapping[str, str]
    """Kind of a detail → its written form."""
    weights: Mapping[str, float]
    """Kind of a detail → how useful it is."""


Layout = Callable[[Sequence[Entry], int], str]
"""From the chosen entries with their chosen details, and the number of entries left out, to a text."""


def pack(entries: Sequence[Entry], layout: Layout, budget: int | None, counter: TokenCounter) -> str:
    """The text of the most useful part of `entries` that fits `budget`.

    Args:
        entries: In the order they are to be read.
        layout: Writes them out.
        budget: In the counter's unit; None writes everything.
        counter: Counts the whole text.

    Returns:
        The text; blank when not even one entry fits.

    Raises:
        BadInput: The budget is negative.
    """
    if budget is not None and budget < 0:
        raise BadInput(f"A packing budget is a number from 0 up, found {budget!r}. None means no limit.")
    whole = layout(entries, 0)
    if budget is None or counter.text(whole) <= budget:
        return whole
    return _Packer(entries, layout, budget, counter).text()


class _Packer:
    """Adds steps while they fit: the first step of an entry writes its name, each later one a detail."""

    def __init__(self, entries: Sequence[Entry], layout: Layout, budget: int, counter: TokenCounter) -> None:
        self.entries, self.layout, self.budget, self.counter = entries, layout, budget, counter
        self.steps = [_steps(entry, counter) for entry in entries]
        self.chosen: dict[int, tuple[str, ...]] = {}

    def text(self) -> str:
        queue = [(-self._gain(at, 0), at, 0) for at in range(len(self.entries))]
        heapq.heapify(queue)
        while queue:
            _, at, step = heapq.heappop(queue)
            before = self.chosen.get(at)
            self.chosen[at] = (*(before or ()), *self.steps[at][step][0])
            if self.counter.text(self._written()) > self.budget:
                if before is None:
                    del self.chosen[at]
                    continue  # without its name an entry has no details
                self.chosen[at] = before
            if step + 1 < len(self.steps[at]):
                heapq.heappush(queue, (-self._gain(at, step + 1), at, step + 1))
        return self._written() if self.chosen else ""

    def _gain(self, at: int, step: int) -> float:
        _, weight, cost = self.steps[at][step]
        return weight / cost

    def _written(self) -> str:
        kept = [
            replace(self.entries[at], details={kind: self.entries[at].details[kind] for kind in self.chosen[at]})
            for at in sorted(self.chosen)
        ]
        return self.layout(kept, len(self.entries) - len(kept))


def _steps(entry: Entry, counter: TokenCounter) -> list[tuple[tuple[str, ...], float, int]]:
    """(details, weight, tokens) of each step; a name that states no fact comes with its best detail."""
    details = sorted(
        (((kind,), entry.weights[kind], counter.text(text) + 1) for kind, text in entry.details.items()),
        key=lambda step: -step[1] / step[2],
    )
    name = counter.text(entry.name) + 1
    if entry.weight or not details:
        return [((), entry.weight, name), *details]
    kinds, weight, cost = details[0]
    return [(kinds, weight, name + cost), *details[1:]]
