"""`travel-lab serve-model`: the offline model behind OpenAI's HTTP surface, on this machine only."""

import argparse
import threading
from collections.abc import Sequence

from rich.console import Console

from travel_lab.chat_models import Fault, ModelServer, Schedule
from travel_lab.chat_models.faults import KINDS
from travel_lab.display import say
from travel_lab.planner import offline_model

PORT = 8931


def run(arguments: Sequence[str]) -> int:
    """Serve the offline model until interrupted, so that any client can be tried without a key."""
    options = _parser().parse_args(arguments)
    faults = [Fault(kind=options.fault, share=options.share)] if options.fault else []
    server = ModelServer(model=offline_model(), schedule=Schedule(faults, seed=options.seed), port=options.port)
    with server:
        say(Console(), f"Serving the offline model at {server.base_url} (Ctrl-C ends).")
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            say(Console(), f"{len(server.requests)} requests served.")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="travel-lab serve-model", description=run.__doc__)
    parser.add_argument("--port", type=int, default=PORT, help="0 takes a free one (default: %(default)s)")
    parser.add_argument("--fault", choices=KINDS, metavar="KIND", help=f"spoil requests: {', '.join(KINDS)}")
    parser.add_argument("--share", type=float, default=0.2, help="part of the requests that is spoilt (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of the draws (default: %(default)s)")
    return parser
