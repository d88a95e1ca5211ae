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
    tl.chain_frame(session.chain())     the checkpoints of a session; tl.plot_chain draws them
    tl.CheckpointFile.open("lab.db")    any checkpoint file, read-only: sessions, chains, steps, X-rays of turns
    tl.steps_frame(file.page(chain, -1, 50))  messages and bytes of opened steps; tl.plot_growth draws them
    tl.xray_frame(file.xray(chain, 1))  who ran in each superstep of a turn and what each wrote
    tl.diff_frame(tl.diff(a.values, b.values))  what differs between two opened steps
    tl.sizes_frame(tl.channel_sizes(file.connection, "s"))  where the bytes of a session go
    tl.plan_pruning, tl.prune, tl.vacuum, tl.export   keep the last steps, give space back, copy whole
    tl.CheckpointExplorer("lab.db")     all of it as a widget
    tl.places_frame(places)             hotels, sights or restaurants of the catalogue
    tl.state_frame(session.state())     the fields of the state and how big they are
    tl.plot_completeness(frame)         a picture of the measures
"""

from travel_lab.catalogue import CuratedProvider
from travel_lab.catalogue.frame import places_frame
from travel_lab.checkpoints import CheckpointFile, channel_sizes, diff, export, plan_pruning, prune, vacuum
from travel_lab.checkpoints.explorer import CheckpointExplorer
from travel_lab.checkpoints.frame import chain_frame, diff_frame, sizes_frame, steps_frame, xray_frame
from travel_lab.checkpoints.plot import plot_chain, plot_growth
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
    "CheckpointExplorer",
    "CheckpointFile",
    "CuratedProvider",
    "Everything",
    "Fact",
    "Lab",
    "NewestWithin",
    "Strategy",
    "article_summary",
    "bound_facts",
    "chain_frame",
    "channel_sizes",
    "diff",
    "diff_frame",
    "export",
    "facts_frame",
    "facts_of",
    "full_json",
    "measures_frame",
    "needs",
    "offline_model",
    "own_handoff",
    "places_frame",
    "plan_pruning",
    "plot_chain",
    "plot_completeness",
    "plot_growth",
    "prune",
    "silent",
    "sizes_frame",
    "state_frame",
    "steps_frame",
    "task_only",
    "vacuum",
    "view_frame",
    "visibility",
    "xray_frame",
]
