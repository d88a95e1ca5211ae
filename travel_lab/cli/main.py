"""Reads the command line and calls the command's file."""

import argparse
import importlib
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from travel_lab import __version__
from travel_lab.errors import TravelLabError

COMMANDS = {
    "plan": "plan a trip in the terminal, message by message",
    "demo": "play one conversation under four strategies and show what the models could see",
    "shrink": "make a LangGraph checkpoint file small, or bring it back",
    "models": "list the endpoints of real models and check one",
    "serve": "serve the planner as a chat endpoint on this machine",
    "serve-model": "serve the offline model over HTTP, for real clients without a key",
    "sessions": "list the sessions of a checkpoint file",
    "history": "show the steps of a session",
    "diff": "show what differs between two steps",
    "audit": "show which fields of the state stand in no stored message",
    "prune": "drop old steps of a checkpoint file",
    "corpora": "say where public dialogues are to be had, and check a folder of them",
    "export": "copy a checkpoint file whole, also while it is in use",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run `travel-lab`; returns the exit code: 0 done, 1 a named error, 2 a wrong command line, 130 interrupted."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal that is not set to UTF-8 shows some characters as codes.
            stream.reconfigure(errors="backslashreplace")
    parser = _parser()
    if not arguments or arguments[0] not in COMMANDS:
        parser.parse_args(arguments or ["--help"])
    # By name and only now: `travel-lab --help` must not load langgraph.
    command = importlib.import_module(f"travel_lab.cli.{arguments[0].replace('-', '_')}")
    try:
        code = int(command.run(arguments[1:]))
        print(end="", flush=True)
    except TravelLabError as error:
        print(f"travel-lab {arguments[0]}: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # Who reads the output has seen enough, as `head` has.
        _close_output()
        return 1
    except OSError as error:
        _close_output()
        print(f"travel-lab {arguments[0]}: The system refused: {error}.", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nInterrupted; every finished step is in the database.", file=sys.stderr)
        return 130
    return code


def _close_output() -> None:
    """What is still to be written would fail once more when Python ends."""
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="travel-lab",
        description="See, measure and fix what the model of a LangGraph multi-agent app can see.",
        epilog="`travel-lab COMMAND --help` explains a command.",
    )
    parser.add_argument("--version", action="version", version=f"travel_lab {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, text in COMMANDS.items():
        commands.add_parser(name, help=text, add_help=False)
    return parser
