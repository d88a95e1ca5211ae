"""The planner's state, attempts and answers as DataFrames."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any, Protocol

import pandas as pd
from langchain_core.messages import BaseMessage

from travel_lab.chat_models import ModelCall
from travel_lab.errors import UnreadableReply
from travel_lab.events import AgentFinished, AgentStarted, AttemptFailed, AttemptSucceeded, Event
from travel_lab.itinerary import AGENTS
from travel_lab.planner.replies import read_line, read_object, read_question
from travel_lab.planner.trials import Trial
from travel_lab.tokens import text_of


def state_frame(state: Mapping[str, Any]) -> pd.DataFrame:
    """One row a field: its name, whether it stands in `messages` (what a model can be shown), its size and its text.

    `characters` counts the field written out as JSON; `text` is whole.
    """
    rows = []
    for field, value in state.items():
        text = _text(value)
        rows.append({"field": field, "shown to models": field == "messages", "characters": len(text), "text": text})
    return pd.DataFrame(rows, columns=["field", "shown to models", "characters", "text"])


def _text(value: object) -> str:
    if isinstance(value, list) and value and isinstance(value[0], BaseMessage):
        return "\n".join(f"{message.name or message.type}: {text_of(message)}" for message in value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


class Played(Protocol):
    """A turn, as far as attempts are concerned."""

    @property
    def events(self) -> Sequence[Event]:
        """What happened, in order."""


ATTEMPT_COLUMNS = ("agent", "attempt", "began", "ended", "wait", "outcome", "error", "agent ended")


def retry_frame(turn: Played) -> pd.DataFrame:
    """One row an attempt of a model call: when it began and ended, the wait after it, and how the agent ended.

    Times count from the first attempt of the turn. `agent ended` is the agent's status; blank when it never ended.
    """
    made = [event for event in turn.events if isinstance(event, AttemptSucceeded | AttemptFailed)]
    zero = min((event.began for event in made), default=0.0)
    ended = {event.agent: event.status for event in turn.events if isinstance(event, AgentFinished)}
    rows = [
        {
            "agent": event.agent,
            "attempt": event.attempt,
            "began": event.began - zero,
            "ended": event.seconds - zero,
            "wait": event.wait if isinstance(event, AttemptFailed) else 0.0,
            "outcome": _outcome(event),
            "error": event.error if isinstance(event, AttemptFailed) else "",
            "agent ended": ended.get(event.agent, ""),
        }
        for event in made
    ]
    frame = pd.DataFrame(rows, columns=list(ATTEMPT_COLUMNS))
    return frame.sort_values(["began", "agent", "attempt"], kind="stable", ignore_index=True)


def _outcome(event: AttemptSucceeded | AttemptFailed) -> str:
    if isinstance(event, AttemptSucceeded):
        return "answer"
    return (
        "failed, again" if event.wait or event.error.startswith(("EmptyReply", "CutReply", "UnreadableReply")) else "failed, last"
    )


def format_frame(calls: Iterable[ModelCall]) -> pd.DataFrame:
    """One row for agents without and with history in their view: calls, and how many answers were in the form asked for.

    `repaired` counts those among them whose JSON had to be put right. Failed calls are left out.
    """
    counted: dict[tuple[str, str], list[int]] = {}
    for call in calls:
        if call.error:
            continue
        history = "yes" if any(message.type == "ai" for message in call.view[1:-1]) else "no"
        row = counted.setdefault((call.agent, history), [0, 0, 0])
        in_form, repaired = _in_form(call.agent, call.reply)
        for at, value in enumerate((1, int(in_form), int(repaired))):
            row[at] += value
    rows = [(agent, history, *numbers, numbers[1] / numbers[0]) for (agent, history), numbers in sorted(counted.items())]
    return pd.DataFrame(rows, columns=["agent", "history", "calls", "in form", "repaired", "share"])


def _in_form(agent: str, reply: str) -> tuple[bool, bool]:
    try:
        if agent == "supervisor":
            read_line(reply)
            return True, False
        return True, read_question(reply) is None and bool(read_object(reply).repairs)
    except UnreadableReply:
        return False, False


def trials_frame(trials: Iterable[Trial]) -> pd.DataFrame:
    """One row a trial of a fault under a policy: requests counted by the server, failed attempts, seconds waited, outcome."""
    return pd.DataFrame([asdict(trial) for trial in trials], columns=[field.name for field in fields(Trial)])


def calls_frame(calls: Iterable[ModelCall]) -> pd.DataFrame:
    """One row a model call: tokens counted here and by which vocabulary, tokens the service reports, and what is odd about them.

    `reported` is missing where the service says nothing; it is then not zero.
    """
    rows = [(call.agent, len(call.view), call.tokens, call.counter, call.reported, call.warning) for call in calls]
    frame = pd.DataFrame(rows, columns=["agent", "messages", "counted here", "counter", "reported", "warning"])
    return frame.astype({"reported": "Int64"})


TIMELINE_COLUMNS = ("agent", "began", "ended", "seconds", "status")


def timeline_frame(turn: Played) -> pd.DataFrame:
    """One row an agent: when it began and ended in seconds of the turn, how long it worked, and how it ended."""
    began = {event.agent: event.seconds for event in turn.events if isinstance(event, AgentStarted)}
    zero = min(began.values(), default=0.0)
    rows = [
        (event.agent, began[event.agent] - zero, event.seconds - zero, event.seconds - began[event.agent], event.status)
        for event in turn.events
        if isinstance(event, AgentFinished) and event.agent in began
    ]
    frame = pd.DataFrame(rows, columns=list(TIMELINE_COLUMNS))
    order = {agent: at for at, agent in enumerate(("supervisor", *AGENTS))}
    return frame.sort_values("agent", key=lambda names: names.map(order), kind="stable", ignore_index=True)
