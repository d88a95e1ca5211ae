import operator
import sqlite3
import threading
from contextlib import closing
from typing import Annotated

import pytest
from langgraph.graph import START, StateGraph
from typing_extensions import TypedDict

from travel_lab.checkpoints import CheckpointFile, CheckpointStore, read_chain, sessions_in
from travel_lab.errors import NotADatabase, StorageError, StoreClosed


class Counter(TypedDict, total=False):
    heard: Annotated[list[str], operator.add]


def counter(store: CheckpointStore):
    """A graph that adds one word to what it has heard."""
    graph = StateGraph(Counter)
    graph.add_node("listen", lambda _: {"heard": ["heard"]})
    graph.add_edge(START, "listen")
    return graph.compile(checkpointer=store.saver)


def thread(session_id: str):
    return {"configurable": {"thread_id": session_id}}


@pytest.fixture
def store(tmp_path):
    with CheckpointStore(tmp_path / "lab.db") as store:
        yield store


def test_one_call_gives_a_usable_store(tmp_path):
    """A path is enough: no block, no set-up call."""
    store = CheckpointStore(tmp_path / "lab.db")
    graph = counter(store)
    graph.invoke({"heard": ["成都"]}, thread("s1"))

    assert graph.get_state(thread("s1")).values == {"heard": ["成都", "heard"]}
    store.close()


def test_steps_outlive_the_store(tmp_path):
    """What was kept is there when the file is opened again."""
    with CheckpointStore(tmp_path / "lab.db") as store:
        counter(store).invoke({"heard": ["成都"]}, thread("s1"))

    with CheckpointStore(tmp_path / "lab.db") as again:
        assert counter(again).get_state(thread("s1")).values == {"heard": ["成都", "heard"]}


def test_store_works_in_another_thread(store):
    """A turn may run in a worker thread and be read in the one that opened the store, and the other way round."""
    graph, read = counter(store), []
    first = threading.Thread(target=lambda: graph.invoke({"heard": ["成都"]}, thread("s1")))
    first.start()
    first.join()
    graph.invoke({"heard": ["西安"]}, thread("s2"))
    second = threading.Thread(target=lambda: read.extend(graph.get_state(thread("s2")).values["heard"]))
    second.start()
    second.join()

    assert (graph.get_state(thread("s1")).values["heard"], read) == (["成都", "heard"], ["西安", "heard"])


def test_sessions_of_many_threads_do_not_mix(store):
    """Eight threads on eight sessions each keep their own words."""
    graph = counter(store)
    workers = [threading.Thread(target=graph.invoke, args=({"heard": [f"w{n}"]}, thread(f"s{n}"))) for n in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()

    assert {n: graph.get_state(thread(f"s{n}")).values["heard"] for n in range(8)} == {n: [f"w{n}", "heard"] for n in range(8)}


@pytest.mark.parametrize("use", [lambda store: store.saver, lambda store: store.connection], ids=["saver", "connection"])
def test_closed_store_says_so(tmp_path, use):
    """Using a closed store names the file and how to open it again."""
    store = CheckpointStore(tmp_path / "lab.db")
    store.close()

    with pytest.raises(StoreClosed) as caught:
        use(store)

    path = str(tmp_path / "lab.db")
    assert str(caught.value) == f"The store {path!r} is closed. Open it again with Lab.open({path!r})."


def test_closing_twice_is_allowed(tmp_path):
    """A second close does nothing."""
    store = CheckpointStore(tmp_path / "lab.db")
    store.close()
    store.close()

    with pytest.raises(StoreClosed):
        _ = store.saver


def test_block_closes_the_store(tmp_path):
    """At the end of a `with` block the store is closed, also when the block failed."""
    with pytest.raises(KeyError), CheckpointStore(tmp_path / "lab.db") as store:
        raise KeyError("cell failed")

    with pytest.raises(StoreClosed):
        _ = store.connection


def test_closed_store_leaves_one_file(tmp_path):
    """The side files are folded into the database, so that copying one file copies everything."""
    with CheckpointStore(tmp_path / "lab.db") as store:
        counter(store).invoke({"heard": ["成都"]}, thread("s1"))

    assert [path.name for path in tmp_path.iterdir()] == ["lab.db"]
    with closing(sqlite3.connect(tmp_path / "lab.db")) as connection:
        assert sessions_in(connection) == ("s1",)


def test_two_stores_on_one_file_see_each_other(tmp_path):
    """A second store on the same file reads what the first one keeps."""
    with CheckpointStore(tmp_path / "lab.db") as one, CheckpointStore(tmp_path / "lab.db") as two:
        counter(one).invoke({"heard": ["成都"]}, thread("s1"))

        assert counter(two).get_state(thread("s1")).values == {"heard": ["成都", "heard"]}


def test_path_is_kept(store, tmp_path):
    """The store says which file it is."""
    assert store.path == tmp_path / "lab.db"


@pytest.mark.parametrize("path", [":memory:", "sqlite:///x.db", "", " "])
def test_path_that_is_no_path_is_refused(path):
    """A memory database, a URL or a blank is refused with a hint and not deep inside."""
    with pytest.raises(StorageError):
        CheckpointStore(path)


def test_text_file_is_no_store(tmp_path):
    """A file that is no database is named as such and stays as it is."""
    path = tmp_path / "notes.db"
    path.write_text("去成都", encoding="utf-8")

    with pytest.raises(NotADatabase):
        CheckpointStore(path)

    assert path.read_text(encoding="utf-8") == "去成都"


def test_table_in_the_way_is_a_storage_error(tmp_path):
    """A database in which the name of a table is taken by a view is refused by name, and closed."""
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE t (x)")
        connection.execute("CREATE INDEX checkpoints ON t (x)")

    with pytest.raises(StorageError, match="Cannot set up the checkpoint tables"):
        CheckpointStore(path)


def test_stored_types_are_not_imported(store, tmp_path):
    """A checkpoint that names a function to call comes back as plain data, and the function is not called."""
    target = tmp_path / "made_by_a_checkpoint"
    counter(store).invoke({"heard": ["成都"]}, thread("s1"))
    kind, _ = store.saver.serde.dumps_typed({"x": 1})
    evil = store.saver.serde.loads_typed((kind, call_of("os", "mkdir", str(target))))

    assert not target.exists()
    assert not callable(evil)


def call_of(module: str, name: str, argument: str) -> bytes:
    """Bytes as LangGraph stores an object: module, name and the argument to build it with."""
    import ormsgpack  # noqa: PLC0415 (only this helper writes raw bytes)

    return ormsgpack.packb(ormsgpack.Ext(0, ormsgpack.packb((module, name, argument))))


def test_chain_can_be_read_while_the_store_is_open(store):
    """The store's own connection serves readers between turns."""
    counter(store).invoke({"heard": ["成都"]}, thread("s1"))

    assert len(read_chain(store.connection, "s1").steps) == 3


def test_side_file_stays_bounded_while_a_reader_is_open(tmp_path):
    """Read at every turn, the side file stays below 8 MiB over 200 turns, and after closing there is one file."""
    path = tmp_path / "lab.db"
    with CheckpointStore(path) as store:
        graph = StateGraph(Counter)
        graph.add_node("listen", lambda state: {"heard": [f"成都{len(state['heard'])}" * 100]})
        graph.add_edge(START, "listen")
        app = graph.compile(checkpointer=store.saver)
        largest = 0
        with CheckpointFile.open(path) as reader:
            for turn in range(200):
                app.invoke({"heard": [str(turn)]}, {"configurable": {"thread_id": "s"}})
                chain = reader.chain("s")
                reader.step(chain, chain.at(-1))
                largest = max(largest, (tmp_path / "lab.db-wal").stat().st_size)

    assert 0 < largest < 8 * 2**20
    assert [item.name for item in tmp_path.iterdir()] == ["lab.db"]
