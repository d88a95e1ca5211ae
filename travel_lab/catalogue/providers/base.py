"""What every source of hotels, sights and restaurants looks like to the planner."""

from typing import Protocol

from travel_lab.catalogue.records import City, CultureFact, Hotel, Restaurant, Sight


class Provider(Protocol):
    """Serves the records of a city; the planner sees nothing else of a source."""

    @property
    def name(self) -> str:
        """Shown on the card beside what came from here."""

    def cities(self) -> tuple[City, ...]:
        """Every city it can serve."""

    def find_city(self, name: str) -> City | None:
        """The city people call `name`, in either language; None when it cannot serve it."""

    def sights(self, city: str) -> tuple[Sight, ...]:
        """Sights of the city with that id."""

    def hotels(self, city: str) -> tuple[Hotel, ...]:
        """Hotels of the city with that id."""

    def restaurants(self, city: str) -> tuple[Restaurant, ...]:
        """Restaurants of the city with that id."""

    def culture(self, city: str) -> tuple[CultureFact, ...]:
        """Culture facts of the city with that id."""
