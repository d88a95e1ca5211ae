"""Handoffs: what a specialist writes into `messages` about its result.

A handoff is a callable (agent, result, language) → text; an empty text writes no message. The two here work for any
result that is plain data; an app adds its own.
"""

import json
from collections.abc import Mapping
from typing import Any, Protocol

Result = Mapping[str, Any]
"""What a specialist produced: plain data, as it stands in its state field."""


class Handoff(Protocol):
    """Turns a result into the message its agent leaves for later calls."""

    def __call__(self, agent: str, result: Result, language: str) -> str:
        """The message's text; empty for none."""


def silent(agent: str, result: Result, language: str) -> str:
    """Nothing: the result stays in its state field."""
    return ""


def full_json(agent: str, result: Result, language: str) -> str:
    """The whole result as one JSON object, no blanks between members."""
    return json.dumps(result, ensure_ascii=False, separators=(",", ":"))
