"""Stored bytes as plain data: no class is imported, nothing is called, whatever the file holds.

LangGraph stores msgpack with extension values that name a class or a function and its arguments. Decoding by the library
calls them; here they stay what they are: names beside data.
"""

import re
import sqlite3
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import ormsgpack

from travel_lab.checkpoints.blobs import BlobTable
from travel_lab.checkpoints.packing import COMPACT, unsqueeze
from travel_lab.checkpoints.unpacking import stock_bytes
from travel_lab.errors import StorageError, UnreadableStep

SENDS = "__pregel_tasks"
"""The channel of pending `Send`s."""
START = "__start__"
INNER = ("__", "branch:", "join:")
"""How the channels begin that LangGraph writes for itself; all others are state fields."""
PREFIX_BYTES = 400
"""Enough of a stored `Send` to hold its node's name."""

_POSITIONAL, _NAMED, _PYDANTIC_V1, _PYDANTIC, _NUMPY, _DELTA = 1, 2, 4, 5, 6, 7
_SEND = re.compile(rb"\xaflanggraph\.types\xa4Send[\x92\x93](?:[\xa0-\xbf]|\xd9.|\xda..)", re.DOTALL)
_HARMLESS = (
    "langchain_core.messages",
    "langgraph.types",
    "uuid",
    "datetime",
    "decimal",
    "builtins",
    "collections",
    "re",
    "pathlib",
)
"""Types that LangGraph itself stores; they are known by name and still not imported."""


@dataclass(frozen=True, kw_only=True)
class Decoded:
    """One stored value as plain data."""

    value: Any
    """Dictionaries, lists, texts and numbers; a message is a dictionary of its fields."""
    blocked: tuple[str, ...]
    """Types the value names that are neither LangGraph's own nor LangChain messages, as `module.name`; never imported."""
    size: int
    """Its bytes as LangGraph's own saver stores it."""


@dataclass
class _Reader:
    """Collects the names of types while one value is decoded."""

    blocked: dict[str, None] = field(default_factory=dict)

    def read(self, data: bytes) -> Any:
        return ormsgpack.unpackb(data, ext_hook=self.extension, option=ormsgpack.OPT_NON_STR_KEYS)

    def extension(self, code: int, data: bytes) -> Any:
        stored = self.read(data)
        if code == _DELTA or not isinstance(stored, list) or len(stored) < 3:
            return stored
        module, name, arguments = str(stored[0]), str(stored[1]), stored[2]
        if code == _NUMPY:
            return {"type": "numpy array", "data": stored}
        if not module.startswith(_HARMLESS):
            self.blocked[f"{module}.{name}"] = None
        if (module, name) == ("langgraph.types", "Send"):
            return {"node": arguments[0], "arg": arguments[1]}
        if code in {_PYDANTIC, _PYDANTIC_V1, _NAMED} and isinstance(arguments, dict):
            return arguments
        if module in {"builtins", "uuid", "decimal", "pathlib"}:
            return arguments if name in {"set", "frozenset", "deque"} else _single(code, arguments)
        return {"type": f"{module}.{name}", "data": arguments}


def _single(code: int, arguments: Any) -> Any:
    return arguments[0] if code == _POSITIONAL and isinstance(arguments, list) and len(arguments) == 1 else arguments


def _msgpack(data: bytes) -> Decoded:
    reader = _Reader()
    value = reader.read(data)
    return Decoded(value=value, blocked=tuple(reader.blocked), size=len(data))


_DECODERS: dict[str, Callable[[bytes], Decoded]] = {
    "null": lambda _data: Decoded(value=None, blocked=(), size=0),
    "bytes": lambda data: Decoded(value=data, blocked=(), size=len(data)),
    "bytearray": lambda data: Decoded(value=data, blocked=(), size=len(data)),
    "msgpack": _msgpack,
}


def decode(kind: object, data: object, blobs: BlobTable) -> Decoded:
    """A stored value as plain data, whichever saver stored it; `blobs` are those of its file.

    Raises:
        UnreadableStep: The bytes are damaged, or of a kind that only code of the file's choice could read.
    """
    if isinstance(data, bytes):
        kind, data = unpacked(kind, data, blobs)
    if kind not in _DECODERS:
        why = "it is encrypted" if isinstance(kind, str) and "+" in kind else "only code that the file names could read it"
        raise UnreadableStep(
            f"A value stored as {kind!r} cannot be shown: {why}. Known kinds: {', '.join([*_DECODERS, COMPACT])}."
        )
    if not isinstance(data, bytes) and kind != "null":
        raise UnreadableStep(f"A stored value is {type(data).__name__}, not bytes; the row is damaged.")
    try:
        return _DECODERS[str(kind)](bytes(data or b""))  # type: ignore[call-overload]
    except (ValueError, TypeError, LookupError, RecursionError) as error:
        raise UnreadableStep(f"A stored value cannot be decoded, the bytes are damaged: {error}.") from error


def unpacked(kind: object, data: bytes, blobs: BlobTable) -> tuple[object, bytes]:
    """A packed value in LangGraph's own form; any other as it is.

    Raises:
        UnreadableStep: A part is missing or damaged.
    """
    if kind != COMPACT:
        return kind, data
    try:
        return "msgpack", stock_bytes(unsqueeze(data), blobs.fetch)
    except StorageError as error:
        raise UnreadableStep(str(error)) from error
    except (sqlite3.Error, zlib.error, ValueError, TypeError, LookupError, RecursionError) as error:
        raise UnreadableStep(f"A packed value cannot be put together, the bytes are damaged: {error}.") from error


def send_target(prefix: bytes) -> str:
    """The node a stored `Send` names, from its first bytes; `?` when it is stored in another form."""
    found = _SEND.search(prefix)
    if found is None:
        return "?"
    head, rest = prefix[found.start() : found.end()], prefix[found.end() :]
    mark = head[22]
    length = mark & 0x1F if mark < 0xC0 else int.from_bytes(head[23:], "big")
    return rest[:length].decode("utf-8", errors="replace")
