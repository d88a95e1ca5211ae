"""Blobs in a SQLite file: parts of values by the hash of their content, and which thread uses which.

A blob goes when the last thread that used it is deleted or pruned; triggers see to it, whoever deletes.
"""

import sqlite3
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterable

from travel_lab.checkpoints.packing import COMPACT, squeeze, unsqueeze
from travel_lab.checkpoints.unpacking import NameCollector, stock_bytes
from travel_lab.errors import StorageError, UnreadableStep

SCHEMA = """
CREATE TABLE IF NOT EXISTS blobs (
    id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, value BLOB NOT NULL, threads INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS blob_uses (
    thread_id TEXT NOT NULL, blob INTEGER NOT NULL, PRIMARY KEY (thread_id, blob)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS blob_deletions (number INTEGER NOT NULL);
INSERT INTO blob_deletions SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM blob_deletions);
CREATE TRIGGER IF NOT EXISTS blob_used AFTER INSERT ON blob_uses BEGIN
    UPDATE blobs SET threads = threads + 1 WHERE id = NEW.blob;
END;
CREATE TRIGGER IF NOT EXISTS blob_unused AFTER DELETE ON blob_uses BEGIN
    UPDATE blobs SET threads = threads - 1 WHERE id = OLD.blob;
    DELETE FROM blobs WHERE id = OLD.blob AND threads = 0;
    UPDATE blob_deletions SET number = number + 1;
END;
"""
_CACHED_BLOBS = 4096
_CACHED_BYTES = 65536


class MissingBlobs(Exception):
    """Blobs that were thought to be stored are not; their content must be given."""


class BlobTable:
    """The blobs of one file through one connection; the caller holds the lock and the transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Args: an open connection."""
        self._connection = connection
        self._used: dict[str, set[bytes]] = {}
        self._deletions = -1
        self._cache: OrderedDict[bytes, bytes] = OrderedDict()

    def fetch(self, name: bytes) -> bytes:
        """The content of a blob.

        Raises:
            StorageError: There is no such blob.
        """
        known = self._cache.get(name)
        if known is None:
            row = self._connection.execute("SELECT value FROM blobs WHERE hash = ?", (name,)).fetchone()
            if row is None:
                raise StorageError(
                    f"Part {name.hex()!r} of a step is missing from the database. "
                    "The step was deleted while it was read, or rows were removed by hand."
                )
            known = unsqueeze(row[0])
            if len(known) <= _CACHED_BYTES:
                self._cache[name] = known
                if len(self._cache) > _CACHED_BLOBS:
                    self._cache.popitem(last=False)
        return known

    def add(self, thread_id: str, blobs: dict[bytes, bytes | None]) -> set[bytes]:
        """Make sure that the thread has these blobs; inside a transaction.

        Returns:
            What was new to the thread; pass it to `added` when the transaction is committed.

        Raises:
            MissingBlobs: A blob without content is not in the file.
        """
        (deletions,) = self._connection.execute("SELECT number FROM blob_deletions").fetchone()
        if deletions != self._deletions:
            # Another process may have deleted what this one remembers.
            self._used.clear()
            self._cache.clear()
            self._deletions = deletions
        new = blobs.keys() - self._used.get(thread_id, ())
        # Sorted by content, so that the same work makes the same file.
        contents = [(name, squeeze(content)) for name in sorted(new) if (content := blobs[name]) is not None]
        self._connection.executemany("INSERT OR IGNORE INTO blobs (hash, value) VALUES (?, ?)", contents)
        for name in sorted(new):
            row = self._connection.execute("SELECT id FROM blobs WHERE hash = ?", (name,)).fetchone()
            if row is None:
                raise MissingBlobs
            self._connection.execute("INSERT OR IGNORE INTO blob_uses VALUES (?, ?)", (thread_id, row[0]))
        return set(new)

    def added(self, thread_id: str, names: Iterable[bytes]) -> None:
        """Remember that the thread has these blobs."""
        self._used.setdefault(thread_id, set()).update(names)

    def collect(self, thread_id: str) -> None:
        """Let go of every blob that no step of the thread uses; inside a transaction."""
        names = self._needed(thread_id, lambda _namespace, _checkpoint_id: True)
        self._connection.execute("CREATE TEMP TABLE IF NOT EXISTS kept_blobs (hash BLOB PRIMARY KEY) WITHOUT ROWID")
        self._connection.execute("DELETE FROM temp.kept_blobs")
        self._connection.executemany("INSERT INTO temp.kept_blobs VALUES (?)", [(name,) for name in names])
        self._connection.execute(
            "DELETE FROM blob_uses WHERE thread_id = ? AND blob NOT IN "
            "(SELECT blobs.id FROM temp.kept_blobs JOIN blobs USING (hash))",
            (thread_id,),
        )

    def freed(self, thread_id: str, keeps: Callable[[str, str], bool]) -> int:
        """Bytes of the blobs that go when only the steps that `keeps` names, by namespace and id, are left of the thread."""
        names = self._needed(thread_id, keeps)
        used = self._connection.execute(
            "SELECT hash, length(value) FROM blobs JOIN blob_uses ON blob = id WHERE thread_id = ? AND threads = 1", (thread_id,)
        )
        return sum(size for name, size in used if name not in names)

    def _needed(self, thread_id: str, keeps: Callable[[str, str], bool]) -> set[bytes]:
        """The names of all blobs that these steps of the thread rest on."""
        collector = NameCollector(self.fetch)
        for column, table in (("checkpoint", "checkpoints"), ("value", "writes")):
            for namespace, checkpoint_id, stored in self._connection.execute(
                f"SELECT checkpoint_ns, checkpoint_id, {column} FROM {table} "  # noqa: S608 (names from the line above)
                "WHERE thread_id = ? AND type = ?",
                (thread_id, COMPACT),
            ).fetchall():
                if not keeps(namespace, checkpoint_id):
                    continue
                try:
                    collector.collect(unsqueeze(stored))
                except (StorageError, zlib.error, ValueError, TypeError, LookupError, RecursionError) as error:
                    raise UnreadableStep(
                        f"Step {checkpoint_id!r} of session {thread_id!r} is damaged, so what it rests on is not known: {error}. "
                        "Nothing was dropped."
                    ) from error
        return collector.names

    def forget_thread(self, thread_id: str) -> None:
        """Let go of all blobs of the thread; inside a transaction."""
        self._connection.execute("DELETE FROM blob_uses WHERE thread_id = ?", (thread_id,))

    def copy_uses(self, source: str, target: str) -> None:
        """Let `target` use what `source` uses; inside a transaction."""
        self._connection.execute(
            "INSERT OR IGNORE INTO blob_uses SELECT ?, blob FROM blob_uses WHERE thread_id = ?", (target, source)
        )


def has_blobs(connection: sqlite3.Connection) -> bool:
    """Whether the file was ever written by the compact saver."""
    return connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'blobs'").fetchone() is not None


def stock_form(blobs: BlobTable, form: str | None, stored: bytes | None) -> tuple[str | None, bytes | None]:
    """The `type` and bytes LangGraph's own saver would have stored for a row of either kind; no class is imported."""
    if form != COMPACT or stored is None:
        return form, stored
    return "msgpack", stock_bytes(unsqueeze(stored), blobs.fetch)
