import os
import socket
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
        (["plan", ""], "usage: travel-lab plan"),
        (["demo", "--out", " "], "usage: travel-lab demo"),
        (["demo", "--ask", "  "], "usage: travel-lab demo"),
        (["demo", "--first", ""], "usage: travel-lab demo"),
        (["demo", "--city", ""], "usage: travel-lab demo"),
        (["demo", "--city", "西安", "--first", "西安"], "usage: travel-lab demo"),
        (["serve", "--port", "65536"], "usage: travel-lab serve"),
        (["serve", "--port", "-1"], "usage: travel-lab serve"),
        (["serve-model", "--port", "65536"], "usage: travel-lab serve-model"),
        (["serve-model", "--fault", "drop", "--share", "7"], "usage: travel-lab serve-model"),
        (["serve-model", "--fault", "drop", "--share", "nan"], "usage: travel-lab serve-model"),
        (["serve-model", "--share", "0.2"], "usage: travel-lab serve-model"),
        (["serve-model", "--seed", "1"], "usage: travel-lab serve-model"),
        (["history", "lab.db", "--limit", "0"], "usage: travel-lab history"),
        (["history", "lab.db", "--after", "-2"], "usage: travel-lab history"),
        (["shrink", "lab.db", "--back"], "usage: travel-lab shrink"),
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
        (["plan", "--session", "None", "你好"], "travel-lab plan: A session id is a text of 1 to 200 characters"),
        (["demo", "--out", "."], "travel-lab demo: Cannot write '.': Is a directory. Choose another file with --out."),
        (["demo", "--out", "a/b.html"], "travel-lab demo: Cannot write 'a/b.html': there is no folder 'a'."),
        (["demo", "--out", "x" * 300], f"travel-lab demo: Cannot write '{'x' * 300}': File name too long."),
        (["models", "--check", ""], "travel-lab models: No endpoint ''. Known: deepseek"),
        (["serve", "--db", "", "--port", "0"], "travel-lab serve: The database path is blank."),
    ],
)
def test_a_named_error_is_one_line_and_exit_code_one(travel_lab, arguments, message):
    """What goes wrong by name is told without a traceback."""
    done = travel_lab(*arguments)

    assert done.code == 1
    assert done.err.startswith(message)
    assert "Traceback" not in done.err


def test_a_wrong_command_line_leaves_no_folder(travel_lab, tmp_path):
    """A page in a folder that does not exist makes none."""
    travel_lab("demo", "--out", "a/b/c.html")

    assert list(tmp_path.iterdir()) == []


def test_a_page_is_written_over_and_nothing_else(travel_lab, tmp_path):
    """The demo writes over its own older page; a database in that place is left as it is."""
    (tmp_path / "lab.db").write_bytes(b"SQLite format 3\x00")
    (tmp_path / "old.html").write_text("<!DOCTYPE html>old", encoding="utf-8")
    refused, written = travel_lab("demo", "--out", "lab.db"), travel_lab("demo", "--out", "old.html")

    assert (refused.code, written.code) == (1, 0)
    assert "'lab.db' is no page, and nothing was written over it." in refused.err
    assert (tmp_path / "lab.db").read_bytes() == b"SQLite format 3\x00"
    assert "</html>" in (tmp_path / "old.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["serve", "serve-model"])
def test_a_taken_port_is_told(travel_lab, tmp_path, name):
    """A port somebody listens on is named, with the way out, and no database was made."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = travel_lab(name, "--port", str(port), *(["--db", "lab.db"] if name == "serve" else []))

    assert (done.code, done.out) == (1, "")
    assert done.err.startswith(f"travel-lab {name}: Cannot listen on port {port}: Address already in use")
    assert done.err.endswith("Choose another, or 0 for a free one.\n")
    assert list(tmp_path.iterdir()) == []


def test_an_output_that_takes_nothing_is_no_traceback(travel_lab, monkeypatch):
    """Output to a full disk ends with 1 and one line."""
    with open("/dev/full", "w", encoding="utf-8") as full:  # noqa: PTH123 (a device)
        monkeypatch.setattr("sys.stdout", full)
        done = travel_lab("models")

    assert (done.code, done.err) == (1, "travel-lab models: The system refused: [Errno 28] No space left on device.\n")


def test_a_reader_that_goes_away_is_no_traceback(travel_lab, monkeypatch):
    """Output into a pipe that nobody reads any more, as after `head`, ends with 1 and no word."""
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w", encoding="utf-8") as gone:
        monkeypatch.setattr("sys.stdout", gone)
        done = travel_lab("models")

    assert (done.code, done.err) == (1, "")


@pytest.mark.parametrize("encoding", ["ascii", "gbk"])
def test_a_terminal_without_utf8_gets_codes_for_what_it_lacks(travel_lab, monkeypatch, tmp_path, encoding):
    """On a terminal of another encoding a plan is printed; characters it does not have are printed as codes."""
    with (tmp_path / "shown").open("w", encoding=encoding) as terminal:
        monkeypatch.setattr("sys.stdout", terminal)
        done = travel_lab("plan", "帮我规划成都3天旅行")
    shown = (tmp_path / "shown").read_bytes()

    assert (done.code, done.err) == (0, "")
    assert rb"supervisor \u2713" in shown
    assert "成都 3天行程".encode(encoding, "backslashreplace") in shown


def test_an_interrupt_is_no_traceback(monkeypatch, capsys):
    """Ctrl-C exits with 130 and says that finished steps are kept."""

    def interrupted(arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr("travel_lab.cli.plan.run", interrupted)

    assert main(["plan"]) == 130
    assert capsys.readouterr().err == "\nInterrupted; every finished step is in the database.\n"
