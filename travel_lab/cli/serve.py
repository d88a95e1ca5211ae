"""`travel-lab serve`: the chat endpoint on this machine."""

import argparse
import importlib
from collections.abc import Sequence
from contextlib import suppress

from rich.console import Console

from travel_lab.cli.arguments import port
from travel_lab.display import say
from travel_lab.errors import BadInput
from travel_lab.lab import Lab

PORT = 8932


def run(arguments: Sequence[str]) -> int:
    """Serve the planner as POST /chat with Server-Sent Events until interrupted (extra `serve`)."""
    options = _parser().parse_args(arguments)
    try:
        # By name and only now: the extra need not be installed.
        server = importlib.import_module("travel_lab.server")
    except ImportError as error:
        raise BadInput(f"The endpoint needs the extra 'serve' ({error}): pip install 'travel_lab[serve]'.") from error
    with server.listen(options.port) as listening, Lab.open(options.db) as lab:
        say(Console(), f"POST http://{server.HOST}:{listening.getsockname()[1]}/chat (Ctrl-C ends).")
        with suppress(KeyboardInterrupt):
            server.serve(lab, listening)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="travel-lab serve", description=run.__doc__)
    parser.add_argument("--port", type=port, default=PORT, help="0 takes a free one (default: %(default)s)")
    parser.add_argument("--db", metavar="FILE", help="the checkpoint file; left out, a temporary one")
    return parser
