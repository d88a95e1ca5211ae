"""Places as a table: which columns, of which types, in which language."""

import pytest

from travel_lab.catalogue import Hotel, Language, Names, Place, load_catalogue
from travel_lab.catalogue.frame import places_frame

HOTELS = (
    Hotel(
        id="chengdu-h01",
        city="chengdu",
        name=Names(zh="锦江宾馆", en="Jinjiang Hotel"),
        district=Names(zh="锦江区", en="Jinjiang"),
        lat=30.648,
        lon=104.065,
        price=720.0,
        stars=5,
        rating=4.6,
    ),
    Hotel(
        id="sydney-h14",
        city="sydney",
        name=Names(zh="中央青年旅舍", en="Sydney Central YHA"),
        district=Names(zh="干草市场", en="Haymarket"),
        lat=-33.882,
        lon=151.205,
        price=135.0,
        stars=3,
        rating=4.2,
    ),
)
DTYPES = {
    "id": "str",
    "city": "str",
    "name": "str",
    "district": "str",
    "lat": "float64",
    "lon": "float64",
    "price": "float64",
}


@pytest.mark.parametrize("language", ["zh", "en"])
def test_frame_has_the_declared_columns(language: Language) -> None:
    """The columns are the same seven, in the same order, in both languages."""
    assert list(places_frame(HOTELS, language).columns) == ["id", "city", "name", "district", "lat", "lon", "price"]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_frame_has_the_declared_dtypes(language: Language) -> None:
    """Texts are strings and numbers are floats in both languages."""
    assert places_frame(HOTELS, language).dtypes.astype(str).to_dict() == DTYPES


@pytest.mark.parametrize("kind", ["sights", "hotels", "restaurants"])
@pytest.mark.parametrize("language", ["zh", "en"])
def test_real_places_have_the_same_dtypes(language: Language, kind: str) -> None:
    """Every kind of place of the catalogue gives a frame of the same types."""
    places: tuple[Place, ...] = getattr(load_catalogue(), kind)

    assert places_frame(places, language).dtypes.astype(str).to_dict() == DTYPES


@pytest.mark.parametrize(
    ("language", "names", "districts"),
    [
        ("zh", ["锦江宾馆", "中央青年旅舍"], ["锦江区", "干草市场"]),
        ("en", ["Jinjiang Hotel", "Sydney Central YHA"], ["Jinjiang", "Haymarket"]),
    ],
)
def test_texts_are_in_the_language_asked_for(language: Language, names: list[str], districts: list[str]) -> None:
    """Names and districts come in the language asked for."""
    frame = places_frame(HOTELS, language)

    assert (frame["name"].tolist(), frame["district"].tolist()) == (names, districts)


def test_chinese_is_the_language_unless_told() -> None:
    """Without a language the frame is in Chinese."""
    assert places_frame(HOTELS)["name"].tolist() == ["锦江宾馆", "中央青年旅舍"]


def test_one_row_a_place_in_order() -> None:
    """Rows come one a place, in the order of the places, with their numbers untouched."""
    assert places_frame(HOTELS)[["id", "lat", "lon", "price"]].to_numpy().tolist() == [
        ["chengdu-h01", 30.648, 104.065, 720.0],
        ["sydney-h14", -33.882, 151.205, 135.0],
    ]


def test_no_places_give_the_columns_without_rows() -> None:
    """A frame of nothing still has its columns, so later steps do not fail on a missing one."""
    frame = places_frame([])

    assert (list(frame.columns), len(frame)) == (["id", "city", "name", "district", "lat", "lon", "price"], 0)
