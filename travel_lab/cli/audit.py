"""`travel-lab audit FILE`: which fields of a state stand in no stored message."""

import argparse
import json
import math
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from travel_lab.errors import StorageError
from travel_lab.evaluation import Audit, audit_file, redacted


def run(arguments: Sequence[str]) -> int:
    """Look for the facts of every state field of a LangGraph SQLite file in its stored messages; the file is opened read-only.

    A file shows stored messages, not what a model was shown; so this fails a build only when told to take the one for the
    other (--as-stored). The graph itself is audited in Python: travel_lab.evaluation.audit(graph, turns).
    """
    parser = _parser()
    options = parser.parse_args(arguments)
    audited = audit_file(options.file, leave_out=options.leave_out, budget=options.budget)
    shown = redacted(audited) if options.redact else audited
    if options.html:
        _write(Path(options.html), shown.html())
    if options.json:
        print(json.dumps(shown.as_json(), ensure_ascii=False, indent=2))
    else:
        print(shown.text(Console().width), end="")
    return _gate(audited, options.fail_under, as_stored=options.as_stored)


def _gate(audited: Audit, least: float | None, *, as_stored: bool) -> int:
    """1 when the share is under `least`, or was not measured at all; said on stderr."""
    if least is None:
        return 0
    share = audited.score.value
    if not as_stored:
        said = f"{share:.2f} in messages" if not math.isnan(share) else "nothing measured"
        print(
            f"--fail-under {least:g} was not applied ({said}): a file shows no views. Add --as-stored to apply it.",
            file=sys.stderr,
        )
        return 0
    if math.isnan(share):
        print(f"failed: {audited.score.reason}", file=sys.stderr)
        return 1
    if share < least:
        print(f"failed: {share:.2f} of the facts are in messages, under {least:g}.", file=sys.stderr)
        return 1
    return 0


def _write(path: Path, page: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(page, encoding="utf-8")
    except OSError as error:
        raise StorageError(f"Cannot write {str(path)!r}: {error.strerror}. Give another path.") from error


def _share(text: str) -> float:
    share = float(text)
    if not 0 <= share <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no share from 0 to 1")
    return share


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="travel-lab audit", description=run.__doc__)
    parser.add_argument("file", metavar="FILE", help="checkpoint database")
    parser.add_argument("--html", metavar="PAGE", help="write the audit as a page as well")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--fail-under", type=_share, metavar="SHARE", help="exit code 1 when fewer of the facts are in messages")
    parser.add_argument("--as-stored", action="store_true", help="apply --fail-under although a file shows no views")
    parser.add_argument("--redact", action="store_true", help="replace every value and thread name by a placeholder")
    parser.add_argument("--leave-out", action="append", default=[], metavar="FIELD", help="a field that is no model's business")
    parser.add_argument("--budget", type=int, metavar="TOKENS", help="most tokens of a field's packed tables")
    return parser
