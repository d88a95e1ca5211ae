"""The card beside the catalogue says the truth about its files."""

import csv
import hashlib
import io
import re

import pytest

from travel_lab.catalogue import load_catalogue
from travel_lab.data_files import data_path

CARD = data_path("catalogue/CARD.md").read_text(encoding="utf-8")
FILES = ("cities.csv", "sights.csv", "hotels.csv", "restaurants.csv", "culture.csv")
CITIES = tuple(city.id for city in load_catalogue().cities)


def content(file: str) -> bytes:
    """The file as it stands in the repository, also when a checkout turned its line ends into CRLF."""
    return data_path(f"catalogue/{file}").read_bytes().replace(b"\r\n", b"\n")


def rows(file: str) -> list[dict[str, str]]:
    """The rows of a file, unread."""
    return list(csv.DictReader(io.StringIO(content(file).decode("utf-8"))))


def section(title: str) -> str:
    """The text under one heading of the card."""
    return CARD.split(f"## {title}\n")[1].split("\n## ")[0]


def table_row(title: str, first: str) -> list[str]:
    """The cells after `first` in the table row that starts with it."""
    found = re.findall(rf"^\| {re.escape(first)} \| (.*) \|$", section(title), flags=re.MULTILINE)
    assert len(found) == 1, f"the card has {len(found)} rows for {first!r} under {title!r}"
    return str(found[0]).split(" | ")


@pytest.mark.parametrize("file", FILES)
def test_card_states_the_rows_of_a_file(file: str) -> None:
    """The number of rows on the card is the number of rows in the file."""
    assert table_row("Sizes", file)[0] == str(len(rows(file)))


@pytest.mark.parametrize("file", FILES)
def test_card_states_the_hash_of_a_file(file: str) -> None:
    """The sha256 on the card is that of the file."""
    assert table_row("Sizes", file)[1] == hashlib.sha256(content(file)).hexdigest()


@pytest.mark.parametrize("city", CITIES)
def test_card_states_the_rows_of_a_city(city: str) -> None:
    """The rows a city has in each file are those on the card."""
    counted = [
        str(sum(row["city"] == city for row in rows(file)))
        for file in ("sights.csv", "hotels.csv", "restaurants.csv", "culture.csv")
    ]

    assert table_row("Sizes", city) == counted


@pytest.mark.parametrize("file", FILES)
def test_card_names_every_field(file: str) -> None:
    """Every column of every file stands in a table of the section on fields."""
    listed = set(re.findall(r"\w+", " ".join(re.findall(r"^\| ([^|]+) \|", section("Fields and units"), re.MULTILINE))))

    assert set(rows(file)[0]) <= listed


@pytest.mark.parametrize("city", CITIES)
def test_card_states_the_currency_of_a_city(city: str) -> None:
    """The currency on the card is the one in the data."""
    assert table_row("Cities and currencies", city)[1] == {c.id: c.currency for c in load_catalogue().cities}[city]


def test_card_lists_the_categories_in_use() -> None:
    """The categories on the card are those of the sights, none more and none fewer."""
    line = section("Vocabulary").split("- **")[1]

    assert set(re.findall(r"`(\w+)`", line)) == {sight.category for sight in load_catalogue().sights}


def test_card_lists_the_tags_in_use() -> None:
    """The tags on the card are those of the restaurants, none more and none fewer."""
    line = section("Vocabulary").split("- **")[2]

    assert set(re.findall(r"`(\w+)`", line)) == {tag for r in load_catalogue().restaurants for tag in r.tags}


@pytest.mark.parametrize(
    "words", ["Illustrative, from general knowledge, prices indicative, not for travelling", "2026-11", "MIT"]
)
def test_card_says_what_the_data_is_not_for(words: str) -> None:
    """Warning, date and licence stand at the head of the card."""
    assert words in CARD.split("\n## ")[0]


def test_every_file_of_the_folder_is_on_the_card() -> None:
    """No data file lies beside the card without being described by it."""
    assert {path.name for path in data_path("catalogue").glob("*.csv")} == set(FILES)
