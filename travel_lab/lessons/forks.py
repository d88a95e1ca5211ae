"""Lesson 06: four simpler ways to keep two plans, each played on a small LangGraph app, and what each of them loses."""

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from typing_extensions import TypedDict


class _Trip(TypedDict, total=False):
    destination: str
    said: Annotated[list[str], operator.add]
    plan: str
    versions: Annotated[dict[str, str], operator.or_]


@dataclass(frozen=True, kw_only=True)
class Loss:
    """What a design was asked for and what was there afterwards."""

    design: str
    loses: str
    wanted: Any
    found: Any


def edit_in_place() -> Loss:
    """Write the new destination over the old one: the history stays, the head does not."""
    graph, config = _app()
    graph.invoke({"destination": "Sydney", "said": ["Sydney"]}, config)
    graph.update_state(config, {"destination": "Melbourne"})
    graph.invoke({"said": ["Melbourne"]}, config)
    return Loss(
        design="edit in place",
        loses="the first plan as something one can go on with",
        wanted="plan of Sydney",
        found=graph.get_state(config).values["plan"],
    )


def version_flag() -> Loss:
    """Keep both plans under a flag in one session: both share one conversation."""
    graph, config = _app()
    graph.invoke({"destination": "Sydney", "said": ["Sydney"], "versions": {"A": "Sydney"}}, config)
    graph.invoke({"destination": "Melbourne", "said": ["Melbourne"], "versions": {"B": "Melbourne"}}, config)
    return Loss(
        design="version flag",
        loses="a conversation of its own for each plan",
        wanted=["Sydney"],
        found=graph.get_state(config).values["said"],
    )


def copied_checkpoint() -> Loss:
    """Write a session's values into a session that has some: merge rules run again and lists grow."""
    graph, config = _app()
    graph.invoke({"destination": "Sydney", "said": ["Sydney"]}, config)
    values = graph.get_state(config).values
    child = {"configurable": {"thread_id": "child"}}
    graph.invoke({"destination": "Melbourne", "said": ["Melbourne"]}, child)
    graph.update_state(child, values)
    return Loss(
        design="copied checkpoint",
        loses="the state as it was: what merges is merged again",
        wanted=values["said"],
        found=graph.get_state(child).values["said"],
    )


def branch_in_one_thread() -> Loss:
    """Run on twice from one step of a session: only the branch that ran last is reached by the session's id."""
    graph, config = _app()
    graph.invoke({"destination": "Sydney", "said": ["Sydney"]}, config)
    start: Any = graph.get_state(config).config
    for destination in ("Perth", "Melbourne"):
        graph.invoke({"destination": destination, "said": [destination]}, start)
    return Loss(
        design="branch in one thread",
        loses="the branch that ran first: the session's id leads to the last one only",
        wanted="plan of Perth",
        found=graph.get_state(config).values["plan"],
    )


REJECTED: tuple[Callable[[], Loss], ...] = (edit_in_place, version_flag, copied_checkpoint, branch_in_one_thread)
"""The four designs, simplest first."""


def _app() -> tuple[Any, Any]:
    builder = StateGraph(_Trip)
    builder.add_node("planner", lambda state: {"plan": f"plan of {state['destination']}"})
    builder.add_edge(START, "planner")
    builder.add_edge("planner", END)
    return builder.compile(checkpointer=InMemorySaver()), {"configurable": {"thread_id": "parent"}}
