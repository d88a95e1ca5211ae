"""What the catalogue holds: one frozen record a row, both languages in each."""

from dataclasses import dataclass
from datetime import time
from typing import Literal

Language = Literal["zh", "en"]


@dataclass(frozen=True, kw_only=True)
class Names:
    """One text in both languages."""

    zh: str
    en: str

    def in_(self, language: Language) -> str:
        """The text in that language."""
        return self.zh if language == "zh" else self.en


@dataclass(frozen=True, kw_only=True)
class City:
    """A destination."""

    id: str
    name: Names
    aliases: tuple[str, ...]
    """Other names people type for it."""
    currency: str
    """ISO 4217 code of every price in this city."""
    lat: tuple[float, float]
    """Lowest and highest latitude of its places, in degrees."""
    lon: tuple[float, float]
    """Lowest and highest longitude of its places, in degrees."""
    centre: tuple[float, float]
    """Latitude and longitude of its middle, in degrees."""


@dataclass(frozen=True, kw_only=True)
class Place:
    """Something with a name at a point on the map."""

    id: str
    city: str
    name: Names
    district: Names
    lat: float
    lon: float
    price: float
    """In the city's currency: a ticket for one adult, a room for one night, or a meal for one person."""


@dataclass(frozen=True, kw_only=True)
class Sight(Place):
    """A place to visit."""

    category: str
    opens: time
    closes: time
    minutes: int
    """How long a typical visit takes."""
    about: Names
    """One line of description."""


@dataclass(frozen=True, kw_only=True)
class Hotel(Place):
    """A place to stay."""

    stars: int
    rating: float
    """Guests' rating, 0 to 5."""


@dataclass(frozen=True, kw_only=True)
class Restaurant(Place):
    """A place to eat."""

    cuisine: Names
    tags: frozenset[str]
    """Such as `spicy`, `mild`, `vegetarian`, `halal`, `seafood`, `peanuts`."""
    meals: frozenset[str]
    """`lunch`, `dinner` or both."""


@dataclass(frozen=True, kw_only=True)
class CultureFact:
    """One sentence about a city."""

    id: str
    city: str
    kind: str
    """`culture`, `trivia` or `etiquette`."""
    text: Names
