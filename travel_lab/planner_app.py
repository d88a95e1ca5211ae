"""Our planner as an app to be evaluated: plays a case once, and has the graph's own nodes build each call's view."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.runtime import Runtime
from langgraph.types import Send
from pydantic import PrivateAttr

from travel_lab.catalogue import Language
from travel_lab.context import Fact, Handoff, Result, Strategy
from travel_lab.evaluation import Case, Conversation, Exchange, Probe, history_of
from travel_lab.itinerary import AgentResult
from travel_lab.planner import (
    SPECIALISTS,
    STEP_LIMIT,
    STRATEGIES,
    PlannerContext,
    PlannerState,
    build_graph,
    facts_of,
    offline_model,
    results_of,
)
from travel_lab.planner.agents import supervisor
from travel_lab.planner.agents.reporting import handoff_text
from travel_lab.planner.graph import fan_out

_WORK = {specialist.name: specialist.work for specialist in SPECIALISTS}
_OWN_FIELDS = ("requirements", "language")


@dataclass(frozen=True)
class PlannerApp:
    """The planner; its reference supervisor is the offline model, shown every result in full."""

    name: str = "planner"

    def play(self, case: Case) -> Conversation:
        """Play the turns once with everything handed over in full."""
        graph = build_graph(InMemorySaver())
        context = PlannerContext(model=offline_model(), strategy=STRATEGIES["full/own"])
        config: RunnableConfig = {"configurable": {"thread_id": case.case_id}, "recursion_limit": STEP_LIMIT}
        exchanges: list[Exchange] = []
        before: Mapping[str, AgentResult] = {}
        for words in case.turns:
            state = graph.invoke(PlannerState(user_input=words), config, context=context)
            exchanges.append(_exchange(words, cast(PlannerState, state), before))
            before = results_of(state)
        return Conversation(case_id=case.case_id, language=case.language, exchanges=tuple(exchanges))

    def facts(self, conversation: Conversation, after: int) -> tuple[Fact, ...]:
        """The facts of the results that hold after so many turns."""
        return facts_of(results_after(conversation, after))

    def view(
        self, conversation: Conversation, probe: Probe, call: str, strategy: Strategy, budget: int | None
    ) -> list[BaseMessage]:
        """The call's view, taken from the node that makes the call."""
        listener = _Listener()
        used = replace(strategy, budget=strategy.budget if budget is None else budget)
        runtime = Runtime(context=PlannerContext(model=listener, strategy=used))
        history = history_of(conversation, probe.after, _Spoken(strategy.handoff))
        own = conversation.exchanges[probe.after - 1].state if probe.after else {}
        results = {f"{agent}_result": result for agent, result in history.results.items()}
        state = cast(
            PlannerState, {**own, **results, "messages": [*history.messages], "user_input": probe.words, "turn": probe.after}
        )
        if call == "supervisor":
            supervisor(state, runtime)
        else:
            called: Any = {**state, "turn": probe.after + 1, "agents_to_call": [call], "reply_kind": "plan"}
            send = cast(list[Send], fan_out(called, runtime))[0]
            _WORK[call](send.arg, runtime.context)
        return listener.heard[0]


def results_after(conversation: Conversation, after: int) -> dict[str, AgentResult]:
    """The newest result of each agent after so many turns."""
    found: dict[str, Any] = {}
    for exchange in conversation.exchanges[:after]:
        found |= exchange.results
    return found


def _exchange(words: str, state: PlannerState, before: Mapping[str, AgentResult]) -> Exchange:
    turn = state["turn"]
    said = [message for message in state["messages"] if str(message.id).startswith(f"turn-{turn}-")]
    results = {agent: result for agent, result in results_of(state).items() if result != before.get(agent)}
    spoken = [message for message in said if message.type == "human" or message.name == "supervisor"]
    return Exchange(
        words=words,
        results=cast(Mapping[str, Result], results),
        spoken=spoken,
        closing=[message for message in said if message.name == "aggregator"],
        state={key: state[key] for key in _OWN_FIELDS},  # type: ignore[literal-required]
    )


@dataclass(frozen=True)
class _Spoken:
    """A handoff as the agents use it: on a result with its frame."""

    handoff: Handoff

    def __call__(self, agent: str, result: Result, language: str) -> str:
        return handoff_text(self.handoff, cast(AgentResult, result), cast(Language, language))


class _Listener(BaseChatModel):
    """Keeps what it is sent and asks back, which ends every agent's work."""

    _heard: list[list[BaseMessage]] = PrivateAttr(default_factory=list)

    @property
    def heard(self) -> list[list[BaseMessage]]:
        return self._heard

    @property
    def _llm_type(self) -> str:
        return "listener"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        self._heard.append(messages)
        return ChatResult(generations=[ChatGeneration(message=AIMessage("ASK: ?"))])
