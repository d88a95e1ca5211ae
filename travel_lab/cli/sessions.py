"""`travel-lab sessions FILE`: the sessions of a checkpoint file."""

import argparse
import json
from collections.abc import Sequence

from rich.console import Console

from travel_lab.checkpoints import CheckpointFile, channel_sizes
from travel_lab.cli.reading import local, moment, say_notes
from travel_lab.display import table

COLUMNS = ("session", "steps", "of subgraphs", "first step", "last step")


def run(arguments: Sequence[str]) -> int:
    """List the sessions of any LangGraph SQLite file; it is opened read-only and no state is decoded without --sizes."""
    options = _parser().parse_args(arguments)
    console = Console()
    with CheckpointFile.open(options.file) as file:
        since = None if options.since is None else moment(options.since)
        rows = [row for row in file.sessions() if since is None or (row.last is not None and row.last >= since)]
        sizes = {row.session_id: channel_sizes(file.connection, row.session_id) for row in rows} if options.sizes else {}
        if options.json:
            listed = [
                {
                    "session": row.session_id,
                    "steps": row.steps,
                    "of subgraphs": row.nested,
                    "first": row.first.isoformat() if row.first else None,
                    "last": row.last.isoformat() if row.last else None,
                    **({"sizes": [vars(size) for size in sizes[row.session_id]]} if options.sizes else {}),
                }
                for row in rows
            ]
            print(json.dumps(listed, ensure_ascii=False, indent=2))
            return 0
        say_notes(console, file)
        lines = [(row.session_id, str(row.steps), str(row.nested), local(row.first), local(row.last)) for row in rows]
        told = f" with a step since {local(since)}" if since else ""
        console.print(table(f"{len(rows)} sessions in {file.name}{told}", COLUMNS, lines))
        for name, found in sizes.items():
            parts = [(size.channel, f"{size.in_states:,}", f"{size.in_writes:,}") for size in found]
            console.print(table(f"\nBytes of {name}", ("channel", "in states", "in writes"), parts))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="travel-lab sessions", description=run.__doc__)
    parser.add_argument("file", metavar="FILE", help="checkpoint database")
    parser.add_argument("--sizes", action="store_true", help="also where the bytes go, channel by channel (reads every state)")
    parser.add_argument("--since", metavar="TIME", help="only those with a step since then; without an offset it is local time")
    parser.add_argument("--json", action="store_true", help="print JSON, times in UTC")
    return parser
