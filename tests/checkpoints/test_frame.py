from datetime import UTC, datetime, timedelta

import pandas as pd
import pytest

from travel_lab.checkpoints import CheckpointChain, Step, Task
from travel_lab.checkpoints.frame import chain_frame

START = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)


def step(name: str, parent: str | None, number: int, nodes: tuple[str, ...] = (), keys: tuple[str, ...] = ()) -> Step:
    source = "input" if parent is None else "loop"
    created = START + timedelta(seconds=number + 1)
    tasks = tuple(
        Task(task_id=f"{name}-{node}", node=node, keys=keys, error="", finished=True, paused=False, answered=False)
        for node in nodes or ("__start__",)
    )
    return Step(
        checkpoint_id=name, parent_id=parent, number=number, source=source, tasks=tasks, pending=(), branch=int(name == "d"),
        position=0, created=created,
    )  # fmt: skip


def chain(session_id: str, *steps: Step) -> CheckpointChain:
    return CheckpointChain(session_id=session_id, namespace="", steps=steps, nested=())


CHAIN = chain(
    "sess_1",
    step("a", None, -1),
    step("b", "a", 0, (), ("user_input",)),
    step("c", "b", 1, ("route", "hotel"), ("route_result", "messages")),
    step("d", "b", 1, ("reply",), ("reply",)),
)
DTYPES = {
    "position": "int64",
    "step": "Int64",
    "parent": "int64",
    "branch": "int64",
    "in branch": "int64",
    "source": "str",
    "nodes": "str",
    "keys": "str",
    "created": "datetime64[us, UTC]",
    "stopped": "str",
}


def test_one_row_a_step():
    """The rows are the steps, oldest first, with positions from 0 and parents by position."""
    frame = chain_frame(CHAIN)

    assert frame.drop(columns="created").to_dict("list") == {
        "position": [0, 1, 2, 3],
        "step": [-1, 0, 1, 1],
        "parent": [-1, 0, 1, 1],
        "branch": [0, 0, 0, 1],
        "in branch": [0, 0, 0, 0],
        "source": ["input", "loop", "loop", "loop"],
        "nodes": ["", "", "route, hotel", "reply"],
        "keys": ["", "user_input", "route_result, messages", "reply"],
        "stopped": ["", "", "", ""],
    }


def test_times_are_exact_and_in_utc():
    """No microsecond and no offset is lost on the way into the frame."""
    assert list(chain_frame(CHAIN)["created"]) == [pd.Timestamp(each.created) for each in CHAIN.steps]


@pytest.mark.parametrize("given", [CHAIN, chain("nobody")], ids=["steps", "no steps"])
def test_columns_and_dtypes_are_as_declared(given):
    """Every frame has the same columns in the same order with the same types, also without rows."""
    assert {name: str(dtype) for name, dtype in chain_frame(given).dtypes.items()} == DTYPES
    assert list(chain_frame(given).columns) == list(DTYPES)


def test_positions_are_unique_where_step_numbers_are_not():
    """After a fork LangGraph's numbers repeat; positions do not."""
    frame = chain_frame(CHAIN)

    assert frame["position"].is_unique
    assert not frame["step"].is_unique


def test_parent_outside_the_chain_is_none():
    """A step whose parent is not in the chain, as after pruning, is drawn as a first one."""
    pruned = chain("sess_1", step("c", "b", 1))

    assert list(chain_frame(pruned)["parent"]) == [-1]
