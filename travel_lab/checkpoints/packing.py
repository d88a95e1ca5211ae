"""Values as references to their parts: what is stored twice is stored once.

A value is msgpack as LangGraph writes it, with large parts replaced by references to blobs, each named by the hash of
its content. A list becomes a tree: items, runs of references to them, runs of runs. Where a run ends depends on the
items alone, so that a list with something added, replaced or dropped anywhere shares all other runs with the one before.

`Packer` works on live objects, and just as well on stored bytes read as `Raw` (no class is imported), which gives the
same result. The way back is `unpacking`.
"""

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, NamedTuple
from weakref import ReferenceType, ref

import ormsgpack
from langchain_core.messages import BaseMessage
from langgraph.types import Send

from travel_lab.checkpoints.owned import LoadedList, own_message

COMPACT = "compact"
"""What stands in the `type` column for a value in this form."""
REF, LIST, DICT, SEND = 64, 65, 66, 67
"""Codes of our msgpack extensions; LangGraph uses 0 to 7."""
HASH_BYTES = 16
PACKING = (
    ormsgpack.OPT_NON_STR_KEYS
    | ormsgpack.OPT_PASSTHROUGH_DATACLASS
    | ormsgpack.OPT_PASSTHROUGH_DATETIME
    | ormsgpack.OPT_PASSTHROUGH_ENUM
    | ormsgpack.OPT_PASSTHROUGH_UUID
    | ormsgpack.OPT_REPLACE_SURROGATES
)
UNPACKING = ormsgpack.OPT_NON_STR_KEYS

_PART = 128
"""Bytes from which a part is worth a blob of its own."""
_TREE = 512
"""Bytes from which a dictionary is worth a tree."""
_RUN = 256
"""Bytes a run has on average."""
_LONGEST_RUN = 2048
_SCALARS = frozenset({int, float, bool, type(None)})
_ZIP_FROM = 48
_MEMORY = 50_000

_DICTIONARY = (
    b"langgraph.checkpoint\xa8metadata\xa5parents\xa6source\xa4step\xa8__error__\xad__interrupt__\xa9Interrupt\xa5value"
    b"\xb7langchain_core.messages.tool\xabToolMessage\xa8artifact\xactool_call_id\xa6status\xa7success"
    b"\xbclangchain_core.messages.human\xacHumanMessage\x87\xa7content\xb1additional_kwargs\x80\xb1response_metadata\x80"
    b"\xa4type\xa5human\xa4name\xc0\xa2id\xd9$\xb3model_validate_json"
    b"\x05\x94\xbalangchain_core.messages.ai\xa9AIMessage\x89\xa7content\xd9\xb1additional_kwargs\x80"
    b"\xb1response_metadata\x80\xa4type\xa2ai\xa4name\xc0\xa2id\xd9$\xaatool_calls\x90\xb2invalid_tool_calls\x90"
    b"\xaeusage_metadata\xc0\xb3model_validate_json"
    b"\xad__input__\xa9__start__\xae__pregel_tasks\xaabranch:to:\xa8messages"
    b"\x87\xa1v\x04\xa2ts\xd9 2026-01-01T00:00:00.000000+00:00\xa2id\xd9$1f0\xaechannel_values\xb0channel_versions"
    b"\xd9100000000000000000000000000000001.0.00000000000000\xadversions_seen\xb0updated_channels"
)


@dataclass(frozen=True, kw_only=True)
class Packed:
    """A value in pieces."""

    data: bytes
    """The value itself, with references."""
    blobs: dict[bytes, bytes | None]
    """Every blob it needs by hash; None when the packer has stored that blob before and did not make its bytes again."""


class Raw(NamedTuple):
    """A stored msgpack extension value that nobody has interpreted."""

    code: int
    data: bytes


def read_raw(data: bytes) -> Any:
    """Msgpack as plain data; extension values stay `Raw`."""
    return ormsgpack.unpackb(data, ext_hook=Raw, option=UNPACKING)


def pack_raw(value: Any) -> bytes:
    """The way back from `read_raw`."""
    return ormsgpack.packb(value, default=_extension, option=PACKING)


def squeeze(data: bytes) -> bytes:
    """Bytes as they are stored: deflated when that is shorter; the first byte says which."""
    if len(data) >= _ZIP_FROM:
        engine = zlib.compressobj(6, zlib.DEFLATED, -15, 9, zlib.Z_DEFAULT_STRATEGY, _DICTIONARY)
        short = engine.compress(data) + engine.flush()
        if len(short) < len(data):
            return b"\x01" + short
    return b"\x00" + data


def unsqueeze(stored: bytes) -> bytes:
    """The way back from `squeeze`."""
    if stored[:1] == b"\x00":
        return stored[1:]
    engine = zlib.decompressobj(-15, _DICTIONARY)
    return engine.decompress(stored[1:]) + engine.flush()


class Unpackable(Exception):
    """The value cannot be taken apart; it is stored the way LangGraph stores it."""


class MessageMemory:
    """Which message is which blob, so that a message that stays is not serialised again at every step.

    A message is recognised when it is the same object and its fields are still what they were when it was stored.
    """

    def __init__(self) -> None:
        # Weak: a copy belongs to its caller, and ten thousand of them must not outlive the turn they were made for.
        self._known: dict[int, tuple[ReferenceType[BaseMessage], BaseMessage, bytes]] = {}

    def remember(self, message: BaseMessage, pristine: BaseMessage, name: bytes) -> None:
        """`message`, equal to `pristine`, is the blob `name`."""
        if len(self._known) >= _MEMORY:
            self._known.clear()
        self._known[id(message)] = (ref(message), pristine, name)

    def find(self, message: BaseMessage) -> bytes | None:
        """The blob of a message, when it is known and unchanged."""
        known = self._known.get(id(message))
        if known is None or known[0]() is not message:
            return None
        pristine = known[1]
        same = message.__dict__ == pristine.__dict__ and message.__pydantic_extra__ == pristine.__pydantic_extra__
        return known[2] if same else None

    def copy_of(self, pristine: BaseMessage) -> BaseMessage:
        """A copy that will be recognised."""
        twin = own_message(pristine)
        known = self._known.get(id(pristine))
        if known is not None and known[0]() is pristine:
            self.remember(twin, known[1], known[2])
        return twin


class Packer:
    """Takes values apart. One call of `pack` at a time."""

    def __init__(self, dumps: Callable[[Any], tuple[str, bytes]], memory: MessageMemory | None) -> None:
        """Args: LangGraph's serialiser for what is taken as a whole; what is remembered between calls, if anything."""
        self._dumps, self._memory = dumps, memory
        self._blobs: dict[bytes, bytes | None] = {}
        self._lists: dict[int, tuple[object, Any]] = {}

    def pack(self, value: Any, outer: int = 0) -> Packed:
        """A value in pieces.

        Args:
            value: What to store.
            outer: How many outer levels change every time, as those of a checkpoint do, and are never blobs.

        Raises:
            Unpackable: It holds something that msgpack does not take, or refers to itself.
        """
        self._blobs, self._lists = {}, {}
        try:
            data = self._outer(value, outer)
            return Packed(data=data, blobs=self._blobs)
        except (TypeError, RecursionError, OverflowError) as error:
            raise Unpackable(str(error)) from error
        finally:
            self._blobs, self._lists = {}, {}

    def _outer(self, value: Any, levels: int) -> bytes:
        if levels and type(value) is dict:
            return _packb({key: ormsgpack.Fragment(self._outer(item, levels - 1)) for key, item in value.items()})
        return _packb(_embed(self._part(value)))

    def _part(self, value: Any) -> Any:
        """The value itself when it is small and plain, else the msgpack bytes that stand for it."""
        kind = type(value)
        if kind in _SCALARS:
            return value
        if kind is str:
            return value if len(value) < _PART // 4 else self._blob(_packb(value))
        if kind is dict:
            return self._mapping(value)
        if kind is list or kind is tuple or kind is LoadedList:
            return self._sequence(value)
        if kind is Send:
            timeout = getattr(value, "timeout", None)
            return self._send((value.node, value.arg) if timeout is None else (value.node, value.arg, timeout))
        if isinstance(value, BaseMessage):
            return self._message(value)
        if kind is Raw:
            return self._raw(value)
        if kind is bytes or kind is bytearray:
            return self._blob(_packb(value))
        form, data = self._dumps(value)
        if form != "msgpack":
            raise Unpackable(form)
        return self._blob(data)

    def _message(self, message: BaseMessage) -> bytes:
        known = self._memory.find(message) if self._memory else None
        if known is not None:
            self._blobs.setdefault(known, None)
            return _reference(known)
        form, data = self._dumps(message)
        if form != "msgpack":
            raise Unpackable(form)
        part = self._blob(data)
        if self._memory and part is not data:
            self._memory.remember(message, own_message(message), part[-HASH_BYTES:])
        return part

    def _raw(self, value: Raw) -> bytes:
        if value.code == 1:
            stored = read_raw(value.data)
            if isinstance(stored, list) and stored[:2] == ["langgraph.types", "Send"]:
                return self._send(stored[2])
        return self._blob(pack_raw(value))

    def _send(self, args: Any) -> bytes:
        return _ext(SEND, _packb([args[0], *(_embed(self._part(arg)) for arg in args[1:])]))

    def _mapping(self, value: dict[Any, Any]) -> bytes:
        parts = {key: self._part(item) for key, item in value.items()}
        packed = _packb({key: _embed(part) for key, part in parts.items()})
        # Keys of other types are written differently as keys and as items.
        if len(packed) < _TREE or not all(type(key) is str for key in parts):
            return self._blob(packed)
        pairs = [_packb(key) + _bytes_of(part) for key, part in parts.items()]
        return self._blob(_ext(DICT, self._tree(pairs, 2)))

    def _sequence(self, value: Any) -> Any:
        seen = self._lists.get(id(value))
        if seen is not None:
            return seen[1]
        items = value.stored() if type(value) is LoadedList else value
        parts = [self._part(item) for item in items]
        packed = _packb([_embed(part) for part in parts])
        if len(packed) >= _PART:
            packed = self._blob(_ext(LIST, self._tree([_bytes_of(part) for part in parts], 1)))
        # One list is often in several pending sends at once; it is held so that its id stays its own.
        self._lists[id(value)] = (value, packed)
        return packed

    def _tree(self, items: list[bytes], width: int) -> bytes:
        """Runs of items become blobs, runs of their names as well; what is left at each level stands in the root."""
        runs, rest = _runs(items)
        root: list[Any] = [len(items), _array(rest, width)]
        names = [self._store(_array(run, width)) for run in runs]
        while names:
            runs, rest = _runs(names)
            root.append(b"".join(rest))
            names = [self._store(b"".join(run)) for run in runs]
        return _packb(root)

    def _blob(self, packed: bytes) -> bytes:
        """`packed` itself, or the reference to it when that is shorter."""
        return packed if len(packed) < _PART else _reference(self._store(packed))

    def _store(self, packed: bytes) -> bytes:
        name = blake2b(packed, digest_size=HASH_BYTES).digest()
        self._blobs[name] = packed
        return name


def _runs(items: list[bytes]) -> tuple[list[list[bytes]], list[bytes]]:
    """Full runs, and what is left behind the last."""
    runs: list[list[bytes]] = []
    run: list[bytes] = []
    size = 0
    for item in items:
        run.append(item)
        size += len(item)
        # A long item ends a run more often, so that runs have one size on average whatever is in them.
        if (len(run) > 1 and zlib.crc32(item) % _RUN < len(item)) or size > _LONGEST_RUN:
            runs.append(run)
            run, size = [], 0
    return runs, run


def _packb(value: Any) -> bytes:
    return ormsgpack.packb(value, option=PACKING)


def _bytes_of(part: Any) -> bytes:
    return part if type(part) is bytes else _packb(part)


def _embed(part: Any) -> Any:
    return ormsgpack.Fragment(part) if type(part) is bytes else part


def _ext(code: int, data: bytes) -> bytes:
    return ormsgpack.packb(ormsgpack.Ext(code, data))


def _reference(name: bytes) -> bytes:
    return b"\xd8\x40" + name  # what `_ext(REF, name)` gives, without the call


def _array(items: list[bytes], width: int) -> bytes:
    """A msgpack array of packed items; an item of a dictionary is two values wide."""
    count = len(items) * width
    if count < 16:
        return b"".join((bytes((0x90 | count,)), *items))
    return b"".join((b"\xdd", count.to_bytes(4, "big"), *items))


def _extension(value: Any) -> ormsgpack.Ext:
    if type(value) is Raw:
        return ormsgpack.Ext(value.code, value.data)
    raise TypeError(f"{type(value).__name__} is no plain data")
