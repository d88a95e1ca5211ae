"""Finds `data/` in a checkout and in an installed wheel."""

from pathlib import Path

from travel_lab.errors import StorageError

_PACKAGE = Path(__file__).parent
_PLACES = (_PACKAGE / "_data", _PACKAGE.parent / "data")


def data_path(name: str) -> Path:
    """The file or folder `name` (such as `catalogue/sights.csv`) below `data/`.

    Raises:
        StorageError: It is in neither place.
    """
    for place in _PLACES:
        if (place / name).exists():
            return place / name
    looked = " and ".join(str(place) for place in _PLACES)
    raise StorageError(f"No data file {name!r}; looked in {looked}. Reinstall travel_lab or work from a full checkout.")
