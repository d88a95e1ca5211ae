"""Cases: conversations with follow-up questions, each with the facts its answer must rest on; one JSON line a case."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from travel_lab.context import Fact
from travel_lab.errors import BadInput

SPLITS = ("open", "held_out")
"""Look at the first while building; report the second."""


@dataclass(frozen=True, kw_only=True)
class Probe:
    """A follow-up question and what its answer must rest on."""

    probe_id: str
    kind: str
    """Such as `cheaper hotel`; the unit of counting in tables."""
    words: str
    """The question."""
    after: int
    """How many turns of the conversation come before it."""
    calls: tuple[str, ...]
    """Agents whose call needs the facts, in the order they are asked; the last of them gives the answer."""
    needed: tuple[Fact, ...]
    """Empty when the conversation never gave what is asked for: the right answer is then to say so."""
    gold: tuple[tuple[str, ...], ...]
    """Right answers: one of these, all of whose parts must stand in the reply; empty with `needed`."""


@dataclass(frozen=True, kw_only=True)
class Case:
    """One conversation and its probes."""

    case_id: str
    language: str
    """`zh` or `en`."""
    split: str
    """`open` or `held_out`."""
    turns: tuple[str, ...]
    """What the user says, turn by turn."""
    probes: tuple[Probe, ...]


def read_cases(path: str | Path) -> tuple[Case, ...]:
    """The cases of a file.

    Raises:
        BadInput: A line that is no case; names the line and what is wrong with it.
    """
    file = Path(path)
    if not file.is_file():
        raise BadInput(f"No file of cases at {str(file)!r}. `write_cases` makes one; the lab's own are data/cases/*.jsonl.")
    # Not splitlines: it also parts at characters that may stand inside a text.
    lines = file.read_text(encoding="utf-8").split("\n")
    cases = tuple(_case(line, f"{file.name}, line {number}") for number, line in enumerate(lines, 1) if line.strip())
    check_cases(cases)
    return cases


def write_cases(cases: Iterable[Case], path: str | Path) -> None:
    """Write cases, one JSON line each, in their order."""
    lines = [json.dumps(asdict(case), ensure_ascii=False) for case in cases]
    Path(path).write_text("".join(line + "\n" for line in lines), encoding="utf-8")


def check_cases(cases: Sequence[Case]) -> None:
    """Refuse what cannot be evaluated.

    Raises:
        BadInput: An id given twice, an unknown split, or a probe beyond the end of its conversation.
    """
    seen: set[str] = set()
    for case in cases:
        for found in (case.case_id, *(probe.probe_id for probe in case.probes)):
            if found in seen:
                raise BadInput(f"The id {found!r} is given twice. Every case and every probe needs an id of its own.")
            seen.add(found)
        if case.split not in SPLITS:
            raise BadInput(f"Case {case.case_id!r} is of split {case.split!r}; there are {', '.join(SPLITS)}.")
        for probe in case.probes:
            if not 0 <= probe.after <= len(case.turns):
                raise BadInput(
                    f"Probe {probe.probe_id!r} comes after turn {probe.after}; case {case.case_id!r} has {len(case.turns)} turns."
                )
            if not probe.calls:
                raise BadInput(f"Probe {probe.probe_id!r} names no call. Name at least the agent that answers.")


def cases_hash(cases: Iterable[Case]) -> str:
    """SHA-256 over the cases as they are written, in their order."""
    digest = hashlib.sha256()
    for case in cases:
        digest.update(json.dumps(asdict(case), ensure_ascii=False, sort_keys=True).encode())
    return digest.hexdigest()


def _case(line: str, place: str) -> Case:
    try:
        raw = json.loads(line)
        return Case(**_named(raw, Case, "probes"), probes=tuple(_probe(probe) for probe in raw["probes"]))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise BadInput(
            f"{place} is no case: {type(error).__name__}: {error}. A case has {_names(Case)}; a probe {_names(Probe)}."
        ) from error


def _probe(raw: Mapping[str, Any]) -> Probe:
    gold = tuple(tuple(answer) for answer in raw["gold"])
    return Probe(**_named(raw, Probe, "needed", "gold"), needed=tuple(_fact(fact) for fact in raw["needed"]), gold=gold)


def _fact(raw: Mapping[str, Any]) -> Fact:
    scope = tuple((role, value) for role, value in raw["scope"])
    return Fact(**_named(raw, Fact, "scope"), scope=scope)


def _named(raw: Mapping[str, Any], kind: type[Any], *apart: str) -> dict[str, Any]:
    """The members of a record but those read apart; lists become tuples."""
    unknown = set(raw) - {field.name for field in fields(kind)}
    if unknown:
        raise TypeError(f"unknown members {sorted(unknown)}")
    return {key: tuple(value) if isinstance(value, list) else value for key, value in raw.items() if key not in apart}


def _names(kind: type[Any]) -> str:
    return ", ".join(field.name for field in fields(kind))
