"""What every provider owes the planner; a new one joins by a line in `PROVIDERS`."""

from collections.abc import Callable

import pytest

from travel_lab.catalogue import City, CuratedProvider, Provider

PROVIDERS = [pytest.param(CuratedProvider, id="curated")]
SERVES = ["sights", "hotels", "restaurants", "culture"]
SPELLINGS: dict[str, Callable[[City], tuple[str, ...]]] = {
    "id": lambda city: (city.id,),
    "Chinese name": lambda city: (city.name.zh,),
    "English name": lambda city: (city.name.en,),
    "alias": lambda city: city.aliases,
    "upper case": lambda city: (city.id.upper(), city.name.en.upper(), *(alias.upper() for alias in city.aliases)),
    "lower case": lambda city: (city.name.en.lower(), *(alias.lower() for alias in city.aliases)),
    "surrounding blanks": lambda city: (f"  {city.name.zh}\n", f"\t{city.name.en} ", f"\u3000{city.name.zh}\u3000"),
}


@pytest.fixture(params=PROVIDERS)
def make(request: pytest.FixtureRequest) -> Callable[[], Provider]:
    """Makes a fresh provider of one implementation."""
    made: Callable[[], Provider] = request.param
    return made


@pytest.fixture
def provider(make: Callable[[], Provider]) -> Provider:
    """A fresh provider of one implementation."""
    return make()


def test_provider_has_a_name(provider: Provider) -> None:
    """A card can say where its content came from."""
    assert provider.name.strip()


def test_provider_serves_cities(provider: Provider) -> None:
    """A provider can serve at least one city."""
    assert provider.cities()


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_find_city_takes_any_spelling(provider: Provider, spelling: str) -> None:
    """Every city is found under every name people call it, in any case and with blanks around."""
    found = {said: provider.find_city(said) for city in provider.cities() for said in SPELLINGS[spelling](city)}

    assert found == {said: city for city in provider.cities() for said in SPELLINGS[spelling](city)}


@pytest.mark.parametrize("said", ["亚特兰蒂斯", "Atlantis", "", "   ", "🏝️", "%", "chengdu;beijing", "x" * 100_000])
def test_find_city_of_an_unknown_name_is_none(provider: Provider, said: str) -> None:
    """A name that is no city's gives None, never an error or a guess."""
    assert provider.find_city(said) is None


@pytest.mark.parametrize("serves", SERVES)
def test_every_city_has_records(provider: Provider, serves: str) -> None:
    """A city that is offered has something of every kind."""
    assert [city.id for city in provider.cities() if not getattr(provider, serves)(city.id)] == []


@pytest.mark.parametrize("serves", SERVES)
def test_every_record_belongs_to_the_city(provider: Provider, serves: str) -> None:
    """What is served for a city is of that city."""
    served = {city.id: {record.city for record in getattr(provider, serves)(city.id)} for city in provider.cities()}

    assert served == {city.id: {city.id} for city in provider.cities()}


@pytest.mark.parametrize("serves", SERVES)
def test_ids_are_unique_in_a_city(provider: Provider, serves: str) -> None:
    """No record is served twice."""
    for city in provider.cities():
        ids = [record.id for record in getattr(provider, serves)(city.id)]
        assert len(ids) == len(set(ids))


@pytest.mark.parametrize("serves", SERVES)
def test_an_unknown_city_has_no_records(provider: Provider, serves: str) -> None:
    """Asking for a city that is not served gives nothing, not the records of another."""
    assert getattr(provider, serves)("atlantis") == ()


@pytest.mark.parametrize("serves", SERVES)
def test_two_calls_give_equal_results(provider: Provider, serves: str) -> None:
    """The same question has the same answer, in the same order."""
    for city in provider.cities():
        assert getattr(provider, serves)(city.id) == getattr(provider, serves)(city.id)


@pytest.mark.parametrize("serves", SERVES)
def test_two_providers_give_equal_results(make: Callable[[], Provider], serves: str) -> None:
    """A fresh provider serves what the one before it served."""
    first, second = make(), make()

    for city in first.cities():
        assert getattr(first, serves)(city.id) == getattr(second, serves)(city.id)


@pytest.mark.parametrize("serves", ["cities", *SERVES])
def test_results_are_tuples(provider: Provider, serves: str) -> None:
    """Nobody can change what a provider serves to the next caller."""
    asked = () if serves == "cities" else (provider.cities()[0].id,)

    assert isinstance(getattr(provider, serves)(*asked), tuple)


def test_curated_is_called_curated() -> None:
    """The curated catalogue is named by the word that stands on its cards."""
    assert CuratedProvider().name == "curated"


@pytest.mark.parametrize(
    ("said", "city"),
    [
        ("chengdu", "chengdu"),
        ("成都", "chengdu"),
        ("蓉城", "chengdu"),
        ("PEKING", "beijing"),
        ("北平", "beijing"),
        ("xi'an", "xian"),
        ("长安", "xian"),
        ("  Shenzhen ", "shenzhen"),
        ("雪梨", "sydney"),
        ("sYdNeY", "sydney"),
        ("墨尔本", "melbourne"),
        ("Hamilton Island", "whitsundays"),
        ("the whitsundays", "whitsundays"),
    ],
)
def test_curated_finds_the_city_people_mean(said: str, city: str) -> None:
    """The curated catalogue knows the usual names of its cities."""
    found = CuratedProvider().find_city(said)

    assert found is not None
    assert found.id == city
