"""The committed notebooks are what their sources make: executed anew, without an error, with the same outputs."""

import base64
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import matplotlib.image
import nbformat
import numpy as np
import pytest

from travel_lab.chat_models.endpoint import ENDPOINTS

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
NAMES = sorted(source.stem for source in (NOTEBOOKS / "source").glob("*.py"))
PLANTED = "sk-planted-0123456789abcdef"
PIXEL_DIFFERENCE = 0.01
"""Mean difference of pixels, 0 to 1, that fonts may cause between machines."""


@pytest.fixture(scope="module")
def builder() -> ModuleType:
    spec = importlib.util.spec_from_file_location("build_notebooks", NOTEBOOKS / "build.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module", params=NAMES)
def pair(request, builder):
    committed = nbformat.read(NOTEBOOKS / f"{request.param}.ipynb", as_version=4)
    with pytest.MonkeyPatch.context() as patch:
        for endpoint in ENDPOINTS.values():
            if endpoint.api_key_env:
                patch.setenv(endpoint.api_key_env, PLANTED)
        return committed, builder.build(NOTEBOOKS / "source" / f"{request.param}.py")


def outputs(notebook):
    return [output for cell in notebook.cells for output in cell.get("outputs", [])]


def texts(notebook):
    return [
        (
            output.output_type,
            output.get("text") or output.get("data", {}).get("text/plain"),
            output.get("data", {}).get("text/html"),
        )
        for output in outputs(notebook)
    ]


def pictures(notebook, folder):
    for at, output in enumerate(outputs(notebook)):
        if png := output.get("data", {}).get("image/png"):
            path = folder / f"{at}.png"
            path.write_bytes(base64.b64decode(png))
            yield matplotlib.image.imread(path)


def test_a_planted_key_is_in_no_output(pair):
    """With a key in the environment of every service, no notebook shows it."""
    assert PLANTED not in nbformat.writes(pair[1])


def test_no_notebook_is_without_a_source():
    """Every committed notebook has the percent script it is built from."""
    assert sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb")) == NAMES


def test_committed_cells_are_the_source(pair):
    """The committed cells are those of the source, in order."""
    committed, built = pair
    assert [(c.cell_type, c.source) for c in committed.cells] == [(c.cell_type, c.source) for c in built.cells]


def test_nothing_in_the_outputs_is_an_error(pair):
    """No committed and no new output is an error."""
    assert {o.output_type for notebook in pair for o in outputs(notebook)} <= {"stream", "execute_result", "display_data"}


def test_texts_and_tables_are_the_committed_ones(pair):
    """Texts and tables come out to the letter as committed."""
    committed, built = pair
    assert texts(built) == texts(committed)


def test_pictures_are_the_committed_ones(pair, tmp_path):
    """Plots come out as committed, but for the last bit of antialiasing."""
    committed, built = pair
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    for one, other in zip(pictures(committed, tmp_path / "a"), pictures(built, tmp_path / "b"), strict=True):
        assert one.shape == other.shape
        assert np.abs(one - other).mean() < PIXEL_DIFFERENCE
