"""The planner's state as a DataFrame."""

import json
from collections.abc import Mapping
from typing import Any

import pandas as pd
from langchain_core.messages import BaseMessage

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
