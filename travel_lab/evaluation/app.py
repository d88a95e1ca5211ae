"""What an app must do to be evaluated: play a conversation once, and build the view a call would get under a strategy.

Conversations are *teacher-forced*: each is played once, by whatever reads everything, and its results are fixed. A strategy then
changes only what later calls are shown of them. So the agents run once per conversation, however many strategies there are, and
no strategy profits from another run of the agents.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from travel_lab.context import Fact, Handoff, Result, Strategy, derive_facts
from travel_lab.evaluation.cases import Case, Probe

View = Sequence[BaseMessage]
"""The exact messages one model call receives: system prompt first, the call's own words last."""


@dataclass(frozen=True, kw_only=True)
class Exchange:
    """One turn of a conversation as it was played."""

    words: str
    """What the user said."""
    results: Mapping[str, Result] = field(default_factory=dict)
    """What each agent found in this turn, by agent; agents without a new result are left out."""
    spoken: Sequence[BaseMessage] = ()
    """What was said aloud before the handoffs, the user's words first; `HumanMessage(words)` when empty."""
    closing: Sequence[BaseMessage] = ()
    """What was said after the handoffs, such as the reply the user read."""
    state: Mapping[str, Any] = field(default_factory=dict)
    """What else the app needs to build a later call, as it stood after the turn."""


@dataclass(frozen=True, kw_only=True)
class Conversation:
    """A conversation with its results, fixed."""

    case_id: str
    language: str
    exchanges: tuple[Exchange, ...]


class App(Protocol):
    """Anything that can be evaluated."""

    @property
    def name(self) -> str:
        """Shown in every table."""

    def play(self, case: Case) -> Conversation:
        """Play the case's turns once; all strategies are measured on what comes out."""

    def facts(self, conversation: Conversation, after: int) -> tuple[Fact, ...]:
        """Every fact the first `after` turns produced and that still holds."""

    def view(self, conversation: Conversation, probe: Probe, call: str, strategy: Strategy, budget: int | None) -> View:
        """What `call` would be sent when the probe's words come next.

        Args:
            conversation: As it was played.
            probe: Whose words come after the turns it names.
            call: The agent that is asked.
            strategy: How results travel.
            budget: Tokens of the history part; None is the strategy's own.
        """


@dataclass(frozen=True, kw_only=True)
class History:
    """The messages before a probe under a strategy's handoff, and the newest result of each agent."""

    messages: tuple[BaseMessage, ...]
    results: Mapping[str, Result]


def history_of(conversation: Conversation, after: int, handoff: Handoff) -> History:
    """The conversation's first `after` turns, each result followed by the message `handoff` makes of it."""
    messages: list[BaseMessage] = []
    results: dict[str, Result] = {}
    for number, exchange in enumerate(conversation.exchanges[:after], 1):
        results |= exchange.results
        handed = {agent: handoff(agent, result, conversation.language) for agent, result in exchange.results.items()}
        said = exchange.spoken or (HumanMessage(exchange.words, id=f"turn-{number}-user"),)
        handoffs = [AIMessage(text, name=agent, id=f"turn-{number}-{agent}") for agent, text in handed.items() if text]
        messages += [*said, *handoffs, *exchange.closing]
    return History(messages=tuple(messages), results=results)


@dataclass(frozen=True, kw_only=True)
class Transcripts:
    """An app whose conversations are known already, such as those of a public corpus; its one model reads the history."""

    name: str
    conversations: Mapping[str, Conversation]
    """By case id."""
    system: str = ""
    """The system prompt; none when blank."""
    read: Callable[[Mapping[str, Result]], tuple[Fact, ...]] = derive_facts
    """From results by agent to facts."""

    def play(self, case: Case) -> Conversation:
        """The conversation of the case."""
        return self.conversations[case.case_id]

    def facts(self, conversation: Conversation, after: int) -> tuple[Fact, ...]:
        """Every fact of any result of the first `after` turns."""
        found = [fact for exchange in conversation.exchanges[:after] for fact in self.read(exchange.results)]
        return tuple(dict.fromkeys(found))

    def view(self, conversation: Conversation, probe: Probe, call: str, strategy: Strategy, budget: int | None) -> View:
        """System prompt, trimmed history, the probe's words."""
        history = history_of(conversation, probe.after, strategy.handoff)
        limit = strategy.budget if budget is None else budget
        trimmed = strategy.trimming(history.messages, history.results, probe.words, limit)
        system = [SystemMessage(self.system)] if self.system else []
        return [*system, *trimmed.messages, HumanMessage(probe.words)]
