"""The facts of each field of any app's state, whatever the field holds."""

import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from enum import Enum
from pathlib import PurePath
from uuid import UUID

from langchain_core.messages import BaseMessage
from pydantic import BaseModel

from travel_lab.context import Fact, FactRule, declared_facts, derive_facts
from travel_lab.context.derived import LONGEST

Plain = None | bool | int | float | str | list["Plain"] | dict[str, "Plain"]
_SENTENCE_END = re.compile(r"(?<=[。！？!?;；])\s*|(?<=\.)\s+|\n+")
_MARKS = " \t#*->•|`"
_SHORTEST = 4
"""Characters a piece of a long text needs to be worth a fact."""


def plain(value: object) -> Plain:
    """A value as plain data: models and dataclasses by their members, a long text as its sentences.

    Messages, bytes and what nothing is known of become None; they hold no facts.
    """
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return value if len(value) <= LONGEST else [*_sentences(value)]
    if isinstance(value, BaseMessage | bytes | bytearray):
        return None
    if isinstance(value, Mapping):
        return {str(key): plain(member) for key, member in value.items()}
    if isinstance(value, set | frozenset):
        return [plain(item) for item in sorted(value, key=str)]
    return [plain(item) for item in value] if isinstance(value, Sequence) else _of_object(value)


def _of_object(value: object) -> Plain:
    if isinstance(value, BaseModel):
        return {name: plain(getattr(value, name)) for name in type(value).model_fields}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {member.name: plain(getattr(value, member.name)) for member in dataclasses.fields(value)}
    if isinstance(value, Enum):
        return plain(value.value)
    if isinstance(value, Decimal):
        return float(value)
    return str(value) if isinstance(value, datetime | date | time | UUID | PurePath) else None


def _sentences(text: str) -> Iterator[str]:
    for sentence in _SENTENCE_END.split(text):
        said = sentence.strip(_MARKS)
        if len(said) >= _SHORTEST:
            yield said[:LONGEST].strip()


def holds_messages(value: object) -> bool:
    """Whether a field's value is a conversation: messages, or dictionaries of a role (or type) and a content."""
    return isinstance(value, list | tuple) and bool(value) and all(map(_is_message, value))


def _is_message(item: object) -> bool:
    if isinstance(item, Mapping):
        return "content" in item and ("role" in item or "type" in item)
    return isinstance(item, BaseMessage)


def nodes_of(namespace: str) -> list[str]:
    """The nodes of a subgraph's namespace such as `trip:1f0…|write:2a…`, the outermost first; none for the graph itself."""
    names = [part.partition(":")[0] for part in namespace.split("|")]
    # A part that is a number only counts the runs of one subgraph in one node.
    return [name for name in names if name and not name.isdecimal()]


def facts_of_field(field: str, value: Plain, rules: Sequence[FactRule] | None) -> tuple[Fact, ...]:
    """The facts a field holds.

    Args:
        field: Its name in the state.
        value: What it holds, as plain data.
        rules: The app's own declarations; None reads every leaf.
    """
    if rules is None:
        return derive_facts({field: value}, leave_out=())
    return declared_facts([rule for rule in rules if rule.field.partition(".")[0] == field], {field: value})
