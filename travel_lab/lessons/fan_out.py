"""What happens to shared objects and shared fields when branches run side by side; on plain LangGraph and on the planner."""

from collections.abc import Sequence
from copy import deepcopy
from threading import Event
from typing import Annotated, Any

from langgraph.graph import END, START, StateGraph
from langgraph.types import Send
from typing_extensions import TypedDict

from travel_lab.errors import KeyConflict
from travel_lab.planner import Specialist, build_graph


def _add(saved: list[str], new: list[str]) -> list[str]:
    return [*saved, *new]


class _State(TypedDict, total=False):
    profile: dict[str, str]
    seen: Annotated[list[str], _add]


def _nothing(*given: object) -> dict[str, Any]:
    return {}


def nested_edit(*, copies: bool) -> dict[str, str]:
    """Two branches get a profile; the first changes it in place and writes nothing, the second reads it.

    Args:
        copies: Whether each branch is sent a copy of its own.

    Returns:
        Who looks afterwards → the budget they see.
    """
    profile = {"budget": "5000"}
    edited = Event()

    def start(state: _State) -> dict[str, Any]:
        return {}

    def editor(state: _State) -> dict[str, Any]:
        state["profile"]["budget"] = "changed by a neighbour"
        edited.set()
        return {}

    def reader(state: _State) -> dict[str, Any]:
        edited.wait(timeout=5)
        return {"seen": [state["profile"]["budget"]]}

    def fan_out(state: _State) -> list[Send]:
        return [Send(name, deepcopy(state) if copies else state) for name in ("editor", "reader")]

    builder = StateGraph(_State)
    builder.add_node("start", start)
    builder.add_node("editor", editor)
    builder.add_node("reader", reader)
    builder.add_edge(START, "start")
    builder.add_conditional_edges("start", fan_out, ["editor", "reader"])
    builder.add_edge("editor", END)
    builder.add_edge("reader", END)
    after = builder.compile().invoke({"profile": profile})
    seen = {"the other branch": after["seen"][0], "the state afterwards": after["profile"]["budget"]}
    return {**seen, "the caller": profile["budget"]}


def two_writers(names: Sequence[str], field: str) -> str:
    """What the planner says when agents that run side by side all declare one plain field."""
    specialists = [Specialist(name=name, writes=(field,), work=_nothing) for name in names]
    try:
        build_graph(specialists=specialists)
    except KeyConflict as error:
        return str(error)
    return "accepted"
