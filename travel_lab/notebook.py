"""One door for notebooks: `import travel_lab.notebook as tl`.

Index
    tl.Lab.open()                       a lab on a temporary file, or on the path you give
    lab.session(strategy="silent")      a conversation; session.send("...") plays a turn
    turn.card, turn.reply, turn.agents  what the traveller got and who worked
    turn.call("supervisor").view        the exact messages a model call received
    turn.measure("hotel")               what that call could see, as numbers with their reasons

    tl.STRATEGIES, tl.Strategy          how results travel to later calls: handoff × trimming × briefing
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
    tl.plot_completeness(frame)         a picture of the measures
"""

from travel_lab.catalogue import CuratedProvider
from travel_lab.catalogue.frame import places_frame
from travel_lab.checkpoints import CompactSaver, inflate, shrink, survey
from travel_lab.checkpoints.frame import chain_frame
from travel_lab.context import (
    Everything,
    Fact,
    NewestWithin,
    Strategy,
    bound_facts,
    full_json,
    own_handoff,
    silent,
    task_only,
    visibility,
)
from travel_lab.context.frame import facts_frame, measures_frame, view_frame
from travel_lab.context.plot import plot_completeness
from travel_lab.lab import Lab
from travel_lab.planner import STRATEGIES, article_summary, facts_of, needs, offline_model
from travel_lab.planner.frame import state_frame

__all__ = [
    "STRATEGIES",
    "CompactSaver",
    "CuratedProvider",
    "Everything",
    "Fact",
    "Lab",
    "NewestWithin",
    "Strategy",
    "article_summary",
    "bound_facts",
    "chain_frame",
    "facts_frame",
    "facts_of",
    "full_json",
    "inflate",
    "measures_frame",
    "needs",
    "offline_model",
    "own_handoff",
    "places_frame",
    "plot_completeness",
    "shrink",
    "silent",
    "state_frame",
    "survey",
    "task_only",
    "view_frame",
    "visibility",
]
