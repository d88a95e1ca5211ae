"""A stranger's checkpoint file made small, and back: what is packed is put together again and compared before it is kept.

The source is opened read-only and read in one transaction, nothing stored in it is imported or executed, and tables that
are not LangGraph's are copied as they are.
"""

import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite import SqliteSaver
from ormsgpack import MsgpackDecodeError

from travel_lab.checkpoints.blobs import BlobTable, has_blobs, stock_form
from travel_lab.checkpoints.packing import COMPACT, Packer, Unpackable, read_raw, squeeze
from travel_lab.checkpoints.saver import CHECKPOINT_LEVELS, CompactSaver
from travel_lab.checkpoints.unpacking import stock_bytes
from travel_lab.errors import NotADatabase, StorageError
from travel_lab.storage import checked_path, connect, connect_read_only

_OURS = ("blobs", "blob_uses", "blob_deletions", "session_leases")
"""Made anew where they are needed; a lease is a running program's hold on the source and on nothing else."""
_LANGGRAPH = ("checkpoints", "writes")
_TABLES = {
    "checkpoints": ("thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, metadata", "checkpoint", CHECKPOINT_LEVELS),
    "writes": ("thread_id, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel", "value", 0),
}
_ROWS_A_COMMIT = 500

_Value = tuple[str | None, bytes | None]
_Convert = Callable[[str, _Value, int], _Value]


@dataclass(frozen=True, kw_only=True)
class Shrinkage:
    """What a conversion did."""

    source: Path
    target: Path | None
    """The new file; None after a dry run."""
    bytes_before: int
    bytes_after: int
    steps: int
    writes: int
    unchanged: int
    """Values stored as they were, because taking them apart would not give the same bytes back, such as encrypted ones."""

    @property
    def factor(self) -> float:
        """How many times smaller the new file is."""
        return self.bytes_before / self.bytes_after


def shrink(source: str | os.PathLike[str], target: str | os.PathLike[str] | None = None) -> Shrinkage:
    """Write a compact copy of a checkpoint file, equal value by value.

    Args:
        source: A file of LangGraph's SqliteSaver or of ours; never touched.
        target: A file that does not exist yet; left out, a dry run that measures and keeps nothing.

    Raises:
        NotADatabase: The source is no LangGraph checkpoint file.
        StorageError: A file cannot be used, or the target exists.
    """
    if target is not None:
        return _convert(source, checked_path(target), CompactSaver, _Shrinker)
    with tempfile.TemporaryDirectory(prefix="travel_lab-") as folder:
        done = _convert(source, Path(folder) / "dry.db", CompactSaver, _Shrinker)
    return Shrinkage(**{**vars(done), "target": None})


def inflate(source: str | os.PathLike[str], target: str | os.PathLike[str]) -> Shrinkage:
    """Write a copy that LangGraph's own SqliteSaver reads; the way back from `shrink`, to the same bytes.

    Raises:
        NotADatabase: The source is no LangGraph checkpoint file.
        StorageError: A file cannot be used, or the target exists.
    """
    return _convert(source, checked_path(target), SqliteSaver, _Inflater)


class _Shrinker:
    """Turns stored values into packed ones in the target."""

    def __init__(self, source: sqlite3.Connection, target: sqlite3.Connection) -> None:
        self._source, self._blobs = BlobTable(source), BlobTable(target)
        self._packer = Packer(JsonPlusSerializer(allowed_msgpack_modules=[]).dumps_typed, None)
        self.unchanged = 0

    def __call__(self, thread_id: str, value: _Value, outer: int) -> _Value:
        form, stored = stock_form(self._source, *value)
        if form == "msgpack" and stored is not None:
            try:
                packed = self._packer.pack(read_raw(stored), outer)
                self._blobs.added(thread_id, self._blobs.add(thread_id, packed.blobs))
                if stock_bytes(packed.data, self._blobs.fetch) == stored:
                    return COMPACT, squeeze(packed.data)
            except (Unpackable, MsgpackDecodeError, TypeError):
                pass  # it stays as it is
            self.unchanged += 1
        return form, stored


class _Inflater:
    """Turns packed values back into stored ones."""

    def __init__(self, source: sqlite3.Connection, target: sqlite3.Connection) -> None:
        self._source = BlobTable(source)
        self.unchanged = 0

    def __call__(self, thread_id: str, value: _Value, outer: int) -> _Value:
        return stock_form(self._source, *value)


def _convert(
    source: str | os.PathLike[str],
    target: Path,
    saver: type[SqliteSaver],
    converter: type[_Shrinker] | type[_Inflater],
) -> Shrinkage:
    with reading(source) as old, _new_file(target) as new:
        saver(new).setup()
        convert = converter(old, new)
        counts = {table: _copy_rows(old, new, table, convert) for table in _LANGGRAPH}
        _copy_other_tables(old, new)
        new.commit()
        # Blobs that were made for values that then stayed as they were.
        _collect(new)
        new.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        new.execute("PRAGMA journal_mode=DELETE")
        new.execute("VACUUM")
        pages, page = (old.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))
    return Shrinkage(
        source=Path(source),
        target=target,
        bytes_before=pages * page,
        bytes_after=target.stat().st_size,
        steps=counts["checkpoints"],
        writes=counts["writes"],
        unchanged=convert.unchanged,
    )


def _collect(connection: sqlite3.Connection) -> None:
    if has_blobs(connection):
        saver = CompactSaver(connection)
        for (thread_id,) in connection.execute("SELECT DISTINCT thread_id FROM blob_uses").fetchall():
            saver.collect(thread_id)


@contextmanager
def reading(source: str | os.PathLike[str]) -> Iterator[sqlite3.Connection]:
    """A LangGraph checkpoint file for reading, as it stood at one moment.

    Raises:
        NotADatabase: It is something else.
    """
    with closing(connect_read_only(source)) as connection:
        try:
            connection.execute("BEGIN")
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        except sqlite3.DatabaseError as error:
            raise NotADatabase(f"{os.fspath(source)!r} cannot be read as a database: {error}.") from error
        missing = [table for table in _LANGGRAPH if table not in tables]
        if missing:
            raise NotADatabase(
                f"{os.fspath(source)!r} is no LangGraph checkpoint file: it has no table {missing[0]!r}, "
                f"found {', '.join(sorted(tables)) or 'none'}."
            )
        yield connection


@contextmanager
def _new_file(target: Path) -> Iterator[sqlite3.Connection]:
    place = checked_path(target)
    if place.exists():
        raise StorageError(f"{str(place)!r} exists; nothing was written. Give the path of a new file.")
    connection = connect(place)
    try:
        with closing(connection):
            yield connection
    except BaseException:  # Ctrl-C too must not leave half a file
        for suffix in ("", "-wal", "-shm"):
            Path(f"{place}{suffix}").unlink(missing_ok=True)
        raise


def _copy_rows(old: sqlite3.Connection, new: sqlite3.Connection, table: str, convert: _Convert) -> int:
    keys, column, outer = _TABLES[table]
    names = [name for (_, name, *_) in old.execute(f"PRAGMA table_info({table})")]
    # Files from before the column have no task paths.
    chosen = keys if "task_path" in names else keys.replace("task_path", "'' AS task_path")
    width = keys.count(",") + 3
    insert = f"INSERT INTO {table} ({keys}, type, {column}) VALUES ({', '.join('?' * width)})"  # noqa: S608 (names from this file)
    # In the order in which they were written, so that what belongs together lies together.
    count = 0
    for *key, form, stored in old.execute(f"SELECT {chosen}, type, {column} FROM {table} ORDER BY rowid"):  # noqa: S608
        new.execute(insert, (*key, *convert(key[0], (form, stored), outer)))
        count += 1
        if count % _ROWS_A_COMMIT == 0:
            new.commit()
    new.commit()
    return count


def _copy_other_tables(old: sqlite3.Connection, new: sqlite3.Connection) -> None:
    """Everything in the file that belongs to neither saver."""
    known = (*_LANGGRAPH, *_OURS)
    entries = old.execute(
        "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite!_%' ESCAPE '!' "
        "ORDER BY CASE type WHEN 'table' THEN 0 ELSE 1 END, rowid"
    ).fetchall()
    for kind, name, table, sql in entries:
        if table in known:
            continue
        if sql.upper().startswith("CREATE VIRTUAL"):
            raise StorageError(f"The file has a virtual table {name!r}, which cannot be copied. Nothing was kept.")
        new.execute(sql)
        if kind == "table":
            quoted = '"' + name.replace('"', '""') + '"'
            rows = old.execute(f"SELECT * FROM {quoted}")  # noqa: S608 (quoted)
            width = len(rows.description)
            new.executemany(f"INSERT INTO {quoted} VALUES ({', '.join('?' * width)})", rows)  # noqa: S608 (quoted)
