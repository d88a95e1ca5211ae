"""Briefings: what a specialist's own call gets of the conversation, besides its task."""

from collections.abc import Sequence
from typing import Protocol

from langchain_core.messages import BaseMessage


class Briefing(Protocol):
    """Picks the messages that stand before a specialist's task."""

    def __call__(self, agent: str, messages: Sequence[BaseMessage]) -> list[BaseMessage]:
        """Those of `messages` that `agent` is shown, oldest first."""


def task_only(agent: str, messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """Nothing of the conversation, as in the articles."""
    return []


def own_handoff(agent: str, messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """The agent's own latest handoff, found by the author's name on the message; nothing when it left none."""
    return [message for message in messages if message.name == agent][-1:]
