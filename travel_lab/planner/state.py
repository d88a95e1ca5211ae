"""The planner's state, its merge rules, and what a run is given besides it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AnyMessage
from langgraph.graph.message import add_messages
from typing_extensions import TypedDict

from travel_lab.catalogue import CuratedProvider, Language, Provider
from travel_lab.checkpoints import Siblings
from travel_lab.clock import Clock
from travel_lab.context import Strategy
from travel_lab.events import Sink, ignore
from travel_lab.itinerary import AGENTS, AgentResult, Itinerary, Requirements
from travel_lab.itinerary.wishes import add_wishes
from travel_lab.planner.written_forms import is_blank
from travel_lab.retry import RetryPolicy


class Question(TypedDict):
    """A specialist's question back to the traveller."""

    turn: int
    text: str


def merge_requirements(saved: Mapping[str, Any], new: Mapping[str, Any] | None) -> dict[str, Any]:
    """What is known after `new`: blank, zero and missing values keep what was saved; preferences add up."""
    merged = dict(saved)
    for key, value in (new or {}).items():
        if is_blank(value):
            continue
        merged[key] = add_wishes(merged.get(key, []), value) if key == "preferences" else value
    return merged


def merge_by_agent(saved: Mapping[str, Any], new: Mapping[str, Any] | None) -> dict[str, Any]:
    """One entry an agent; the newer one wins."""
    return {**saved, **(new or {})}


def merge_result(saved: AgentResult | None, new: AgentResult | None) -> AgentResult | None:
    """The newer result; one without content does not take a saved one away, it only says what went wrong."""
    if new is None or saved is None or has_content(new["data"]) or not has_content(saved["data"]):
        return saved if new is None else new
    return AgentResult(**{**saved, "status": new["status"], "reason": new["reason"]})


def has_content(data: Mapping[str, Any]) -> bool:
    """Whether a result holds anything besides its frame."""
    return any(value for key, value in data.items() if key not in {"destination", "currency"})


class Earlier(TypedDict):
    """What there was before the newest change, for going back to it."""

    requirements: Requirements
    results: dict[str, AgentResult]
    """Of the agents the change called."""


class RouteOption(TypedDict):
    """One way to make the trip."""

    route_id: str
    kind: str
    """`focused`, `wide` or `slow`."""
    name: str
    stops: list[str]
    """Ids of cities, in order."""
    days: list[int]
    """At each stop."""
    cost: float
    """An estimate for all travellers."""
    currency: str
    pace: str
    """`slow`, `fast` or blank: as the wishes say."""
    why: str


class PlannerState(TypedDict, total=False):
    """What a session remembers; each `*_result` has one writer, fields with a merge rule may have several."""

    messages: Annotated[list[AnyMessage], add_messages]
    user_input: str
    """The words of this turn."""
    turn: int
    """From 1; written by the supervisor."""
    language: Language
    requirements: Annotated[dict[str, Any], merge_requirements]
    agents_to_call: list[str]
    """Of this turn."""
    reply: str
    """The words the traveller gets this turn."""
    reply_kind: str
    """`plan`, `ask` or `reply`; of this turn."""
    questions: Annotated[dict[str, Question], merge_by_agent]
    route_result: Annotated[AgentResult | None, merge_result]
    hotel_result: Annotated[AgentResult | None, merge_result]
    food_result: Annotated[AgentResult | None, merge_result]
    info_result: Annotated[AgentResult | None, merge_result]
    itinerary: Itinerary
    """The newest card."""
    earlier: Earlier
    """Before the newest change."""
    stage: str
    """Of a session with gates, see `gates`; missing in a chat."""
    pending_confirmation: str
    """`REQUIREMENTS` or `ROUTE` while that gate waits, else blank."""
    route_options: list[RouteOption]
    selected_route_id: str


MERGED = frozenset({"messages", "requirements", "questions"})
"""Fields several agents may write in one step."""


class Payload(TypedDict):
    """What a specialist is sent: copies, so that nobody can change anything for anybody else."""

    requirements: Requirements
    user_input: str
    turn: int
    language: Language
    briefing: list[AnyMessage]


@dataclass(frozen=True, kw_only=True)
class PlannerContext:
    """What a run works with; handed to every node and stored nowhere."""

    model: BaseChatModel
    strategy: Strategy
    provider: Provider = field(default_factory=CuratedProvider)
    retry: RetryPolicy = field(default_factory=RetryPolicy)
    info_fallback: bool = False
    """Whether the info agent, which has none in the articles, gets a fallback as well."""
    clock: Clock = field(default_factory=Clock)
    profile: Requirements = field(default_factory=Requirements)
    """What earlier conversations of the user left: destinations, budget, preferences; empty without a user."""
    emit: Sink = ignore
    refusals: list[str] = field(default_factory=list)
    """What a service refused that it would refuse every agent of the turn, such as a wrong key; a turn has its own list."""
    siblings: Siblings = field(default_factory=Siblings)
    """Who works beside whom in this run; an agent that fails lets the others be stored first."""


def results_of(state: Mapping[str, Any]) -> dict[str, AgentResult]:
    """The results a state holds, by agent, in the agents' order."""
    found = {agent: state.get(f"{agent}_result") for agent in AGENTS}
    return {agent: result for agent, result in found.items() if result is not None}
