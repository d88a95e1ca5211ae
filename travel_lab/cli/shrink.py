"""`travel-lab shrink`: make a checkpoint file small, or bring it back to LangGraph's own form."""

import argparse
from collections.abc import Sequence

from rich.console import Console

from travel_lab.checkpoints import Share, Shrinkage, inflate, shrink, survey
from travel_lab.display import say


def run(arguments: Sequence[str]) -> int:
    """Write a compact copy of a LangGraph checkpoint file, every value compared; the source is only read."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.back and options.target is None:
        parser.error("--back needs a target: the path of a new file")
    console = Console()
    if options.back:
        done = inflate(options.source, options.target)
    else:
        if options.target is None:
            _say_survey(console, survey(options.source))
        done = shrink(options.source, options.target)
    _say_sizes(console, done)
    if not options.back:
        _say_checked(console, done)
    say(console, f"Written to {done.target}." if done.target else "Dry run: nothing was kept. Give a target to write it.")
    return 0


def _say_survey(console: Console, shares: Sequence[Share]) -> None:
    total = sum(share.bytes for share in shares) or 1
    for share in shares:
        where = f"{share.content} in {share.table}"
        say(console, f"{where:<32}{share.bytes / 1024:>12,.0f} KiB {share.bytes / total:>6.1%}")


def _say_sizes(console: Console, done: Shrinkage) -> None:
    sizes = f"{done.bytes_before / 1024:,.0f} KiB -> {done.bytes_after / 1024:,.0f} KiB"
    say(console, f"{done.steps:,} steps and {done.writes:,} writes: {sizes}")


def _say_checked(console: Console, done: Shrinkage) -> None:
    say(console, f"{done.factor:.1f} times smaller; every value was put together again and compared.")
    if done.unchanged:
        say(console, f"{done.unchanged:,} values cannot be taken apart and were copied as they are.")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="travel-lab shrink", description=run.__doc__)
    parser.add_argument("source", help="a checkpoint file of LangGraph's SqliteSaver or of this package")
    parser.add_argument(
        "target", nargs="?", help="the new file; left out: a dry run that says what is where and what would be saved"
    )
    parser.add_argument("--back", action="store_true", help="write LangGraph's own form instead, for its SqliteSaver")
    return parser
