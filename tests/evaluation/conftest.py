"""Strangers' graphs and the verdicts written down before there was an audit."""

import importlib
import json
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def shapes():
    """The module of the foreign graphs."""
    sys.path.insert(0, str(HERE))
    try:
        return importlib.import_module("foreign.shapes")
    finally:
        sys.path.remove(str(HERE))


@pytest.fixture(scope="session")
def expected():
    """Name of a foreign graph → what an audit must say of it."""
    return json.loads((HERE / "foreign" / "expected.json").read_text(encoding="utf-8"))
