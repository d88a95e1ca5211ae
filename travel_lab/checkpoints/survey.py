"""What is where in a checkpoint file: how many bytes are messages, pending sends, other fields and bookkeeping."""

import os
import sqlite3
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ormsgpack import MsgpackDecodeError

from travel_lab.checkpoints.blobs import BlobTable, stock_form
from travel_lab.checkpoints.packing import Raw, pack_raw, read_raw
from travel_lab.checkpoints.shrink import reading

SENDS = "__pregel_tasks"


@dataclass(frozen=True, kw_only=True)
class Share:
    """One kind of content of a checkpoint file."""

    table: str
    """`checkpoints` or `writes`."""
    content: str
    """`messages`, `pending sends`, `other fields`, `bookkeeping`, `metadata` or `unreadable`."""
    bytes: int
    """As LangGraph's own saver stores it."""


def survey(source: str | os.PathLike[str]) -> tuple[Share, ...]:
    """What a checkpoint file's bytes are, the largest share first; the file is only read and no class is imported.

    Raises:
        NotADatabase: It is no LangGraph checkpoint file.
    """
    counted: Counter[tuple[str, str]] = Counter()
    with reading(source) as connection:
        for table, content, size in _contents(connection):
            counted[table, content] += size
    shares = [Share(table=table, content=content, bytes=size) for (table, content), size in counted.items()]
    return tuple(sorted(shares, key=lambda share: (-share.bytes, share.table, share.content)))


def _contents(connection: sqlite3.Connection) -> Iterator[tuple[str, str, int]]:
    blobs = BlobTable(connection)
    for form, stored, metadata in connection.execute("SELECT type, checkpoint, metadata FROM checkpoints"):
        yield "checkpoints", "metadata", len(metadata or b"")
        value, size = _raw(blobs, form, stored)
        if not isinstance(value, dict) or not isinstance(value.get("channel_values"), dict):
            yield "checkpoints", "unreadable", size
            continue
        fields = 0
        for channel, item in value["channel_values"].items():
            length = len(pack_raw(item))
            fields += length
            yield "checkpoints", _content(channel, item), length
        yield "checkpoints", "bookkeeping", size - fields
    for form, stored, channel in connection.execute("SELECT type, value, channel FROM writes"):
        value, size = _raw(blobs, form, stored)
        yield "writes", _content(channel, value), size


def _raw(blobs: BlobTable, form: str | None, stored: bytes | None) -> tuple[Any, int]:
    form, stored = stock_form(blobs, form, stored)
    if form != "msgpack" or stored is None:
        return None, len(stored or b"")
    try:
        return read_raw(stored), len(stored)
    except MsgpackDecodeError:
        return None, len(stored)


def _content(channel: str, value: Any) -> str:
    if channel == SENDS:
        return "pending sends"
    if channel.startswith(("__", "branch:")):
        return "bookkeeping"
    items = value if isinstance(value, list) else [value]
    messages = any(isinstance(item, Raw) and b"langchain_core.messages" in item.data[:64] for item in items)
    return "messages" if messages else "other fields"
