"""Facts and their visibility as DataFrames."""

from collections.abc import Iterable, Sequence

import pandas as pd
from langchain_core.messages import BaseMessage

from travel_lab.context.measure import CallMeasure
from travel_lab.context.visibility import Visibility
from travel_lab.tokens import DEEPSEEK, TokenCounter, text_of


def facts_frame(seen: Visibility) -> pd.DataFrame:
    """One row a produced fact: agent, kind, fact, and whether the view and its conversation part bind it."""
    rows = [
        {
            "agent": fact.agent,
            "kind": fact.kind,
            "fact": str(fact),
            "in view": fact in seen.in_view,
            "in conversation": fact in seen.in_conversation,
        }
        for fact in seen.produced
    ]
    return pd.DataFrame(rows, columns=["agent", "kind", "fact", "in view", "in conversation"])


def view_frame(view: Sequence[BaseMessage], counter: TokenCounter = DEEPSEEK) -> pd.DataFrame:
    """One row a message of a view: role, author, tokens (by `counter`) and the whole text."""
    rows = [
        {"role": message.type, "author": message.name or "", "tokens": counter.messages([message]), "text": text_of(message)}
        for message in view
    ]
    return pd.DataFrame(rows, columns=["role", "author", "tokens", "text"])


MEASURE_COLUMNS = (
    *("strategy", "agent", "called", "facts", "bound", "in chat", "need", "met"),
    *("visibility", "completeness", "tokens", "asked back"),
)


def measures_frame(measures: Iterable[CallMeasure]) -> pd.DataFrame:
    """One row a measured call, columns `MEASURE_COLUMNS`.

    Counts are whole numbers that may be missing (`Int64`), the two shares are floats between 0 and 1 with nan for not
    measured, `tokens` are those of the view.
    """
    rows = [
        (
            m.strategy, m.agent, m.called, m.produced, m.bound, m.in_conversation, m.needed, m.needed_bound, m.visibility.value,
            m.completeness.value, m.tokens, m.asked_back,
        )
        for m in measures
    ]  # fmt: skip
    frame = pd.DataFrame(rows, columns=list(MEASURE_COLUMNS))
    counts = dict.fromkeys(("facts", "bound", "in chat", "need", "met", "tokens"), "Int64")
    return frame.astype({**counts, "called": bool, "asked back": "boolean", "visibility": float, "completeness": float})
