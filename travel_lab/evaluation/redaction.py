"""An audit to pass on: every value replaced by a placeholder, the same one for the same value."""

from collections.abc import Callable
from dataclasses import replace

from travel_lab.context import Fact
from travel_lab.evaluation.audited import Audit, AuditedFact


def redacted(audited: Audit) -> Audit:
    """The audit without a value of the state: names, texts, numbers, keys inside a field and thread names are placeholders.

    Field names, node names and counts stay. The same value has the same placeholder throughout, and in every audit of the same
    states; a placeholder tells the kind of value and its place in the order of first appearance, nothing else.
    """
    text, key, thread = _placeholders("text"), _placeholders("key"), _placeholders("thread")
    number = _placeholders("number")

    def hide(found: AuditedFact) -> AuditedFact:
        value = found.fact.value
        fact = Fact(
            agent=found.field,
            kind=key(found.fact.kind),
            subject=text(found.fact.subject),
            value=None if value is None else text(value) if isinstance(value, str) else number(repr(value)),
            scope=tuple((role, number(repr(at)) if isinstance(at, int) else text(at)) for role, at in found.fact.scope),
        )
        return replace(found, fact=fact, thread=thread(found.thread))

    facts = tuple(hide(found) for found in audited.facts)
    left_out = len(audited.private_notes)
    return replace(
        audited,
        source="(redacted)",
        facts=facts,
        threads=tuple(replace(row, name=thread(row.name)) for row in audited.threads),
        private_notes=(f"Notes that name the file or a thread are left out: {left_out}.",) if left_out else (),
    )


def _placeholders(kind: str) -> Callable[[str], str]:
    numbers: dict[str, int] = {}

    def placeholder(value: str) -> str:
        return f"[{kind} {numbers.setdefault(value, len(numbers) + 1)}]"

    return placeholder
