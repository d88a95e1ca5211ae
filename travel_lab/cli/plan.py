"""`travel-lab plan`: talk with the planner in the terminal."""

import argparse
import sys
from collections.abc import Iterator, Sequence

from rich.console import Console

from travel_lab.cli.progress import ProgressLine
from travel_lab.display import say
from travel_lab.errors import AgentFailed, BadInput, SessionError, UnfinishedTurn
from travel_lab.lab import DEFAULT_STRATEGY, Lab
from travel_lab.planner import STRATEGIES
from travel_lab.session import Session
from travel_lab.turn import Turn


def run(arguments: Sequence[str]) -> int:
    """Play the messages given, or those typed, one turn each; the session can be taken up again later."""
    options = _parser().parse_args(arguments)
    console = Console()
    with Lab.open(options.db, strategy=options.strategy) as lab:
        session = lab.session(options.session)
        for text in options.message or _typed(console):
            _turn(console, session, text)
        if options.db:
            say(console, f"Session {session.session_id} is kept in {options.db}.", style="dim")
    return 0


def _turn(console: Console, session: Session, text: str) -> None:
    try:
        with ProgressLine(console, "agents:") as progress:
            turn = _played(session, text, progress)
    except (BadInput, AgentFailed, SessionError) as error:
        say(console, str(error), style="bold")
        return
    for note in turn.notes:
        say(console, f"note: {note}", style="dim")
    say(console, turn.reply, style="bold")
    if turn.card:
        say(console, turn.card)


def _played(session: Session, text: str, progress: ProgressLine) -> Turn:
    try:
        return session.send(text, watch=progress)
    except UnfinishedTurn:
        return session.resume(watch=progress)


def _typed(console: Console) -> Iterator[str]:
    """Lines from the keyboard or a pipe, until the end of input or a blank line."""
    if sys.stdin.isatty():
        say(console, "Where would you like to go? 想去哪玩？ (an empty line ends)")
    while True:
        try:
            text = console.input("> " if sys.stdin.isatty() else "")
        except EOFError:
            return
        if not text.strip():
            return
        yield text


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="travel-lab plan", description=run.__doc__)
    parser.add_argument("message", nargs="*", help="what the traveller says, one turn each; left out: read from the keyboard")
    parser.add_argument("--db", help="database file; left out: a temporary one")
    parser.add_argument("--session", help="session id; left out: a fresh one")
    parser.add_argument(
        "--strategy", default=DEFAULT_STRATEGY, choices=list(STRATEGIES), help="how results travel (default: %(default)s)"
    )
    return parser
