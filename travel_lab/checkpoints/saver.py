"""A LangGraph checkpoint saver whose file grows with new information only.

`CompactSaver(connection)` takes the place of LangGraph's `SqliteSaver(connection)`, for any graph, sync and async. It
uses the same two tables; what stands in them is packed (see `packing`), and parts that occur twice are stored once in a
table `blobs`. Rows the stock saver wrote are read as they are, so an old file is simply carried on.
"""

import asyncio
import copy
import json
import sqlite3
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Self, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    get_checkpoint_id,
    get_checkpoint_metadata,
)
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.utils import load_pending_writes, pending_writes_sql, search_where

from travel_lab.checkpoints.blobs import SCHEMA, BlobTable, MissingBlobs
from travel_lab.checkpoints.packing import MessageMemory
from travel_lab.checkpoints.refusals import Refusals
from travel_lab.checkpoints.serializer import CompactSerializer, naming_damage
from travel_lab.errors import BadInput, UnknownName

_Keys = list[tuple[str, str, str]]
_Rows = list[tuple[str, bytes]]
CHECKPOINT_LEVELS = 2
"""The checkpoint and its dictionary of values change with every step; what is in them is stored once."""
_STRATEGIES = ("keep_latest", "delete")


class CompactSaver(SqliteSaver):
    """Keeps every step of every thread, storing each message and each large value once.

    Loaded values are the caller's own: changing them changes no other snapshot. A list of 64 or more items that can be
    changed comes back as a `list` subclass that copies its items at the first look; only C code that takes the items
    without looking, such as the validation of a pydantic state, sees the shared ones.

    The async methods run the sync ones in a thread, so one saver serves `invoke` and `ainvoke`.
    """

    serde: CompactSerializer

    def __init__(self, conn: sqlite3.Connection, *, serde: SerializerProtocol | None = None) -> None:
        """Use a connection made with `check_same_thread=False`.

        Args:
            conn: Where to store; set to a write-ahead log with `synchronous=NORMAL`.
            serde: A `JsonPlusSerializer` with settings of your own.

        Raises:
            BadInput: `serde` is of another kind.
        """
        plain = JsonPlusSerializer() if serde is None else serde
        if not isinstance(plain, JsonPlusSerializer):
            raise BadInput(
                f"CompactSaver cannot store with {type(serde).__name__}; it takes values apart before they are serialised. "
                "Give a JsonPlusSerializer, or keep SqliteSaver, for encryption for example."
            )
        super().__init__(conn)
        self._blobs = BlobTable(conn)
        self._refusals = Refusals(plain.dumps_typed, self.get_tuple)
        self.serde = CompactSerializer(plain, self._blobs, MessageMemory())

    def setup(self) -> None:
        """Make the tables; called when first needed."""
        if self.is_setup:
            return
        super().setup()
        self.is_setup = False
        self.conn.execute("PRAGMA synchronous=NORMAL")
        try:
            self.conn.executescript(SCHEMA)
        except sqlite3.OperationalError as error:
            # A file opened for reading has the tables, or rows of the stock saver only.
            if "readonly database" not in str(error):
                raise
        self.is_setup = True

    def with_allowlist(self, extra_allowlist: Collection[tuple[str, ...]]) -> Self:
        """The same saver for a graph that brings types of its own."""
        clone = copy.copy(self)
        clone.serde = self.serde.with_allowlist(extra_allowlist)
        return clone

    def put(
        self, config: RunnableConfig, checkpoint: Checkpoint, metadata: CheckpointMetadata, new_versions: ChannelVersions
    ) -> RunnableConfig:
        """Store a step; `NotStorable` says what in it no checkpoint can hold."""
        place = config["configurable"]
        thread_id, namespace = str(place["thread_id"]), place["checkpoint_ns"]
        told = json.dumps(get_checkpoint_metadata(config, metadata), ensure_ascii=False).encode("utf-8", "ignore")
        head = (thread_id, namespace, checkpoint["id"], place.get("checkpoint_id"))

        def insert(rows: _Rows) -> None:
            self.conn.execute("INSERT OR REPLACE INTO checkpoints VALUES (?, ?, ?, ?, ?, ?, ?)", (*head, *rows[0], told))

        with self._refusals.of_step(config, checkpoint):
            self._store(thread_id, [checkpoint], CHECKPOINT_LEVELS, insert)
        return {"configurable": {"thread_id": place["thread_id"], "checkpoint_ns": namespace, "checkpoint_id": checkpoint["id"]}}

    def put_writes(self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = "") -> None:
        """Store what a task wrote; all of it, or nothing and `NotStorable`."""
        place = config["configurable"]
        thread_id = str(place["thread_id"])
        head = (thread_id, str(place["checkpoint_ns"]), str(place["checkpoint_id"]), task_id, task_path)
        known = all(channel in WRITES_IDX_MAP for channel, _ in writes)
        query = (
            f"INSERT OR {'REPLACE' if known else 'IGNORE'} INTO writes "  # noqa: S608 (one of two words)
            "(thread_id, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, value) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        )

        def insert(rows: _Rows) -> None:
            self.conn.executemany(
                query,
                [
                    (*head, WRITES_IDX_MAP.get(channel, at), channel, *row)
                    for at, ((channel, _), row) in enumerate(zip(writes, rows, strict=True))
                ],
            )

        with self._refusals.of_writes(config, writes, task_path):
            self._store(thread_id, [value for _, value in writes], 0, insert)

    def _store(self, thread_id: str, values: Sequence[Any], outer: int, insert: Callable[[_Rows], None]) -> None:
        """Pack the values and commit their rows together with the blobs they need: all or nothing."""
        with self.lock:
            self.setup()
            for trust in (True, False):
                rows, blobs = self._packed(values, outer, trust_memory=trust)
                try:
                    with self._transaction():
                        new = self._blobs.add(thread_id, blobs)
                        insert(rows)
                except MissingBlobs:
                    if not trust:
                        raise
                    continue
                self._blobs.added(thread_id, new)
                return

    def _packed(self, values: Sequence[Any], outer: int, *, trust_memory: bool) -> tuple[_Rows, dict[bytes, bytes | None]]:
        rows: _Rows = []
        blobs: dict[bytes, bytes | None] = {}
        for value in values:
            form, data, packed = self.serde.pack(value, outer, trust_memory=trust_memory)
            rows.append((form, data))
            for name, content in packed.blobs.items() if packed else ():
                blobs[name] = content if content is not None else blobs.get(name)
        return rows, blobs

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self.conn.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:  # Ctrl-C too must not leave half a step
            self.conn.rollback()
            raise
        self.conn.commit()

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """A step; the newest of the thread unless the config names one."""
        place = config["configurable"]
        key = [str(place["thread_id"]), place.get("checkpoint_ns", "")]
        with self.lock:
            self.setup()
            named = get_checkpoint_id(config)
            if named is None:
                row = self.conn.execute(
                    "SELECT checkpoint_id FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = ? "
                    "ORDER BY checkpoint_id DESC LIMIT 1",
                    key,
                ).fetchone()
                if row is None:
                    return None
                named = row[0]
            found = self._read((*key, named))
        return found._replace(config=config) if found is not None and get_checkpoint_id(config) else found

    def list(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002 (LangGraph's name)
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        """Steps newest first. The lock is free between two of them, so other calls may be made meanwhile."""
        for key in self._keys(config, filter, before, limit):
            with self.lock:
                found = self._read(key)
            if found is not None:
                yield found

    def _keys(
        self,
        config: RunnableConfig | None,
        metadata: dict[str, Any] | None,
        before: RunnableConfig | None,
        limit: int | None,
    ) -> _Keys:
        where, values = search_where(config, metadata, before)
        query = f"SELECT thread_id, checkpoint_ns, checkpoint_id FROM checkpoints {where} ORDER BY checkpoint_id DESC"  # noqa: S608 (LangGraph's own clause)
        if limit is not None:
            query, values = query + " LIMIT ?", (*values, limit)
        with self.cursor(transaction=False) as cursor:
            return cast(_Keys, cursor.execute(query, values).fetchall())

    def _read(self, key: Sequence[str]) -> CheckpointTuple | None:
        thread_id, namespace, checkpoint_id = key
        row = self.conn.execute(
            "SELECT parent_checkpoint_id, type, checkpoint, metadata FROM checkpoints "
            "WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ?",
            key,
        ).fetchone()
        if row is None:
            return None
        parent_id, form, stored, metadata = row
        writes = self.conn.execute(pending_writes_sql(has_task_path=self._has_task_path), key).fetchall()
        with naming_damage(thread_id, checkpoint_id):
            return CheckpointTuple(
                config=_config(thread_id, namespace, checkpoint_id),
                checkpoint=self.serde.loads_typed((form, stored)),
                metadata=cast(CheckpointMetadata, json.loads(metadata) if metadata is not None else {}),
                parent_config=_config(thread_id, namespace, parent_id) if parent_id else None,
                pending_writes=load_pending_writes(writes, self.serde),
            )

    def delete_thread(self, thread_id: str) -> None:
        """Delete a thread and every blob no other thread uses."""
        with self.lock:
            self.setup()
            with self._transaction():
                self._drop(str(thread_id))

    def _drop(self, thread_id: str) -> None:
        self.conn.execute("DELETE FROM checkpoints WHERE thread_id = ?", (thread_id,))
        self.conn.execute("DELETE FROM writes WHERE thread_id = ?", (thread_id,))
        self._blobs.forget_thread(thread_id)

    def delete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Delete the steps of these runs, their writes, and every blob nothing else uses."""
        with self.lock:
            self.setup()
            with self._transaction():
                keys = self.conn.execute(
                    "SELECT thread_id, checkpoint_ns, checkpoint_id FROM checkpoints WHERE "
                    "json_extract(CAST(metadata AS TEXT), '$.run_id') IN (SELECT value FROM json_each(?))",
                    (json.dumps([str(run_id) for run_id in run_ids]),),
                ).fetchall()
                self._delete_steps(keys)

    def copy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copy all steps of a thread; no blob is copied."""
        source, target = str(source_thread_id), str(target_thread_id)
        with self.lock:
            self.setup()
            with self._transaction():
                self.conn.execute(
                    "INSERT INTO checkpoints "
                    "SELECT ?, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata "
                    "FROM checkpoints WHERE thread_id = ?",
                    (target, source),
                )
                self.conn.execute(
                    "INSERT INTO writes (thread_id, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, value) "
                    "SELECT ?, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, value "
                    "FROM writes WHERE thread_id = ?",
                    (target, source),
                )
                self._blobs.copy_uses(source, target)

    def prune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Delete all steps of these threads but the newest of each namespace, or (`delete`) all.

        A namespace whose newest step rests on the writes of earlier ones, as a `DeltaChannel` does, is left whole.

        Raises:
            UnknownName: No strategy of that name.
        """
        if strategy not in _STRATEGIES:
            raise UnknownName("pruning strategy", strategy, _STRATEGIES, "Nothing was deleted.")
        with self.lock:
            self.setup()
            with self._transaction():
                for thread_id in map(str, thread_ids):
                    if strategy == "delete":
                        self._drop(thread_id)
                    else:
                        self._delete_steps(self._older_steps(thread_id))

    def _older_steps(self, thread_id: str) -> _Keys:
        """Steps that the newest of their namespace does not need."""
        found: _Keys = []
        newest = self.conn.execute(
            "SELECT checkpoint_ns, MAX(checkpoint_id) FROM checkpoints WHERE thread_id = ? GROUP BY checkpoint_ns", (thread_id,)
        ).fetchall()
        for namespace, checkpoint_id in newest:
            kept = self._read((thread_id, namespace, checkpoint_id))
            if kept is None or self._rests_on_writes(thread_id, namespace, kept.checkpoint):
                continue
            found += self.conn.execute(
                "SELECT thread_id, checkpoint_ns, checkpoint_id FROM checkpoints "
                "WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id < ?",
                (thread_id, namespace, checkpoint_id),
            ).fetchall()
        return found

    def _rests_on_writes(self, thread_id: str, namespace: str, checkpoint: Checkpoint) -> bool:
        without_value = [
            channel
            for channel in checkpoint["channel_versions"]
            if channel not in checkpoint["channel_values"] and not channel.startswith(("__", "branch:"))
        ]
        row = self.conn.execute(
            "SELECT 1 FROM writes WHERE thread_id = ? AND checkpoint_ns = ? "
            "AND channel IN (SELECT value FROM json_each(?)) LIMIT 1",
            (thread_id, namespace, json.dumps(without_value)),
        ).fetchone()
        return row is not None

    def _delete_steps(self, keys: _Keys) -> None:
        self.conn.executemany("DELETE FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ?", keys)
        self.conn.executemany("DELETE FROM writes WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ?", keys)
        for thread_id in sorted({key[0] for key in keys}):
            self._blobs.collect(thread_id)

    def collect(self, thread_id: str) -> None:
        """Let go of blobs that no remaining step of the thread uses; needed only after rows were deleted by hand."""
        with self.lock:
            self.setup()
            with self._transaction():
                self._blobs.collect(str(thread_id))

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """See `get_tuple`."""
        return await asyncio.to_thread(self.get_tuple, config)

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002 (LangGraph's name)
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        """See `list`."""
        steps = self.list(config, filter=filter, before=before, limit=limit)
        while (step := await asyncio.to_thread(next, steps, None)) is not None:
            yield step

    async def aput(
        self, config: RunnableConfig, checkpoint: Checkpoint, metadata: CheckpointMetadata, new_versions: ChannelVersions
    ) -> RunnableConfig:
        """See `put`."""
        return await asyncio.to_thread(self.put, config, checkpoint, metadata, new_versions)

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """See `put_writes`."""
        await asyncio.to_thread(self.put_writes, config, writes, task_id, task_path)

    async def adelete_thread(self, thread_id: str) -> None:
        """See `delete_thread`."""
        await asyncio.to_thread(self.delete_thread, thread_id)

    async def adelete_for_runs(self, run_ids: Sequence[str]) -> None:
        """See `delete_for_runs`."""
        await asyncio.to_thread(self.delete_for_runs, run_ids)

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """See `copy_thread`."""
        await asyncio.to_thread(self.copy_thread, source_thread_id, target_thread_id)

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """See `prune`."""
        await asyncio.to_thread(self.prune, thread_ids, strategy=strategy)


def _config(thread_id: str, namespace: str, checkpoint_id: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread_id, "checkpoint_ns": namespace, "checkpoint_id": checkpoint_id}}
