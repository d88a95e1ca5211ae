"""Builds the notebooks from their sources: `python notebooks/build.py [NAME ...]`.

Each `source/NAME.py` (a percent script) becomes `NAME.ipynb`, executed in a fresh kernel, with fixed cell ids and without
times, so that two runs give the same file.
"""

import sys
from pathlib import Path

import jupytext
import nbformat
from nbclient import NotebookClient

HERE = Path(__file__).parent
SECONDS = 120
"""A cell that takes longer is stopped."""


def build(source: Path) -> nbformat.NotebookNode:
    """The executed notebook of a source; raises when a cell fails."""
    notebook = jupytext.read(source)
    for at, cell in enumerate(notebook.cells):
        cell["id"] = f"cell-{at:02}"
        cell.metadata = {}
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    client = NotebookClient(notebook, timeout=SECONDS, record_timing=False, resources={"metadata": {"path": str(HERE)}})
    client.execute()
    notebook.metadata["language_info"] = {"name": "python"}
    return notebook


def main(names: list[str]) -> None:
    """Build those named, or all."""
    for source in sorted((HERE / "source").glob("*.py")):
        if not names or source.stem in names:
            nbformat.write(build(source), HERE / f"{source.stem}.ipynb")
            print(f"built {source.stem}.ipynb")


if __name__ == "__main__":
    main(sys.argv[1:])
