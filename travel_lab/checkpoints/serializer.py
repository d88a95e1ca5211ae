"""LangGraph's serialiser and ours in one: what the saver stores with and reads with."""

import zlib
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from travel_lab.checkpoints.blobs import BlobTable
from travel_lab.checkpoints.packing import COMPACT, MessageMemory, Packed, Packer, Unpackable, squeeze, unsqueeze
from travel_lab.checkpoints.unpacking import Unpacker
from travel_lab.errors import StorageError, UnreadableStep


@contextmanager
def naming_damage(thread_id: str, checkpoint_id: str) -> Iterator[None]:
    """Around the reading of a step.

    Raises:
        UnreadableStep: Its bytes are damaged, or of a kind that this serialiser does not read.
    """
    try:
        yield
    except (StorageError, NotImplementedError, zlib.error, ValueError, TypeError, LookupError, RecursionError) as error:
        raise UnreadableStep(
            f"Step {checkpoint_id!r} of session {thread_id!r} cannot be read: {error}. Nothing was changed; the other steps are "
            "whole where they can be opened, see `travel-lab history`."
        ) from error


class CompactSerializer:
    """LangGraph's serialiser, able to read packed values as well."""

    def __init__(self, plain: JsonPlusSerializer, blobs: BlobTable, memory: MessageMemory) -> None:
        """Args: what LangGraph would use; where blobs are; who recognises messages."""
        self.plain, self._blobs, self._memory = plain, blobs, memory
        self._unpacker = Unpacker(plain.loads_typed, blobs.fetch, memory)

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        """A value on its own, as LangGraph stores it."""
        return self.plain.dumps_typed(obj)

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        """A value, packed or as LangGraph stores it."""
        form, stored = data
        return self._unpacker.unpack(unsqueeze(stored)) if form == COMPACT else self.plain.loads_typed(data)

    def pack(self, value: Any, outer: int, *, trust_memory: bool = True) -> tuple[str, bytes, Packed | None]:
        """The `type` and the bytes to store, and the blobs they need; without blobs when the value cannot be packed."""
        if value is None or isinstance(value, bytes | bytearray):
            return (*self.plain.dumps_typed(value), None)
        try:
            packed = Packer(self.plain.dumps_typed, self._memory if trust_memory else None).pack(value, outer)
        except Unpackable:
            return (*self.plain.dumps_typed(value), None)
        return COMPACT, squeeze(packed.data), packed

    def with_allowlist(self, extra: Collection[tuple[str, ...]]) -> "CompactSerializer":
        """The same for a graph that brings types of its own."""
        plain = self.plain.with_msgpack_allowlist(extra)
        return self if plain is self.plain else CompactSerializer(plain, self._blobs, self._memory)
