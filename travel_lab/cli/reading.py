"""What the commands that read a checkpoint file share: which session, which step, times and notes."""

import json
import math
from contextlib import suppress
from datetime import datetime

from rich.console import Console

from travel_lab.checkpoints import CheckpointChain, CheckpointFile, OpenedStep
from travel_lab.display import say
from travel_lab.errors import BadInput, UnknownName


def local(time: datetime | None) -> str:
    """A time as the reader's clock shows it, with its offset; `-` when it is not known."""
    if time is None:
        return "-"
    # The first and last hours of the calendar cannot be moved; they are shown with the offset they came with.
    with suppress(ValueError, OverflowError):
        time = time.astimezone()
    return time.isoformat(sep=" ", timespec="seconds")


def moment(text: str) -> datetime:
    """A moment a person typed, ISO 8601; without an offset it is read as local time.

    Raises:
        BadInput: It is no such time.
    """
    try:
        return datetime.fromisoformat(text).astimezone()
    except (ValueError, OverflowError) as error:  # the first and last day of the calendar have no other zone
        raise BadInput(f"No time {text!r}. Write it as 2026-12-01, 2026-12-01T09:30 or 2026-12-01T09:30+08:00.") from error


def as_json(value: object) -> str:
    """JSON of whatever a state holds; keys and values that JSON does not know become their texts."""
    return json.dumps(_plain(value), ensure_ascii=False, indent=2)


def _plain(value: object) -> object:
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if value is None or isinstance(value, bool | int | str):
        return value
    return value if isinstance(value, float) and math.isfinite(value) else str(value)


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
    is_session = text in {row.session_id for row in file.sessions()}
    if colon and not is_session and position.removeprefix("-").isdecimal():
        chain, at = file.chain(session_id), int(position)
    else:
        chain, at = file.chain(text), -1
    if not -len(chain.steps) <= at < len(chain.steps):
        raise UnknownName("step", text, [f"0 to {len(chain.steps) - 1}"], "`travel-lab history` lists the positions.")
    return file.step(chain, chain.at(at))
