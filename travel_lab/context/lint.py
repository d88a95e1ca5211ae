"""What is wrong with a handoff, found by comparing its text with the facts of the result it is about.

Every rule reads the text as the next model call would: only what the text binds counts.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from travel_lab.context.facts import Fact, bound_facts
from travel_lab.context.values import CURRENCY, NUMBER, normal
from travel_lab.tokens import DEEPSEEK, TokenCounter

RULES = ("zero facts", "cut fact", "missing price", "missing day", "stale", "contradicts result", "over cap")
MONEY = frozenset(CURRENCY.values())
MOST_DAYS = 31
"""Days and nights tried when a name is looked for at a wrong one."""
_OPEN_END = re.compile(r"[(:|,、→>\[{]\s*$|->\s*$")
_LAST_NUMBER = re.compile(r"(?P<number>\d[\d,.]*)$")


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One thing that is wrong with a handoff."""

    rule: str
    """One of `RULES`."""
    fact: Fact | None
    """The fact it is about; for `stale` and `contradicts result` the one the text states; None for the whole text."""
    reason: str
    """What was found, in words."""


def lint_handoff(
    text: str,
    facts: Sequence[Fact],
    *,
    past: Sequence[Fact] = (),
    whole: str | None = None,
    cap: int | None = None,
    counter: TokenCounter = DEEPSEEK,
) -> tuple[Finding, ...]:
    """Everything wrong with the handoff `text` of a result.

    Args:
        text: What the agent wrote for later calls.
        facts: Of the result.
        past: Facts of earlier results of the same agent; those that hold no more are stale.
        whole: What the handoff would have said without its cut, when that is known.
        cap: The most the text may cost, in the counter's unit.
        counter: What the cap is counted in.

    Returns:
        Findings by rule, in the order of `RULES`; none for a handoff without a fault.
    """
    bound = bound_facts(text, facts)
    findings = [
        *_zero(bound, facts),
        *_cut(text, facts, bound, whole),
        *_incomplete(text, facts, bound),
        *_stale(text, facts, past),
        *contradictions(text, facts, past),
    ]
    cost = counter.text(text)
    if cap is not None and cost > cap:
        findings.append(Finding(rule="over cap", fact=None, reason=f"{cost} {counter.name}, allowed are {cap}."))
    return tuple(sorted(findings, key=lambda finding: RULES.index(finding.rule)))


def _zero(bound: set[Fact], facts: Sequence[Fact]) -> Iterator[Finding]:
    if facts and not bound:
        yield Finding(rule="zero facts", fact=None, reason=f"None of the result's {len(facts)} facts is bound.")


def _cut(text: str, facts: Sequence[Fact], bound: set[Fact], whole: str | None) -> Iterator[Finding]:
    if whole is not None:
        if text != whole and whole.startswith(text):
            lost = [fact for fact in facts if fact in bound_facts(whole, facts) and fact not in bound]
            first = lost[0] if lost else None
            said = f", and {len(lost)} facts with it, the first of them {first}" if lost else ""
            yield Finding(rule="cut fact", fact=first, reason=f"The last {len(whole) - len(text)} characters were cut off{said}.")
        return
    why = _open_end(text) or _half_fact(normal(text).rstrip(), facts, bound)
    if why:
        yield Finding(rule="cut fact", fact=None, reason=why)


def _open_end(text: str) -> str:
    """Why the text looks unfinished whatever it is about; blank when it does not."""
    stripped = text.strip()
    if stripped.startswith(("{", "[")):
        try:
            json.loads(stripped)
        except ValueError:
            return "The JSON has no end."
        return ""
    lines = text.rstrip("\n").split("\n")
    table = [line for line in lines if "|" in line]
    if len(table) > 1 and "|" in lines[-1] and lines[-1].count("|") < table[0].count("|"):
        return "The last row of the table has fewer cells than its header."
    if _OPEN_END.search(normal(text)) and "|" not in lines[-1]:
        return f"The text ends with {stripped[-1:]!r}."
    return ""


def _half_fact(text: str, facts: Sequence[Fact], bound: set[Fact]) -> str:
    """Why the text seems to end inside a name or a number; blank when it does not."""
    names = {normal(fact.subject) for fact in facts}
    ends_whole = any(text.endswith(name) for name in names)
    for name in sorted(names):
        head = next((name[:size] for size in range(len(name) - 1, 1, -1) if text.endswith(name[:size])), "")
        if head and not ends_whole:
            return f"The text ends with {head!r}, the beginning of {name!r}."
    number = _LAST_NUMBER.search(text)
    for fact in facts:
        if number and isinstance(fact.value, float) and fact not in bound:
            told = f"{fact.value:g}"
            if told.startswith(number["number"]) and told != number["number"] and normal(fact.subject) in text[-80:]:
                return f"The text ends with {number['number']!r}, the beginning of {told!r} of {fact.subject!r}."
    return ""


def _incomplete(text: str, facts: Sequence[Fact], bound: set[Fact]) -> Iterator[Finding]:
    """Names that stand in the text without their price, or without their day, night or meal."""
    named = {fact.subject for fact in bound_facts(text, [Fact(agent="", kind="", subject=f.subject) for f in facts])}
    for fact in facts:
        if fact in bound or fact.subject not in named:
            continue
        if fact.unit in MONEY:
            yield Finding(rule="missing price", fact=fact, reason=f"{fact.subject!r} is named without its {fact.kind}.")
        elif fact.scope:
            yield Finding(rule="missing day", fact=fact, reason=f"{fact.subject!r} is named, but not as {fact}.")


def _stale(text: str, facts: Sequence[Fact], past: Sequence[Fact]) -> Iterator[Finding]:
    old = [fact for fact in dict.fromkeys(past) if fact not in set(facts)]
    for fact in old:
        if fact in bound_facts(text, old):
            yield Finding(rule="stale", fact=fact, reason=f"The text says {fact}, which an earlier result said.")


def contradictions(text: str, facts: Sequence[Fact], past: Sequence[Fact] = ()) -> Iterator[Finding]:
    """Numbers and places the text gives to a name of the result that the result does not give to it."""
    wrong = [fact for fact in (*_wrong_numbers(text, facts), *_wrong_places(facts)) if fact not in set(past)]
    found = bound_facts(text, wrong)
    for fact in wrong:
        if fact in found:
            yield Finding(rule="contradicts result", fact=fact, reason=f"The text says {fact}; the result does not.")


def _wrong_numbers(text: str, facts: Sequence[Fact]) -> list[Fact]:
    numbers = {float(match["num"].replace(",", "")) for match in re.finditer(NUMBER, normal(text))}
    true = {(fact.kind, fact.subject, fact.value) for fact in facts}
    return [
        replace(fact, value=number)
        for fact in facts
        if isinstance(fact.value, float) and fact.unit
        for number in sorted(numbers)
        if (fact.kind, fact.subject, number) not in true
    ]


def _wrong_places(facts: Sequence[Fact]) -> list[Fact]:
    true = set(facts)
    moved = [
        replace(fact, scope=tuple((r, n) if r == role else (r, v) for r, v in fact.scope))
        for fact in facts
        for role, value in fact.scope
        if isinstance(value, int)
        for n in range(1, MOST_DAYS + 1)
    ]
    return [fact for fact in dict.fromkeys(moved) if fact not in true]
