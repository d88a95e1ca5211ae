"""Public dialogues as cases. Reading order: corpus, crosswoz, sgd, strategies."""

from travel_lab.evaluation.corpora.corpus import RECORDS, Corpus, Source, missing_in
from travel_lab.evaluation.corpora.crosswoz import CROSSWOZ, read_crosswoz
from travel_lab.evaluation.corpora.sgd import SGD, read_sgd
from travel_lab.evaluation.corpora.strategies import strategies_for

__all__ = ["CROSSWOZ", "RECORDS", "SGD", "Corpus", "Source", "missing_in", "read_crosswoz", "read_sgd", "strategies_for"]
