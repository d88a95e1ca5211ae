import os
from pathlib import Path

import pytest

from travel_lab import data_files
from travel_lab.data_files import data_path
from travel_lab.errors import StorageError

PROJECT = Path(__file__).parents[1]


def test_file_is_found_in_a_checkout():
    """In a checkout `data/` lies beside the package."""
    assert data_path("catalogue/sights.csv") == PROJECT / "data" / "catalogue" / "sights.csv"


def test_folder_is_found_too():
    """A whole set of data is found by its folder's name."""
    assert data_path("catalogue").is_dir()


def test_file_is_found_wherever_the_program_runs(tmp_path, monkeypatch):
    """The place does not depend on the working folder."""
    monkeypatch.chdir(tmp_path)

    assert data_path("catalogue/cities.csv").is_file()
    assert Path.cwd() == tmp_path


def test_file_in_the_wheel_comes_first(tmp_path, monkeypatch):
    """An installed package reads its own data, whatever lies beside it."""
    for place in ("_data", "data"):
        (tmp_path / place).mkdir()
        (tmp_path / place / "card.md").write_text(place, encoding="utf-8")
    monkeypatch.setattr(data_files, "_PLACES", (tmp_path / "_data", tmp_path / "data"))

    assert data_path("card.md").read_text(encoding="utf-8") == "_data"


def test_missing_file_is_named_with_the_places_looked_in():
    """The message says the name, both places and what to do."""
    with pytest.raises(StorageError) as caught:
        data_path("catalogue/volcanoes.csv")

    wheel, checkout = PROJECT / "travel_lab" / "_data", PROJECT / "data"
    assert str(caught.value) == (
        f"No data file 'catalogue/volcanoes.csv'; looked in {wheel} and {checkout}. "
        "Reinstall travel_lab or work from a full checkout."
    )


def test_found_file_can_be_read():
    """What is found is a readable file that is not empty."""
    path = data_path("catalogue/hotels.csv")

    assert os.access(path, os.R_OK)
    assert path.stat().st_size > 0
