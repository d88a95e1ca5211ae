"""A session's chain as a DataFrame."""

import pandas as pd

from travel_lab.checkpoints.chain import CheckpointChain

COLUMNS = ("position", "step", "parent", "source", "nodes", "keys", "created")


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
    return pd.DataFrame(rows, columns=list(COLUMNS))
