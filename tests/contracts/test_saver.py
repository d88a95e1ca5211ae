"""LangGraph's own conformance suite on the saver as the store opens it."""

import asyncio
import tempfile
from pathlib import Path

from langgraph.checkpoint.conformance import checkpointer_test, validate

from travel_lab.checkpoints import CheckpointStore

BASE = {"put", "put_writes", "get_tuple", "list", "delete_thread"}


@checkpointer_test(name="CheckpointStore")
async def opened_saver():
    with tempfile.TemporaryDirectory() as folder, CheckpointStore(Path(folder) / "lab.db") as store:
        yield store.saver


def test_saver_keeps_langgraphs_contract():
    """Every base capability is found and every test of it passes, and what else it claims to have passes too."""
    report = asyncio.run(validate(opened_saver))

    assert {name for name, result in report.results.items() if result.passed} >= BASE
    assert [(name, result.failures) for name, result in report.results.items() if result.detected and not result.passed] == []
    assert report.passed_all_base()
