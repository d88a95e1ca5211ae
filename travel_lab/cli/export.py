"""`travel-lab export FILE TARGET`: one complete copy of a database, also while it is in use."""

import argparse
import json
from collections.abc import Sequence

from rich.console import Console

from travel_lab.checkpoints import CheckpointFile, export
from travel_lab.display import say


def run(arguments: Sequence[str]) -> int:
    """Copy a checkpoint file with everything committed in it into one new file; safe while programs write to it."""
    options = _parser().parse_args(arguments)
    with CheckpointFile.open(options.file):
        place = export(options.file, options.target)
    if options.json:
        print(json.dumps({"file": str(place), "bytes": place.stat().st_size}))
    else:
        say(Console(), f"{place}: {place.stat().st_size:,} bytes, complete.")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="travel-lab export", description=run.__doc__)
    parser.add_argument("file", metavar="FILE", help="checkpoint database")
    parser.add_argument("target", metavar="TARGET", help="new file; an existing one is refused")
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser
