"""What the model can see.

Reading order: facts (on values, prose, json_text, tables, sightings), derived, handoff, packing, records, briefing, blocks,
trimming, published, digest, summary, strategy, visibility, preview, measure, xray, lint, grounding, ledger, frame, plot.
"""

from travel_lab.context.blocks import blocks_of, turns_of
from travel_lab.context.briefing import Briefing, own_handoff, task_only
from travel_lab.context.derived import FactRule, declared_facts, derive_facts
from travel_lab.context.digest import LookUp, PinnedDigest
from travel_lab.context.facts import Fact, FactFinder, bound_facts
from travel_lab.context.grounding import Grounding, grounding
from travel_lab.context.handoff import Handoff, Result, full_json, silent
from travel_lab.context.ledger import Ledger, ledger
from travel_lab.context.lint import RULES, Finding, lint_handoff
from travel_lab.context.measure import CallMeasure, measure_call
from travel_lab.context.packing import Entry, pack
from travel_lab.context.preview import Preview, preview
from travel_lab.context.published import PUBLISHED_BUDGET, AsPublished, Violation, violations
from travel_lab.context.records import PackedRecords
from travel_lab.context.strategy import Strategy
from travel_lab.context.summary import RollingSummary
from travel_lab.context.trimming import Everything, NewestWithin, NothingRemembered, Trimmed, Trimming, WholeTurns
from travel_lab.context.visibility import Score, Visibility, asymmetry, verdict, visibility
from travel_lab.context.xray import Moment, Place, Xray, stale_visible, uncut_texts, xray

__all__ = [
    "PUBLISHED_BUDGET",
    "RULES",
    "AsPublished",
    "Briefing",
    "CallMeasure",
    "Entry",
    "Everything",
    "Fact",
    "FactFinder",
    "FactRule",
    "Finding",
    "Grounding",
    "Handoff",
    "Ledger",
    "LookUp",
    "Moment",
    "NewestWithin",
    "NothingRemembered",
    "PackedRecords",
    "PinnedDigest",
    "Place",
    "Preview",
    "Result",
    "RollingSummary",
    "Score",
    "Strategy",
    "Trimmed",
    "Trimming",
    "Violation",
    "Visibility",
    "WholeTurns",
    "Xray",
    "asymmetry",
    "blocks_of",
    "bound_facts",
    "declared_facts",
    "derive_facts",
    "full_json",
    "grounding",
    "ledger",
    "lint_handoff",
    "measure_call",
    "own_handoff",
    "pack",
    "preview",
    "silent",
    "stale_visible",
    "task_only",
    "turns_of",
    "uncut_texts",
    "verdict",
    "violations",
    "visibility",
    "xray",
]
