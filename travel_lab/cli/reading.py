"""What the commands that read a checkpoint file share: which session, which step, times and notes."""

from datetime import datetime

from rich.console import Console

from travel_lab.checkpoints import CheckpointChain, CheckpointFile, OpenedStep
from travel_lab.display import say
from travel_lab.errors import BadInput, UnknownName


def local(time: datetime | None) -> str:
    """A time as the reader's clock shows it, with its offset; `-` when it is not known."""
    return time.astimezone().isoformat(sep=" ", timespec="seconds") if time else "-"


def moment(text: str) -> datetime:
    """A moment a person typed, ISO 8601; without an offset it is read as local time.

    Raises:
        BadInput: It is no such time.
    """
    try:
        read = datetime.fromisoformat(text)
    except ValueError as error:
        raise BadInput(f"No time {text!r}. Write it as 2026-12-01, 2026-12-01T09:30 or 2026-12-01T09:30+08:00.") from error
    return read.astimezone()


def say_notes(console: Console, file: CheckpointFile) -> None:
    """Print what a reader of the file should know."""
    for note in file.notes:
        say(console, f"note: {note}", style="dim")


def chain_named(file: CheckpointFile, session_id: str | None) -> CheckpointChain:
    """The chain of a session; without a name that of the file's only session.

    Raises:
        UnknownName: No such session, or no name for a file of several.
    """
    if session_id is None:
        known = [row.session_id for row in file.sessions()]
        if len(known) != 1:
            raise UnknownName("session", "", known[:20] or ["(none)"], "Name one of them.")
        session_id = known[0]
    return file.chain(session_id)


def step_named(file: CheckpointFile, text: str) -> OpenedStep:
    """The step that `SESSION` (its newest) or `SESSION:POSITION` names.

    Raises:
        UnknownName: No such session or step.
        UnreadableStep: The step is damaged.
    """
    session_id, colon, position = text.rpartition(":")
    if colon and position.removeprefix("-").isdecimal():
        chain, at = file.chain(session_id), int(position)
    else:
        chain, at = file.chain(text), -1
    if not -len(chain.steps) <= at < len(chain.steps):
        raise UnknownName("step", text, [f"0 to {len(chain.steps) - 1}"], "`travel-lab history` lists the positions.")
    return file.step(chain, chain.at(at))
