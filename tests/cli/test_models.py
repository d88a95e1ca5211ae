import dataclasses
import os
import re
import signal
import subprocess
import sys

import pytest

from travel_lab.chat_models import Fault, ModelServer, Schedule
from travel_lab.chat_models.endpoint import ENDPOINTS
from travel_lab.cli import main, models
from travel_lab.planner import offline_model

PLANTED = "planted-7f3a9c2e-key"


@pytest.fixture
def check(monkeypatch, capsys):
    """`travel-lab models --check` against a server with a fault; exit code and what was printed, in one line."""

    def check(*faults):
        with ModelServer(model=offline_model(), schedule=Schedule(faults)) as server:
            near = dataclasses.replace(ENDPOINTS["deepseek"], base_url=server.base_url, seconds=5.0)
            monkeypatch.setattr(models, "endpoint", lambda _: near)
            code = main(["models", "--check", "deepseek"])
        return code, " ".join(capsys.readouterr().out.split())

    return check


def test_list_says_which_keys_are_set_and_shows_none(monkeypatch, capsys):
    """The list names every endpoint and whether its key is set, never the key."""
    monkeypatch.setenv("DEEPSEEK_API_KEY", PLANTED)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    code, out = main(["models"]), capsys.readouterr().out
    rows = {line.split()[0]: line.split()[3:] for line in out.splitlines() if line.split() and line.split()[0] in ENDPOINTS}

    assert (code, rows["deepseek"], rows["openai"], rows["vllm"]) == (0, ["set"], ["not", "set"], ["not", "needed"])
    assert set(rows) == set(ENDPOINTS)
    assert PLANTED not in out


def test_check_without_a_key_names_the_variable(monkeypatch, tmp_path, check):
    """Without a key no call is made, and the variable to set is named."""
    monkeypatch.delenv("DEEPSEEK_API_KEY", raising=False)
    monkeypatch.chdir(tmp_path)
    code, out = check()

    assert code == 1
    assert "DEEPSEEK_API_KEY is not set" in out


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("bad key", "The service refuses the key."),
        ("no balance", "no balance or quota left"),
        ("wrong model", "does not know the model"),
        ("drop", "Nothing answers at that address."),
        ("rate limit", "busy or limits your rate"),
    ],
)
def test_check_says_what_is_wrong(monkeypatch, check, kind, words):
    """A failed check explains the failure in words and shows no key."""
    monkeypatch.setenv("DEEPSEEK_API_KEY", PLANTED)
    code, out = check(Fault(kind=kind))

    assert (code, words in out, PLANTED in out) == (1, True, False)


def test_check_of_a_working_endpoint_says_so(monkeypatch, check):
    """A working endpoint answers one call, in the form that was asked for."""
    monkeypatch.setenv("DEEPSEEK_API_KEY", PLANTED)
    code, out = check()

    assert code == 0
    assert re.search(r"deepseek-chat answers; \d{3} tokens in; its answer is in the form that was asked for \(plan\)\.", out)


def test_unknown_endpoint_is_a_named_error(capsys):
    """A name that is none ends with the list of names."""
    assert main(["models", "--check", "mars"]) == 1
    assert "No endpoint 'mars'. Known: deepseek, openai" in capsys.readouterr().err


def test_served_model_answers_a_client_in_another_process():
    """`travel-lab serve-model` serves until it is interrupted, and says how much it served."""
    command = [
        sys.executable,
        "-u",
        "-c",
        "from travel_lab.cli import main; raise SystemExit(main(['serve-model', '--port', '0']))",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "COLUMNS": "200"}) as server:
        address = next(word for word in server.stdout.readline().split() if word.startswith("http"))
        code = (
            "import dataclasses; from travel_lab.chat_models.endpoint import ENDPOINTS, connect; from travel_lab.lab import Lab\n"
            f"model = connect(dataclasses.replace(ENDPOINTS['offline'], base_url={address!r}))\n"
            "with Lab.open(model=model) as lab: print(lab.session('a').send('Plan 3 days in Chengdu').reply)"
        )
        client = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
        server.send_signal(signal.SIGINT)
        rest = server.stdout.read()

    assert client.stdout == "Planned 3 days in Chengdu for the traveller\n"
    assert rest == "5 requests served.\n"
