"""Sources of travel data. Reading order: base, curated (what the planner plans with); found, overpass, flyai (searches)."""

from travel_lab.catalogue.providers.base import Provider
from travel_lab.catalogue.providers.curated import CuratedProvider
from travel_lab.catalogue.providers.flyai import FlyAISearch
from travel_lab.catalogue.providers.found import FoundPlace
from travel_lab.catalogue.providers.overpass import OverpassSearch

__all__ = ["CuratedProvider", "FlyAISearch", "FoundPlace", "OverpassSearch", "Provider"]
