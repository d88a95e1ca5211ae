"""A key, and a service that repeats it in everything it refuses: where the key can be read afterwards."""

import io
import logging
import traceback

import pytest
from ipywidgets.embed import embed_minimal_html
from pydantic import SecretStr

from travel_lab.chat_models import Cassette, Fault, ModelServer, RecordingModel, Schedule
from travel_lab.chat_models.endpoint import ENDPOINTS, Endpoint, connect
from travel_lab.chat_models.faults import REFUSALS
from travel_lab.checkpoints import inflate
from travel_lab.checkpoints.explorer import CheckpointExplorer
from travel_lab.cli import main
from travel_lab.clock import VirtualTime
from travel_lab.errors import TravelLabError
from travel_lab.lab import Lab
from travel_lab.planner import offline_model

FIRST = "帮我规划成都3天旅行，预算5000"
PLANTED = "planted-7f3a9c2e-key"


@pytest.fixture
def recorded(tmp_path, monkeypatch):
    """Models that use the key and record to `run.jsonl`; their service meets faults and repeats the key in what it refuses."""
    for kind, status in (("bad key", 401), ("bad request", 422)):
        monkeypatch.setitem(REFUSALS, kind, (status, {"message": f"Incorrect key {PLANTED}", "code": PLANTED}))
    for endpoint in ENDPOINTS.values():
        if endpoint.api_key_env:
            monkeypatch.setenv(endpoint.api_key_env, PLANTED)
    servers = []

    def recorded(*faults: Fault) -> RecordingModel:
        servers.append(ModelServer(model=offline_model(), schedule=Schedule(faults)))
        servers[-1].start()
        model = connect(Endpoint(model="offline", base_url=servers[-1].base_url, forms=("plain",)), key=SecretStr(PLANTED))
        return RecordingModel(inner=model, cassette=Cassette(tmp_path / "run.jsonl"))

    yield recorded
    for server in servers:
        server.stop()


def found_in(folder, **texts):
    """Which of the folder's files and of the texts hold the key; the name of every place that was looked at."""
    for file in folder.glob("*.db"):
        # What a database of ours keeps is packed; LangGraph's own form can be read byte by byte.
        inflate(file, file.with_suffix(".plain"))
    places = {file.name: file.read_bytes().decode("utf-8", "replace") for file in folder.iterdir()} | texts
    return [name for name, text in places.items() if PLANTED in text], set(places)


def test_planted_key_is_found_nowhere(tmp_path, recorded, caplog, capsys):
    """A key is in no database, recording, log, output, event, error text or repr, also when the service repeats it."""
    caplog.set_level(logging.DEBUG)
    shown = io.StringIO()
    model = recorded(Fault(kind="bad key", on="info agent"), Fault(kind="rate limit", on="hotel agent", times=1))
    with Lab.open(tmp_path / "lab.db", model=model, clock=VirtualTime().clock()) as lab:
        try:
            lab.session("a").send(FIRST, watch=lambda event: print(event, file=shown))
        except TravelLabError:
            traceback.print_exc(file=shown)
        print(repr(model), model, lab, file=shown)
    out, err = capsys.readouterr()
    found, looked = found_in(tmp_path, shown=shown.getvalue(), log=caplog.text, out=out, err=err)

    assert found == []
    assert {"lab.db", "lab.plain", "run.jsonl"} <= looked
    assert "[key]" in shown.getvalue()


def test_planted_key_is_in_no_export(tmp_path, recorded, capsys):
    """Neither a copied nor a shrunk database, nor what the commands print of it, nor a page of the explorer holds the key."""
    with Lab.open(tmp_path / "lab.db", model=recorded(Fault(kind="bad request", on="hotel agent"))) as lab:
        reason = lab.session("a").send(FIRST).itinerary["parts"]["hotel"]["reason"]
        copy, small = str(tmp_path / "copy.db"), str(tmp_path / "small.db")
        codes = [
            main(arguments)
            for arguments in (
                ["export", str(lab.path), copy],
                ["shrink", copy, small],
                ["sessions", copy, "--sizes", "--json"],
                ["history", copy, "a", "--json"],
                ["diff", copy, "a:0", "a", "--json"],
                ["diff", copy, "a:0", "a", "--full"],
            )
        ]
    explorer = CheckpointExplorer(copy)
    embed_minimal_html(tmp_path / "explorer.html", views=[explorer])
    explorer.file.close()
    out, err = capsys.readouterr()
    found, looked = found_in(tmp_path, out=out, err=err)

    assert (codes, found) == ([0] * 6, [])
    assert {"lab.plain", "copy.plain", "small.plain", "run.jsonl", "explorer.html"} <= looked
    assert "[key]" in reason
    assert reason in out


def test_planted_key_is_not_in_the_demo(tmp_path, recorded, monkeypatch, capsys):
    """The demo's page, database and terminal show that an agent was refused, and not the key."""
    model = recorded(Fault(kind="bad request", on="hotel agent"))
    monkeypatch.setattr("travel_lab.lab.offline_model", lambda: model)
    code = main(["demo", "--out", str(tmp_path / "demo.html"), "--db", str(tmp_path / "demo.db")])
    out, err = capsys.readouterr()
    found, looked = found_in(tmp_path, out=out, err=err)

    assert (code, found) == (0, [])
    assert {"demo.html", "demo.plain", "run.jsonl"} <= looked
    assert "[key]" in (tmp_path / "demo.html").read_text(encoding="utf-8")
