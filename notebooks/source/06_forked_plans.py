# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 06 Forked plans: two versions, one history each
#
# A traveller confirms, chooses a route, and then wants to see another version without losing the first. You will see
#
# - two gates, at which the plan waits for an answer;
# - three route options that differ in kind;
# - a fork: a new session from the old requirements, the old one untouched;
# - four simpler designs, and what each of them loses;
# - both plans side by side.

# %%
import pandas as pd

import travel_lab.notebook as tl
from travel_lab.errors import NotActive
from travel_lab.itinerary import card_lines
from travel_lab.lessons.forks import REJECTED

pd.set_option("display.max_colwidth", 80)

# %% [markdown]
# ## Two gates
#
# A trip runs to its first gate and waits there, also when the process ends.

# %%
lab = tl.Lab.open()
trip = lab.start_trip("帮我规划悉尼和圣灵群岛8天，预算20000")
print(trip.gate().question)

# %% [markdown]
# `确认` confirms. How many model calls will the options cost? Decide before you look.

# %%
confirmed = trip.say("确认")
options = pd.DataFrame(trip.gate().options)
print(confirmed.kind, "|", len(confirmed.turn.calls), "model calls")
options[["route_id", "kind", "name", "days", "cost", "currency", "why"]]

# %% [markdown]
# None: the options are computed, at middle prices; a plan may take better hotels while the budget allows. The first option stays
# with what was asked for, Sydney and the islands of the east coast.

# %%
chosen = trip.select("R1")
print(chosen.said)
print("\n".join(chosen.turn.card.splitlines()[:8]))

# %% [markdown]
# ## A fork
#
# "Could we see a Melbourne version as well? I want to keep this one." These words are read as a fork; `改成墨尔本` would change
# the plan in place. Is the parent's chain longer afterwards?

# %%
parent = trip.active
before = len(parent.chain().steps)
forked = trip.say("能不能也看看墨尔本版本？悉尼这套我想留着")
print(forked.kind, "|", trip.gate().question)
grown = len(parent.chain().steps) - before
grown

# %%
trip.confirm()
finished = trip.select("R1")
print(finished.said)

# %% [markdown]
# The tree of the trip: the parent keeps its plan, the child carries its own, and only the child can be written to.

# %%
places = {one.session_id: f"S{at}" for at, one in enumerate(trip.sessions())}
tree = pd.DataFrame(
    [
        {
            "session": places[one.session_id],
            "parent": places.get(one.parent_session_id, ""),
            "reason": one.fork_reason,
            "active": one.session_id == trip.record.active_session_id,
            "stage": trip.session(one.session_id).state()["stage"],
        }
        for one in trip.sessions()
    ]
)
tree

# %%
try:
    parent.send("换便宜点的酒店")
except NotActive as error:
    print(type(error).__name__)

# %% [markdown]
# ## Four simpler designs
#
# Each runs on a small LangGraph app. What is asked of it, and what is there afterwards?

# %%
losses = [design() for design in REJECTED]
pd.DataFrame([vars(loss) for loss in losses])

# %% [markdown]
# ## Side by side

# %%
states = {places[one.session_id]: trip.session(one.session_id).state() for one in trip.sessions()}
plans = [tl.Plan(name=name, itinerary=state["itinerary"], requirements=state["requirements"]) for name, state in states.items()]
comparison = tl.compare(plans, currency="AUD")
tl.comparison_frame(comparison)

# %%
figure = tl.plot_comparison(tl.comparison_frame(comparison))

# %%
figure = tl.plot_maps(tl.stops_frame(comparison))

# %% [markdown]
# What differs on the first day:

# %%
changes = tl.plan_diff_frame(tl.plan_diff(plans[0].itinerary, plans[1].itinerary, tl.CuratedProvider()))
changes[changes["day"] == 1].head(8)

# %% [markdown]
# The board shows the tree; a click on a session shows its plan.

# %%
cards = {
    one.session_id: "\n".join(card_lines(trip.session(one.session_id).state()["itinerary"], "zh")) for one in trip.sessions()
}
board = tl.ForkBoard(trip.sessions(), active=trip.record.active_session_id, cards=cards)
board

# %% [markdown]
# ## What you saw
#
# - A gate holds the plan until somebody answers; its options cost no model call.
# - A fork copies the requirements and no checkpoint; the parent's chain does not grow by a step.
# - Each simpler design loses something a traveller would miss.
# - Two plans are compared measure by measure and slot by slot.

# %%
assert len(options) == 3
assert grown == 0
assert len(losses) == 4
assert tree["active"].tolist() == [False, True]
lab.close()
