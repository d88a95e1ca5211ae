"""`travel-lab demo`: one conversation under four strategies, measured, in the terminal and as a page."""

import argparse
import math
import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console

from travel_lab import __version__
from travel_lab.cli.progress import ProgressLine
from travel_lab.context import CallMeasure
from travel_lab.display import printable, render_page, say, shortened, table
from travel_lab.errors import BadMessage, StorageError
from travel_lab.itinerary.card import WORDS
from travel_lab.lab import Lab
from travel_lab.planner import STRATEGIES
from travel_lab.session import check_message
from travel_lab.tokens import DEEPSEEK, PER_MESSAGE, text_of
from travel_lab.turn import Turn

FIRST = {"zh": "帮我规划{city}3天旅行，预算5000", "en": "Plan a 3-day trip to {city}, budget 5000"}
ASK = {"zh": "把第二天的酒店换成便宜点的", "en": "Change the hotel on day 2 to a cheaper one"}
CITY = {"zh": "成都", "en": "Chengdu"}
# Short heads: the table has to fit a terminal of 80 columns.
COLUMNS = (
    "strategy", "agent", "facts", "bound", "in chat", "need", "met", "share", "tokens", "asked back",
)  # fmt: skip
LEGEND = """facts: produced in turn 1. bound: those the view of turn 2 binds.
in chat: bound in its history or briefing; the rest stands in the call's own task, such as offers.
need: facts an answer must rest on. met: those the view binds. share: met / need, the completeness.
–: not measured, the agent was not called.
"""
PAGE = "out/demo.html"
SHOWN = 160
"""Characters of a message shown in the terminal; the page has all."""


class Run(NamedTuple):
    """The conversation under one strategy."""

    strategy: str
    first: Turn
    second: Turn


def run(arguments: Sequence[str]) -> int:
    """Play a plan and a follow-up under each strategy on one SQLite file; print and write what the models could see."""
    parser = _parser()
    options = parser.parse_args(arguments)
    for name in ("city", "out"):
        if getattr(options, name) is not None and not getattr(options, name).strip():
            parser.error(f"--{name} is blank; leave it out for the usual one")
    first = FIRST[options.lang].format(city=options.city or CITY[options.lang]) if options.first is None else options.first
    ask = ASK[options.lang] if options.ask is None else options.ask
    for text in (first, ask):
        try:
            check_message(text)
        except BadMessage as error:
            parser.error(str(error))
    console = Console()
    page = _new_page(options.out)
    say(console, f"1. {first}\n2. {ask}\n", style="bold")
    with Lab.open(options.db) as lab:
        runs = [_play(lab, name, first, ask, console) for name in STRATEGIES]
    _show(console, runs)
    command = shlex.join(["travel-lab", "demo", *arguments])
    _write(page, _page(runs, options.lang, command))
    say(console, f"The same as a page: {page}")
    return 0


def _play(lab: Lab, strategy: str, first: str, ask: str, console: Console) -> Run:
    session = lab.session(strategy=strategy)
    with ProgressLine(console, f"{strategy}, turn 1:") as progress:
        one = session.send(first, watch=progress)
    with ProgressLine(console, f"{strategy}, turn 2:") as progress:
        two = session.send(ask, watch=progress)
    return Run(strategy, one, two)


def _show(console: Console, runs: Sequence[Run]) -> None:
    say(console, f"\n{runs[0].first.card or runs[0].first.reply}\n")
    for run_ in runs:
        turn = run_.second
        say(console, f"── {run_.strategy}: turn 2", style="bold")
        for call in turn.calls:
            say(console, f"  the {call.agent} agent was shown {len(call.view)} messages, {call.tokens} tokens:")
            for message in call.view[1:]:
                say(console, f"    {message.name or message.type}: {shortened(text_of(message), SHOWN)}", style="dim")
            say(console, f"  and answered: {shortened(call.reply, SHOWN)}")
        say(console, f"  agents that ran: {', '.join(turn.agents)}")
        say(console, f"  reply: {turn.reply}\n")
    console.print(table(_title(runs), COLUMNS, _rows(runs)))
    say(console, LEGEND)
    for reason in _reasons(runs):
        say(console, reason, style="dim")


def _title(runs: Sequence[Run]) -> str:
    about = runs[0].second.about
    whose = f"the {about} agent's result" if about else "all results"
    return f"Facts of {whose} of turn 1, as seen in turn 2"


def _measures(runs: Sequence[Run]) -> list[CallMeasure]:
    return [run_.second.measure(agent) for run_ in runs for agent in run_.second.measured_agents]


def _rows(runs: Sequence[Run]) -> list[list[str]]:
    return [_row(measure) for measure in _measures(runs)]


def _row(m: CallMeasure) -> list[str]:
    asked = "–" if m.asked_back is None else "yes" if m.asked_back else "no"
    numbers = [m.produced, m.bound, m.in_conversation, m.needed, m.needed_bound]
    complete = "–" if math.isnan(m.completeness.value) else f"{m.completeness.value:.2f}"
    return [m.strategy, m.agent, *(_count(n) for n in numbers), complete, _count(m.tokens), asked]


def _count(number: int | None) -> str:
    return "–" if number is None else str(number)


def _reasons(runs: Sequence[Run]) -> list[str]:
    return [f"{m.strategy}, {m.agent}: {m.completeness.reason}" for m in _measures(runs)]


def _page(runs: Sequence[Run], language: str, command: str) -> str:
    first = runs[0].first
    tail = (
        [line for line in first.card.split("\n") if not line.startswith("  ")][1 + len(first.itinerary["days"]) :]
        if first.itinerary
        else []
    )
    return render_page(
        "demo.html",
        language=language,
        version=__version__,
        model="offline (deterministic rules over the messages of each call)",
        counter=DEEPSEEK.name,
        per_message=PER_MESSAGE,
        first=first.text,
        ask=runs[0].second.text,
        about=runs[0].second.about,
        columns=COLUMNS,
        rows=_rows(runs),
        reasons=_reasons(runs),
        card=first.itinerary,
        card_tail="\n".join(tail),
        first_reply=first.reply,
        words=WORDS[first.language],
        runs=[_page_run(run_) for run_ in runs],
        command=command,
    )


def _page_run(run_: Run) -> dict[str, Any]:
    turn = run_.second
    views = [
        {
            "agent": call.agent,
            "tokens": call.tokens,
            "reply": call.reply,
            "messages": [
                {"role": m.type, "author": m.name or "", "tokens": DEEPSEEK.messages([m]), "text": printable(text_of(m))}
                for m in call.view
            ],
        }
        for call in turn.calls
    ]
    asked = any(m.asked_back for m in _measures([run_]))
    return {"strategy": run_.strategy, "agents": ", ".join(turn.agents), "reply": turn.reply, "asked": asked, "views": views}


def _new_page(out: str | None) -> Path:
    """Where the page goes; only the folder of the usual place is made, and only an older page is written over."""
    page = Path(PAGE if out is None else out)
    with _named_errors(page):
        if out is None:
            page.parent.mkdir(exist_ok=True)
        if not page.parent.is_dir():
            raise StorageError(
                f"Cannot write {str(page)!r}: there is no folder {str(page.parent)!r}. Create it, or choose another with --out."
            )
        held = page.read_bytes() if page.exists() else b""
        if held and not held.startswith(b"<!DOCTYPE html>"):
            raise StorageError(f"{str(page)!r} is no page, and nothing was written over it. Choose another file with --out.")
    return page


def _write(page: Path, text: str) -> None:
    with _named_errors(page):
        page.write_text(text, encoding="utf-8", errors="replace")


@contextmanager
def _named_errors(page: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StorageError(f"Cannot write {str(page)!r}: {error.strerror}. Choose another file with --out.") from error


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="travel-lab demo", description=run.__doc__)
    parser.add_argument("--lang", choices=("zh", "en"), default="zh", help="language of the conversation (default: %(default)s)")
    said = parser.add_mutually_exclusive_group()
    said.add_argument("--city", help="another city for the first message, such as 西安 or Sydney")
    said.add_argument("--first", help="the whole first message")
    parser.add_argument("--ask", help="the follow-up")
    parser.add_argument("--db", help="database file; left out: a temporary one")
    parser.add_argument("--out", help=f"where the page goes (default: {PAGE})")
    return parser
