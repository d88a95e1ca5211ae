"""Savers that keep no SQLite file are read like one."""

import pytest
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph

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
