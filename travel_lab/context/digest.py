"""Trimmings that write results out of the state: the pinned digest and the look-up."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage

from travel_lab.context.blocks import turns_of
from travel_lab.context.handoff import Handoff
from travel_lab.context.trimming import Trimmed, fitting, newest_turns, trimmed
from travel_lab.tokens import DEEPSEEK, TokenCounter, text_of

_CHINESE = re.compile(r"[\u4e00-\u9fff]")


@dataclass(frozen=True, kw_only=True)
class PinnedDigest:
    """Each agent's latest good result, written out anew, then the opening words and the last few turns.

    The handoffs the agents left are superseded by the digest and go first, so tokens stay flat however long the
    conversation is.
    """

    write: Handoff
    """Writes one agent's result, as it stands in the state; a blank text leaves the agent out."""
    turns: int = 2
    """How many turns are kept."""
    counter: TokenCounter = DEEPSEEK
    reads_state: bool = True

    def __call__(self, messages: Sequence[BaseMessage], results: Mapping[str, Any], question: str, budget: int | None) -> Trimmed:
        """The digest, the newest turns and the first user message, in this order for as long as all fits."""
        digest = written(self.write, results, _language(messages, question))
        pinned = {message.name for message in digest}
        spoken = [message for message in messages if message.name not in pinned]
        groups = newest_turns(spoken, self.turns)
        opening = [[block] for turn in turns_of(spoken)[:1] for block in turn if block[0].type == "human"]
        after = fitting(messages, [*groups, *opening], digest, question, budget, self.counter)
        return trimmed(messages, after, counter=self.counter)


@dataclass(frozen=True, kw_only=True)
class LookUp:
    """The results a question points at, written out whole, before the newest turns that fit."""

    find: Callable[[str, Mapping[str, Any]], Mapping[str, Any]]
    """From the question and all results to those it points at."""
    write: Handoff
    """Writes one agent's result, as it stands in the state."""
    turns: int = 2
    """How many turns are kept."""
    counter: TokenCounter = DEEPSEEK
    reads_state: bool = True

    def __call__(self, messages: Sequence[BaseMessage], results: Mapping[str, Any], question: str, budget: int | None) -> Trimmed:
        """What was found, and the newest turns, for as long as all fits."""
        found = written(self.write, self.find(question, results), _language(messages, question))
        pinned = {message.name for message in found}
        groups = newest_turns([m for m in messages if m.name not in pinned], self.turns)
        after = fitting(messages, groups, found, question, budget, self.counter)
        return trimmed(messages, after, counter=self.counter)


def written(write: Handoff, results: Mapping[str, Any], language: str) -> list[BaseMessage]:
    """The results as messages under their agents' names; their ids say that they were written for this call."""
    texts = {agent: write(agent, result, language) for agent, result in results.items()}
    return [AIMessage(content=text, name=agent, id=f"digest-{agent}") for agent, text in texts.items() if text]


def _language(messages: Sequence[BaseMessage], question: str) -> str:
    said = question + "".join(text_of(message) for message in messages if message.type == "human")
    return "zh" if _CHINESE.search(said) else "en"
