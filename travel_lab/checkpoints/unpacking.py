"""The way back from `packing`: to live objects, to the bytes LangGraph would have stored, and to the names of all parts."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import ormsgpack
from langchain_core.messages import BaseMessage
from langgraph.types import Send

from travel_lab.checkpoints.owned import LoadedList, own, own_message
from travel_lab.checkpoints.packing import (
    DICT,
    HASH_BYTES,
    LIST,
    REF,
    SEND,
    UNPACKING,
    MessageMemory,
    Raw,
    pack_raw,
)
from travel_lab.errors import StorageError

Fetch = Callable[[bytes], bytes]
"""The content of a blob, by its name."""

LAZY_FROM = 64
"""Items from which a list with changeable items is a `LoadedList`; shorter ones are copied at once."""
_PLAIN = frozenset({str, int, float, bool, type(None), bytes})
_CACHED = 10_000


class _Reader:
    """Reads msgpack through a hook that may need blobs."""

    def __init__(self, fetch: Fetch) -> None:
        self._source = fetch
        self._failed: StorageError | None = None

    def _fetch(self, name: bytes) -> bytes:
        try:
            return self._source(name)
        except StorageError as error:
            self._failed = error
            raise

    def _read(self, data: bytes, hook: Callable[[int, bytes], Any]) -> Any:
        try:
            return ormsgpack.unpackb(data, ext_hook=hook, option=UNPACKING)
        except ValueError:
            # msgpack hides what a hook raised.
            if self._failed is not None:
                raise self._failed from None
            raise


class Unpacker(_Reader):
    """Puts values together. What two values share is decoded once and still never shared in a way a caller can change."""

    def __init__(self, loads: Callable[[tuple[str, bytes]], Any], fetch: Fetch, memory: MessageMemory) -> None:
        """Args: LangGraph's deserialiser for what was taken as a whole; where blobs are; who recognises messages again."""
        super().__init__(fetch)
        self._loads, self._memory = loads, memory
        self._values: dict[bytes, Any] = {}
        self._runs: dict[bytes, tuple[Any, ...]] = {}

    def unpack(self, data: bytes) -> Any:
        """The value; everything in it that can be changed is the caller's own, or becomes so at the first look."""
        self._failed = None
        return self._read(data, self._fresh)

    def _fresh(self, code: int, data: bytes) -> Any:
        if code in {REF, LIST, DICT}:
            return self._own(self._shared(code, data))
        return self._other(code, data, self._fresh)

    def _shared(self, code: int, data: bytes) -> Any:
        """Values to keep and to copy from; never handed out as they are."""
        if code == REF:
            return self._value(data)
        if code == LIST:
            return self._tree(data)
        if code == DICT:
            items = self._tree(data)
            return dict(zip(items[::2], items[1::2], strict=True))
        return self._other(code, data, self._shared)

    def _other(self, code: int, data: bytes, hook: Callable[[int, bytes], Any]) -> Any:
        if code == SEND:
            node, arg, *timeout = self._read(data, hook)
            return Send(node, arg, timeout=timeout[0]) if timeout else Send(node, arg)
        return self._loads(("msgpack", ormsgpack.packb(ormsgpack.Ext(code, data))))

    def _own(self, value: Any) -> Any:
        """A copy for the caller; long lists are copied at the first look."""
        kind = type(value)
        if kind in _PLAIN:
            return value
        if kind is dict:
            return {key: item if type(item) in _PLAIN else self._own(item) for key, item in value.items()}
        if kind is list:
            if len(value) >= LAZY_FROM and not all(type(item) in _PLAIN for item in value):
                return LoadedList(value, self._own)
            return [item if type(item) in _PLAIN else self._own(item) for item in value]
        if isinstance(value, BaseMessage):
            return self._memory.copy_of(value)
        if kind is Send:
            return Send(value.node, self._own(value.arg), timeout=value.timeout)
        return own(value)

    def _value(self, name: bytes) -> Any:
        """A blob's value, decoded once."""
        known = self._values.get(name)
        if known is not None:
            return known
        value = self._read(self._fetch(name), self._shared)
        if isinstance(value, BaseMessage):
            self._memory.remember(value, own_message(value), name)
        # A long list is put together from its runs faster than it is worth keeping.
        if not isinstance(value, list) or len(value) < LAZY_FROM:
            if len(self._values) >= _CACHED:
                self._values.clear()
            self._values[name] = value
        return value

    def _tree(self, data: bytes) -> list[Any]:
        _, rest, *levels = self._read(data, self._shared)
        items: list[Any] = []
        for level in range(len(levels), 0, -1):
            for name in names_of(levels[level - 1]):
                items.extend(self._run(name, level))
        items.extend(self._read(rest, self._shared))
        return items

    def _run(self, name: bytes, level: int) -> tuple[Any, ...]:
        known = self._runs.get(name)
        if known is None:
            data = self._fetch(name)
            if level == 1:
                known = tuple(self._read(data, self._shared))
            else:
                known = tuple(item for part in names_of(data) for item in self._run(part, level - 1))
            if len(self._runs) >= _CACHED:
                self._runs.clear()
            self._runs[name] = known
        return known


def names_of(joined: bytes) -> Iterator[bytes]:
    """Names written one after the other."""
    return (joined[at : at + HASH_BYTES] for at in range(0, len(joined), HASH_BYTES))


def stock_bytes(data: bytes, fetch: Fetch) -> bytes:
    """A packed value as the msgpack LangGraph would have stored; no class is imported."""
    return pack_raw(_Inflater(fetch).read(data))


class _Inflater(_Reader):
    def read(self, data: bytes) -> Any:
        return self._read(data, self._extension)

    def _extension(self, code: int, data: bytes) -> Any:
        if code == REF:
            return self.read(self._fetch(data))
        if code == LIST:
            return self._tree(data)
        if code == DICT:
            items = self._tree(data)
            return dict(zip(items[::2], items[1::2], strict=True))
        if code == SEND:
            return Raw(1, pack_raw(("langgraph.types", "Send", self.read(data))))
        return Raw(code, data)

    def _tree(self, data: bytes) -> list[Any]:
        _, rest, *levels = self.read(data)
        items: list[Any] = []
        for level in range(len(levels), 0, -1):
            for name in names_of(levels[level - 1]):
                items.extend(self._run(name, level))
        return [*items, *self.read(rest)]

    def _run(self, name: bytes, level: int) -> Iterable[Any]:
        data = self._fetch(name)
        if level == 1:
            return list(self.read(data))
        return [item for part in names_of(data) for item in self._run(part, level - 1)]


class NameCollector(_Reader):
    """The names of all blobs that values rest on, each blob looked into once."""

    def __init__(self, fetch: Fetch) -> None:
        """Args: where blobs are."""
        super().__init__(fetch)
        self.names: set[bytes] = set()

    def collect(self, data: bytes) -> None:
        """Add what a packed value rests on."""
        self._read(data, self._extension)

    def _extension(self, code: int, data: bytes) -> None:
        if code == REF:
            self._add(data, 0)
        elif code == SEND:
            self.collect(data)
        elif code in {LIST, DICT}:
            _, rest, *levels = ormsgpack.unpackb(data)
            self.collect(rest)
            for level, joined in enumerate(levels, start=1):
                for name in names_of(joined):
                    self._add(name, level)

    def _add(self, name: bytes, level: int) -> None:
        if name in self.names:
            return
        self.names.add(name)
        if level <= 1:
            self.collect(self._fetch(name))
            return
        for part in names_of(self._fetch(name)):
            self._add(part, level - 1)


def send_target(data: bytes) -> str | None:
    """The node a packed `Send` names; None when the value is no `Send`."""
    found: list[str] = []

    def look(code: int, inner: bytes) -> None:
        if code == SEND:
            found.append(str(ormsgpack.unpackb(inner, ext_hook=lambda *_: None, option=UNPACKING)[0]))

    ormsgpack.unpackb(data, ext_hook=look, option=UNPACKING)
    return found[0] if found else None
