"""The database behind LangGraph's `AsyncSqliteSaver`, which refuses synchronous calls from the thread of its own event loop.

Its connection works in a thread of its own and answers any loop, so it is asked from a loop made for the question.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from travel_lab.errors import BadInput

T = TypeVar("T")


def path_of(saver: AsyncSqliteSaver) -> str:
    """The saver's file; blank for a database in memory.

    Raises:
        BadInput: Its connection is not open.
    """

    async def ask() -> str:
        async with saver.conn.execute("PRAGMA database_list") as cursor:
            row = await cursor.fetchone()
        return str(row[2]) if row else ""

    return _answer(ask)


def copy_of(saver: AsyncSqliteSaver) -> sqlite3.Connection:
    """Everything in its database now, in one in memory.

    Raises:
        BadInput: Its connection is not open.
    """
    copy = sqlite3.connect(":memory:", check_same_thread=False)
    try:
        _answer(lambda: saver.conn.backup(copy))
    except BaseException:  # Ctrl-C too must not leave it open
        copy.close()
        raise
    return copy


def _answer(ask: Callable[[], Coroutine[Any, Any, T]]) -> T:
    with ThreadPoolExecutor(max_workers=1) as thread:
        try:
            return thread.submit(lambda: asyncio.run(ask())).result()
        except ValueError as error:
            raise BadInput(f"The connection of this AsyncSqliteSaver is not open ({error}). Open its file by path.") from error
