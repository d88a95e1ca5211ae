import subprocess
import sys

import pytest

from travel_lab import __version__
from travel_lab.cli import main


def test_the_installed_command_lists_what_there_is(command, tmp_path):
    """`travel-lab --help` in a shell says what there is, and nothing has failed."""
    done = command(tmp_path, "--help")

    assert done.code == 0
    assert [name for name in ("plan", "demo") if f"    {name}  " not in done.out] == []


def test_no_command_is_help(travel_lab):
    """Who types the name only is shown the help."""
    assert travel_lab() == travel_lab("--help")


def test_version_is_the_packages(travel_lab):
    """`--version` prints it."""
    assert travel_lab("--version").out == f"travel_lab {__version__}\n"


def test_help_loads_no_langgraph():
    """The help comes at once, because nothing heavy is loaded for it."""
    code = "import sys\nfrom travel_lab.cli import main\ntry:\n    main(['--help'])\nexcept SystemExit:\n    print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    loaded = set(done.stdout.split())

    assert {"argparse", "travel_lab.cli.main"} <= loaded
    assert {"langgraph", "langchain_core", "pydantic", "rich", "tokenizers", "travel_lab.cli.plan"} & loaded == set()


@pytest.mark.parametrize(
    ("arguments", "usage"),
    [
        (["fly"], "usage: travel-lab [-h]"),
        (["--nonsense"], "usage: travel-lab [-h]"),
        (["demo", "--nonsense"], "usage: travel-lab demo"),
        (["demo", "--lang", "fr"], "usage: travel-lab demo"),
        (["demo", "--out"], "usage: travel-lab demo"),
        (["plan", "--strategy", "fullest"], "usage: travel-lab plan"),
        (["plan", "--db"], "usage: travel-lab plan"),
    ],
)
def test_a_wrong_command_line_exits_with_usage(travel_lab, arguments, usage):
    """What cannot be read exits with 2 and shows how it is used, on the error stream."""
    done = travel_lab(*arguments)

    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(usage)
    assert "Traceback" not in done.err


@pytest.mark.parametrize("name", ["plan", "demo"])
def test_each_command_has_its_own_help(travel_lab, name):
    """`travel-lab COMMAND --help` explains the command."""
    done = travel_lab(name, "--help")

    assert done.code == 0
    assert done.out.startswith(f"usage: travel-lab {name}")


def test_the_installed_command_hands_its_exit_code_on(command, tmp_path):
    """The shell sees 2 for a wrong command line and 1 for a named error."""
    assert command(tmp_path, "fly").code == 2
    assert command(tmp_path, "plan", "--db", "missing/lab.db", "你好").code == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["plan", "--db", "missing/lab.db", "你好"], "travel-lab plan: Cannot open 'missing/lab.db': the folder"),
        (["plan", "--db", "", "你好"], "travel-lab plan: The database path is blank."),
        (["plan", "--session", " ", "你好"], "travel-lab plan: A session id is a text of 1 to 200 characters"),
        (["demo", "--db", "."], "travel-lab demo: '.' is a folder."),
        (["demo", "--out", "."], "travel-lab demo: Cannot write '.': Is a directory. Choose another file with --out."),
        (["demo", "--ask", "  "], "travel-lab demo: The message is blank."),
    ],
)
def test_a_named_error_is_one_line_and_exit_code_one(travel_lab, arguments, message):
    """What goes wrong by name is told without a traceback."""
    done = travel_lab(*arguments)

    assert done.code == 1
    assert done.err.startswith(message)
    assert "Traceback" not in done.err


def test_an_interrupt_is_no_traceback(monkeypatch, capsys):
    """Ctrl-C exits with 130 and says that finished steps are kept."""

    def interrupted(arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr("travel_lab.cli.plan.run", interrupted)

    assert main(["plan"]) == 130
    assert capsys.readouterr().err == "\nInterrupted; every finished step is in the database.\n"
