"""`travel-lab diff FILE BEFORE AFTER`: what differs between two steps."""

import argparse
from collections.abc import Sequence

from rich.console import Console

from travel_lab.checkpoints import MISSING, CheckpointFile, diff
from travel_lab.cli.reading import as_json, say_notes, step_named
from travel_lab.display import shortened, table

SHOWN = 60


def run(arguments: Sequence[str]) -> int:
    """Show every leaf in which two steps differ: of one session, or of two; the file is opened read-only."""
    options = _parser().parse_args(arguments)
    console = Console()
    with CheckpointFile.open(options.file) as file:
        before, after = (step_named(file, name) for name in (options.before, options.after))
        changes = diff(before.values, after.values)
        if options.json:
            sides = [
                {
                    "path": change.path,
                    "kind": change.kind,
                    **({} if change.before is MISSING else {"before": change.before}),
                    **({} if change.after is MISSING else {"after": change.after}),
                }
                for change in changes
            ]
            print(as_json(sides))
            return 0
        say_notes(console, file)
        most = 10**9 if options.full else SHOWN
        rows = [
            (change.kind, change.path, shortened(str(change.before), most), shortened(str(change.after), most))
            for change in changes
        ]
        title = f"{len(changes)} changes from {options.before} to {options.after}"
        console.print(table(title, ("kind", "path", "before", "after"), rows, left=4))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="travel-lab diff", description=run.__doc__)
    parser.add_argument("file", metavar="FILE", help="checkpoint database")
    parser.add_argument(
        "before", metavar="BEFORE", help="SESSION (its newest step) or SESSION:POSITION, as `history` numbers them"
    )
    parser.add_argument("after", metavar="AFTER", help="the same")
    parser.add_argument("--full", action="store_true", help="whole texts")
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser
