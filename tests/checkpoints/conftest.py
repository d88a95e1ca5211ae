"""What the tests of this room share: small graphs, and models that fail or wait on demand."""

import operator
import re
import time
from typing import Annotated, TypedDict

import pytest
from langgraph.graph import END, START, StateGraph
from langgraph.types import Send, interrupt
from pydantic import Field

from travel_lab.chat_models import OfflineChatModel
from travel_lab.checkpoints import CheckpointStore
from travel_lab.planner import offline_model
from travel_lab.retry import RetryPolicy
from travel_lab.tokens import text_of


class Board(TypedDict, total=False):
    notes: Annotated[list[str], operator.add]
    answer: str


class MoodyModel(OfflineChatModel):
    """The offline model that counts its calls by agent, fails for those in `down` and waits before each answer."""

    down: set[str] = Field(default_factory=set)
    calls: list[str] = Field(default_factory=list)
    seconds: float = 0.0

    def _generate(self, messages, stop=None, run_manager=None, **kwargs):
        agent = re.search(r"(?:你是旅行团队的|You are the) (\w+) agent", text_of(messages[0]))[1]
        self.calls.append(agent)
        time.sleep(self.seconds)
        if agent in self.down:
            raise ValueError(f"{agent} is down")
        return super()._generate(messages, stop, run_manager, **kwargs)


@pytest.fixture
def moody():
    """A model whose mood a test sets; give it to `Lab.open` together with `once`."""
    return MoodyModel(rules=offline_model().rules, down=set(), calls=[])


@pytest.fixture
def once():
    """One call and no retry."""
    return RetryPolicy(attempts=1)


def _fan_graph(saver, *, nodes=("route", "hotel", "food"), fail=(), ask=()):
    """Each of `nodes` in parallel by Send, then `merge`; a node in `fail` raises, one in `ask` pauses."""

    def work(name):
        def node(state):
            if name in fail:
                time.sleep(0.05)  # the siblings are stored by then; see travel_lab.checkpoints.siblings
                raise RuntimeError(f"{name} is down")
            said = interrupt(f"{name}?") if name in ask else name
            return {"notes": [f"{name}: {said}"]}

        return node

    builder = StateGraph(Board)
    builder.add_conditional_edges(START, lambda _state: [Send(name, {"notes": []}) for name in nodes], list(nodes))
    for name in nodes:
        builder.add_node(name, work(name))
        builder.add_edge(name, "merge")
    builder.add_node("merge", lambda state: {"answer": " + ".join(state["notes"])})
    builder.add_edge("merge", END)
    return builder.compile(checkpointer=saver)


@pytest.fixture
def fan_graph():
    """Builds a graph in which each of `nodes` runs in parallel, then `merge`; see `_fan_graph`."""
    return _fan_graph


@pytest.fixture
def thread():
    """The config of a session."""
    return lambda name: {"configurable": {"thread_id": name}}


@pytest.fixture
def store(tmp_path):
    """A store on a new file."""
    with CheckpointStore(tmp_path / "lab.db") as store:
        yield store


@pytest.fixture
def text():
    """A first message that calls all four specialists."""
    return "帮我规划成都3天旅行，预算5000"
