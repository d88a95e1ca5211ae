"""The installed command in a process of its own, and the same door in this process, which starts at once."""

import io
import os
import subprocess
import sysconfig
from pathlib import Path
from typing import NamedTuple

import pytest

from travel_lab.cli import main

COMMAND = Path(sysconfig.get_path("scripts")) / "travel-lab"
WIDTH = "160"


class Done(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str


@pytest.fixture(scope="session")
def command():
    """Runs the installed `travel-lab` in a folder, its output on no terminal and 160 columns wide."""

    def command(folder: Path, *arguments: str, typed: str = "") -> Done:
        done = subprocess.run(
            [COMMAND, *arguments],
            cwd=folder,
            env={**os.environ, "COLUMNS": WIDTH, "PYTHONUTF8": "1"},
            input=typed,
            capture_output=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        return Done(done.returncode, done.stdout, done.stderr)

    return command


@pytest.fixture
def travel_lab(tmp_path, monkeypatch, capsys):
    """Calls the command line's door in this process, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", WIDTH)

    def travel_lab(*arguments: str, typed: str = "") -> Done:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        try:
            code = main(arguments)
        except SystemExit as end:
            code = int(end.code or 0)
        return Done(code, *capsys.readouterr())

    return travel_lab
