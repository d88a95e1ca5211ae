"""What differs between two states, leaf by leaf: any two steps, sessions or forks.

Lists of records are matched by what names a record (its id, its name, its day), so that one record put in front of others is
one addition and not a change of every place behind it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

IDENTITIES = (("id",), ("name",), ("day",), ("night",), ("key",))
"""Fields that name a record in a list, tried in this order; one must name every record of both lists, each once."""


class _Missing:
    def __repr__(self) -> str:
        return "(missing)"


MISSING = _Missing()
"""Stands for a value that one of the two states does not have; not the same as None."""


@dataclass(frozen=True, kw_only=True)
class Change:
    """One leaf that differs."""

    path: str
    """Where, such as `requirements.days` or `messages[id='turn-1-user'].content`."""
    before: Any
    """The whole value; `MISSING` when it was not there."""
    after: Any
    """The whole value; `MISSING` when it is gone."""

    @property
    def kind(self) -> str:
        """`added`, `removed` or `changed`."""
        return "added" if self.before is MISSING else "removed" if self.after is MISSING else "changed"


def diff(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[Change, ...]:
    """Every leaf in which two states differ, in the order of the fields; empty for equal states.

    A record or field that only one of them has counts as one change.
    """
    return tuple(_diff("", before, after))


def _diff(path: str, before: Any, after: Any) -> Iterator[Change]:
    if before is MISSING or after is MISSING:
        yield Change(path=path, before=before, after=after)
    elif isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in dict.fromkeys([*before, *after]):
            name = f"{path}.{key}" if path else str(key)
            yield from _diff(name, before.get(key, MISSING), after.get(key, MISSING))
    elif isinstance(before, list) and isinstance(after, list):
        yield from _diff_lists(path, before, after)
    elif type(before) is not type(after) or before != after:
        yield Change(path=path, before=before, after=after)


def _diff_lists(path: str, before: Sequence[Any], after: Sequence[Any]) -> Iterator[Change]:
    one, other = _records(before), _records(after)
    named = next((by for by in IDENTITIES if _names(by, one) and _names(by, other)), None) if one or other else None
    if named is None or len(one) != len(before) or len(other) != len(after):
        for at in range(max(len(before), len(after))):
            yield from _diff(f"{path}[{at}]", *(side[at] if at < len(side) else MISSING for side in (before, after)))
        return
    old, new = ({_identity(named, record): record for record in side} for side in (one, other))
    for identity in dict.fromkeys([*old, *new]):
        label = ", ".join(f"{name}={value!r}" for name, value in zip(named, identity, strict=True))
        yield from _diff(f"{path}[{label}]", old.get(identity, MISSING), new.get(identity, MISSING))
    common_old, common_new = ([i for i in side if i in old and i in new] for side in (old, new))
    if common_old != common_new:
        yield Change(path=f"{path} (order)", before=common_old, after=common_new)


def _records(side: Sequence[Any]) -> list[Mapping[str, Any]]:
    return [record for record in side if isinstance(record, Mapping)]


def _identity(by: Sequence[str], record: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(record.get(name) for name in by)


def _names(by: Sequence[str], records: Sequence[Mapping[str, Any]]) -> bool:
    identities = [_identity(by, record) for record in records]
    plain = all(isinstance(part, str | int) and part != "" for identity in identities for part in identity)
    return plain and len(set(identities)) == len(identities)
