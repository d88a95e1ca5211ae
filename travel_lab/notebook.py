"""One door for notebooks: `import travel_lab.notebook as tl`.

Index
    tl.Lab.open()                       a lab on a temporary file, or on the path you give
    lab.session(strategy="silent")      a conversation; session.send("...") plays a turn
    lab.session(user="ann"), lab.profiles.read("ann")   a user's own session; what is known of them across sessions
    turn.card, turn.reply, turn.agents  what the traveller got and who worked
    turn.call("supervisor").view        the exact messages a model call received
    turn.measure("hotel")               what that call could see, as numbers with their reasons
    tl.STRATEGIES, tl.Strategy          how results travel to later calls: handoff × trimming × briefing
    tl.MORE_STRATEGIES                  nothing remembered, the article's own, packed, digest, look-up
    tl.Packed(budget=300), tl.WholeTurns(), tl.PinnedDigest(...), tl.AsPublished(), tl.RollingSummary(...), tl.LookUp(...)
    tl.LangChainSummarization(model=...), tl.LangMemSummary(model=...)  other projects' summaries, to compare (extra `peers`)
    tl.silent, tl.article_summary, tl.full_json, tl.task_only, tl.own_handoff, tl.Everything, tl.NewestWithin
    tl.view_frame(call.view)            a view as a table
    tl.facts_frame(turn.visibility("hotel"))  which facts the view binds
    tl.measures_frame([...])            measures of several calls side by side
    tl.CompactSaver(connection)         LangGraph's SqliteSaver, growing with new information only, for any graph
    tl.shrink("old.db", "small.db")     a stock checkpoint file made small; without a target a dry run
    tl.inflate("small.db", "old.db")    and back into LangGraph's own form
    tl.survey("old.db")                 what is where in a checkpoint file
    tl.chain_frame(session.chain())     the checkpoints of a session; tl.plot_chain draws them
    tl.CheckpointFile.open("lab.db")    any checkpoint file, read-only: sessions, chains, steps, X-rays of turns
    tl.steps_frame(file.page(chain, -1, 50))  messages and bytes of opened steps; tl.plot_growth draws them
    tl.turn_xray_frame(file.xray(chain, 1))  who ran in each superstep of a turn and what each wrote
    tl.diff_frame(tl.diff(a.values, b.values))  what differs between two opened steps
    tl.sizes_frame(tl.channel_sizes(file.connection, "s"))  where the bytes of a session go
    tl.plan_pruning, tl.prune, tl.vacuum, tl.export   keep the last steps, give space back, copy whole
    tl.CheckpointExplorer("lab.db")     all of it as a widget
    tl.places_frame(places)             hotels, sights or restaurants of the catalogue
    tl.state_frame(session.state())     the fields of the state and how big they are
    tl.plot_completeness(frame)         a picture of the measures; tl.plot_tradeoff(frame) against tokens
    tl.connect("deepseek"), tl.ENDPOINTS, tl.Endpoint   a real model: Lab.open(model=tl.connect("deepseek"))
    tl.RetryPolicy(seed=1), tl.VirtualTime().clock()    Lab.open(retry=..., clock=...): retries, and waits that take no time
    tl.timeline_frame(turn), tl.plot_timeline(frame)    who worked when; tl.SlowModel takes its time
    tl.Fault, tl.Schedule, tl.FaultyModel, tl.ModelServer  faults on schedule, inside the process or over HTTP
    tl.Cassette, tl.RecordingModel, tl.ReplayModel      recordings of model calls, played without a network
    tl.counter("estimate")              a token counter by name
    tl.retry_frame(turn), tl.plot_attempts(frame)       attempts, waits and outcomes per agent, and their timeline
    tl.format_frame(calls)              how many answers kept the form asked for, without and with history
    tl.calls_frame(calls)               tokens counted here beside those the service reports
    tl.try_faults([...]), tl.trials_frame(trials)       requests a fault costs under a policy, counted by a server
    tl.xray("hotel", [turn.moment("hotel") for turn in turns])  what became of every fact; tl.xray_frame, tl.plot_xray
    tl.scores_frame(xray, {turn.number: turn.shown})  visibility and asymmetry by turn and kind of fact
    tl.asymmetry(call.view, turn.shown), tl.verdict(score)  what only the traveller saw; a score in a word
    tl.lint_handoff(text, facts)        what is wrong with a handoff; tl.findings_frame
    tl.grounding(turn.reply, {1: facts})  which turn each fact of a reply comes from, and what none has produced
    tl.preview(trimming, messages, results, question, budget, facts)  what a trimming would show; tl.preview_frame
    tl.ledger(call.view, window=..., reserved=...)  what a call's tokens are spent on; tl.ledger_frame, tl.plot_ledger
    tl.plot_lines(frame, x, y, by)      one line for each value of a column
    tl.derive_facts(state), tl.FactRule(...)  facts of an app that declares none
    tl.audit(graph, ["...", "..."])     any LangGraph graph: what of its state its models never get
    tl.audit_file("app.db")             the same of a checkpoint file, against its stored messages; tl.redacted(audit)
    tl.audit_frame, tl.audited_facts_frame, tl.audited_calls_frame  an audit by field, by fact and by call; tl.plot_audit
    tl.assert_context_complete(audit)   for tests; its message names the facts
    tl.ContextViewer(...)               the widget: move the budget, see facts go
    tl.compare([tl.Plan(name=..., itinerary=..., requirements=...), ...])  plans side by side
    tl.comparison_frame, tl.checks_frame, tl.sights_frame, tl.stops_frame  its tables; tl.plot_comparison, tl.plot_maps
    tl.ForkBoard(sessions, active=..., cards=...)  a trip's sessions as a tree with their reasons; click one to read it
    tl.read_cases(tl.data_path("cases/zh.jsonl"))   conversations with probes; tl.Case, tl.Probe, tl.write_cases
    tl.evaluate(tl.PlannerApp(), cases, strategies, budgets=..., readers=..., executor=..., folder=..., tick=tl.ProgressBar())
    tl.results_frame, tl.frontier_frame, tl.kinds_frame, tl.differences_frame, tl.answers_frame, tl.worst_frame  its tables
    tl.plot_frontier, tl.plot_kinds, tl.plot_sweep, tl.write_report(evaluation, "out/report.html")  its pictures and its page
    tl.EvaluationBrowser(evaluation, app, cases, strategies)  the widget: filter, worst probes, open one
    tl.interval(values, seed=1), tl.difference(...)  means with intervals: conversations resampled, then their probes
    tl.reader_of(model, "name")         a model that answers the probes; tl.judge says what a reply is
    tl.Transcripts(...)                 conversations of your own as an app; tl.Conversation, tl.Exchange
    tl.read_crosswoz(folder), tl.read_sgd(folder), tl.strategies_for("zh")  public dialogues as cases
    tl.PackedRecords()                  a packed handoff for the records of any app
    tl.plan_diff(a, b, tl.CuratedProvider())  what differs by day and slot; tl.plan_diff_frame
"""

from travel_lab.catalogue import CuratedProvider
from travel_lab.catalogue.frame import places_frame
from travel_lab.chat_models import (
    Cassette,
    Fault,
    FaultyModel,
    ModelServer,
    RecordingModel,
    ReplayModel,
    Schedule,
    SlowModel,
    diagnose,
)
from travel_lab.chat_models.endpoint import ENDPOINTS, Endpoint, connect
from travel_lab.checkpoints import (
    CheckpointFile,
    CompactSaver,
    channel_sizes,
    diff,
    export,
    inflate,
    plan_pruning,
    prune,
    shrink,
    survey,
    vacuum,
)
from travel_lab.checkpoints.explorer import CheckpointExplorer
from travel_lab.checkpoints.frame import chain_frame, diff_frame, sizes_frame, steps_frame
from travel_lab.checkpoints.frame import xray_frame as turn_xray_frame
from travel_lab.checkpoints.plot import plot_chain, plot_growth
from travel_lab.clock import VirtualTime
from travel_lab.context import (
    AsPublished,
    Everything,
    Fact,
    FactRule,
    LookUp,
    NewestWithin,
    NothingRemembered,
    PackedRecords,
    PinnedDigest,
    RollingSummary,
    Strategy,
    WholeTurns,
    asymmetry,
    bound_facts,
    declared_facts,
    derive_facts,
    full_json,
    grounding,
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
from travel_lab.context.peers import LangChainSummarization, LangMemSummary
from travel_lab.context.plot import plot_completeness, plot_ledger, plot_lines, plot_tradeoff, plot_xray
from travel_lab.context.viewer import ContextViewer
from travel_lab.data_files import data_path
from travel_lab.errors import AgentFailed
from travel_lab.evaluation import (
    Case,
    Conversation,
    Exchange,
    Probe,
    Reader,
    Transcripts,
    assert_context_complete,
    audit,
    audit_file,
    difference,
    evaluate,
    interval,
    judge,
    read_cases,
    reader_of,
    redacted,
    write_cases,
)
from travel_lab.evaluation.audit_frame import audit_frame, audited_calls_frame, audited_facts_frame
from travel_lab.evaluation.browser import EvaluationBrowser
from travel_lab.evaluation.corpora import read_crosswoz, read_sgd, strategies_for
from travel_lab.evaluation.frame import (
    answers_frame,
    differences_frame,
    frontier_frame,
    kinds_frame,
    results_frame,
    worst_frame,
)
from travel_lab.evaluation.page import write_report
from travel_lab.evaluation.plot import plot_audit, plot_frontier, plot_kinds, plot_sweep
from travel_lab.evaluation.progress import ProgressBar
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
from travel_lab.planner.frame import calls_frame, format_frame, retry_frame, state_frame, timeline_frame, trials_frame
from travel_lab.planner.plot import plot_attempts, plot_timeline
from travel_lab.planner.trials import FAULTS, POLICIES, try_faults
from travel_lab.planner_app import PlannerApp
from travel_lab.retry import RetryPolicy
from travel_lab.tokens import DEEPSEEK, TokenCounter, counter
from travel_lab.trips import Plan, compare, plan_diff
from travel_lab.trips.fork_board import ForkBoard
from travel_lab.trips.frame import checks_frame, comparison_frame, plan_diff_frame, sights_frame, stops_frame
from travel_lab.trips.plot import plot_comparison, plot_maps

__all__ = [
    "DEEPSEEK",
    "ENDPOINTS",
    "FAULTS",
    "MORE_STRATEGIES",
    "POLICIES",
    "STRATEGIES",
    "AgentFailed",
    "AsPublished",
    "Case",
    "Cassette",
    "CheckpointExplorer",
    "CheckpointFile",
    "CompactSaver",
    "ContextViewer",
    "Conversation",
    "CuratedProvider",
    "Endpoint",
    "EvaluationBrowser",
    "Everything",
    "Exchange",
    "Fact",
    "FactRule",
    "Fault",
    "FaultyModel",
    "ForkBoard",
    "Lab",
    "LangChainSummarization",
    "LangMemSummary",
    "LookUp",
    "ModelServer",
    "NewestWithin",
    "NothingRemembered",
    "Packed",
    "PackedRecords",
    "PinnedDigest",
    "Plan",
    "PlannerApp",
    "Probe",
    "ProgressBar",
    "Reader",
    "RecordingModel",
    "ReplayModel",
    "RetryPolicy",
    "RollingSummary",
    "Schedule",
    "SlowModel",
    "Strategy",
    "TokenCounter",
    "Transcripts",
    "VirtualTime",
    "WholeTurns",
    "answers_frame",
    "article_summary",
    "article_text",
    "asked_for",
    "assert_context_complete",
    "asymmetry",
    "audit",
    "audit_file",
    "audit_frame",
    "audited_calls_frame",
    "audited_facts_frame",
    "bound_facts",
    "calls_frame",
    "chain_frame",
    "channel_sizes",
    "checks_frame",
    "compare",
    "comparison_frame",
    "connect",
    "counter",
    "data_path",
    "declared_facts",
    "derive_facts",
    "diagnose",
    "diff",
    "diff_frame",
    "difference",
    "differences_frame",
    "evaluate",
    "export",
    "facts_frame",
    "facts_of",
    "findings_frame",
    "format_frame",
    "frontier_frame",
    "full_json",
    "grounding",
    "inflate",
    "interval",
    "judge",
    "kinds_frame",
    "ledger",
    "ledger_frame",
    "lint_handoff",
    "measures_frame",
    "needs",
    "offline_model",
    "own_handoff",
    "places_frame",
    "plan_diff",
    "plan_diff_frame",
    "plan_pruning",
    "plot_attempts",
    "plot_audit",
    "plot_chain",
    "plot_comparison",
    "plot_completeness",
    "plot_frontier",
    "plot_growth",
    "plot_kinds",
    "plot_ledger",
    "plot_lines",
    "plot_maps",
    "plot_sweep",
    "plot_timeline",
    "plot_tradeoff",
    "plot_xray",
    "preview",
    "preview_frame",
    "prune",
    "read_cases",
    "read_crosswoz",
    "read_sgd",
    "reader_of",
    "record_text",
    "redacted",
    "results_frame",
    "retry_frame",
    "scores_frame",
    "shrink",
    "sights_frame",
    "silent",
    "sizes_frame",
    "state_frame",
    "steps_frame",
    "stops_frame",
    "strategies_for",
    "survey",
    "task_only",
    "timeline_frame",
    "trials_frame",
    "try_faults",
    "turn_xray_frame",
    "vacuum",
    "verdict",
    "view_frame",
    "violations",
    "visibility",
    "worst_frame",
    "write_cases",
    "write_report",
    "xray",
    "xray_frame",
]
