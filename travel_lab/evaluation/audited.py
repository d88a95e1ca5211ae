"""What an audit found: facts of the state, who saw them, and what handing the rest over would cost; as text, page and data."""

import io
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from rich.console import Console

from travel_lab.context import Fact, Score
from travel_lab.display import render_page, say, shortened, table
from travel_lab.errors import UnknownName
from travel_lab.evaluation.handing_over import Cost

LARGEST = 10
"""How many of the invisible facts a report names."""
SHOWN = 100
"""Characters of a fact shown in a terminal."""
DEFINITIONS = {
    "views": (
        "visibility = facts bound in the view of any later model call / facts that had a later call. A call is later when it "
        "began after the fact was in the state. Measured: all messages of the recorded views, and the arguments of their tool "
        "calls."
    ),
    "stored": (
        "in messages = facts bound in any message that the thread stored at the end of a turn / facts of the state at the ends "
        "of turns. Measured: stored messages, not views. A file does not tell what a model was shown."
    ),
}
"""What the numbers of an audit mean, by what it measured."""
BOUND = (
    "Bound: the parts of the fact stand together in one message: in the same object, table row or clause; a number without a "
    "name beside its key; a sentence word for word. Every leaf of a field is a fact; a long text is one fact a sentence."
)


WORDS: Mapping[str, Mapping[str, str]] = {
    "views": {"visible": "visible", "never": "Fields whose facts no later model call saw", "hidden": "invisible"},
    "stored": {"visible": "in messages", "never": "Fields whose facts are not in messages", "hidden": "not in messages"},
}
"""How the columns are called, by what was measured."""
_FREE = Cost(packed=0, kept=0, facts=0, full=0)


@dataclass(frozen=True, kw_only=True)
class AuditedFact:
    """A fact of the state and what became of it."""

    field: str
    """State field that held it; one that a subgraph alone has is named after it, as `trip.notes`."""
    fact: Fact
    thread: str
    turn: int
    """In whose state it first was, from 1."""
    looked_in: int
    """Later calls, or stored messages, in which it was looked for; 0: not measured."""
    seen_by: tuple[str, ...]
    """Who got it: agents, one entry a call; `messages` for a file."""
    size: int
    """Characters of the fact as it is written."""


@dataclass(frozen=True, kw_only=True)
class FieldAudit:
    """What models get of one field of the state."""

    field: str
    facts: int
    """Facts it ever held."""
    measured: int
    """Those with a later call, or with stored messages beside them."""
    visible: int
    """Those bound there."""
    seen_by: Mapping[str, int]
    """Who got how many of them."""
    cost: Cost
    """Of handing over what is invisible of the field's value at the end."""

    @property
    def score(self) -> Score:
        """Facts visible / measured; nan when nothing could be measured, which is not zero."""
        if not self.measured:
            return Score(value=math.nan, reason=self.verdict)
        return Score(value=self.visible / self.measured, reason=f"{self.visible} of {self.measured} facts are bound")

    @property
    def verdict(self) -> str:
        """In a word: `never`, `partly`, `whole`, `not measured`, or `no facts`."""
        if not self.measured:
            return "not measured" if self.facts else "no facts"
        return "never" if not self.visible else "whole" if self.visible == self.measured else "partly"


@dataclass(frozen=True, kw_only=True)
class AuditedCall:
    """One recorded model call."""

    agent: str
    """The nodes it was made in."""
    turn: int
    tokens: int
    """Of its view."""
    facts: int
    """Facts there were when it began."""
    bound: int
    """Those its view binds."""


@dataclass(frozen=True, kw_only=True)
class AuditedThread:
    """One thread of what was audited."""

    name: str
    turns: int
    messages: int | None
    """Stored ones; None when the models' views were measured instead."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Audit:
    """What the models of an app get of its state."""

    measured: Literal["views", "stored"]
    """The views of its model calls, or only the messages stored in a file."""
    source: str
    """Name of the graph or the file."""
    facts: tuple[AuditedFact, ...]
    empty: tuple[str, ...]
    """Fields without a fact."""
    costs: Mapping[str, Cost]
    """By field."""
    calls: tuple[AuditedCall, ...]
    """None for a file."""
    threads: tuple[AuditedThread, ...]
    unrecorded: tuple[str, ...]
    """Nodes that ran without a recorded model call: they made none, or one that LangChain was not told of."""
    counter: str
    """Vocabulary of all tokens."""
    budget: int | None
    """Most tokens a field's packed tables may have."""
    notes: tuple[str, ...] = ()
    """What a reader should know."""
    private_notes: tuple[str, ...] = ()
    """The same, where the file or a thread is named."""

    @property
    def definition(self) -> str:
        """What the numbers mean."""
        return f"{DEFINITIONS[self.measured]} {BOUND}"

    @property
    def fields(self) -> tuple[FieldAudit, ...]:
        """Every field of the state, in the order in which they were first filled."""
        by_field: dict[str, list[AuditedFact]] = {}
        for found in self.facts:
            by_field.setdefault(found.field, []).append(found)
        return tuple(_field(name, by_field.get(name, []), self.costs.get(name, _FREE)) for name in (*by_field, *self.empty))

    @property
    def never(self) -> tuple[str, ...]:
        """Fields of which nothing was seen, and something could have been."""
        return tuple(audited.field for audited in self.fields if audited.verdict == "never")

    @property
    def score(self) -> Score:
        """Visibility of all facts; nan when nothing was measured."""
        measured = [found for found in self.facts if found.looked_in]
        visible = sum(bool(found.seen_by) for found in measured)
        if not measured:
            return Score(value=math.nan, reason=f"Nothing was measured: {self._why_not()}")
        where = "later views" if self.measured == "views" else "stored messages"
        return Score(value=visible / len(measured), reason=f"{visible} of {len(measured)} facts are bound in {where}.")

    def invisible(self) -> tuple[AuditedFact, ...]:
        """Facts that could have been seen and were not, the longest first."""
        hidden = [found for found in self.facts if found.looked_in and not found.seen_by]
        return tuple(sorted(hidden, key=lambda found: -found.size))

    def _why_not(self) -> str:
        if self.measured == "stored":
            return "no thread has both facts and stored messages."
        if not self.facts:
            return "no field of the state held a fact."
        if not self.calls:
            nodes = f" Nodes that ran: {', '.join(self.unrecorded)}." if self.unrecorded else ""
            return f"no model call told LangChain of itself; a bare client such as openai's does not.{nodes}"
        return "no model call followed the facts. Play another turn."

    def as_json(self) -> dict[str, Any]:
        """All of it as plain data; a share that was not measured is None."""
        return {
            "measured": self.measured,
            "source": self.source,
            "definition": self.definition,
            "visibility": _number(self.score),
            "reason": self.score.reason,
            "never": list(self.never),
            "fields": [_field_json(audited) for audited in self.fields],
            "largest invisible": [_fact_json(found) for found in self.invisible()[:LARGEST]],
            "threads": [vars(thread) for thread in self.threads],
            "calls": [vars(call) for call in self.calls],
            "unrecorded": list(self.unrecorded),
            "counter": self.counter,
            "budget": self.budget,
            "notes": [*self.notes, *self.private_notes],
        }

    def html(self) -> str:
        """A page that needs nothing else."""
        return self._page("audit.html")

    def text(self, width: int = 120) -> str:
        """The same for a terminal of that many columns."""
        words, out = WORDS[self.measured], io.StringIO()
        # In a notebook rich would also show what is written here.
        console = Console(file=out, width=width, force_jupyter=False)
        say(console, f"{self.source}: {self.score.reason} {words['never']}: {', '.join(self.never) or 'none'}.\n")
        console.print(table("Fields of the state", self._columns(), self._rows()))
        say(console, f"\n{self._columns_told()}\n{self.definition}\n")
        largest = [
            [found.field, found.fact.kind, str(found.turn), found.thread, shortened(str(found.fact), SHOWN)]
            for found in self.invisible()[:LARGEST]
        ]
        if largest:
            title = f"The largest facts that are {words['hidden']}"
            console.print(table(title, ("field", "member", "since turn", "thread", "fact"), largest, left=5))
        for note in (*self.notes, *self.private_notes):
            say(console, f"\nnote: {note}")
        return out.getvalue()

    def _page(self, template: str) -> str:
        return render_page(
            template,
            audit=self,
            words=WORDS[self.measured],
            columns=self._columns(),
            columns_told=self._columns_told(),
            rows=self._rows(),
            largest=self.invisible()[:LARGEST],
        )

    def _columns(self) -> tuple[str, ...]:
        seen_by = ("seen by",) if self.measured == "views" else ()
        return ("field", "verdict", "facts", "looked for", WORDS[self.measured]["visible"], "share", "full", "packed", *seen_by)

    def _rows(self) -> list[tuple[str, ...]]:
        return [_row(audited)[: len(self._columns())] for audited in self.fields]

    def _columns_told(self) -> str:
        limit = "" if self.budget is None else f", at most {self.budget} a field"
        return (
            "full: tokens of one more message with the field's whole value as JSON. packed: tokens of one with tables of its "
            f"facts {WORDS[self.measured]['hidden']} alone{limit}, and how many of them it binds. Both are for the value at the "
            f"end, counted with {self.counter}; a dash: nothing to hand over, or not measured."
        )

    def _repr_html_(self) -> str:
        return self._page("audit_tables.html")

    def __repr__(self) -> str:
        """The headline."""
        return f"Audit of {self.source}: {self.score.reason} {WORDS[self.measured]['never']}: {', '.join(self.never) or 'none'}."

    def __str__(self) -> str:
        """As `text`."""
        return self.text()


def assert_context_complete(audited: Audit, *, at_least: float = 1.0, fields: Iterable[str] | None = None) -> None:
    """For tests: fail unless at least that share of the facts of the state reaches a later model call.

    Args:
        audited: From `audit`, or of a file.
        at_least: Between 0 and 1.
        fields: Only these fields of the state.

    Raises:
        AssertionError: Names the facts that no later call saw; or says that nothing was measured, which is no success.
        UnknownName: No field of that name was audited.
    """
    known = [made.field for made in audited.fields]
    wanted = set(known if fields is None else fields)
    for name in sorted(wanted - set(known)):
        raise UnknownName("field", name, known or ["(none)"], "Only fields that were filled are audited.")
    measured = [found for found in audited.facts if found.field in wanted and found.looked_in]
    if not measured:
        raise AssertionError(f"The context was not measured. {audited.score.reason}")
    hidden = [found for found in audited.invisible() if found.field in wanted]
    share = 1 - len(hidden) / len(measured)
    if share < at_least:
        named = "\n".join(
            f"  {found.field}, {found.fact.kind}: {found.fact} (since turn {found.turn})" for found in hidden[:LARGEST]
        )
        more = f"\n  and {len(hidden) - LARGEST} more" if len(hidden) > LARGEST else ""
        raise AssertionError(
            f"{len(hidden)} of {len(measured)} facts are {WORDS[audited.measured]['hidden']}: {share:.2f} is under "
            f"{at_least:.2f}.\n{named}{more}\n{audited.definition}"
        )


def _field(name: str, found: Sequence[AuditedFact], cost: Cost) -> FieldAudit:
    return FieldAudit(
        field=name,
        facts=len(found),
        measured=sum(bool(one.looked_in) for one in found),
        visible=sum(bool(one.seen_by) for one in found),
        seen_by=Counter(agent for one in found for agent in dict.fromkeys(one.seen_by)),
        cost=cost,
    )


def _row(audited: FieldAudit) -> tuple[str, ...]:
    who = ", ".join(f"{agent} {count}" for agent, count in audited.seen_by.items())
    share = f"{audited.score.value:.2f}" if audited.measured else "–"
    full, packed = (str(audited.cost.full), f"{audited.cost.packed} ({audited.cost.kept})") if audited.cost.facts else ("–", "–")
    counts = (str(audited.facts), str(audited.measured), str(audited.visible) if audited.measured else "–")
    return (audited.field, audited.verdict, *counts, share, full, packed, who or "–")


def _number(score: Score) -> float | None:
    return None if math.isnan(score.value) else score.value


def _field_json(audited: FieldAudit) -> dict[str, Any]:
    counts = {"facts": audited.facts, "measured": audited.measured, "visible": audited.visible}
    return {
        "field": audited.field,
        "verdict": audited.verdict,
        **counts,
        "visibility": _number(audited.score),
        "seen by": dict(audited.seen_by),
        "cost": vars(audited.cost),
    }


def _fact_json(found: AuditedFact) -> dict[str, Any]:
    return {
        "field": found.field,
        "member": found.fact.kind,
        "fact": str(found.fact),
        "thread": found.thread,
        "turn": found.turn,
    }
