"""`travel-lab corpora`: where the public dialogues are to be had, and whether a folder holds them."""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import Console

from travel_lab.display import say
from travel_lab.errors import BadInput
from travel_lab.evaluation.corpora import CROSSWOZ, SGD, Corpus, Source, missing_in, read_crosswoz, read_sgd

READERS = {CROSSWOZ.name: (CROSSWOZ, read_crosswoz), SGD.name: (SGD, read_sgd)}


def run(arguments: Sequence[str]) -> int:
    """Say where the corpora come from; with a folder, check what it holds and count its dialogues and probes."""
    options = _parser().parse_args(arguments)
    console = Console()
    if options.folder is None:
        for source, _ in READERS.values():
            say(console, f"{source.name} ({source.language}, {source.licence}): {source.url}")
            say(console, f"  a folder needs {', '.join(member.replace(':', ' with ') for member in source.files)}")
        say(console, "They are not shipped. `travel-lab corpora FOLDER` checks a folder.")
        return 0
    folder = Path(options.folder)
    if not folder.is_dir():
        raise BadInput(f"No folder at {str(folder)!r}. `travel-lab corpora` without a folder says what one must hold.")
    found = [(source, read) for source, read in READERS.values() if len(missing_in(folder, source)) < len(source.files)]
    if not found:
        names = " and ".join(READERS)
        raise BadInput(f"The folder {str(folder)!r} holds nothing of {names}. `travel-lab corpora` says what one must hold.")
    whole = [_check(console, folder, source, read) for source, read in found]
    return 0 if all(whole) else 1


def _check(console: Console, folder: Path, source: Source, read: Callable[[Path], Corpus]) -> bool:
    lacking = missing_in(folder, source)
    if lacking:
        say(console, f"{source.name}: incomplete; missing {', '.join(member.replace(':', ' with ') for member in lacking)}")
        return False
    corpus = read(folder)
    probes = sum(len(case.probes) for case in corpus.cases)
    say(console, f"{source.name}: whole; {len(corpus.cases)} dialogues with {probes} probes")
    return True


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="travel-lab corpora", description=run.__doc__)
    parser.add_argument("folder", nargs="?", help="where the files lie; left out: say where they are to be had")
    return parser
