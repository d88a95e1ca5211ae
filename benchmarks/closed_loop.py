"""Closed loop: the planner goes on from its own answers, `python benchmarks/closed_loop.py`. Not to be mixed with the frontier.

The first probe of each held-out case that asks for a change is said to a live session after the case's own turns. When a strategy
has lost something on the way, the planner asks back, its results differ from the reference's, and what a probe needs is no longer
the same; so this counts what the traveller gets, and compares no completeness.
"""

from collections import Counter
from collections.abc import Sequence

from travel_lab.data_files import data_path
from travel_lab.evaluation import Case, Probe, read_cases
from travel_lab.lab import Lab
from travel_lab.planner import MORE_STRATEGIES, STRATEGIES

CHANGES = {"cheaper hotel": "hotel", "drop a sight": "route", "restaurant for a diet": "food"}
CHOSEN = ("silent", "article", "summary/own", "packed", "digest", "look-up", "full/own")


def main() -> None:
    cases = [case for language in ("zh", "en") for case in read_cases(data_path(f"cases/{language}.jsonl"))]
    asked = [(case, probe) for case in cases if case.split == "held_out" for probe in _changes(case)[:1]]
    print(f"closed loop, offline model, {len(asked)} changes asked for after the turns before them\n")
    print(f"{'strategy':14}{'made':>6}{'asked back':>12}{'other':>7}{'tokens a turn':>15}")
    for name in CHOSEN:
        strategy = {**STRATEGIES, **MORE_STRATEGIES}[name]
        outcomes, tokens = Counter[str](), 0
        with Lab.open(strategy=strategy) as lab:
            for case, probe in asked:
                session = lab.session()
                for words in case.turns[: probe.after]:
                    session.send(words)
                turn = session.send(probe.words)
                made = turn.itinerary is not None and turn.itinerary["parts"][CHANGES[probe.kind]]["turn"] == turn.number
                outcomes["made" if made else "asked back" if turn.reply_kind == "ask" else "other"] += 1
                tokens += sum(call.tokens for call in turn.calls)
        shares = [outcomes[key] / len(asked) for key in ("made", "asked back", "other")]
        print(f"{name:14}{shares[0]:6.2f}{shares[1]:12.2f}{shares[2]:7.2f}{tokens / len(asked):15.0f}")


def _changes(case: Case) -> Sequence[Probe]:
    return [probe for probe in case.probes if probe.kind in CHANGES]


if __name__ == "__main__":
    main()
