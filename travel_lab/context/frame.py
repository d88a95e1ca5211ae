"""Facts and their visibility as DataFrames."""

from collections.abc import Iterable, Mapping, Sequence

import pandas as pd
from langchain_core.messages import BaseMessage

from travel_lab.context.facts import Fact
from travel_lab.context.ledger import Ledger
from travel_lab.context.lint import Finding
from travel_lab.context.measure import CallMeasure
from travel_lab.context.preview import Preview
from travel_lab.context.visibility import Visibility
from travel_lab.context.xray import Place, Xray
from travel_lab.tokens import DEEPSEEK, TokenCounter, text_of


def facts_frame(seen: Visibility) -> pd.DataFrame:
    """One row a produced fact: agent, kind, fact, and whether the view and its conversation part bind it."""
    rows = [
        {
            "agent": fact.agent,
            "kind": fact.kind,
            "fact": str(fact),
            "in view": fact in seen.in_view,
            "in conversation": fact in seen.in_conversation,
        }
        for fact in seen.produced
    ]
    return pd.DataFrame(rows, columns=["agent", "kind", "fact", "in view", "in conversation"])


def view_frame(view: Sequence[BaseMessage], counter: TokenCounter = DEEPSEEK) -> pd.DataFrame:
    """One row a message of a view: role, author, tokens (by `counter`) and the whole text."""
    rows = [
        {"role": message.type, "author": message.name or "", "tokens": counter.messages([message]), "text": text_of(message)}
        for message in view
    ]
    return pd.DataFrame(rows, columns=["role", "author", "tokens", "text"])


MEASURE_COLUMNS = (
    *("strategy", "agent", "called", "facts", "bound", "in chat", "need", "met"),
    *("visibility", "completeness", "tokens", "asked back"),
)


def measures_frame(measures: Iterable[CallMeasure]) -> pd.DataFrame:
    """One row a measured call, columns `MEASURE_COLUMNS`.

    Counts are whole numbers that may be missing (`Int64`), the two shares are floats between 0 and 1 with nan for not
    measured, `tokens` are those of the view.
    """
    rows = [
        (
            m.strategy, m.agent, m.called, m.produced, m.bound, m.in_conversation, m.needed, m.needed_bound, m.visibility.value,
            m.completeness.value, m.tokens, m.asked_back,
        )
        for m in measures
    ]  # fmt: skip
    frame = pd.DataFrame(rows, columns=list(MEASURE_COLUMNS))
    counts = dict.fromkeys(("facts", "bound", "in chat", "need", "met", "tokens"), "Int64")
    return frame.astype({**counts, "called": bool, "asked back": "boolean", "visibility": float, "completeness": float})


def xray_frame(made: Xray) -> pd.DataFrame:
    """One row a fact and turn: agent (who produced the fact), kind, fact, turn, and what became of it in that turn's call."""
    rows = [
        {"agent": fact.agent, "kind": fact.kind, "fact": str(fact), "turn": turn, "place": made.places[fact, turn].value}
        for fact in made.facts
        for turn in made.turns
    ]
    return pd.DataFrame(rows, columns=["agent", "kind", "fact", "turn", "place"])


SCORE_COLUMNS = ("turn", "call of", "agent", "kind", "produced", "visible", "visibility", "shown", "hidden", "asymmetry", "stale")


def scores_frame(made: Xray, shown: Mapping[int, Sequence[Fact]]) -> pd.DataFrame:
    """Visibility and asymmetry by turn, producing agent and kind of fact, columns `SCORE_COLUMNS`.

    Args:
        made: The X-ray of one agent's calls.
        shown: Turn → facts the traveller had been shown.

    Returns:
        A turn without a call, and a kind of which nothing was shown, have nan, not 0; facts not yet produced are left out.
    """
    rows = []
    for turn in made.turns:
        told = set(shown.get(turn, ()))
        for agent, kind in dict.fromkeys((fact.agent, fact.kind) for fact in made.facts):
            facts = [fact for fact in made.facts if (fact.agent, fact.kind) == (agent, kind)]
            places = {fact: made.places[fact, turn] for fact in facts}
            stale = sum(place is Place.STALE for place in places.values())
            now = [f for f, place in places.items() if place not in {Place.NOT_PRODUCED, Place.SUPERSEDED, Place.STALE}]
            measured = [fact for fact in now if places[fact] is not Place.NOT_MEASURED]
            seen = [fact for fact in measured if places[fact] is Place.VISIBLE]
            shown_now = [fact for fact in measured if fact in told]
            hidden = [fact for fact in shown_now if fact not in set(seen)]
            if now:
                shares = (_share(seen, measured), _share(hidden, shown_now))
                counts = (len(now), len(seen), shares[0], len(shown_now), len(hidden), shares[1], stale)
                rows.append((turn, made.agent, agent, kind, *counts))
    return pd.DataFrame(rows, columns=list(SCORE_COLUMNS))


def _share(part: Sequence[Fact], whole: Sequence[Fact]) -> float:
    return len(part) / len(whole) if whole else float("nan")


def findings_frame(findings: Iterable[Finding]) -> pd.DataFrame:
    """One row a finding of the linter: rule, fact (blank for the whole text) and the reason in words."""
    rows = [(finding.rule, str(finding.fact or ""), finding.reason) for finding in findings]
    return pd.DataFrame(rows, columns=["rule", "fact", "reason"])


def ledger_frame(ledgers: Mapping[str, Ledger]) -> pd.DataFrame:
    """One row a call, by the name given to it, and one column a part of its window."""
    return pd.DataFrame([vars(made) for made in ledgers.values()], index=pd.Index(ledgers, name="call"))


def preview_frame(views: Mapping[str, Preview]) -> pd.DataFrame:
    """One row a trimmed history: messages kept and dropped, tokens before and after, facts visible and lost, per 1,000 tokens."""
    rows = [
        (
            len(made.trimmed.kept) if made.trimmed else 0,
            len(made.trimmed.dropped) if made.trimmed else 0,
            made.trimmed.tokens_before if made.trimmed else 0,
            made.trimmed.tokens if made.trimmed else 0,
            len(made.visible),
            len(made.lost),
            round(made.per_thousand, 1),
            made.refused or "; ".join(made.trimmed.incidents if made.trimmed else ()),
        )
        for made in views.values()
    ]
    columns = ["kept", "dropped", "tokens before", "tokens", "visible", "lost", "facts per 1,000", "incident"]
    return pd.DataFrame(rows, columns=columns, index=pd.Index(views, name="trimming"))
