"""What an import loads, each looked at in a fresh process."""

import subprocess
import sys

import pytest


def loaded_by(module: str, packages: set[str]) -> set[str]:
    code = f"import sys, {module}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    return packages & set(done.stdout.split())


def test_the_package_alone_loads_nothing_heavy():
    """Importing the package costs next to nothing, because it loads no library."""
    heavy = {"IPython", "ipywidgets", "langchain_core", "langgraph", "matplotlib", "numpy", "pandas", "pydantic", "tokenizers"}

    assert loaded_by("travel_lab", heavy) == set()


@pytest.mark.parametrize("module", ["travel_lab.lab", "travel_lab.session", "travel_lab.cli"])
def test_work_without_a_screen_loads_no_display_library(module):
    """The lab, a session and the command line load no pandas, matplotlib or ipywidgets."""
    assert loaded_by(module, {"IPython", "ipywidgets", "matplotlib", "pandas"}) == set()
