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
    tl.places_frame(places)             hotels, sights or restaurants of the catalogue
    tl.state_frame(session.state())     the fields of the state and how big they are
    tl.plot_completeness(frame)         a picture of the measures

    tl.connect("deepseek"), tl.ENDPOINTS, tl.Endpoint   a real model: Lab.open(model=tl.connect("deepseek"))
    tl.RetryPolicy(seed=1), tl.VirtualTime().clock()    Lab.open(retry=..., clock=...): retries, and waits that take no time
    tl.Fault, tl.Schedule, tl.FaultyModel, tl.ModelServer  faults on schedule, inside the process or over HTTP
    tl.Cassette, tl.RecordingModel, tl.ReplayModel      recordings of model calls, played without a network
    tl.counter("estimate")              a token counter by name

    tl.retry_frame(turn), tl.plot_attempts(frame)       attempts, waits and outcomes per agent, and their timeline
    tl.format_frame(calls)              how many answers kept the form asked for, without and with history
    tl.calls_frame(calls)               tokens counted here beside those the service reports
    tl.try_faults([...]), tl.trials_frame(trials)       requests a fault costs under a policy, counted by a server
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
    diagnose,
)
from travel_lab.chat_models.endpoint import ENDPOINTS, Endpoint, connect
from travel_lab.checkpoints.frame import chain_frame
from travel_lab.clock import VirtualTime
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
from travel_lab.planner.frame import calls_frame, format_frame, retry_frame, state_frame, trials_frame
from travel_lab.planner.plot import plot_attempts
from travel_lab.planner.trials import FAULTS, POLICIES, try_faults
from travel_lab.retry import RetryPolicy
from travel_lab.tokens import counter

__all__ = [
    "ENDPOINTS",
    "FAULTS",
    "POLICIES",
    "STRATEGIES",
    "Cassette",
    "CuratedProvider",
    "Endpoint",
    "Everything",
    "Fact",
    "Fault",
    "FaultyModel",
    "Lab",
    "ModelServer",
    "NewestWithin",
    "RecordingModel",
    "ReplayModel",
    "RetryPolicy",
    "Schedule",
    "Strategy",
    "VirtualTime",
    "article_summary",
    "bound_facts",
    "calls_frame",
    "chain_frame",
    "connect",
    "counter",
    "diagnose",
    "facts_frame",
    "facts_of",
    "format_frame",
    "full_json",
    "measures_frame",
    "needs",
    "offline_model",
    "own_handoff",
    "places_frame",
    "plot_attempts",
    "plot_completeness",
    "retry_frame",
    "silent",
    "state_frame",
    "task_only",
    "trials_frame",
    "try_faults",
    "view_frame",
    "visibility",
]
