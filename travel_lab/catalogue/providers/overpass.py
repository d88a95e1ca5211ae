"""OpenStreetMap through an Overpass server: no key, no prices, its contributors named."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx2

from travel_lab import __version__
from travel_lab.catalogue.providers.found import FoundPlace, Search
from travel_lab.catalogue.records import City, Language
from travel_lab.errors import ProviderFailed

ATTRIBUTION = "© OpenStreetMap contributors (ODbL)"
MAX_PLACES = 200
SIGHTS = '["tourism"~"^(attraction|gallery|museum|viewpoint|zoo)$"]'
HOTELS = '["tourism"~"^(hotel|hostel|guest_house)$"]'
RESTAURANTS = '["amenity"="restaurant"]'
BUSY = frozenset({429, 502, 503, 504})


@dataclass(frozen=True, kw_only=True)
class OverpassSearch(Search):
    """Looks for named places in a city's box.

    Raises:
        ProviderFailed: Every search, when the server gave no usable answer after all attempts.
    """

    url: str = "https://overpass-api.de/api/interpreter"

    def sights(self, city: City, language: Language) -> tuple[FoundPlace, ...]:
        """Sights, museums and viewpoints."""
        return self._search(SIGHTS, city, language)

    def hotels(self, city: City, language: Language) -> tuple[FoundPlace, ...]:
        """Hotels, hostels and guest houses."""
        return self._search(HOTELS, city, language)

    def restaurants(self, city: City, language: Language) -> tuple[FoundPlace, ...]:
        """Restaurants."""
        return self._search(RESTAURANTS, city, language)

    def _search(self, kind: str, city: City, language: Language) -> tuple[FoundPlace, ...]:
        box = f"{city.lat[0]},{city.lon[0]},{city.lat[1]},{city.lon[1]}"
        query = f'[out:json][timeout:{self.seconds:.0f}];nwr{kind}["name"]({box});out center {MAX_PLACES};'
        return self._ask(f"{language} {query}", lambda: _places(self._elements(query), language))

    def _elements(self, query: str) -> list[dict[str, Any]]:
        agent = {"User-Agent": f"travel_lab/{__version__}"}
        try:
            answer = httpx2.post(self.url, data={"data": query}, headers=agent, timeout=self.seconds)
        except httpx2.TransportError as error:
            raise ProviderFailed(f"Overpass gave no answer ({type(error).__name__}).", is_retryable=True) from error
        if answer.status_code != 200:
            raise ProviderFailed(
                f"Overpass answered with status {answer.status_code}.",
                is_retryable=answer.status_code in BUSY,
                response=answer,
            )
        try:
            body = answer.json()
            elements, remark = body["elements"], body.get("remark")
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ProviderFailed("Overpass answered with something that is no list of elements.") from error
        if remark or not isinstance(elements, list):
            # A query that ran out of time or memory comes with status 200 and a part of the places.
            raise ProviderFailed(f"Overpass did not finish the search: {remark}.", is_retryable=True)
        return elements


def _places(elements: list[dict[str, Any]], language: Language) -> tuple[FoundPlace, ...]:
    try:
        return tuple(_place(element, language) for element in elements)
    except (KeyError, TypeError, ValueError) as error:
        raise ProviderFailed("Overpass answered with an element that has no name or no position.") from error


def _place(element: Mapping[str, Any], language: Language) -> FoundPlace:
    point, tags = element.get("center", element), element["tags"]
    name = tags.get(f"name:{language}") or tags["name"]
    return FoundPlace(name=name, source=ATTRIBUTION, lat=float(point["lat"]), lon=float(point["lon"]))
