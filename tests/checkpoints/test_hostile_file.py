"""A file that would run code under the library's default settings is harmless to every instrument."""

import sqlite3
from contextlib import closing

import ormsgpack
import pytest

from travel_lab.checkpoints import (
    CheckpointFile,
    CheckpointStore,
    channel_sizes,
    diff,
    export,
    inflate,
    plan_pruning,
    prune,
    shrink,
    survey,
    vacuum,
)
from travel_lab.checkpoints.explorer import CheckpointExplorer
from travel_lab.checkpoints.frame import chain_frame, steps_frame
from travel_lab.checkpoints.packing import squeeze
from travel_lab.cli import main
from travel_lab.lab import Lab


@pytest.fixture
def target(tmp_path):
    """The folder that the calls in the file would make."""
    return tmp_path / "made"


@pytest.fixture(params=["msgpack", "compact"])
def path(request, tmp_path, target, fan_graph, thread):
    """A file whose every state and every write describes calls, in the stock saver's form or packed."""
    place = tmp_path / "hostile.db"
    with CheckpointStore(place) as store:
        fan_graph(store.saver).invoke({"notes": []}, thread("s"))
    call = ormsgpack.packb(("os", "mkdir", (str(target),)))
    calls = [ormsgpack.Ext(code, call) for code in range(6)]
    values = {"note": calls, "messages": calls}
    parts = {
        "v": 4,
        "ts": "",
        "id": "1f000000-0000-6000-8000-000000000000",
        "channel_values": values,
        "channel_versions": {},
        "versions_seen": {},
    }
    state = ormsgpack.packb(parts)
    write = ormsgpack.packb(calls)
    as_stored = squeeze if request.param == "compact" else bytes
    with closing(sqlite3.connect(place)) as connection, connection:
        connection.execute("UPDATE checkpoints SET type = ?, checkpoint = ?", (request.param, as_stored(state)))
        connection.execute("UPDATE writes SET type = ?, value = ?", (request.param, as_stored(write)))
    return place


def read_everything(path, _):
    with CheckpointFile.open(path) as file:
        chain = file.chain("s")
        page = file.page(chain, -1, 10)
        chain_frame(chain)
        steps_frame(page)
        diff(page[0].values, page[-1].values)
        file.xray(chain, 1)
        channel_sizes(file.connection, "s")
        plan_pruning(file.connection, "s", 1)
        assert {name for opened in page for name in opened.blocked} == {"os.mkdir"}


def explore(path, _):
    explorer = CheckpointExplorer(path, "s")
    explorer.tree.value = 0
    assert "os.mkdir" in explorer.state.value
    explorer.file.close()


def shrink_and_inflate(path, tmp_path):
    survey(path)
    shrink(path, tmp_path / "small.db")
    inflate(tmp_path / "small.db", tmp_path / "large.db")
    for name in ("small.db", "large.db"):
        read_everything(tmp_path / name, tmp_path)


def copy_and_prune(path, tmp_path):
    export(path, tmp_path / "copy.db")
    prune(path, "s", 1)
    vacuum(path)


def use_in_a_lab(path, _):
    with Lab.open(path) as lab:
        session = lab.session("s")
        session.state()
        session.chain()


def run_the_commands(path, _):
    commands = (
        ["sessions", "--sizes"],
        ["history", "s"],
        ["history", "s", "--json"],
        ["diff", "s:0", "s"],
        ["prune", "--keep", "1"],
    )
    assert [main([command, str(path), *rest]) for command, *rest in commands] == [0, 0, 0, 0, 0]


INSTRUMENTS = [read_everything, explore, shrink_and_inflate, copy_and_prune, use_in_a_lab, run_the_commands]


@pytest.mark.parametrize("instrument", INSTRUMENTS)
def test_no_instrument_runs_what_the_file_says(path, tmp_path, target, instrument):
    """Read, opened, compared, measured, drawn, packed, pruned, copied, used in a lab: none of the calls is made."""
    instrument(path, tmp_path)

    assert not target.exists()
