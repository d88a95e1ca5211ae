"""`travel-lab prune FILE`: keep the last steps of each session."""

import argparse
import json
from collections.abc import Sequence

from rich.console import Console

from travel_lab.checkpoints import CheckpointFile, Pruning, prune, vacuum
from travel_lab.display import say, table


def run(arguments: Sequence[str]) -> int:
    """Drop old steps: the last ones of each session, every branch point and every paused step stay."""
    options = _parser().parse_args(arguments)
    console = Console()
    with CheckpointFile.open(options.file) as file:
        names = [options.session] if options.session is not None else [row.session_id for row in file.sessions()]
        for name in names:
            file.chain(name)  # a name that is not there is refused before anything is dropped
    done = [prune(options.file, name, options.keep, dry_run=options.dry_run) for name in names]
    freed = vacuum(options.file) if options.vacuum and not options.dry_run else None
    if options.json:
        print(json.dumps({"dry run": options.dry_run, "sessions": [vars(plan) for plan in done], "freed": freed}, indent=2))
        return 0
    console.print(table(_title(options.dry_run), ("session", "kept", "dropped", "subgraph runs", "bytes"), map(_row, done)))
    if freed is not None:
        say(console, f"The file shrank by {freed:,} bytes.")
    elif not options.dry_run and any(plan.dropped for plan in done):
        say(console, "The file keeps its size until --vacuum gives the space back.")
    return 0


def _title(dry_run: bool) -> str:  # noqa: FBT001 (one flag of the command line)
    return "Would be pruned (nothing was changed)" if dry_run else "Pruned"


def _row(plan: Pruning) -> tuple[str, ...]:
    return plan.session_id, str(len(plan.kept)), str(len(plan.dropped)), str(len(plan.namespaces)), f"{plan.size:,}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="travel-lab prune", description=run.__doc__)
    parser.add_argument("file", metavar="FILE", help="checkpoint database")
    parser.add_argument("--session", help="only this one; left out: all of them")
    parser.add_argument("--keep", type=int, default=20, help="newest steps that stay, a session (default: %(default)s)")
    parser.add_argument("--dry-run", action="store_true", help="only say what would go")
    parser.add_argument("--vacuum", action="store_true", help="give the space back to the disk")
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser
