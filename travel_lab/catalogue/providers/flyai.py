"""Fliggy (飞猪) through its command-line tool `flyai`, which keeps its own key; none passes through here."""

import json
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from travel_lab.catalogue.providers.found import FoundPlace, Search
from travel_lab.errors import BadInput, ProviderFailed

SOURCE = "飞猪 Fliggy (flyai)"
TOO_MANY = 429
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


@dataclass(frozen=True, kw_only=True)
class FlyAISearch(Search):
    """Looks for sights and hotels of a city.

    Raises:
        ProviderFailed: Every search, when the tool gave no usable answer after all attempts.
    """

    command: str = "flyai"
    """The tool's name or path."""

    def sights(self, city: str) -> tuple[FoundPlace, ...]:
        """Sights of the city; a ticket without a price has none."""
        return self._search("search-poi", "--city-name", city)

    def hotels(self, city: str) -> tuple[FoundPlace, ...]:
        """Hotels of the city."""
        return self._search("search-hotel", "--dest-name", city)

    def _search(self, search: str, option: str, city: str) -> tuple[FoundPlace, ...]:
        if not city.strip() or city.startswith("-"):
            raise BadInput(f"No city can be called {city!r}: the tool would take it for an option. Give its name.")
        return self._ask(f"{search} {city}", lambda: _places(self._run(search, option, city)))

    def _run(self, *arguments: str) -> str:
        try:
            # The words come from the traveller: a list of arguments, never a shell.
            done = subprocess.run(  # noqa: S603
                [self.command, *arguments],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=self.seconds,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise ProviderFailed(f"flyai took longer than {self.seconds:g} s.", is_retryable=True) from error
        except OSError as error:
            raise ProviderFailed(f"flyai cannot be started ({error.strerror}): is {self.command!r} installed?") from error
        if done.returncode != 0:
            # What it wrote beside may hold its key and is not repeated.
            raise ProviderFailed(f"flyai ended with code {done.returncode}.")
        return done.stdout.decode("utf-8", "replace")


def _places(said: str) -> tuple[FoundPlace, ...]:
    try:
        body = json.loads(said)
        status = int(body["status"])
        items = body["data"]["itemList"] if status == 0 else []
        found = tuple(_place(item) for item in items)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ProviderFailed("flyai answered with something that is no list of items.") from error
    if status != 0:
        raise ProviderFailed(f"flyai answered with status {status}.", is_retryable=status == TOO_MANY)
    return found


def _place(item: Mapping[str, Any]) -> FoundPlace:
    ticket = item.get("ticketInfo") or {}
    lat, lon, name = item.get("latitude"), item.get("longitude"), item["name"]
    if not isinstance(name, str):
        raise TypeError(name)
    return FoundPlace(
        name=name,
        source=SOURCE,
        lat=float(lat) if lat else None,
        lon=float(lon) if lon else None,
        price=read_price(item.get("price", ticket.get("price"))),
    )


def read_price(said: object) -> float | None:
    """The number in a price such as `¥618`, `￥1,280起` or 618; None where none is said."""
    if said is None:
        return None
    if str(said).strip() == "免费":
        return 0.0
    number = _NUMBER.search(str(said))
    return float(number[0].replace(",", "")) if number else None
