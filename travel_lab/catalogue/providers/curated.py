"""The provider over the curated catalogue: offline, the same on every machine."""

from dataclasses import dataclass, field

from travel_lab.catalogue.loading import Catalogue, by_city, load_catalogue
from travel_lab.catalogue.records import City, CultureFact, Hotel, Restaurant, Sight


@dataclass(frozen=True, kw_only=True)
class CuratedProvider:
    """Serves what stands in `data/catalogue`; illustrative data, not for travelling."""

    catalogue: Catalogue = field(default_factory=load_catalogue, repr=False)
    name: str = "curated"

    def cities(self) -> tuple[City, ...]:
        """Every city of the catalogue."""
        return self.catalogue.cities

    def find_city(self, name: str) -> City | None:
        """The city people call `name`, or None."""
        return self.catalogue.find_city(name)

    def sights(self, city: str) -> tuple[Sight, ...]:
        """Sights of the city."""
        return by_city(self.catalogue.sights, city)

    def hotels(self, city: str) -> tuple[Hotel, ...]:
        """Hotels of the city."""
        return by_city(self.catalogue.hotels, city)

    def restaurants(self, city: str) -> tuple[Restaurant, ...]:
        """Restaurants of the city."""
        return by_city(self.catalogue.restaurants, city)

    def culture(self, city: str) -> tuple[CultureFact, ...]:
        """Culture facts of the city."""
        return by_city(self.catalogue.culture, city)
