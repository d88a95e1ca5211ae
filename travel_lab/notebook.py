"""One door for notebooks: `import travel_lab.notebook as tl`.

Index
    tl.Lab.open()                       a lab on a temporary file, or on the path you give
    lab.session(strategy="silent")      a conversation; session.send("...") plays a turn
    turn.card, turn.reply, turn.agents  what the traveller got and who worked
    turn.call("supervisor").view        the exact messages a model call received
    turn.measure("hotel")               what that call could see, as numbers with their reasons

    tl.STRATEGIES, tl.Strategy          how results travel to later calls: handoff × trimming × briefing
    tl.MORE_STRATEGIES                  nothing remembered, the article's own, packed, digest, look-up
    tl.Packed(budget=300), tl.WholeTurns(), tl.PinnedDigest(...), tl.AsPublished(), tl.RollingSummary(...), tl.LookUp(...)
    tl.silent, tl.article_summary, tl.full_json, tl.task_only, tl.own_handoff, tl.Everything, tl.NewestWithin

    tl.view_frame(call.view)            a view as a table
    tl.facts_frame(turn.visibility("hotel"))  which facts the view binds
    tl.measures_frame([...])            measures of several calls side by side
    tl.chain_frame(session.chain())     the checkpoints of a session
    tl.CompactSaver(connection)         LangGraph's SqliteSaver, growing with new information only, for any graph
    tl.shrink("old.db", "small.db")     a stock checkpoint file made small; without a target a dry run
    tl.inflate("small.db", "old.db")    and back into LangGraph's own form
    tl.survey("old.db")                 what is where in a checkpoint file
    tl.places_frame(places)             hotels, sights or restaurants of the catalogue
    tl.state_frame(session.state())     the fields of the state and how big they are
    tl.plot_completeness(frame)         a picture of the measures; tl.plot_tradeoff(frame) against tokens
    tl.xray("hotel", [turn.moment("hotel") for turn in turns])  what became of every fact; tl.xray_frame, tl.plot_xray
    tl.scores_frame(xray, {turn.number: turn.shown})  visibility and asymmetry by turn and kind of fact
    tl.asymmetry(call.view, turn.shown), tl.verdict(score)  what only the traveller saw; a score in a word
    tl.lint_handoff(text, facts)        what is wrong with a handoff; tl.findings_frame
    tl.preview(trimming, messages, results, question, budget, facts)  what a trimming would show; tl.preview_frame
    tl.ledger(call.view, window=..., reserved=...)  what a call's tokens are spent on; tl.ledger_frame, tl.plot_ledger
    tl.plot_lines(frame, x, y, by)      one line for each value of a column
    tl.derive_facts(state), tl.FactRule(...)  facts of an app that declares none
    tl.ContextViewer(...)               the widget: move the budget, see facts go
"""

from travel_lab.catalogue import CuratedProvider
from travel_lab.catalogue.frame import places_frame
from travel_lab.checkpoints import CompactSaver, inflate, shrink, survey
from travel_lab.checkpoints.frame import chain_frame
from travel_lab.context import (
    AsPublished,
    Everything,
    Fact,
    FactRule,
    LookUp,
    NewestWithin,
    NothingRemembered,
    PinnedDigest,
    RollingSummary,
    Strategy,
    WholeTurns,
    asymmetry,
    bound_facts,
    declared_facts,
    derive_facts,
    full_json,
    ledger,
    lint_handoff,
    own_handoff,
    preview,
    silent,
    task_only,
    verdict,
    violations,
    visibility,
    xray,
)
from travel_lab.context.frame import (
    facts_frame,
    findings_frame,
    ledger_frame,
    measures_frame,
    preview_frame,
    scores_frame,
    view_frame,
    xray_frame,
)
from travel_lab.context.plot import plot_completeness, plot_ledger, plot_lines, plot_tradeoff, plot_xray
from travel_lab.context.viewer import ContextViewer
from travel_lab.lab import Lab
from travel_lab.planner import (
    MORE_STRATEGIES,
    STRATEGIES,
    Packed,
    article_summary,
    article_text,
    asked_for,
    facts_of,
    needs,
    offline_model,
    record_text,
)
from travel_lab.planner.frame import state_frame
from travel_lab.tokens import DEEPSEEK, TokenCounter

__all__ = [
    "DEEPSEEK",
    "MORE_STRATEGIES",
    "STRATEGIES",
    "AsPublished",
    "CompactSaver",
    "ContextViewer",
    "CuratedProvider",
    "Everything",
    "Fact",
    "FactRule",
    "Lab",
    "LookUp",
    "NewestWithin",
    "NothingRemembered",
    "Packed",
    "PinnedDigest",
    "RollingSummary",
    "Strategy",
    "TokenCounter",
    "WholeTurns",
    "article_summary",
    "article_text",
    "asked_for",
    "asymmetry",
    "bound_facts",
    "chain_frame",
    "declared_facts",
    "derive_facts",
    "facts_frame",
    "facts_of",
    "findings_frame",
    "full_json",
    "inflate",
    "ledger",
    "ledger_frame",
    "lint_handoff",
    "measures_frame",
    "needs",
    "offline_model",
    "own_handoff",
    "places_frame",
    "plot_completeness",
    "plot_ledger",
    "plot_lines",
    "plot_tradeoff",
    "plot_xray",
    "preview",
    "preview_frame",
    "record_text",
    "scores_frame",
    "shrink",
    "silent",
    "state_frame",
    "survey",
    "task_only",
    "verdict",
    "view_frame",
    "violations",
    "visibility",
    "xray",
    "xray_frame",
]
