"""Every row of the curated catalogue keeps the promises of its card."""

import csv
import re
from collections import Counter
from collections.abc import Iterable
from itertools import permutations

import pytest

from travel_lab.catalogue import City, CultureFact, Hotel, Language, Names, Place, Restaurant, Sight, load_catalogue
from travel_lab.data_files import data_path

CURRENCIES = {
    "chengdu": "CNY",
    "beijing": "CNY",
    "xian": "CNY",
    "shenzhen": "CNY",
    "sydney": "AUD",
    "melbourne": "AUD",
    "whitsundays": "AUD",
    "chongqing": "CNY",
    "hangzhou": "CNY",
    "tokyo": "JPY",
    "bangkok": "THB",
    "paris": "EUR",
    "singapore": "SGD",
}
PRICES = {
    ("sight", "CNY"): (0, 600),
    ("sight", "AUD"): (0, 100),
    ("sight", "JPY"): (0, 12_000),
    ("sight", "THB"): (0, 2_500),
    ("sight", "EUR"): (0, 120),
    ("sight", "SGD"): (0, 120),
    ("reef trip", "AUD"): (250, 450),
    ("hotel", "CNY"): (120, 2500),
    ("hotel", "AUD"): (80, 1500),
    ("hotel", "JPY"): (6_000, 120_000),
    ("hotel", "THB"): (500, 20_000),
    ("hotel", "EUR"): (60, 1_500),
    ("hotel", "SGD"): (60, 1_300),
    ("restaurant", "CNY"): (15, 1000),
    ("restaurant", "AUD"): (10, 400),
    ("restaurant", "JPY"): (600, 40_000),
    ("restaurant", "THB"): (50, 7_000),
    ("restaurant", "EUR"): (10, 400),
    ("restaurant", "SGD"): (4, 450),
}
AT_LEAST = {"sights": 15, "hotels": 12, "restaurants": 16, "culture": 6}
CATEGORIES = {
    "beach", "gallery", "historic", "landmark", "market", "museum", "nature", "park", "street", "temple", "theme_park",
    "viewpoint", "wildlife",
}  # fmt: skip
TAGS = {"fine_dining", "halal", "hotpot", "mild", "peanuts", "seafood", "snacks", "spicy", "vegetarian"}
MEALS = {"lunch", "dinner"}
KINDS = {"culture", "trivia", "etiquette"}

HAN = re.compile(r"[\u4e00-\u9fff]")
LATIN = re.compile(r"(?=.*[A-Za-z]{2})[\x20-\x7e\u00c0-\u024f]+")
# A summary lists names between these signs, so a name that holds one would end too early. The ranges are CJK and
# full-width punctuation.
SEPARATORS = re.compile(r"[,()/|→:;\u3000-\u303f\uff00-\uffef\n\r\t]")

CATALOGUE = load_catalogue()
PLACES: tuple[Place, ...] = (*CATALOGUE.sights, *CATALOGUE.hotels, *CATALOGUE.restaurants)
RECORDS: tuple[City | Place | CultureFact, ...] = (*CATALOGUE.cities, *PLACES, *CATALOGUE.culture)
KIND_LETTERS = {"sights": "s", "hotels": "h", "restaurants": "r", "culture": "c"}
CITY_IDS = tuple(CURRENCIES)


def by_id(records: Iterable[City | Place | CultureFact]):
    """One case a record, named by its id."""
    return [pytest.param(record, id=record.id) for record in records]


def raw_rows():
    """One case a row of every file, as text: the records no longer show a blank or a surplus field."""
    cases = []
    for name in ("cities", *KIND_LETTERS):
        with data_path(f"catalogue/{name}.csv").open(encoding="utf-8", newline="") as file:
            cases += [pytest.param(row, id=row["id"]) for row in csv.DictReader(file)]
    return cases


def texts():
    """One case a record: all that it says in two languages, by field."""
    return [
        pytest.param({field: text for field, text in vars(record).items() if isinstance(text, Names)}, id=record.id)
        for record in RECORDS
    ]


def city_of(place: Place) -> City:
    """The city a place says it is in."""
    return next(city for city in CATALOGUE.cities if city.id == place.city)


def price_kind(place: Place) -> str:
    """What a place's price pays for."""
    match place:
        case Hotel():
            return "hotel"
        case Restaurant():
            return "restaurant"
        case _:
            return "reef trip" if place.district.en == "Great Barrier Reef" else "sight"


def repeated(values: Iterable[object]) -> list[object]:
    """The values that come more than once."""
    return [value for value, times in Counter(values).items() if times > 1]


# Cities


def test_the_cities_are_there() -> None:
    """The catalogue has the twelve cities and the island stop, and no other."""
    assert [city.id for city in CATALOGUE.cities] == list(CITY_IDS)


@pytest.mark.parametrize("city", by_id(CATALOGUE.cities))
def test_currency_is_the_citys_own(city: City) -> None:
    """A city is priced in the money that is spent there."""
    assert city.currency == CURRENCIES[city.id]


@pytest.mark.parametrize("city", by_id(CATALOGUE.cities))
def test_centre_lies_in_the_box(city: City) -> None:
    """The middle of a city lies in its own box."""
    assert city.lat[0] < city.centre[0] < city.lat[1]
    assert city.lon[0] < city.centre[1] < city.lon[1]


def test_no_two_cities_share_a_name() -> None:
    """What people type leads to one city only."""
    names = [name for c in CATALOGUE.cities for name in {n.casefold() for n in (c.id, c.name.zh, c.name.en, *c.aliases)}]

    assert repeated(names) == []


@pytest.mark.parametrize("city", CITY_IDS)
@pytest.mark.parametrize("file", AT_LEAST)
def test_city_has_enough_records(file: str, city: str) -> None:
    """Every city has at least 15 sights, 12 hotels, 16 restaurants and 6 culture facts."""
    assert sum(record.city == city for record in getattr(CATALOGUE, file)) >= AT_LEAST[file]


@pytest.mark.parametrize("city", CITY_IDS)
def test_city_has_every_kind_of_culture_fact(city: str) -> None:
    """Every city has facts on culture, trivia and etiquette."""
    assert {fact.kind for fact in CATALOGUE.culture if fact.city == city} == {"culture", "trivia", "etiquette"}


@pytest.mark.parametrize("city", CITY_IDS)
def test_no_two_places_at_one_point(city: str) -> None:
    """A point on a city's map belongs to one place."""
    assert repeated((place.lat, place.lon) for place in PLACES if place.city == city) == []


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("city", CITY_IDS)
def test_names_are_unique_in_a_city(city: str, language: Language) -> None:
    """No two places of a city have the same name in a language, whatever their kind and case."""
    assert repeated(place.name.in_(language).casefold() for place in PLACES if place.city == city) == []


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("file", ["sights", "hotels", "restaurants"])
@pytest.mark.parametrize("city", CITY_IDS)
def test_no_name_is_contained_in_another(city: str, file: str, language: Language) -> None:
    """Reading one name of a city in a text never means having read another of its kind."""
    names = [place.name.in_(language).casefold() for place in getattr(CATALOGUE, file) if place.city == city]

    assert [(short, long) for short, long in permutations(names, 2) if short in long] == []


# Rows of every file


@pytest.mark.parametrize("row", raw_rows())
def test_no_field_is_blank(row: dict[str, str]) -> None:
    """Every field holds something."""
    assert [field for field, text in row.items() if not text or not text.strip()] == []


@pytest.mark.parametrize("row", raw_rows())
def test_no_field_has_surrounding_blanks(row: dict[str, str]) -> None:
    """What a field holds starts and ends with a visible sign."""
    assert {field: text for field, text in row.items() if text != text.strip()} == {}


@pytest.mark.parametrize("row", raw_rows())
def test_row_has_the_columns_of_its_file(row: dict[str, str]) -> None:
    """No row has a surplus field, as an unquoted comma would make one."""
    assert None not in row


@pytest.mark.parametrize("file", KIND_LETTERS)
def test_ids_name_city_and_kind(file: str) -> None:
    """An id is the city, the kind's letter and a number of two digits."""
    wrong = [
        record.id
        for record in getattr(CATALOGUE, file)
        if not re.fullmatch(rf"{record.city}-{KIND_LETTERS[file]}\d\d", record.id)
    ]

    assert wrong == []


@pytest.mark.parametrize("file", KIND_LETTERS)
def test_every_record_is_in_a_known_city(file: str) -> None:
    """No record belongs to a city that the catalogue lacks."""
    assert {record.city for record in getattr(CATALOGUE, file)} == set(CITY_IDS)


def test_ids_are_unique() -> None:
    """An id means one record over all files."""
    assert repeated(record.id for record in RECORDS) == []


@pytest.mark.parametrize("said", texts())
def test_chinese_text_is_chinese(said: dict[str, Names]) -> None:
    """A Chinese field holds Chinese characters."""
    assert [field for field, text in said.items() if not HAN.search(text.zh)] == []


@pytest.mark.parametrize("said", texts())
def test_english_text_is_latin(said: dict[str, Names]) -> None:
    """An English field holds words in ASCII and accented Latin letters, and nothing else."""
    assert [field for field, text in said.items() if not LATIN.fullmatch(text.en)] == []


# Places


@pytest.mark.parametrize("place", by_id(PLACES))
def test_place_lies_in_the_box_of_its_city(place: Place) -> None:
    """A place lies within the latitudes and longitudes of its city."""
    city = city_of(place)

    assert city.lat[0] <= place.lat <= city.lat[1]
    assert city.lon[0] <= place.lon <= city.lon[1]


@pytest.mark.parametrize("place", by_id(PLACES))
def test_coordinates_have_three_decimals(place: Place) -> None:
    """No coordinate claims to be finer than 0.001 degree."""
    assert (place.lat, place.lon) == (round(place.lat, 3), round(place.lon, 3))


@pytest.mark.parametrize("place", by_id(PLACES))
def test_price_is_in_range(place: Place) -> None:
    """A price lies in the range of its kind and currency."""
    low, high = PRICES[price_kind(place), CURRENCIES[place.city]]

    assert low <= place.price <= high


@pytest.mark.parametrize("place", by_id(PLACES))
def test_names_hold_no_separators(place: Place) -> None:
    """No name holds a sign that a summary puts between names."""
    assert SEPARATORS.findall(place.name.zh + place.name.en) == []


@pytest.mark.parametrize("sight", by_id(CATALOGUE.sights))
def test_sight_opens_before_it_closes(sight: Sight) -> None:
    """Opening hours are one interval within a day."""
    assert sight.opens < sight.closes


@pytest.mark.parametrize("sight", by_id(CATALOGUE.sights))
def test_visit_fits_the_opening_hours(sight: Sight) -> None:
    """A typical visit is at least a quarter of an hour and no longer than the place is open."""
    open_minutes = (sight.closes.hour - sight.opens.hour) * 60 + sight.closes.minute - sight.opens.minute

    assert 15 <= sight.minutes <= open_minutes


@pytest.mark.parametrize("sight", by_id(CATALOGUE.sights))
def test_category_is_in_the_vocabulary(sight: Sight) -> None:
    """A sight's category is one of the thirteen."""
    assert sight.category in CATEGORIES


@pytest.mark.parametrize("hotel", by_id(CATALOGUE.hotels))
def test_stars_are_one_to_five(hotel: Hotel) -> None:
    """A hotel has one to five stars."""
    assert hotel.stars in {1, 2, 3, 4, 5}


@pytest.mark.parametrize("hotel", by_id(CATALOGUE.hotels))
def test_rating_is_plausible(hotel: Hotel) -> None:
    """A well-known hotel is rated between 3 and 5."""
    assert 3 <= hotel.rating <= 5


@pytest.mark.parametrize("restaurant", by_id(CATALOGUE.restaurants))
def test_tags_are_in_the_vocabulary(restaurant: Restaurant) -> None:
    """A restaurant has no tag beyond the nine."""
    assert restaurant.tags <= TAGS


@pytest.mark.parametrize("restaurant", by_id(CATALOGUE.restaurants))
def test_restaurant_is_spicy_or_mild(restaurant: Restaurant) -> None:
    """A restaurant carries exactly one of `spicy` and `mild`."""
    assert len(restaurant.tags & {"spicy", "mild"}) == 1


@pytest.mark.parametrize("restaurant", by_id(CATALOGUE.restaurants))
def test_restaurant_serves_a_known_meal(restaurant: Restaurant) -> None:
    """A restaurant serves lunch, dinner or both."""
    assert restaurant.meals
    assert restaurant.meals <= MEALS


@pytest.mark.parametrize("fact", by_id(CATALOGUE.culture))
def test_kind_is_in_the_vocabulary(fact: CultureFact) -> None:
    """A culture fact is of one of the three kinds."""
    assert fact.kind in KINDS
