"""A session's chain as a DataFrame."""

import pandas as pd

from travel_lab.checkpoints.chain import CheckpointChain

DTYPES = {
    "position": "int64",
    "step": "int64",
    "parent": "int64",
    "source": "str",
    "nodes": "str",
    "keys": "str",
    "created": "datetime64[us, UTC]",
}
"""Every column in order, with its type; the same for a chain without steps."""


def chain_frame(chain: CheckpointChain) -> pd.DataFrame:
    """One row a step, oldest first.

    Columns: `position` from 0; LangGraph's `step`; `parent` as the parent's position (-1 for the first); `source`; the
    `nodes` that ran and the `keys` they wrote, joined by commas; `created` in UTC.
    """
    positions = {step.checkpoint_id: at for at, step in enumerate(chain.steps)}
    rows = [
        (
            at,
            step.number,
            positions.get(step.parent_id or "", -1),
            step.source,
            ", ".join(step.nodes),
            ", ".join(step.keys),
            step.created,
        )
        for at, step in enumerate(chain.steps)
    ]
    return pd.DataFrame(rows, columns=list(DTYPES)).astype(DTYPES)
