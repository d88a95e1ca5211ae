"""`travel-lab models`: which endpoints are configured, and whether one answers."""

import argparse
from collections.abc import Sequence

from langchain_core.messages import HumanMessage, SystemMessage
from rich.console import Console

from travel_lab.catalogue import CuratedProvider
from travel_lab.chat_models import diagnose, scrub
from travel_lab.chat_models.endpoint import ENDPOINTS, Endpoint, connect, endpoint, find_key
from travel_lab.clock import Clock
from travel_lab.display import say, table
from travel_lab.errors import BadEndpoint, UnreadableReply
from travel_lab.planner.prompts import REMINDER, supervisor_prompt
from travel_lab.planner.replies import read_line
from travel_lab.retry import RetryPolicy

COLUMNS = ("name", "model", "address", "key")
FIRST = "帮我规划成都3天旅行，预算5000"


def run(arguments: Sequence[str]) -> int:
    """List the known endpoints and say whether their key is set; with --check make one call and explain what is wrong."""
    options = _parser().parse_args(arguments)
    console = Console()
    if options.check is not None:
        return _check(console, options.check, endpoint(options.check))
    console.print(table("Endpoints", COLUMNS, [_row(name, known) for name, known in ENDPOINTS.items()]))
    asked = ", ".join(known.api_key_env for known in ENDPOINTS.values() if known.api_key_env)
    say(console, f"Keys are read from the environment or from .env ({asked}) and never shown.")
    say(console, f"Retry of failed calls: {RetryPolicy()}.")
    say(console, "travel-lab models --check NAME makes one call.")
    return 0


def _row(name: str, known: Endpoint) -> list[str]:
    key = "not needed" if not known.api_key_env else "set" if find_key(known) else "not set"
    return [name, known.model, known.base_url, key]


def _check(console: Console, name: str, known: Endpoint) -> int:
    view = [
        SystemMessage(supervisor_prompt("zh", CuratedProvider().cities(), Clock().today())),
        HumanMessage(f"{FIRST}\n{REMINDER['zh']}"),
    ]
    try:
        reply = connect(known).invoke(view)
    except BadEndpoint as error:
        say(console, f"{name}: {error}", style="bold")
        return 1
    except Exception as error:  # noqa: BLE001 (whatever the client raises, this command is there to explain it)
        say(console, f"{name}: {scrub(str(diagnose(error)))}", style="bold")
        return 1
    told = reply.usage_metadata
    tokens = f"{told['input_tokens']} tokens in" if told else "no usage reported"
    say(console, f"{name}: {known.model} answers; {tokens}; {_form(reply.text)}.", style="bold")
    return 0


def _form(text: str) -> str:
    try:
        line = read_line(text)
    except UnreadableReply as error:
        return f"its answer is not in the form that was asked for ({error})"
    return f"its answer is in the form that was asked for ({line.kind})"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="travel-lab models", description=run.__doc__)
    parser.add_argument("--check", metavar="NAME", help="make one call to this endpoint")
    return parser
