"""Reads the curated catalogue from `data/catalogue/*.csv`."""

import csv
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import time
from functools import cache
from typing import Any, TypeVar

from travel_lab.catalogue.records import City, CultureFact, Hotel, Names, Restaurant, Sight
from travel_lab.data_files import data_path

Row = dict[str, str]
R = TypeVar("R")


@dataclass(frozen=True, kw_only=True)
class Catalogue:
    """Every row of the curated data, in file order."""

    cities: tuple[City, ...]
    sights: tuple[Sight, ...]
    hotels: tuple[Hotel, ...]
    restaurants: tuple[Restaurant, ...]
    culture: tuple[CultureFact, ...]

    def find_city(self, name: str) -> City | None:
        """The city with that id, name or alias in either language; None when there is none."""
        wanted = name.strip().casefold()
        wanted = wanted.removesuffix("市") if len(wanted) > 1 else wanted
        return next((city for city in self.cities if wanted in _city_names(city)), None)


def _city_names(city: City) -> set[str]:
    return {text.casefold() for text in (city.id, city.name.zh, city.name.en, *city.aliases)}


@cache
def load_catalogue() -> Catalogue:
    """The curated catalogue; read once, shared, frozen."""
    return Catalogue(
        cities=_read("cities", _city),
        sights=_read("sights", _sight),
        hotels=_read("hotels", _hotel),
        restaurants=_read("restaurants", _restaurant),
        culture=_read("culture", _culture),
    )


def _read(name: str, make: Callable[[Row], R]) -> tuple[R, ...]:
    with data_path(f"catalogue/{name}.csv").open(encoding="utf-8", newline="") as file:
        return tuple(make(row) for row in csv.DictReader(file))


def _names(row: Row, field: str) -> Names:
    return Names(zh=row[f"{field}_zh"], en=row[f"{field}_en"])


def _words(text: str) -> tuple[str, ...]:
    return tuple(word for word in text.split(";") if word)


def _city(row: Row) -> City:
    return City(
        id=row["id"],
        name=_names(row, "name"),
        aliases=_words(row["aliases"]),
        currency=row["currency"],
        lat=(float(row["lat_min"]), float(row["lat_max"])),
        lon=(float(row["lon_min"]), float(row["lon_max"])),
        centre=(float(row["lat"]), float(row["lon"])),
    )


def _sight(row: Row) -> Sight:
    return Sight(
        **_place(row),
        category=row["category"],
        opens=time.fromisoformat(row["opens"]),
        closes=time.fromisoformat(row["closes"]),
        minutes=int(row["minutes"]),
        about=_names(row, "about"),
    )


def _hotel(row: Row) -> Hotel:
    return Hotel(**_place(row), stars=int(row["stars"]), rating=float(row["rating"]))


def _restaurant(row: Row) -> Restaurant:
    return Restaurant(
        **_place(row),
        cuisine=_names(row, "cuisine"),
        tags=frozenset(_words(row["tags"])),
        meals=frozenset(_words(row["meals"])),
    )


def _culture(row: Row) -> CultureFact:
    return CultureFact(id=row["id"], city=row["city"], kind=row["kind"], text=_names(row, "text"))


def _place(row: Row) -> dict[str, Any]:
    return {
        "id": row["id"],
        "city": row["city"],
        "name": _names(row, "name"),
        "district": _names(row, "district"),
        "lat": float(row["lat"]),
        "lon": float(row["lon"]),
        "price": float(row["price"]),
    }


def by_city(records: Iterable[R], city: str) -> tuple[R, ...]:
    """The records of one city, in order."""
    return tuple(record for record in records if getattr(record, "city", None) == city)
