"""`travel-lab history FILE [SESSION]`: the steps of a session."""

import argparse
import json
from collections.abc import Sequence
from datetime import datetime

from rich.console import Console

from travel_lab.checkpoints import CheckpointChain, CheckpointFile, OpenedStep, Step
from travel_lab.cli.arguments import at_least
from travel_lab.cli.reading import chain_named, local, moment, say_notes
from travel_lab.display import say, table

COLUMNS = ("at", "nodes", "keys", "source", "stopped", "created", "step", "parent", "branch", "msgs", "bytes")


def run(arguments: Sequence[str]) -> int:
    """Show the steps of a session, oldest first, of any LangGraph SQLite file; it is opened read-only.

    States are decoded (to plain data, nothing stored is executed) only for the steps shown, to count messages and bytes.
    """
    options = _parser().parse_args(arguments)
    console = Console()
    with CheckpointFile.open(options.file) as file:
        chain = chain_named(file, options.session)
        since = None if options.since is None else moment(options.since)
        earlier = _before(chain, since) if since else 0
        after = len(chain.steps) - options.limit - 1 if options.after is None else options.after
        page = file.page(chain, max(after, earlier - 1), options.limit)
        if options.json:
            print(json.dumps([_json(chain, opened) for opened in page], ensure_ascii=False, indent=2))
            return 0
        say_notes(console, file)
        title = f"{chain.session_id}: {len(chain.steps)} steps, {chain.branches} branches, {len(chain.nested)} subgraph runs"
        title += f"; those since {local(since)}" if since else ""
        console.print(table(title, COLUMNS, [_row(chain, opened) for opened in page], left=6))
        for opened in page:
            if opened.damage:
                say(console, opened.damage, style="bold")
        blocked = sorted({name for opened in page for name in opened.blocked})
        if blocked:
            say(console, f"Types that were not imported: {', '.join(blocked)}")
    return 0


def _row(chain: CheckpointChain, opened: OpenedStep) -> list[str]:
    step = opened.step
    return [
        str(_place(chain, step.checkpoint_id)),
        ", ".join(step.nodes) or "-",
        ", ".join(step.keys) or "-",
        step.source,
        "damaged" if opened.damage else _stopped(step),
        local(step.created),
        "?" if step.number is None else str(step.number),
        str(_place(chain, step.parent_id)),
        f"{step.branch}.{step.position}",
        "-" if opened.messages is None else str(opened.messages),
        f"{opened.size:,}",
    ]


def _json(chain: CheckpointChain, opened: OpenedStep) -> dict[str, object]:
    step = opened.step
    return {
        "at": _place(chain, step.checkpoint_id),
        "checkpoint_id": step.checkpoint_id,
        "parent_id": step.parent_id,
        "step": step.number,
        "branch": step.branch,
        "in branch": step.position,
        "source": step.source,
        "tasks": [{"node": task.node, "wrote": list(task.keys)} for task in step.tasks],
        "errors": list(step.errors),
        "waiting": list(step.waiting),
        "messages": opened.messages,
        "bytes": opened.size,
        "created": step.created.isoformat() if step.created else None,
        "blocked": list(opened.blocked),
        "damage": opened.damage,
    }


def _before(chain: CheckpointChain, since: datetime) -> int:
    """How many steps are older; ids sort by time, and steps whose id holds no time count as older."""
    return next((at for at, step in enumerate(chain.steps) if step.created and step.created >= since), len(chain.steps))


def _place(chain: CheckpointChain, checkpoint_id: str | None) -> int:
    return next((at for at, step in enumerate(chain.steps) if step.checkpoint_id == checkpoint_id), -1)


def _stopped(step: Step) -> str:
    return "; ".join([*step.errors, *(f"{node} waits" for node in step.waiting)]) or "-"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="travel-lab history", description=run.__doc__)
    parser.add_argument("file", metavar="FILE", help="checkpoint database")
    parser.add_argument("session", nargs="?", metavar="SESSION", help="left out: the file's only session")
    parser.add_argument("--limit", type=at_least(1), default=50, help="steps shown (default: %(default)s)")
    parser.add_argument(
        "--after", type=at_least(-1), help="start after this position, -1 for the first step; left out: the newest steps"
    )
    parser.add_argument("--since", metavar="TIME", help="only steps made since then; without an offset it is local time")
    parser.add_argument("--json", action="store_true", help="print JSON, times in UTC")
    return parser
