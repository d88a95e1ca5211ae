"""Savers that keep no SQLite file are read like one."""

import operator
from typing import Annotated, TypedDict

import pytest
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph
from langgraph.types import Send

from travel_lab.checkpoints import CheckpointFile, CheckpointStore, diff
from travel_lab.errors import BadInput


class Elsewhere(BaseCheckpointSaver):
    """A saver of nobody's kind: it holds another one and shows only what every saver has."""

    def __init__(self, inner):
        super().__init__(serde=inner.serde)
        self._inner = inner

    def get_tuple(self, config):
        return self._inner.get_tuple(config)

    def list(self, config, **options):
        return self._inner.list(config, **options)

    def put(self, *told):
        return self._inner.put(*told)

    def put_writes(self, *told):
        return self._inner.put_writes(*told)

    def get_next_version(self, current, channel):
        return self._inner.get_next_version(current, channel)


def shape(chain):
    """All of a chain but its ids and times."""
    return [
        (step.number, step.source, step.nodes, step.keys, step.waiting, step.errors, step.branch, step.position)
        for step in chain.steps
    ]


def played(saver, fan_graph, thread, **kind):
    """The graph after one run of session `s` that may stop halfway."""
    graph = fan_graph(saver, **kind)
    try:
        graph.invoke({"notes": []}, thread("s"))
    except RuntimeError:
        assert kind["fail"]
    return graph


@pytest.mark.parametrize("kind", [{}, {"ask": ("hotel",)}, {"fail": ("food",)}], ids=["whole", "paused", "failed"])
@pytest.mark.parametrize("make", [InMemorySaver, lambda: Elsewhere(InMemorySaver())], ids=["memory", "elsewhere"])
def test_chain_is_that_of_a_file(make, kind, tmp_path, fan_graph, thread):
    """Nodes, keys, pauses and errors of each step are the same from memory, from any saver's graph, and from a file."""
    with CheckpointStore(tmp_path / "lab.db") as store:
        played(store.saver, fan_graph, thread, **kind)
    with (
        CheckpointFile.open(tmp_path / "lab.db") as file,
        CheckpointFile.open(played(make(), fan_graph, thread, **kind)) as other,
    ):
        assert shape(other.chain("s")) == shape(file.chain("s"))


class Notes(TypedDict, total=False):
    notes: Annotated[list[str], operator.add]


def with_subgraphs(saver, *, own_memory=None, fail=False):
    """START → first → child; the child is a graph of two nodes that fan out by Send, the second of which may fail."""

    def work(name):
        def node(_):
            if fail and name == "deep":
                raise RuntimeError(name)
            return {"notes": [name]}

        return node

    inner = StateGraph(Notes)
    for name in ("wide", "deep"):
        inner.add_node(name, work(name))
    inner.add_conditional_edges(START, lambda _: [Send("wide", {}), Send("wide", {})], ["wide"])
    inner.add_edge("wide", "deep")
    outer = StateGraph(Notes)
    outer.add_node("first", work("first"))
    outer.add_node("child", inner.compile(checkpointer=own_memory))
    outer.add_edge(START, "first")
    outer.add_edge("first", "child")
    return outer.compile(checkpointer=saver)


def nested_shape(file):
    chain = file.chain("s")
    return shape(chain), [(nested.namespace.partition(":")[0], shape(nested)) for nested in chain.nested]


@pytest.mark.parametrize("own_memory", [None, True], ids=["a namespace a run", "one namespace"])
@pytest.mark.parametrize("fail", [False, True], ids=["whole", "failed"])
@pytest.mark.parametrize("make", [InMemorySaver, lambda: Elsewhere(InMemorySaver())], ids=["memory", "elsewhere"])
def test_chains_of_subgraphs_are_those_of_a_file(make, own_memory, fail, tmp_path, thread):
    """Steps of subgraphs name their nodes from memory, from any saver's graph, and from a file, alike."""

    def play(saver):
        graph = with_subgraphs(saver, own_memory=own_memory, fail=fail)
        try:
            graph.invoke({"notes": []}, thread("s"))
        except RuntimeError:
            assert fail
        return graph

    with CheckpointStore(tmp_path / "lab.db") as store:
        play(store.saver)
    with CheckpointFile.open(tmp_path / "lab.db") as file, CheckpointFile.open(play(make())) as other:
        assert nested_shape(other) == nested_shape(file)
        assert [step.nodes for step in other.chain("s").nested[0].steps][2] == ("wide", "wide")


def test_a_subgraph_the_graph_does_not_have_is_not_invented(thread):
    """Read with a graph that has lost a subgraph, its steps are there with `?` for the nodes, the root's with their names."""
    saver = Elsewhere(InMemorySaver())
    with_subgraphs(saver).invoke({"notes": []}, thread("s"))
    today = StateGraph(Notes)
    today.add_node("first", lambda _: {})
    today.add_node("child", lambda _: {})
    today.add_edge(START, "first")
    today.add_edge("first", "child")

    with CheckpointFile.open(today.compile(checkpointer=saver)) as file:
        chain = file.chain("s")
        assert [step.nodes for step in chain.steps] == [(), (), ("first",), ("child",)]
        assert [step.nodes for step in chain.nested[0].steps[2:]] == [("?", "?"), ("?",)]


def test_an_update_by_hand_is_told_from_a_node(fan_graph, thread):
    """In a chain whose nodes the graph tells, a person's update stands as one."""
    graph = played(Elsewhere(InMemorySaver()), fan_graph, thread)
    graph.update_state(thread("s"), {"answer": "mine"}, as_node="merge")
    with CheckpointFile.open(graph) as file:
        assert [(task.node, task.keys) for task in file.chain("s").steps[-1].tasks] == [("(update)", ("answer",))]


def test_a_node_the_graph_has_no_longer_is_not_taken_for_an_update(fan_graph, thread):
    """Read with a graph in which a node was renamed, its task stands there without a name, and its siblings with theirs."""
    saver = Elsewhere(InMemorySaver())
    played(saver, fan_graph, thread)
    with CheckpointFile.open(fan_graph(saver, nodes=("route", "hotel", "dining"))) as file:
        assert sorted(file.chain("s").steps[2].nodes) == ["?", "hotel", "route"]


class OnlyAwait(BaseCheckpointSaver):
    """A saver that has the async methods alone."""


def test_a_saver_that_only_awaits_is_refused_in_words():
    """What a saver cannot do here is named with its class and a way out."""
    with pytest.raises(BadInput, match=r"OnlyAwait does not list its steps here: it has no list\(\)"):
        CheckpointFile.open(OnlyAwait())


def test_bare_memory_saver_knows_its_nodes(fan_graph, thread):
    """Without a graph, a saver in memory still tells who ran."""
    saver = InMemorySaver()
    played(saver, fan_graph, thread)
    with CheckpointFile.open(saver) as file:
        assert [step.nodes for step in file.chain("s").steps] == [(), (), ("route", "hotel", "food"), ("merge",)]


def test_bare_saver_of_another_kind_tells_keys_only(fan_graph, thread):
    """What no saver's own listing holds is not invented: tasks stand there without a node's name, with what they wrote."""
    saver = Elsewhere(InMemorySaver())
    played(saver, fan_graph, thread)
    with CheckpointFile.open(saver) as file:
        chain = file.chain("s")
        assert chain.steps[2].keys == ("notes",)
        assert chain.steps[2].nodes == ("?", "?", "?")
        assert file.step(chain, chain.at(-1)).values["answer"] == "route: route + hotel: hotel + food: food"


def test_steps_are_opened_and_compared(fan_graph, thread):
    """States, messages and differences are read as from a file."""
    saver = InMemorySaver()
    played(saver, fan_graph, thread)
    with CheckpointFile.open(saver) as file:
        before, after = (file.step(file.chain("s"), file.chain("s").at(at)) for at in (-2, -1))
        changed = diff(before.values, after.values)

    assert [change.path for change in changed] == ["answer"]


def test_what_is_saved_later_is_not_in_it(fan_graph, thread):
    """It is a copy, and a note says so."""
    saver = InMemorySaver()
    graph = played(saver, fan_graph, thread)
    with CheckpointFile.open(saver) as file:
        graph.invoke({"notes": []}, thread("t"))
        assert [row.session_id for row in file.sessions()] == ["s"]
        assert file.notes == ("InMemorySaver as it stood when it was opened; what it saves later is not here",)


def test_graph_without_a_saver_is_refused():
    """Without a saver there are no checkpoints, and the error says what to do."""
    graph = StateGraph(dict)
    graph.add_node("a", lambda state: state)
    graph.add_edge(START, "a")
    with pytest.raises(BadInput, match="Compile it with checkpointer"):
        CheckpointFile.open(graph.compile())
