"""The audit of a checkpoint file: which facts of its states stand in no stored message."""

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from travel_lab.checkpoints import CheckpointFile, TurnEnd, turn_ends
from travel_lab.context import Fact, FactRule
from travel_lab.evaluation.audited import Audit, AuditedFact, AuditedThread
from travel_lab.evaluation.carrying import Carrier
from travel_lab.evaluation.handing_over import Cost, cost_of
from travel_lab.evaluation.state_facts import Plain, facts_of_field, nodes_of, plain
from travel_lab.tokens import DEEPSEEK, TokenCounter

IN_MESSAGES = "messages"
"""Who got a fact that stands in a stored message."""
_INFO = "A file shows stored messages, not the views of model calls; play the graph itself with `tl.audit` to measure those."


def audit_file(
    source: str | os.PathLike[str],
    *,
    facts: Sequence[FactRule] | None = None,
    leave_out: Iterable[str] = (),
    budget: int | None = None,
    counter: TokenCounter = DEEPSEEK,
) -> Audit:
    """Which facts of the states in a checkpoint file, as they stood at the end of each turn, are in no stored message.

    The file is opened read-only and decoded strictly; nothing stored in it is imported or called. Read one thread at a time,
    and of each only what is new at the ends of its turns.

    Args:
        source: A SQLite file of LangGraph's saver or of ours.
        facts: A rule for each kind of fact; left out, every leaf of the state is one.
        leave_out: Fields that are no business of any model.
        budget: Most tokens a field's packed tables may have; None: no limit.
        counter: Counts tokens.

    Raises:
        NotADatabase: It is no LangGraph checkpoint file.
        StorageError: It cannot be read.
    """
    with CheckpointFile.open(source) as file:
        names = [row.session_id for row in file.sessions()]
        skipped = frozenset(leave_out)
        threads = [_read(name, turn_ends(file.connection, name), facts, skipped) for name in names]
        notes = file.notes
    audited = tuple(found for thread in threads for found in thread.audited())
    held = list(dict.fromkeys(name for thread in threads for name in thread.values))
    filled = {found.field for found in audited}
    blocked = sorted({name for thread in threads for name in thread.blocked})
    return Audit(
        measured="stored",
        source=Path(source).name,
        facts=audited,
        empty=tuple(name for name in held if name not in filled),
        costs={name: _sum(thread.cost(name, facts, budget, counter) for thread in threads) for name in held},
        calls=(),
        threads=tuple(
            AuditedThread(name=thread.name, turns=thread.turns, messages=len(thread.messages) if thread.spoken else None)
            for thread in threads
        ),
        unrecorded=(),
        counter=counter.name,
        budget=budget,
        notes=(_INFO, *([f"Types that were not imported: {', '.join(blocked)}."] if blocked else [])),
        private_notes=(*notes, *(damage for thread in threads for damage in thread.damage)),
    )


@dataclass
class _Thread:
    """What was read of one thread."""

    name: str
    turns: int = 0
    spoken: set[str] = field(default_factory=set)
    """Fields that hold messages; without one nothing can be measured."""
    messages: list[str] = field(default_factory=list)
    """The texts of all stored messages, each once."""
    since: dict[tuple[str, Fact], int] = field(default_factory=dict)
    """(field, fact) → the turn at whose end it was first there."""
    values: dict[str, Plain] = field(default_factory=dict)
    blocked: dict[str, None] = field(default_factory=dict)
    damage: list[str] = field(default_factory=list)
    seen: set[Fact] = field(default_factory=set)

    def audited(self) -> Iterable[AuditedFact]:
        """Its facts, in the order in which they appeared."""
        looked_in = len(self.messages) if self.spoken else 0
        for (where, fact), turn in self.since.items():
            got = (IN_MESSAGES,) if fact in self.seen else ()
            yield AuditedFact(
                field=where, fact=fact, thread=self.name, turn=turn, looked_in=looked_in, seen_by=got, size=len(str(fact))
            )

    def cost(self, name: str, rules: Sequence[FactRule] | None, budget: int | None, counter: TokenCounter) -> Cost:
        """Of handing over what a field held at the end and no message says."""
        held = self.values.get(name)
        missing = [fact for fact in facts_of_field(name, held, rules) if fact not in self.seen] if self.spoken else []
        return cost_of(name, held, missing, budget, counter)


def _read(name: str, ends: Iterable[TurnEnd], rules: Sequence[FactRule] | None, leave_out: frozenset[str]) -> _Thread:
    thread = _Thread(name)
    own: set[str] = set()
    for end in ends:
        if not end.namespace:
            thread.turns = end.turn
            own |= end.changed.keys()
        thread.damage += [end.damage] if end.damage else []
        thread.spoken |= end.messages_fields
        thread.messages += [text for message in end.messages if (text := _text(message))]
        thread.blocked.update(dict.fromkeys(end.blocked))
        for key, value in end.changed.items():
            where = key if key in own else ".".join([*nodes_of(end.namespace), key])
            if where not in leave_out and key not in thread.spoken:
                thread.values[where] = held = plain(value)
                for fact in facts_of_field(where, held, rules):
                    thread.since.setdefault((where, fact), end.turn)
    carrier = Carrier(dict.fromkeys(fact for _, fact in thread.since))
    for text in thread.messages:
        thread.seen |= carrier.carried(text, besides=thread.seen)
    return thread


def _text(message: Mapping[str, Any]) -> str:
    """All of a stored message that a model would read."""
    content = message.get("content")
    parts = content if isinstance(content, list) else [content]
    said = [part if isinstance(part, str) else str(part.get("text", "")) for part in parts if isinstance(part, str | Mapping)]
    calls = message.get("tool_calls") or []
    made = [
        json.dumps(call["args"], ensure_ascii=False, default=str)
        for call in calls
        if isinstance(call, Mapping) and "args" in call
    ]
    return "\n".join([text for text in ("".join(said), *made) if text])


def _sum(costs: Iterable[Cost]) -> Cost:
    whole = list(costs)
    return Cost(
        packed=sum(cost.packed for cost in whole),
        kept=sum(cost.kept for cost in whole),
        facts=sum(cost.facts for cost in whole),
        full=sum(cost.full for cost in whole),
    )
