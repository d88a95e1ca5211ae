"""Sessions on a real PostgreSQL server, which the tests start themselves as an unprivileged user."""

import asyncio
import os
import shutil
import socket
import subprocess
import tempfile
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from langgraph.checkpoint.conformance import checkpointer_test, validate
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from psycopg import sql

from travel_lab.checkpoints import CheckpointFile
from travel_lab.errors import AgentFailed, SessionBusy, StorageError, StoreClosed, UnfinishedTurn
from travel_lab.lab import Lab

WORDS = ("帮我规划成都3天旅行，预算5000", "把第二天的酒店换成便宜点的")


def program(name: str) -> str:
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    path = str(found[-1]) if found else shutil.which(name)
    if path is None:
        pytest.skip(f"no {name}: install Debian's package postgresql")
    return path


@pytest.fixture(scope="module")
def server():
    """A server on a free port of this machine; PostgreSQL refuses to run as root, so root becomes `postgres`."""
    user = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.getuid() == 0 else {}
    with tempfile.TemporaryDirectory(prefix="postgres-") as folder, closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        if user:
            shutil.chown(folder, "postgres", "postgres")

        def run(*command: str) -> None:
            subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, timeout=60, **user)

        data = f"{folder}/data"
        run(program("initdb"), "-D", data, "-U", "lab", "--auth=trust", "-E", "UTF8", "--no-sync")
        probe.close()
        options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off"
        control = (program("pg_ctl"), "-D", data, "-w", "-l", f"{folder}/log")
        run(*control, "-o", options, "start")
        try:
            yield f"postgresql://lab:secret@127.0.0.1:{port}"
        finally:
            run(*control, "-m", "immediate", "stop")


@pytest.fixture
def database(server, request):
    """A fresh database of its own."""
    name = request.node.name
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    return f"{server}/{name}"


def test_session_is_taken_up_again(database):
    """What one lab stored, the next one goes on from."""
    with Lab.open(database) as lab:
        lab.session("s").send(WORDS[0])
    with Lab.open(database) as lab:
        turn = lab.session("s").send(WORDS[1])
        sessions = lab.sessions()

    assert (turn.number, turn.agents, sessions) == (2, ("supervisor", "hotel"), ("s",))


def test_graph_on_a_server_is_read_like_a_file(database):
    """Nodes, keys and states of a graph whose saver is on a server are read by the same instruments."""
    with Lab.open(database) as lab:
        session = lab.session("s")
        session.send(WORDS[0])
        with CheckpointFile.open(session.graph) as file:
            chain = file.chain("s")
            read = file.step(chain, chain.at(-1))

    assert [step.nodes for step in chain.steps][-2:] == [("route", "hotel", "food", "info"), ("aggregator",)]
    assert read.values["reply_kind"] == "plan"


def test_chain_is_that_of_a_file(database, tmp_path):
    """The same words give the same chain on both kinds of store: nodes, keys, numbers and sources."""
    chains = []
    for place in (database, tmp_path / "lab.db"):
        with Lab.open(place) as lab:
            session = lab.session("s")
            for words in WORDS:
                session.send(words)
            chains.append([(step.number, step.source, step.nodes, step.keys) for step in session.chain().steps])

    assert chains[0] == chains[1]
    assert len(chains[0]) == 10


def test_resume_runs_only_what_failed(database, moody, once):
    """After a failed agent the same words are refused, and `resume` calls the agent that failed and no other."""
    with Lab.open(database, model=moody, retry=once) as lab:
        session = lab.session("s")
        moody.down.add("info")
        with pytest.raises(AgentFailed):
            session.send(WORDS[0])
        moody.down.clear()
        moody.calls.clear()
        with pytest.raises(UnfinishedTurn, match="stopped before info"):
            session.send(WORDS[0])
        turn = session.resume()

    assert (turn.number, turn.text, moody.calls) == (1, WORDS[0], ["info"])
    assert set(turn.itinerary["parts"]) == {"route", "hotel", "food", "info"}


def test_one_thread_at_a_time_writes(database):
    """While one thread holds a session another is refused at once."""
    with Lab.open(database) as lab:
        session = lab.session("s")
        with session.store.hold("s", wait=0), pytest.raises(SessionBusy, match="another thread of this program"):
            session.send(WORDS[0], wait=0)


def test_deleting_for_good_is_refused(database):
    """A server cannot keep a session deleted, and says so."""
    with Lab.open(database) as lab, pytest.raises(StorageError, match="cannot be deleted for good"):
        lab.delete("s")


def test_closed_lab_says_so_without_the_password(database):
    """The error names the database, and neither user nor password."""
    lab = Lab.open(database)
    lab.close()

    with pytest.raises(StoreClosed) as raised:
        lab.session("s")
    assert "secret" not in str(raised.value)
    assert "127.0.0.1" in str(raised.value)


def test_missing_server_is_a_named_error(monkeypatch):
    """A server that is not there is named within seconds, without the password."""
    monkeypatch.setattr("travel_lab.checkpoints.postgres.CONNECT_SECONDS", 1.0)
    with pytest.raises(StorageError, match=r"Cannot use the database 'postgresql://127\.0\.0\.1:9/x'") as raised:
        Lab.open("postgresql://lab:secret@127.0.0.1:9/x")

    assert "secret" not in str(raised.value)


def test_conformance_suite_passes(database):
    """LangGraph's suite passes for the saver on this server, as far as that saver goes."""

    @checkpointer_test(name="PostgresSaver")
    async def postgres_saver():
        async with AsyncPostgresSaver.from_conn_string(database) as saver:
            await saver.setup()
            yield saver

    report = asyncio.run(validate(postgres_saver))

    assert report.passed_all_base()
