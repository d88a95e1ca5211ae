"""The wheel: what is in it when somebody installs the package without a checkout."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import travel_lab

PROJECT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def names_in_wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, timeout=120, check=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_wheel_brings_the_data(names_in_wheel):
    """Every file under data/ stands in the wheel as travel_lab/_data."""
    data = PROJECT / "data"
    expected = {f"travel_lab/_data/{path.relative_to(data).as_posix()}" for path in data.rglob("*.csv")}

    assert "travel_lab/_data/catalogue/sights.csv" in expected
    assert expected <= names_in_wheel


def test_wheel_says_that_it_is_typed(names_in_wheel):
    """The marker for type checkers is in the wheel."""
    assert "travel_lab/py.typed" in names_in_wheel


def test_wheel_brings_nothing_else(names_in_wheel):
    """The wheel holds the package and its metadata, and neither tests nor notebooks."""
    assert {name.split("/", 1)[0] for name in names_in_wheel} == {"travel_lab", f"travel_lab-{travel_lab.__version__}.dist-info"}
