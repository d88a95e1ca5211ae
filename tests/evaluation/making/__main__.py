"""Makes data/cases: `python -m tests.evaluation.making`. The same seed gives the same files."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from tests.evaluation.making.card import card
from tests.evaluation.making.draws import KINDS, Draw, Kind, Place
from tests.evaluation.making.talk import Played, play_all
from travel_lab.evaluation import Case, Probe, write_cases

SEED = 20261201
CONVERSATIONS = 64
"""In each language."""
QUOTA = 40
"""Probes of each kind in each language."""
MOST_ALIKE = 2
"""Probes of one kind in one conversation."""
FOLDER = Path(__file__).parents[3] / "data" / "cases"
FILES = {language: FOLDER / f"{language}.jsonl" for language in ("zh", "en")}


def main() -> None:
    """Play, draw, write."""
    made = {}
    for language, path in FILES.items():
        played = play_all(language, CONVERSATIONS, SEED)
        draws = [(found, draw) for kind in KINDS for found, draw in chosen(kind, played)]
        made[path] = [with_probes(found, [draw for owner, draw in draws if owner is found]) for found in played]
        write_cases(made[path], path)
        print(language, len(played), "conversations", Counter(draw.kind for _, draw in draws))
    (FOLDER / "CARD.md").write_text(the_card(made), encoding="utf-8")


def the_card(files: Mapping[Path, Sequence[Case]]) -> str:
    """The card of these files."""
    return card(files, seed=SEED, quota=QUOTA, alike=MOST_ALIKE)


def chosen(kind: Kind, played: list[Played]) -> list[tuple[Played, Draw]]:
    """The quota of a kind, drawn by seed from all it can offer in all conversations."""
    chance = random.Random(f"{SEED}-{kind.__name__}")
    found = [
        (owner, draw)
        for owner in played
        for after in range(1, len(owner.case.turns) + 1)
        for draw in kind(Place(owner, after, random.Random(f"{SEED}-{kind.__name__}-{owner.case.case_id}-{after}")))
    ]
    chance.shuffle(found)
    taken: list[tuple[Played, Draw]] = []
    for owner, draw in found:
        alike = [other for other, before in taken if other is owner]
        if len(taken) < QUOTA and len(alike) < MOST_ALIKE:
            taken.append((owner, draw))
    return taken


def with_probes(found: Played, draws: list[Draw]) -> Case:
    ordered = sorted(draws, key=lambda draw: draw.after)
    probes = tuple(Probe(probe_id=f"{found.case.case_id}-p{number:02}", **vars(draw)) for number, draw in enumerate(ordered, 1))
    return replace(found.case, probes=probes)


if __name__ == "__main__":
    main()
