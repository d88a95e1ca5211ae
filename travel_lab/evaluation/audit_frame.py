"""An audit as DataFrames."""

import pandas as pd

from travel_lab.evaluation.audited import Audit


def audit_frame(audited: Audit) -> pd.DataFrame:
    """One row a field of the state: verdict, counts of facts, their share (nan: not measured), and tokens of handing over."""
    rows = [
        (
            field.field, field.verdict, field.facts, field.measured, field.visible if field.measured else None,
            field.score.value, ", ".join(field.seen_by), field.cost.full, field.cost.packed,
        )
        for field in audited.fields
    ]  # fmt: skip
    columns = ["field", "verdict", "facts", "measured", "visible", "share", "seen by", "full", "packed"]
    return pd.DataFrame(rows, columns=columns).astype({"visible": "Int64", "share": float})


def audited_facts_frame(audited: Audit) -> pd.DataFrame:
    """One row a fact: field and member, fact, thread, turn since when, later calls (or messages) looked in, who got it."""
    rows = [
        {
            "field": found.field,
            "member": found.fact.kind,
            "fact": str(found.fact),
            "thread": found.thread,
            "since turn": found.turn,
            "looked in": found.looked_in,
            "seen": len(found.seen_by),
            "seen by": ", ".join(dict.fromkeys(found.seen_by)),
        }
        for found in audited.facts
    ]
    return pd.DataFrame(rows, columns=["field", "member", "fact", "thread", "since turn", "looked in", "seen", "seen by"])


def audited_calls_frame(audited: Audit) -> pd.DataFrame:
    """One row a recorded model call: agent, turn, tokens of its view, facts there were when it began, those its view binds."""
    return pd.DataFrame([vars(call) for call in audited.calls], columns=["agent", "turn", "tokens", "facts", "bound"])
