"""The store: one call, any thread, plain and awaited calls on one file, one file after closing."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

from travel_lab.checkpoints import CheckpointStore
from travel_lab.errors import NotADatabase, StorageError, StoreClosed
from travel_lab.lab import Lab


def test_awaited_turn_and_plain_reading_share_one_file(tmp_path, text):
    """In one event loop, as in a notebook, a turn is awaited and its chain is read by plain calls after it."""

    async def cells():
        with Lab.open(tmp_path / "lab.db") as lab:
            session = lab.session("s")
            turn = await session.asend(text)
            return turn.itinerary is not None, len(session.chain().steps), session.state()["turn"]

    assert asyncio.run(cells()) == (True, 5, 1)


def test_any_graph_runs_awaited_and_plain(store, fan_graph, thread):
    """A graph compiled with the store's saver takes `invoke` and `ainvoke` in turn, and both write to one chain."""
    graph = fan_graph(store.saver)

    async def cells():
        await graph.ainvoke({"notes": []}, thread("s"))
        graph.invoke({"notes": []}, thread("s"))
        state = await graph.aget_state(thread("s"))
        history = [snapshot async for snapshot in graph.aget_state_history(thread("s"))]
        return len(state.values["notes"]), len(history)

    assert asyncio.run(cells()) == (6, 8)


def test_awaited_delete_on_a_new_file_is_no_event(store):
    """Deleting an unknown session of an empty file by the awaited call does nothing."""
    asyncio.run(store.saver.adelete_thread("nobody"))


def test_store_works_from_any_thread(store, fan_graph, thread):
    """A store opened in one thread is written and read in others."""
    graph = fan_graph(store.saver)
    with ThreadPoolExecutor(2) as pool:
        pool.submit(graph.invoke, {"notes": []}, thread("s")).result()

        assert len(pool.submit(graph.get_state, thread("s")).result().values["notes"]) == 3


def test_closed_store_says_so(tmp_path):
    """After closing, the saver is refused with the way to open it again."""
    store = CheckpointStore(tmp_path / "lab.db")
    store.close()
    store.close()

    with pytest.raises(StoreClosed, match=r"is closed\. Open it again"):
        store.saver  # noqa: B018


def test_one_file_is_left_after_closing(tmp_path, text):
    """After close there is one plain file and no side file."""
    with Lab.open(tmp_path / "lab.db") as lab:
        lab.session("s").send(text)

    assert [item.name for item in tmp_path.iterdir()] == ["lab.db"]
    assert (tmp_path / "lab.db").read_bytes()[18:20] == b"\x01\x01"


def test_last_of_two_stores_leaves_one_file(tmp_path):
    """The first of two stores to close leaves the other at work, and the last one leaves one file."""
    one, two = CheckpointStore(tmp_path / "lab.db"), CheckpointStore(tmp_path / "lab.db")
    one.close()
    with two.leases.hold("s", wait=0):
        pass
    two.close()

    assert [item.name for item in tmp_path.iterdir()] == ["lab.db"]


def test_refused_file_is_left_closed(tmp_path):
    """A path that holds something else is refused by name."""
    (tmp_path / "notes.db").write_text("not a database", encoding="utf-8")

    with pytest.raises(NotADatabase):
        CheckpointStore(tmp_path / "notes.db")


def test_url_is_refused_with_a_hint(tmp_path):
    """A URL-like path says what to give instead."""
    with pytest.raises(StorageError, match="Give a plain file path"):
        CheckpointStore("sqlite:///lab.db")
