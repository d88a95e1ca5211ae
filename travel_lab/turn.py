"""A turn: one message through the graph, and what each call of it could see."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from langchain_core.messages import AnyMessage

from travel_lab.catalogue import Language
from travel_lab.chat_models import ModelCall
from travel_lab.context import CallMeasure, Fact, Handoff, Moment, Visibility, measure_call, uncut_texts, visibility
from travel_lab.errors import UnknownName
from travel_lab.events import Event, Note
from travel_lab.itinerary import AGENTS, AgentResult, Itinerary, card_lines
from travel_lab.planner import facts_by_agent
from travel_lab.planner.replies import read_question


@dataclass(frozen=True, kw_only=True)
class Turn:
    """One message through the graph and all that came of it."""

    number: int
    text: str
    """What the traveller said."""
    language: Language
    strategy: str
    reply: str
    """What the traveller got, besides the card."""
    reply_kind: str
    """`plan`, `ask` or `reply`."""
    itinerary: Itinerary | None
    """The card of this turn; None when no agent changed the plan."""
    calls: tuple[ModelCall, ...]
    """Every model call, as the model received it."""
    events: tuple[Event, ...]
    facts_before: tuple[Fact, ...]
    """Facts of the results as they stood when the turn began."""
    needed: tuple[Fact, ...]
    """Those an answer to `text` must rest on."""
    about: str
    """Whose result `text` is about; blank when it points at none."""
    history: Sequence[AnyMessage]
    """The session's messages as they stood when the turn began, untrimmed."""
    results_before: Mapping[str, AgentResult]
    """The results as they stood when the turn began."""
    shown: tuple[Fact, ...]
    """Facts of the card the traveller had before them when the turn began."""

    @property
    def agents(self) -> tuple[str, ...]:
        """Who made a model call, in order."""
        return tuple(dict.fromkeys(call.agent for call in self.calls))

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know of the run, such as a result key that could not be stored."""
        return tuple(event.text for event in self.events if isinstance(event, Note))

    @property
    def card(self) -> str:
        """The card as text; blank without one."""
        return "\n".join(card_lines(self.itinerary, self.language)) if self.itinerary else ""

    def call(self, agent: str) -> ModelCall:
        """The agent's last call of the turn.

        Raises:
            UnknownName: It made none.
        """
        made = [call for call in self.calls if call.agent == agent]
        if not made:
            raise UnknownName("model call of agent", agent, self.agents, "Turn.agents lists who made one.")
        return made[-1]

    def visibility(self, agent: str) -> Visibility:
        """Which facts of earlier turns the agent's view binds."""
        return visibility(self.call(agent).view, self.facts_before)

    def measure(self, agent: str) -> CallMeasure:
        """The numbers of one agent's call, counting the facts of the result the message is about.

        Raises:
            UnknownName: No agent of that name; one that was not called is measured as such.
        """
        known = tuple(dict.fromkeys(("supervisor", *AGENTS, *self.agents)))
        if agent not in known:
            raise UnknownName("agent", agent, known, "Turn.agents lists who made a call.")
        facts = facts_by_agent(self.facts_before, self.about) if self.about else self.facts_before
        call = self.call(agent) if agent in self.agents else None
        return measure_call(
            strategy=self.strategy,
            agent=agent,
            produced=facts,
            needed=self.needed,
            view=call.view if call else None,
            tokens=call.tokens if call else None,
            asked_back=read_question(call.reply) is not None if call else None,
        )

    def moment(self, agent: str, whole: Handoff | None = None) -> Moment:
        """The turn as `xray` takes it; `whole` says what the handoff would have written without its cut."""
        data = {name: result["data"] for name, result in self.results_before.items()}
        return Moment(
            turn=self.number,
            current=self.facts_before,
            messages=self.history,
            view=self.call(agent).view if agent in self.agents else None,
            uncut=uncut_texts(whole, data, self.language) if whole else (),
        )

    @property
    def measured_agents(self) -> tuple[str, ...]:
        """The supervisor and the agent the message is about; when it points at none, those that made a call."""
        return ("supervisor", self.about) if self.about else self.agents
