"""What the model can see.

Reading order: facts (on values, prose, json_text, tables, sightings), handoff, briefing, trimming, strategy, visibility,
measure, frame, plot.
"""

from travel_lab.context.briefing import Briefing, own_handoff, task_only
from travel_lab.context.facts import Fact, bound_facts
from travel_lab.context.handoff import Handoff, Result, full_json, silent
from travel_lab.context.measure import CallMeasure, measure_call
from travel_lab.context.strategy import Strategy
from travel_lab.context.trimming import Everything, NewestWithin, Trimmed, Trimming
from travel_lab.context.visibility import Score, Visibility, visibility

__all__ = [
    "Briefing",
    "CallMeasure",
    "Everything",
    "Fact",
    "Handoff",
    "NewestWithin",
    "Result",
    "Score",
    "Strategy",
    "Trimmed",
    "Trimming",
    "Visibility",
    "bound_facts",
    "full_json",
    "measure_call",
    "own_handoff",
    "silent",
    "task_only",
    "visibility",
]
