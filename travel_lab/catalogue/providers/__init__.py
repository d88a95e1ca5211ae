"""Sources of travel data behind one protocol. Reading order: base, curated."""

from travel_lab.catalogue.providers.base import Provider
from travel_lab.catalogue.providers.curated import CuratedProvider

__all__ = ["CuratedProvider", "Provider"]
