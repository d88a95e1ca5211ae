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
WIDGET = "application/vnd.jupyter.widget-view+json"


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
    without_widgets(notebook)
    return notebook


def without_widgets(notebook: nbformat.NotebookNode) -> None:
    """Put a line in the place of each widget: its ids differ in every run, and without a kernel it shows nothing."""
    notebook.metadata.pop("widgets", None)
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if output.get("data", {}).pop(WIDGET, None) is not None:
                output["data"] = {"text/plain": "A widget: run the cell to see it."}


def main(names: list[str]) -> None:
    """Build those named, or all."""
    for source in sorted((HERE / "source").glob("*.py")):
        if not names or source.stem in names:
            nbformat.write(build(source), HERE / f"{source.stem}.ipynb")
            print(f"built {source.stem}.ipynb")


if __name__ == "__main__":
    main(sys.argv[1:])
