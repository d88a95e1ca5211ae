"""Where the bytes of a session go, channel by channel: what the stored states hold and what the tasks' writes hold."""

import sqlite3
from collections import Counter
from dataclasses import dataclass
from typing import Any

import ormsgpack

from travel_lab.checkpoints.blobs import BlobTable
from travel_lab.checkpoints.layout import table_errors
from travel_lab.checkpoints.packing import COMPACT
from travel_lab.checkpoints.raw import SENDS, unpacked
from travel_lab.errors import UnreadableStep

_ROUTING = ("branch:", "join:", "__start__")


@dataclass(frozen=True, kw_only=True)
class ChannelSize:
    """Bytes of one channel of one session, as LangGraph's own saver stores it, whichever saver stored it."""

    channel: str
    """A state field; `(pending sends)`; `(routing)`: edges and inputs; `(bookkeeping)`: versions and ids; `(unreadable)`."""
    in_states: int
    """Bytes over all stored states; within a few bytes a value, because frames of values are counted apart."""
    in_writes: int
    """Bytes over all task writes."""


def channel_sizes(connection: sqlite3.Connection, session_id: str) -> tuple[ChannelSize, ...]:
    """The channels of a session, largest first. Every state is read once and none is kept."""
    states, writes = Counter[str](), Counter[str]()
    blobs = BlobTable(connection)
    with table_errors(connection):
        for kind, data in connection.execute("SELECT type, checkpoint FROM checkpoints WHERE thread_id = ?", (session_id,)):
            states.update(_of_state(*_stock(kind, data, blobs)))
        for channel, size in connection.execute(
            "SELECT channel, sum(length(value)) FROM writes WHERE thread_id = ? AND type <> ? GROUP BY channel",
            (session_id, COMPACT),
        ):
            writes[_label(channel)] += size or 0
        for channel, data in connection.execute(
            "SELECT channel, value FROM writes WHERE thread_id = ? AND type = ?", (session_id, COMPACT)
        ):
            writes[_label(channel)] += len(_stock(COMPACT, data, blobs)[1])
    found = [ChannelSize(channel=name, in_states=states[name], in_writes=writes[name]) for name in {*states, *writes}]
    return tuple(sorted(found, key=lambda size: (-(size.in_states + size.in_writes), size.channel)))


def _stock(kind: object, data: object, blobs: BlobTable) -> tuple[object, bytes]:
    """A stored value in LangGraph's own form; as it is when it cannot be put together."""
    if not isinstance(data, bytes):
        return kind, b""
    try:
        return unpacked(kind, data, blobs)
    except UnreadableStep:
        return kind, data


def _of_state(kind: object, data: bytes) -> Counter[str]:
    """Bytes by channel; extension values stay packed, so that a long history costs no time."""
    if kind != "msgpack":
        return Counter({"(unreadable)": len(data)})
    try:
        state = ormsgpack.unpackb(data, ext_hook=_packed, option=ormsgpack.OPT_NON_STR_KEYS)
        channels = dict(state["channel_values"])
    except (ValueError, TypeError, KeyError):
        return Counter({"(unreadable)": len(data)})
    found = Counter[str]()
    for name, value in channels.items():
        found[_label(str(name))] += len(ormsgpack.packb(value, option=ormsgpack.OPT_NON_STR_KEYS))
    found["(bookkeeping)"] = max(len(data) - found.total(), 0)
    return found


def _packed(code: int, data: bytes) -> Any:
    return data


def _label(channel: str) -> str:
    if channel == SENDS:
        return "(pending sends)"
    if channel.startswith(_ROUTING):
        return "(routing)"
    return channel
