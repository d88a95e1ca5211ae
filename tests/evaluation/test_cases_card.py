"""The card beside the cases says the truth about them."""

from tests.evaluation.making.__main__ import FILES, the_card
from travel_lab.data_files import data_path
from travel_lab.evaluation import read_cases


def test_the_card_is_what_the_files_give():
    """Counts, hashes, kinds and examples."""
    assert data_path("cases/CARD.md").read_text(encoding="utf-8") == the_card({path: read_cases(path) for path in FILES.values()})
