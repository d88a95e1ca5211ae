"""The saver on real files: sharing, deleting, stock files, several processes, kill -9."""

import asyncio
import json
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Annotated, TypedDict

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.channels import DeltaChannel
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.checkpoint.conformance import checkpointer_test, validate
from langgraph.checkpoint.serde.encrypted import EncryptedSerializer
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages

from travel_lab.checkpoints.saver import CompactSaver
from travel_lab.errors import BadInput, NotStorable, StorageError, UnknownName

LONG = "宽窄巷子到人民公园步行约二十分钟，中间可以喝茶。" * 8


class State(TypedDict, total=False):
    text: str
    messages: Annotated[list, add_messages]


def build(saver):
    def speak(state: State) -> dict:
        return {"messages": [HumanMessage(state["text"]), AIMessage(f"{len(state.get('messages', []))} {LONG}")]}

    graph = StateGraph(State)
    graph.add_node("speak", speak)
    graph.add_edge(START, "speak")
    graph.add_edge("speak", END)
    return graph.compile(checkpointer=saver)


def thread(name: str) -> dict:
    return {"configurable": {"thread_id": name}}


def connect(path) -> sqlite3.Connection:
    return sqlite3.connect(path, check_same_thread=False)


@pytest.fixture
def saver(tmp_path):
    saver = CompactSaver(connect(tmp_path / "ours.db"))
    saver.setup()
    yield saver
    saver.conn.close()


def say(saver, name: str, turns: int) -> None:
    graph = build(saver)
    for at in range(turns):
        graph.invoke({"text": f"{name} {at} {LONG}"}, thread(name))


def count(saver, table: str) -> int:
    return saver.conn.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0]  # noqa: S608 (a table named in this file)


@checkpointer_test(name="CompactSaver")
async def compact_saver():
    saver = CompactSaver(connect(":memory:"))
    yield saver
    saver.conn.close()


def test_langgraph_conformance_suite_passes():
    """Every capability LangGraph's suite knows is there and right."""
    report = asyncio.run(validate(compact_saver))

    assert {name: result.passed for name, result in report.results.items()} == dict.fromkeys(
        ["put", "put_writes", "get_tuple", "list", "delete_thread", "delete_for_runs", "copy_thread", "prune"], True
    )


def test_one_saver_serves_async_runs_as_well(saver):
    """`ainvoke` and `invoke` on one saver see the same thread."""
    graph = build(saver)
    asyncio.run(graph.ainvoke({"text": "a" + LONG}, thread("s")))
    graph.invoke({"text": "b" + LONG}, thread("s"))

    assert [message.content[0] for message in graph.get_state(thread("s")).values["messages"]] == ["a", "0", "b", "2"]


def test_states_read_twice_share_nothing(saver):
    """A history whose every message is spoiled by its reader reads the same again."""
    say(saver, "s", 40)
    graph = build(saver)
    before = [[message.content for message in step.values.get("messages", [])] for step in graph.get_state_history(thread("s"))]
    for step in graph.get_state_history(thread("s")):
        for message in step.values.get("messages", []):
            message.content = "spoiled"

    again = [[message.content for message in step.values.get("messages", [])] for step in graph.get_state_history(thread("s"))]
    assert again == before


def test_deleting_the_only_thread_empties_the_blobs(saver):
    """When nothing uses them, blobs are gone."""
    say(saver, "s", 3)
    saver.delete_thread("s")

    assert (count(saver, "blobs"), count(saver, "blob_uses"), count(saver, "checkpoints")) == (0, 0, 0)


def test_deleting_a_copy_leaves_the_other_whole(saver):
    """Blobs that another thread uses stay."""
    say(saver, "s", 3)
    before = list(saver.list(thread("s")))
    saver.copy_thread("s", "t")
    saver.delete_thread("t")

    assert list(saver.list(thread("s"))) == before


def test_copied_thread_outlives_its_source(saver):
    """A copy keeps its blobs when the source is deleted, and takes no blob of its own."""
    say(saver, "s", 3)
    blobs = count(saver, "blobs")
    values = build(saver).get_state(thread("s")).values
    saver.copy_thread("s", "t")
    assert count(saver, "blobs") == blobs
    saver.delete_thread("s")

    assert build(saver).get_state(thread("t")).values == values


def test_pruning_collects_blobs_and_keeps_the_newest_step(saver):
    """After pruning, the newest state is what it was, and a second collection finds nothing more."""
    say(saver, "s", 30)
    blobs, values = count(saver, "blobs"), build(saver).get_state(thread("s")).values
    saver.prune(["s"])
    pruned = count(saver, "blobs")
    saver.collect("s")

    assert build(saver).get_state(thread("s")).values == values
    assert pruned < blobs
    assert count(saver, "blobs") == pruned


def test_unknown_pruning_strategy_is_refused(saver):
    """The error names what is known."""
    with pytest.raises(UnknownName, match=r"No pruning strategy 'oldest'\. Known: keep_latest, delete\."):
        saver.prune(["s"], strategy="oldest")


def test_a_thread_goes_on_after_its_own_deletion(saver):
    """What the saver remembers of deleted blobs does not keep them from being stored again."""
    say(saver, "s", 3)
    saver.delete_thread("s")
    say(saver, "s", 3)

    assert len(build(saver).get_state(thread("s")).values["messages"]) == 6


def test_deletion_by_another_connection_is_noticed(tmp_path):
    """Blobs that another process deleted are stored again when they are needed again, from live messages."""
    one, two = CompactSaver(connect(tmp_path / "x.db")), CompactSaver(connect(tmp_path / "x.db"))
    message = AIMessage(LONG, id="m")
    checkpoint = {**empty_checkpoint(), "channel_values": {"messages": [message]}}
    config = {"configurable": {"thread_id": "s", "checkpoint_ns": ""}}
    one.put(config, checkpoint, {"source": "input", "step": 0, "parents": {}}, {})
    two.delete_thread("s")
    one.put(config, checkpoint, {"source": "input", "step": 0, "parents": {}}, {})

    assert two.get_tuple(config).checkpoint["channel_values"] == {"messages": [message]}
    one.conn.close()
    two.conn.close()


def test_stock_file_is_read_and_carried_on(tmp_path):
    """A thread the stock saver began goes on in the same file, and its old steps read as before."""
    stock = SqliteSaver(connect(tmp_path / "x.db"))
    say(stock, "s", 5)
    old = list(stock.list(thread("s")))
    stock.conn.close()
    saver = CompactSaver(connect(tmp_path / "x.db"))
    assert list(saver.list(thread("s"))) == old
    say(saver, "s", 5)

    assert list(saver.list(thread("s")))[-len(old) :] == old
    assert len(build(saver).get_state(thread("s")).values["messages"]) == 20
    saver.conn.close()


@pytest.mark.parametrize("kind", [CompactSaver, SqliteSaver])
def test_file_opened_for_reading_is_read(tmp_path, kind):
    """A read-only connection gives every step, whichever saver wrote them."""
    writing = kind(connect(tmp_path / "x.db"))
    say(writing, "s", 3)
    reading = CompactSaver(sqlite3.connect(f"file:{tmp_path / 'x.db'}?mode=ro", uri=True, check_same_thread=False))

    assert list(reading.list(None)) == list(writing.list(None))
    reading.conn.close()
    writing.conn.close()


def test_delta_channels_are_rebuilt(saver):
    """LangGraph's channels that keep only their changes come back whole, and pruning does not cut them."""

    class Log(TypedDict):
        log: Annotated[list, DeltaChannel(lambda old, new: [*old, *(item for items in new for item in items)])]

    graph = StateGraph(Log)
    graph.add_node("speak", lambda _: {"log": ["spoke"]})
    graph.add_edge(START, "speak")
    compiled = graph.compile(checkpointer=saver)
    for at in range(3):
        compiled.invoke({"log": [f"said {at}"]}, thread("s"))
    saver.prune(["s"])

    assert compiled.get_state(thread("s")).values["log"] == ["said 0", "spoke", "said 1", "spoke", "said 2", "spoke"]


def test_value_langgraph_refuses_is_refused_by_name(saver):
    """What the stock saver refuses with a bare TypeError is named with its key and type, and leaves nothing behind."""
    checkpoint = {**empty_checkpoint(), "channel_values": {"x": lambda: None}}
    config = {"configurable": {"thread_id": "s", "checkpoint_ns": ""}}
    with pytest.raises(NotStorable, match="The state holds in 'x' a value of type function"):
        saver.put(config, checkpoint, {"source": "input", "step": 0, "parents": {}}, {})

    assert (count(saver, "checkpoints"), count(saver, "blobs")) == (0, 0)


def test_pickled_values_come_back(tmp_path):
    """With LangGraph's `pickle_fallback`, values outside msgpack are stored its way."""
    saver = CompactSaver(connect(tmp_path / "x.db"), serde=JsonPlusSerializer(pickle_fallback=True))
    checkpoint = {**empty_checkpoint(), "channel_values": {"x": 2**80}}
    config = {"configurable": {"thread_id": "s", "checkpoint_ns": ""}}
    saver.put(config, checkpoint, {"source": "input", "step": 0, "parents": {}}, {})

    assert saver.get_tuple(config).checkpoint["channel_values"] == {"x": 2**80}
    saver.conn.close()


def test_encryption_is_refused():
    """A serialiser that values cannot be taken apart under is named, with what to use instead."""
    with pytest.raises(BadInput, match=r"cannot store with EncryptedSerializer.*keep SqliteSaver"):
        CompactSaver(connect(":memory:"), serde=EncryptedSerializer(None))


def test_missing_blob_is_named(saver):
    """A step whose part was removed by hand says so instead of loading half."""
    say(saver, "s", 2)
    saver.conn.execute("DELETE FROM blobs")
    saver.conn.commit()
    fresh = CompactSaver(saver.conn)

    with pytest.raises(StorageError, match=r"Part '[0-9a-f]{32}' of a step is missing from the database"):
        fresh.get_tuple(thread("s"))


def test_a_failed_commit_leaves_no_memory_of_blobs(tmp_path):
    """When another program holds the file, the step fails whole, and storing it again stores all its parts."""
    saver = CompactSaver(sqlite3.connect(tmp_path / "x.db", check_same_thread=False, timeout=0))
    saver.setup()
    other = connect(tmp_path / "x.db")
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        say(saver, "s", 1)
    other.rollback()
    say(saver, "s", 1)

    assert len(build(CompactSaver(other)).get_state(thread("s")).values["messages"]) == 2
    saver.conn.close()
    other.close()


def test_other_calls_may_be_made_while_listing(saver):
    """Reading a step inside a loop over `list` does not wait for ever."""
    say(saver, "s", 3)

    assert all(saver.get_tuple(step.config) == step for step in saver.list(thread("s")))


def test_eight_threads_store_side_by_side(saver):
    """Threads of one process with sessions of their own lose nothing."""
    workers = [threading.Thread(target=say, args=(saver, f"s{at}", 6)) for at in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()

    assert [len(build(saver).get_state(thread(f"s{at}")).values["messages"]) for at in range(8)] == [12] * 8


WRITER = """
import json, sys
from pathlib import Path
sys.path.insert(0, str(Path({here!r}).parent))
import importlib.util
spec = importlib.util.spec_from_file_location("cases", {here!r})
cases = importlib.util.module_from_spec(spec); spec.loader.exec_module(cases)
path, name, turns, doom = sys.argv[1:]
saver = cases.CompactSaver(cases.sqlite3.connect(path, check_same_thread=False, timeout=30))
graph = cases.build(saver)
print("ready", flush=True)
for at in range(int(turns)):
    graph.invoke({{"text": f"{{name}} {{at}} {{cases.LONG}}"}}, cases.thread(name), durability="sync")
    print(json.dumps(len(graph.get_state(cases.thread(name)).values["messages"])), flush=True)
    if int(doom) and at % int(doom) == int(doom) - 1:
        cases.say(saver, name + "-short", 1)
        saver.delete_thread(name + "-short")
"""


def writer(path, name: str, turns: int, doom: int = 0) -> subprocess.Popen:
    code = WRITER.format(here=str(Path(__file__).resolve()))
    command = [sys.executable, "-c", code, str(path), name, str(turns), str(doom)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_two_processes_write_and_delete_in_one_file(tmp_path):
    """Two processes on one file, each storing and deleting the same content, lose nothing of what they keep."""
    path = tmp_path / "x.db"
    CompactSaver(connect(path)).setup()
    running = [writer(path, "a", 25, doom=3), writer(path, "b", 25, doom=2)]
    assert [process.communicate(timeout=60)[0].splitlines()[-1] for process in running] == ["50", "50"]

    saver = CompactSaver(connect(path))
    assert [len(build(saver).get_state(thread(name)).values["messages"]) for name in ("a", "b")] == [50, 50]
    assert saver.conn.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert sum(1 for _ in saver.list(None)) == 150
    saver.conn.close()


def kill_rounds(path, rounds: int) -> None:
    pick = random.Random(rounds)
    for _ in range(rounds):
        process = writer(path, "s", 10_000, doom=4)
        process.stdout.readline()
        time.sleep(pick.uniform(0.0, 0.4))
        process.send_signal(signal.SIGKILL)
        said = [line for line in process.communicate()[0].splitlines() if line.endswith(tuple("0123456789"))]
        saver = CompactSaver(connect(path))
        assert saver.conn.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        kept = [len(step.checkpoint["channel_values"].get("messages", [])) for step in saver.list(thread("s"))]
        assert max(kept, default=0) >= max((json.loads(line) for line in said), default=0)
        assert saver.conn.execute("SELECT COUNT(*) FROM blobs WHERE threads = 0").fetchone() == (0,)
        say(saver, "s", 1)
        saver.conn.close()


def test_kill_9_leaves_a_file_that_opens_and_holds_what_was_said_to_be_stored(tmp_path):
    """Killed at random points, the process loses no turn it reported, and every step left can be read and gone on from."""
    kill_rounds(tmp_path / "x.db", 3)


@pytest.mark.slow
def test_kill_9_many_times(tmp_path):
    """The same forty times on one file."""
    kill_rounds(tmp_path / "x.db", 40)
