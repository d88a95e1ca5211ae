"""Strangers' graphs run as they are, and the verdict on each is written down."""

import asyncio

from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver


def test_every_foreign_graph_has_a_verdict(shapes, expected):
    """Every shape has an expected verdict and there is no verdict without a shape."""
    assert sorted(expected) == sorted(shapes.NAMES)


def test_every_foreign_graph_plays_its_turns(shapes, expected):
    """Played by itself, each graph ends with the very fields that its verdict speaks of, but for those inside a subgraph."""
    ended = {}
    for name in shapes.NAMES:
        with shapes.shape(name) as graph:
            kept = graph.copy({"checkpointer": InMemorySaver()})
            key = "dialogue" if "dialogue" in graph.channels else "messages"
            for text in shapes.TURNS:
                state = asyncio.run(kept.ainvoke({key: [HumanMessage(text)]}, {"configurable": {"thread_id": name}}))
            ended[name] = sorted(state.keys() - {key})

    assert ended == {name: sorted(field for field in said["visibility"] if "." not in field) for name, said in expected.items()}
