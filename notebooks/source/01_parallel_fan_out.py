# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 01 Parallel fan-out: who works when, and who writes what
#
# One supervisor, four specialists at the same time, one aggregator. You will see
#
# - a timeline of the agents, and what running side by side buys;
# - which agent writes which field, and what happens when two write the same one;
# - in which order messages end up, whoever finishes first;
# - what a shared object does, and why every agent gets its own copy;
# - one agent failing while the others finish, and a resume that runs only what failed.

# %%
import pandas as pd

import travel_lab.notebook as tl
from travel_lab.lessons import nested_edit, two_writers

pd.set_option("display.max_colwidth", 60)

# %% [markdown]
# ## Four agents, four speeds
#
# The offline model answers at once. Here it takes as long as a real one would: 2 s for the hotel agent, 4 for the route agent,
# and so on. The clock is virtual, so nobody waits.

# %%
SECONDS = {"route agent": 4.0, "hotel agent": 2.0, "food agent": 3.0, "info agent": 1.0}
clock = tl.VirtualTime().clock()
model = tl.SlowModel(model=tl.offline_model(), seconds=SECONDS, sleep=clock.sleep)
lab = tl.Lab.open(model=model, clock=clock)
turn = lab.session("fan-out").send("帮我规划成都3天旅行，预算5000")

# %% [markdown]
# How long does the turn take: 10 seconds, 4, or something between? Decide before you look.

# %%
timeline = tl.timeline_frame(turn)
timeline

# %%
axes = tl.plot_timeline(timeline)

# %% [markdown]
# One after the other the four would take as long as their sum; side by side the slowest decides.

# %%
at_work = timeline[timeline["agent"].isin(["route", "hotel", "food", "info"])]
one_after_the_other = int(at_work["seconds"].sum())
side_by_side = int(at_work["ended"].max() - at_work["began"].min())
one_after_the_other, side_by_side

# %% [markdown]
# ## Who writes what
#
# LangGraph stores one checkpoint a superstep and, beside it, what each task wrote. The four share a superstep.

# %%
chain = tl.chain_frame(lab.session("fan-out").chain())
chain[["position", "nodes", "keys"]]

# %% [markdown]
# Each `*_result` has one writer. `messages` has many: it has a merge rule, so their messages are joined. A field without a rule
# that two agents write would end the turn; here it is refused when the graph is built, with both names:

# %%
print(two_writers(["hotel", "food"], field="note"))

# %% [markdown]
# ## The order of the messages
#
# `info` was done first and `route` last. In which order do their messages stand?

# %%
[message.name or message.type for message in lab.session("fan-out").state()["messages"]]

# %% [markdown]
# In the order of the plan: LangGraph merges by the order of the `Send`s, not by who is quick. So two runs give the same history.
#
# ## A shared object
#
# The articles say that every branch gets a copy of the state. LangGraph hands the same object to all of them. One agent
# changes a nested value in place and writes nothing; what does a slower one see?

# %%
pd.Series(nested_edit(copies=False), name="budget").to_frame()

# %% [markdown]
# The other branch reads its neighbour's change, and the caller's own object is changed as well, although no node wrote anything.
# With a copy for each branch, as the planner does it:

# %%
pd.Series(nested_edit(copies=True), name="budget").to_frame()

# %% [markdown]
# ## One agent fails
#
# The info agent has no fallback. Its service answers four times with an error, which is all the retry policy allows; the others
# finish.

# %%
faults = tl.Schedule([tl.Fault(kind="server error", on="info agent", times=4)])
patient = tl.VirtualTime().clock()
broken = tl.FaultyModel(inner=tl.offline_model(), schedule=faults, sleep=patient.sleep)
second = tl.Lab.open(model=broken, clock=patient)
session = second.session("one-fails")
try:
    session.send("帮我规划成都3天旅行，预算5000")
except tl.AgentFailed as error:
    print(error)

# %% [markdown]
# How many model calls will `resume` make: five, or one?

# %%
resumed = session.resume()
resumed.agents

# %%
print(resumed.reply)
print(resumed.card)

# %% [markdown]
# ## What you saw
#
# - Side by side the slowest agent sets the time: 4 seconds instead of 10.
# - One writer a field; a merge rule where several write; messages in the order of the plan.
# - A shared object leaks between branches unless each gets a copy.
# - What was finished before a failure is kept, and a resume runs only the rest.

# %%
assert one_after_the_other == 10
assert side_by_side == 4
assert resumed.agents == ("info",)
lab.close()
second.close()
