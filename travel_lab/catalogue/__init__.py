"""Cities, sights, hotels, restaurants and culture facts. Reading order: records, loading, providers, frame."""

from travel_lab.catalogue.loading import Catalogue, load_catalogue
from travel_lab.catalogue.providers import CuratedProvider, Provider
from travel_lab.catalogue.records import City, CultureFact, Hotel, Language, Names, Place, Restaurant, Sight

__all__ = [
    "Catalogue",
    "City",
    "CultureFact",
    "CuratedProvider",
    "Hotel",
    "Language",
    "Names",
    "Place",
    "Provider",
    "Restaurant",
    "Sight",
    "load_catalogue",
]
