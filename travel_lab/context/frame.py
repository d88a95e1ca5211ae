"""Facts and their visibility as DataFrames."""

from collections.abc import Sequence

import pandas as pd
from langchain_core.messages import BaseMessage

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
