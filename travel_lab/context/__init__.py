"""What the model can see.

Reading order: facts (on values, prose, json_text, tables, sightings), handoff, packing, briefing, blocks, trimming, published,
digest, summary, strategy, visibility, measure, frame, plot.
"""

from travel_lab.context.blocks import blocks_of, turns_of
from travel_lab.context.briefing import Briefing, own_handoff, task_only
from travel_lab.context.digest import LookUp, PinnedDigest
from travel_lab.context.facts import Fact, bound_facts
from travel_lab.context.handoff import Handoff, Result, full_json, silent
from travel_lab.context.measure import CallMeasure, measure_call
from travel_lab.context.packing import Entry, pack
from travel_lab.context.published import PUBLISHED_BUDGET, AsPublished, Violation, violations
from travel_lab.context.strategy import Strategy
from travel_lab.context.summary import RollingSummary
from travel_lab.context.trimming import Everything, NewestWithin, NothingRemembered, Trimmed, Trimming, WholeTurns
from travel_lab.context.visibility import Score, Visibility, visibility

__all__ = [
    "PUBLISHED_BUDGET",
    "AsPublished",
    "Briefing",
    "CallMeasure",
    "Entry",
    "Everything",
    "Fact",
    "Handoff",
    "LookUp",
    "NewestWithin",
    "NothingRemembered",
    "PinnedDigest",
    "Result",
    "RollingSummary",
    "Score",
    "Strategy",
    "Trimmed",
    "Trimming",
    "Violation",
    "Visibility",
    "WholeTurns",
    "blocks_of",
    "bound_facts",
    "full_json",
    "measure_call",
    "own_handoff",
    "pack",
    "silent",
    "task_only",
    "turns_of",
    "violations",
    "visibility",
]
