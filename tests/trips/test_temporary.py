"""Where trips can be kept."""

import pytest

from travel_lab.errors import StorageError, StoreClosed
from travel_lab.lab import Lab


def test_a_lab_without_a_path_leaves_nothing_behind():
    """The trips' own connection is closed before the temporary file goes."""
    with Lab.open() as lab:
        trip = lab.start_trip("帮我规划成都3天")
        path = lab.path
        assert path.is_file()

    assert not path.parent.exists()
    with pytest.raises(StoreClosed):
        trip.gate()


def test_a_memory_database_is_refused_with_a_hint():
    """Two connections would be two databases."""
    with pytest.raises(StorageError, match="temporary file"):
        Lab.open(":memory:")
