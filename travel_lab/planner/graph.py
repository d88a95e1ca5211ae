"""The graph: supervisor → the named specialists in parallel → aggregator; or supervisor → reply.

A session with a stage first passes its gates: requirements → gate → route options → gate → all specialists → aggregator.
"""

from collections.abc import Sequence
from copy import deepcopy
from functools import partial
from typing import Any, cast

from langchain_core.messages import AnyMessage
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Send

from travel_lab.itinerary import Requirements
from travel_lab.planner.agents import FOOD, HOTEL, INFO, ROUTE, Specialist, check_specialists, node_of, supervisor
from travel_lab.planner.aggregator import aggregator, reply
from travel_lab.planner.gates import (
    REQUIREMENT_GATE,
    ROUTE_GATE,
    after_requirement_gate,
    after_requirements,
    entry,
    requirements,
    route_options,
    wait_requirement_confirmation,
    wait_route_confirmation,
)
from travel_lab.planner.state import Payload, PlannerContext, PlannerState

SPECIALISTS = (ROUTE, HOTEL, FOOD, INFO)
STEP_LIMIT = 12
"""Supersteps a turn may take; a turn needs three, and the library's own limit is ten thousand."""

GRAPH_NAME, GRAPH_VERSION = "planner", 1
"""Kept with every session of a trip; another graph must not go on with it."""

Graph = CompiledStateGraph[PlannerState, PlannerContext, Any, Any]


def build_graph(checkpointer: BaseCheckpointSaver[Any] | None = None, specialists: Sequence[Specialist] = SPECIALISTS) -> Graph:
    """The planner's graph, compiled.

    Args:
        checkpointer: Where its steps are kept; None keeps nothing.
        specialists: Agents that run beside each other; those the supervisor may call go by the known names.

    Raises:
        KeyConflict: Two of them write one field without a merge rule.
    """
    check_specialists(specialists)
    builder = StateGraph(PlannerState, context_schema=PlannerContext)
    names = [specialist.name for specialist in specialists]
    builder.add_node("supervisor", partial(supervisor, team=names), input_schema=PlannerState)
    builder.add_node("aggregator", aggregator)
    builder.add_node("reply", reply)
    builder.add_conditional_edges(START, entry, ["supervisor", "requirements"])
    builder.add_conditional_edges("supervisor", fan_out, [*names, "aggregator", "reply"])
    for specialist in specialists:
        builder.add_node(specialist.name, node_of(specialist, specialists), input_schema=Payload)
        # One plain edge an agent: a barrier over a list of agents would wait for those that were not called.
        builder.add_edge(specialist.name, "aggregator")
    builder.add_edge("aggregator", END)
    builder.add_edge("reply", END)
    _add_gates(builder, names)
    return cast(Graph, builder.compile(checkpointer=checkpointer))


def _add_gates(builder: StateGraph[PlannerState, PlannerContext, Any, Any], names: list[str]) -> None:
    builder.add_node("requirements", partial(requirements, team=names), input_schema=PlannerState)
    builder.add_node(REQUIREMENT_GATE, wait_requirement_confirmation)
    builder.add_node("route_options", route_options)
    builder.add_node(ROUTE_GATE, wait_route_confirmation)
    builder.add_conditional_edges("requirements", after_requirements, [REQUIREMENT_GATE, "reply"])
    builder.add_conditional_edges(REQUIREMENT_GATE, after_requirement_gate, [REQUIREMENT_GATE, "route_options"])
    builder.add_edge("route_options", ROUTE_GATE)
    builder.add_conditional_edges(ROUTE_GATE, _after_route_gate, ["route_options", *names])


def _after_route_gate(state: PlannerState, runtime: Runtime[PlannerContext]) -> list[Send] | str:
    return fan_out(state, runtime) if state["selected_route_id"] else "route_options"


def fan_out(state: PlannerState, runtime: Runtime[PlannerContext]) -> list[Send] | str:
    """A Send for each agent of the turn, with a payload of its own; without agents the way on: aggregator or reply."""
    if state["reply_kind"] == "restored":
        return "aggregator"
    if not state["agents_to_call"]:
        return "reply"
    turn, briefing = state["turn"], runtime.context.strategy.briefing
    # All at once: virtual time must not move on before the last of them has come to wait.
    runtime.context.clock.begin(state["agents_to_call"])
    runtime.context.siblings.expect(len(state["agents_to_call"]))
    earlier = [message for message in state["messages"] if not str(message.id).startswith(f"turn-{turn}-")]
    return [
        Send(
            agent,
            Payload(
                requirements=cast(Requirements, deepcopy(state["requirements"])),
                user_input=state["user_input"],
                turn=turn,
                language=state["language"],
                briefing=cast(list[AnyMessage], [message.model_copy(deep=True) for message in briefing(agent, earlier)]),
            ),
        )
        for agent in state["agents_to_call"]
    ]
