"""The card beside the cases: what stands in it is counted, not written."""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from travel_lab.evaluation import Case

TEXT = """# Card of the cases

Conversations with the planner and follow-up questions whose right answers are known, in Chinese and English, to measure what a
model can see. Made by `python -m tests.evaluation.making`, this card included; the same seed gives the same files.

- **Licence**: MIT, as the rest of the project; made by us, from the curated catalogue and templates of sentences
- **Form**: one JSON line a conversation; `travel_lab.evaluation.Case` and `Probe` say what each member is. The agents'
  results are not stored: they come from playing the turns, which gives the same results everywhere
- **Split**: every other conversation is held out. Look at `open` while building; report `held_out`
- **Tests**: `tests/evaluation/test_data_cases.py` (quotas, splits, played again), `tests/evaluation/test_cases_card.py`
  (this card)

## How it was made

1. Conversations are drawn by seed {seed}: a city, a length, a budget, then changes, questions and small talk in 3 to 12 turns.
2. Each is played once by the offline planner, whose supervisor is shown every result in full. Its results are the truth.
3. Each kind of probe offers what it can after every turn of every conversation; its quota is drawn by seed from all offers, at
   most {alike} of a kind from one conversation. This came before any strategy was measured.
4. `needed` are the facts that fix the answer, no more; `gold` is what the answer must name. Every gold is checked by a solver
   that reads the results' JSON and imports nothing of the package (`tests/evaluation/solver.py`).

## Sizes

| file | conversations | held out | turns | probes | sha256 |
|---|---|---|---|---|---|
{files}

## Kinds

Probes of each kind in each file: {quota}.

| kind | asks | an example |
|---|---|---|
{kinds}

## Known limits

- The sentences come from templates; people are less regular. The public dialogues in docs/evaluation.md are the check of that.
- All results are the offline planner's: whoever changes its schedule or the catalogue makes the cases anew.
- A gold answer says what must be named, not how; whether a reply is kind, short or well put is not measured.
"""


def card(files: Mapping[Path, Sequence[Case]], *, seed: int, quota: int, alike: int) -> str:
    """The text of the card for files as they lie on the disk."""
    return TEXT.format(
        seed=seed,
        alike=alike,
        quota=quota,
        files="\n".join(_file(path, cases) for path, cases in files.items()),
        kinds="\n".join(_kinds([case for cases in files.values() for case in cases])),
    )


def _file(path: Path, cases: Sequence[Case]) -> str:
    held_out = sum(case.split == "held_out" for case in cases)
    turns, probes = sum(len(case.turns) for case in cases), sum(len(case.probes) for case in cases)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return f"| {path.name} | {len(cases)} | {held_out} | {turns} | {probes} | {digest} |"


def _kinds(cases: Sequence[Case]) -> list[str]:
    # Examples come from the open half, so that reading the card shows nothing of the other.
    probes = [probe for case in cases if case.language == "en" and case.split == "open" for probe in case.probes]
    first = {probe.kind: probe for probe in reversed(probes)}
    calls = Counter((probe.kind, probe.calls[-1]) for case in cases for probe in case.probes)
    return [f"| {kind} | {agent} | {first[kind].words} |" for kind, agent in sorted(calls)]
