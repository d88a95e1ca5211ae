"""The states at the ends of a session's turns, read fast: a field only where it is new, a message only once.

A state is taken apart at its first level only. What its version says is unchanged stays packed, and so does every message that
an earlier state held; nothing of a state is kept when the next one is read.
"""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import ormsgpack

from travel_lab.checkpoints.blobs import BlobTable
from travel_lab.checkpoints.chain import read_chain
from travel_lab.checkpoints.layout import table_errors
from travel_lab.checkpoints.packing import Raw, pack_raw, read_raw
from travel_lab.checkpoints.raw import INNER, decode, unpacked
from travel_lab.checkpoints.step import CheckpointChain, Step
from travel_lab.checkpoints.xray import turns_of
from travel_lab.errors import UnreadableStep


@dataclass(frozen=True, kw_only=True)
class TurnEnd:
    """What is new in the state at the end of a turn."""

    turn: int
    """From 1; in a subgraph that of its own turns."""
    namespace: str
    """Blank for the session's own graph."""
    changed: Mapping[str, Any] = field(default_factory=dict)
    """Fields whose value is new since the last turn end, as plain data; lists of messages are not among them."""
    messages: tuple[Mapping[str, Any], ...] = ()
    """Messages that no earlier state of the session held, in order."""
    messages_fields: frozenset[str] = frozenset()
    """Fields that hold messages."""
    blocked: tuple[str, ...] = ()
    """Types that the new values name; never imported."""
    damage: str = ""
    """Why the state cannot be read; blank when it can."""


def turn_ends(connection: sqlite3.Connection, session_id: str) -> Iterator[TurnEnd]:
    """The ends of the turns of a session's newest line, then those of its subgraphs.

    Raises:
        NotADatabase: The tables are not those of a LangGraph SQLite store.
    """
    whole = read_chain(connection, session_id)
    reader = _Reader(connection, session_id)
    for chain in (whole, *whole.nested):
        versions: dict[str, Any] = {}
        for number, step in enumerate(_ends(chain), 1):
            yield reader.read(chain.namespace, number, step, versions)


def _ends(chain: CheckpointChain) -> Sequence[Step]:
    turns = turns_of(chain)
    return [turn[-1] for turn in turns] if turns else chain.steps[-1:]


class _Reader:
    """Remembers which messages of one session were read already."""

    def __init__(self, connection: sqlite3.Connection, session_id: str) -> None:
        self._connection, self._session_id = connection, session_id
        self._blobs = BlobTable(connection)
        self._known: set[bytes] = set()

    def read(self, namespace: str, turn: int, step: Step, versions: dict[str, Any]) -> TurnEnd:
        """One turn end; `versions` are those of the fields at the one before, and are brought up to date."""
        try:
            state = self._state(namespace, step)
            held, told = state["channel_values"], state["channel_versions"]
            names = [name for name in held if not name.startswith(INNER)]
            new = [name for name in names if versions.get(name, "") != told.get(name)]
            versions.update(told)
            spoken = frozenset(name for name in names if _is_conversation(held[name]))
            fields = {name: decode("msgpack", pack_raw(held[name]), self._blobs) for name in new if name not in spoken}
            messages = [message for name in new if name in spoken for message in self._messages(held[name])]
        except (UnreadableStep, LookupError, TypeError, AttributeError) as error:
            damage = f"Step {step.checkpoint_id!r} of session {self._session_id!r} is unreadable: {error}"
            return TurnEnd(turn=turn, namespace=namespace, damage=damage)
        return TurnEnd(
            turn=turn,
            namespace=namespace,
            changed={name: read.value for name, read in fields.items()},
            messages=tuple(messages),
            messages_fields=spoken,
            blocked=tuple(dict.fromkeys(name for read in fields.values() for name in read.blocked)),
        )

    def _state(self, namespace: str, step: Step) -> Any:
        with table_errors(self._connection):
            row = self._connection.execute(
                "SELECT type, checkpoint FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ?",
                (self._session_id, namespace, step.checkpoint_id),
            ).fetchone()
        kind, data = unpacked(row[0], row[1], self._blobs) if row and isinstance(row[1], bytes) else (None, b"")
        if kind != "msgpack":
            raise UnreadableStep(f"it is stored as {kind!r}, which only code of the file's choice could read.")
        try:
            return read_raw(data)
        except (ormsgpack.MsgpackDecodeError, ValueError, RecursionError) as error:
            raise UnreadableStep(f"the bytes are damaged: {error}.") from error

    def _messages(self, held: Sequence[Any]) -> Iterator[Mapping[str, Any]]:
        for item in held:
            stored = item.data if isinstance(item, Raw) else pack_raw(item)
            if stored not in self._known:
                self._known.add(stored)
                message = decode("msgpack", pack_raw(item), self._blobs).value
                if isinstance(message, Mapping):
                    yield message


def _is_conversation(value: Any) -> bool:
    """Whether it is a list of messages, or of dictionaries with a role (or type) and a content."""
    return isinstance(value, list) and bool(value) and all(map(_is_message, value))


def _is_message(item: Any) -> bool:
    if isinstance(item, dict):
        return "content" in item and ("role" in item or "type" in item)
    return isinstance(item, Raw) and b"langchain_core.messages" in item.data[:64]
