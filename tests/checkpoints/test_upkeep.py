"""Sizes, pruning and export of a file."""

import sqlite3
from contextlib import closing

import pytest
from langgraph.types import Command

from travel_lab.checkpoints import CheckpointFile, CheckpointStore, channel_sizes, export, inflate, plan_pruning, prune, vacuum
from travel_lab.errors import BadInput, StorageError
from travel_lab.lab import Lab


@pytest.fixture
def path(tmp_path):
    return tmp_path / "lab.db"


def positions(path, name="s"):
    """What is left of a session, as LangGraph's step numbers."""
    with CheckpointFile.open(path) as file:
        return [step.number for step in file.chain(name).steps]


def test_prune_keeps_the_last_steps(path, fan_graph, thread):
    """Of twelve steps in a line the last three stay, and their states are whole."""
    with CheckpointStore(path) as store:
        graph = fan_graph(store.saver)
        for _ in range(3):
            graph.invoke({"notes": []}, thread("s"))
        state = graph.get_state(thread("s")).values
    done = prune(path, "s", 3)

    assert (len(done.kept), len(done.dropped)) == (3, 9)
    assert positions(path) == [8, 9, 10]
    with CheckpointStore(path) as store:
        assert fan_graph(store.saver).get_state(thread("s")).values == state
        fan_graph(store.saver).invoke({"notes": []}, thread("s"))
        assert len(fan_graph(store.saver).get_state(thread("s")).values["notes"]) == 12


def test_second_prune_drops_nothing(path, fan_graph, thread):
    """Pruned again, a session loses nothing, and the count says 0."""
    with CheckpointStore(path) as store:
        fan_graph(store.saver).invoke({"notes": []}, thread("s"))
    prune(path, "s", 1)

    assert prune(path, "s", 1).dropped == ()
    assert positions(path) == [2]


def test_dry_run_changes_nothing(path, fan_graph, thread):
    """A dry run says what would go and leaves every byte."""
    with CheckpointStore(path) as store:
        fan_graph(store.saver).invoke({"notes": []}, thread("s"))
    before = path.read_bytes()
    plan = prune(path, "s", 1, dry_run=True)

    assert (len(plan.kept), len(plan.dropped)) == (1, 3)
    assert path.read_bytes() == before


def test_prune_keeps_branch_points(path, fan_graph, thread):
    """The step at which a session forked stays, however old it is."""
    with CheckpointStore(path) as store:
        graph = fan_graph(store.saver)
        graph.invoke({"notes": []}, thread("s"))
        with CheckpointFile.open(store.saver) as file:
            fork = file.chain("s").at(1)
        config = {"configurable": {"thread_id": "s", "checkpoint_ns": "", "checkpoint_id": fork.checkpoint_id}}
        graph.update_state(config, {"answer": "other"}, as_node="merge")
    done = prune(path, "s", 1)

    assert fork.checkpoint_id in done.kept
    assert len(done.kept) == 2


def test_prune_keeps_paused_steps(path, fan_graph, thread):
    """A step that waits for an answer stays, and can still be answered."""
    with CheckpointStore(path) as store:
        graph = fan_graph(store.saver, ask=("hotel",))
        graph.invoke({"notes": []}, thread("s"))
    with CheckpointFile.open(path) as file:
        paused = file.chain("s").at(-1)
    with CheckpointStore(path) as store:
        config = {"configurable": {"thread_id": "s", "checkpoint_ns": "", "checkpoint_id": paused.checkpoint_id}}
        for _ in range(2):
            fan_graph(store.saver).update_state(thread("s"), {"answer": "later"}, as_node="merge")
        prune(path, "s", 1)
        after = fan_graph(store.saver, ask=("hotel",)).invoke(Command(resume="yes"), config)

    assert after["notes"] == ["route: route", "hotel: yes", "food: food"]


def test_prune_keeps_at_least_one_step(path):
    """Keeping nothing is no pruning and is refused with the way to delete."""
    with CheckpointStore(path) as store, pytest.raises(BadInput, match=r"found keep_last=0. Lab.delete removes"):
        plan_pruning(store.connection, "s", 0)


def test_prune_drops_the_writes_of_dropped_steps(path, fan_graph, thread):
    """No write is left whose step is gone."""
    with CheckpointStore(path) as store:
        fan_graph(store.saver).invoke({"notes": []}, thread("s"))
    prune(path, "s", 2)
    with closing(sqlite3.connect(path)) as connection:
        orphans = connection.execute(
            "SELECT count(*) FROM writes WHERE checkpoint_id NOT IN (SELECT checkpoint_id FROM checkpoints)"
        )

        assert orphans.fetchone() == (0,)


def test_vacuum_gives_the_space_back(path, text):
    """After pruning and vacuum the file is smaller by what vacuum says."""
    with Lab.open(path) as lab:
        for _ in range(3):
            lab.session("s").send(text)
    before = path.stat().st_size
    prune(path, "s", 1)
    freed = vacuum(path)

    assert freed > 0
    assert path.stat().st_size == before - freed


def test_sizes_name_messages_sends_and_results(path, tmp_path, text):
    """The bytes of a session stand by channel: messages first, each result, pending sends, and nothing is left over."""
    with Lab.open(path) as lab:
        session = lab.session("s")
        session.send(text)
        sizes = {size.channel: size for size in channel_sizes(session.store.connection, "s")}
    inflate(path, tmp_path / "stock.db")
    with closing(sqlite3.connect(tmp_path / "stock.db")) as stock:
        stored = stock.execute("SELECT sum(length(checkpoint)) FROM checkpoints").fetchone()[0]
        written = stock.execute("SELECT sum(length(value)) FROM writes").fetchone()[0]

    assert next(iter(sizes)) == "messages"
    assert {"route_result", "hotel_result", "food_result", "info_result", "(pending sends)"} <= set(sizes)
    assert sum(size.in_states for size in sizes.values()) == stored
    assert sum(size.in_writes for size in sizes.values()) == written


def test_export_of_an_open_file_is_complete(path, tmp_path, text):
    """A copy made while the lab is open holds every committed step, in one file without a side file."""
    with Lab.open(path) as lab:
        session = lab.session("s")
        session.send(text)
        export(path, tmp_path / "copy.db")
        steps = session.chain().steps

    with CheckpointFile.open(tmp_path / "copy.db") as file:
        assert file.chain("s").steps == steps
        assert file.notes == ()
    assert sorted(item.name for item in tmp_path.iterdir()) == ["copy.db", "lab.db"]


def test_export_overwrites_nothing(path, tmp_path):
    """A target that exists is refused and stays as it is."""
    with CheckpointStore(path):
        pass
    (tmp_path / "copy.db").write_text("mine", encoding="utf-8")

    with pytest.raises(StorageError, match="an export overwrites nothing"):
        export(path, tmp_path / "copy.db")
    assert (tmp_path / "copy.db").read_text(encoding="utf-8") == "mine"


def test_growth_with_the_square_of_the_turns_is_shown_and_pruned(path, tmp_path):
    """In LangGraph's own form twice the turns take more than three times the bytes of messages, and pruning takes most away."""
    totals = []
    with Lab.open(path) as lab:
        session = lab.session("s")
        for turn in range(1, 21):
            session.send("hello")
            if turn in {10, 20}:
                totals.append(next(s.in_states for s in channel_sizes(session.store.connection, "s") if s.channel == "messages"))

    assert totals[1] > 3 * totals[0]
    inflate(path, tmp_path / "stock.db")
    assert prune(tmp_path / "stock.db", "s", 5).size > 0.8 * totals[1]


def test_prune_takes_parts_nobody_needs_and_no_other(path, tmp_path):
    """Pruned to its last step, a compact file loses as many bytes as the dry run says, and the step opens as before."""
    with Lab.open(path) as lab:
        session, other = lab.session("s"), lab.session("other")
        session.send("帮我规划成都3天旅行，预算5000")
        other.send("帮我规划西安2天旅行")
        # The place the old plan had in every later step is given away, so that its parts stand in dropped steps only.
        session.edit({"route_result": None, "itinerary": None})
    before, parts = _bytes_of(path), _parts_of(path)
    with CheckpointFile.open(path) as file:
        states = [file.step(file.chain(name), file.chain(name).at(-1)).values for name in ("s", "other")]
    planned = prune(path, "s", 1, dry_run=True)
    prune(path, "s", 1)

    with CheckpointFile.open(path) as file:
        assert [file.step(file.chain(name), file.chain(name).at(-1)).values for name in ("s", "other")] == states
    assert _bytes_of(path) == before - planned.size
    assert _parts_of(path) < parts


def test_deleted_session_leaves_no_part(path):
    """The only session deleted, no part is left; of two, the other still opens."""
    with Lab.open(path) as lab:
        for name in ("s", "other"):
            lab.session(name).send("帮我规划成都3天旅行，预算5000")
        lab.delete("s")
        left, state = _parts_of(path), lab.session("other").state()
        lab.delete("other")

    assert left > 0
    assert state["turn"] == 1
    assert _parts_of(path) == 0


def _parts_of(path):
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT count(*) FROM blobs").fetchone()[0]


def _bytes_of(path):
    with closing(sqlite3.connect(path)) as connection:
        columns = ("checkpoint FROM checkpoints", "value FROM writes", "value FROM blobs")
        return sum(
            len(value)
            for column in columns
            for (value,) in connection.execute(f"SELECT {column} WHERE {column.split()[0]} NOTNULL")
        )
