"""`travel-lab plan`: talk with the planner in the terminal."""

import argparse
import sys
from collections.abc import Iterator, Sequence

from rich.console import Console

from travel_lab.cli.progress import ProgressLine
from travel_lab.display import say
from travel_lab.errors import AgentFailed, BadInput, BadMessage, SessionError, UnfinishedTurn
from travel_lab.lab import DEFAULT_STRATEGY, Lab
from travel_lab.planner import STRATEGIES
from travel_lab.session import Session, check_message
from travel_lab.turn import Turn


def run(arguments: Sequence[str]) -> int:
    """Play the messages given, or those typed, one turn each; the session can be taken up again later."""
    parser = _parser()
    options = parser.parse_args(arguments)
    for text in options.message:
        try:
            check_message(text)
        except BadMessage as error:
            parser.error(str(error))
    console = Console()
    with Lab.open(options.db, strategy=options.strategy) as lab:
        session = lab.session(options.session)
        played = [_turn(console, session, text) for text in options.message or _typed(console)]
        if options.db:
            say(console, f"Session {session.session_id} is kept in {options.db}.", style="dim")
    return 0 if all(played) else 1


def _turn(console: Console, session: Session, text: str) -> bool:
    """Play a message; whether that came to an end. What went wrong is told, and the next message may go well."""
    try:
        with ProgressLine(console, "agents:") as progress:
            turn = _played(session, text, progress)
    except (BadInput, AgentFailed, SessionError) as error:
        say(console, str(error), style="bold")
        return False
    for note in turn.notes:
        say(console, f"note: {note}", style="dim")
    say(console, turn.reply, style="bold")
    if turn.card:
        say(console, turn.card)
    return True


def _played(session: Session, text: str, progress: ProgressLine) -> Turn:
    try:
        return session.send(text, watch=progress)
    except UnfinishedTurn:
        return session.resume(watch=progress)


def _typed(console: Console) -> Iterator[str]:
    """Lines from the keyboard or a pipe, until the end of input or a blank line."""
    if sys.stdin is None:
        raise BadInput("There is no message, and the standard input is closed. Give the messages as arguments.")
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
