"""`travel-lab serve-model`: the offline model behind OpenAI's HTTP surface, on this machine only."""

import argparse
import threading
from collections.abc import Sequence

from rich.console import Console

from travel_lab.chat_models import Fault, ModelServer, Schedule
from travel_lab.chat_models.faults import KINDS
from travel_lab.cli.arguments import port, share
from travel_lab.display import say
from travel_lab.planner import offline_model

PORT = 8931
SHARE = 0.2


def run(arguments: Sequence[str]) -> int:
    """Serve the offline model until interrupted, so that any client can be tried without a key."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.fault is None and (options.share is not None or options.seed is not None):
        parser.error("--share and --seed belong to a --fault; name one")
    faults = [Fault(kind=options.fault, share=SHARE if options.share is None else options.share)] if options.fault else []
    server = ModelServer(model=offline_model(), schedule=Schedule(faults, seed=options.seed or 0), port=options.port)
    with server:
        say(Console(), f"Serving the offline model at {server.base_url} (Ctrl-C ends).")
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            say(Console(), f"{len(server.requests)} requests served.")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="travel-lab serve-model", description=run.__doc__)
    parser.add_argument("--port", type=port, default=PORT, help="0 takes a free one (default: %(default)s)")
    parser.add_argument("--fault", choices=KINDS, metavar="KIND", help=f"spoil requests: {', '.join(KINDS)}")
    parser.add_argument("--share", type=share, help=f"part of the requests that is spoilt, 0 to 1 (default: {SHARE})")
    parser.add_argument("--seed", type=int, help="of the draws (default: 0)")
    return parser
