"""Export: one complete file out of a database that may be in use, side file included."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from travel_lab.errors import StorageError
from travel_lab.storage import checked_path, connect_read_only


def export(source: str | os.PathLike[str], target: str | os.PathLike[str]) -> Path:
    """Copy a database, with all that is committed in it, into one new file that needs no side file.

    Leases of running programs are left out of the copy.

    Raises:
        StorageError: The source cannot be read or is damaged, or the target exists or cannot be written.
    """
    place = checked_path(target)
    if place.exists():
        raise StorageError(f"{str(place)!r} exists. Choose a new file; an export overwrites nothing.")
    if not place.parent.is_dir():
        raise StorageError(f"Cannot write {str(place)!r}: the folder {str(place.parent)!r} does not exist. Create it first.")
    with closing(connect_read_only(source)) as reader:
        try:
            with closing(sqlite3.connect(place)) as copy:
                reader.backup(copy)
                copy.execute("PRAGMA journal_mode=DELETE")
                if copy.execute("SELECT 1 FROM sqlite_master WHERE name = 'session_leases'").fetchone():
                    with copy:
                        copy.execute("DELETE FROM session_leases")
                found = copy.execute("PRAGMA quick_check(1)").fetchone()[0]
        except sqlite3.Error as error:
            place.unlink(missing_ok=True)
            raise StorageError(f"Cannot write {str(place)!r}: {error}.") from error
    if found != "ok":
        place.unlink()
        raise StorageError(
            f"{os.fspath(source)!r} is damaged ({found}), and a copy of it would be too. Nothing was written; copy the file "
            "itself to keep what is in it."
        )
    return place
