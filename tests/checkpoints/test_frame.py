from datetime import UTC, datetime, timedelta

import pandas as pd
import pytest

from travel_lab.checkpoints import CheckpointChain, Step
from travel_lab.checkpoints.frame import chain_frame

START = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)


def step(name: str, parent: str | None, number: int, nodes: tuple[str, ...] = (), keys: tuple[str, ...] = ()) -> Step:
    source = "input" if parent is None else "loop"
    created = START + timedelta(seconds=number + 1)
    return Step(checkpoint_id=name, parent_id=parent, number=number, source=source, nodes=nodes, keys=keys, created=created)


CHAIN = CheckpointChain(
    session_id="sess_1",
    steps=(
        step("a", None, -1),
        step("b", "a", 0, (), ("user_input",)),
        step("c", "b", 1, ("route", "hotel"), ("route_result", "messages")),
        step("d", "b", 1, ("reply",), ("reply",)),
    ),
)
DTYPES = {
    "position": "int64",
    "step": "int64",
    "parent": "int64",
    "source": "str",
    "nodes": "str",
    "keys": "str",
    "created": "datetime64[us, UTC]",
}


def test_one_row_a_step():
    """The rows are the steps, oldest first, with positions from 0 and parents by position."""
    frame = chain_frame(CHAIN)

    assert frame.drop(columns="created").to_dict("list") == {
        "position": [0, 1, 2, 3],
        "step": [-1, 0, 1, 1],
        "parent": [-1, 0, 1, 1],
        "source": ["input", "loop", "loop", "loop"],
        "nodes": ["", "", "route, hotel", "reply"],
        "keys": ["", "user_input", "route_result, messages", "reply"],
    }


def test_times_are_exact_and_in_utc():
    """No microsecond and no offset is lost on the way into the frame."""
    assert list(chain_frame(CHAIN)["created"]) == [pd.Timestamp(each.created) for each in CHAIN.steps]


@pytest.mark.parametrize("chain", [CHAIN, CheckpointChain(session_id="nobody", steps=())], ids=["steps", "no steps"])
def test_columns_and_dtypes_are_as_declared(chain):
    """Every frame has the same columns in the same order with the same types, also without rows."""
    assert {name: str(dtype) for name, dtype in chain_frame(chain).dtypes.items()} == DTYPES
    assert list(chain_frame(chain).columns) == list(DTYPES)


def test_positions_are_unique_where_step_numbers_are_not():
    """After a fork LangGraph's numbers repeat; positions do not."""
    frame = chain_frame(CHAIN)

    assert frame["position"].is_unique
    assert not frame["step"].is_unique


def test_parent_outside_the_chain_is_none():
    """A step whose parent is not in the chain, as after pruning, is drawn as a first one."""
    pruned = CheckpointChain(session_id="sess_1", steps=(step("c", "b", 1),))

    assert list(chain_frame(pruned)["parent"]) == [-1]
