# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 02 Checkpoint chains: every step visible
#
# LangGraph saves the state while a graph runs. Articles say it saves "after each node", that blank inputs are ignored, and that a
# resumed run starts over. In this lesson you will see
#
# - what a turn leaves behind: one checkpoint a *superstep*, not one a node;
# - what each task wrote, before the writes were merged;
# - a session that branches, as a tree, and the difference between two of its ends;
# - an agent that fails, what survives, and what runs when the turn is resumed;
# - what a blank input does to a saved field;
# - where the bytes go, and how to get them back.

# %%
import operator
import random
import tempfile
from pathlib import Path
from typing import Annotated, TypedDict

import pandas as pd
from langgraph.graph import START, StateGraph

import travel_lab.notebook as tl
from travel_lab.errors import AgentFailed, UnfinishedTurn

pd.set_option("display.max_colwidth", 60)
path = Path(tempfile.mkdtemp()) / "lesson.db"
random.seed(2)  # LangGraph's version numbers have random digits; now everybody sees the same number of bytes

# %% [markdown]
# ## One turn
#
# The planner has six nodes in this turn: supervisor, four specialists side by side, aggregator. *Prediction: how many checkpoints
# will one turn leave? Write your number down.*

# %%
lab = tl.Lab.open(path)
session = lab.session("chengdu")
turn = session.send("帮我规划成都3天旅行，预算5000")
chain = session.chain()
tl.chain_frame(chain)[["position", "step", "source", "nodes", "keys"]]

# %% [markdown]
# Five. The input is one, taking it up is one, and then one for each superstep; the four specialists share a step. The stored
# metadata holds no node name: who ran is read from the table `writes`, where each task left what it returned.
#
# ## X-ray of the turn
#
# Superstep by superstep: the tasks in plan order, and the fields each of them wrote.

# %%
file = tl.CheckpointFile.open(path)
xray = file.xray(chain, 1)
tl.turn_xray_frame(xray)

# %% [markdown]
# Four tasks of step 2 wrote `messages`, and none of them knew of the others. The merge of that step changed these leaves of the
# state:

# %%
tl.diff_frame(xray[2].merged)[["kind", "path"]]

# %% [markdown]
# ## A branch
#
# A chain is a tree. We go back to the step before the aggregator and answer by hand in its place; nothing is overwritten.

# %%
early = chain.at(3)
config = {"configurable": {"thread_id": "chengdu", "checkpoint_ns": "", "checkpoint_id": early.checkpoint_id}}
session.graph.update_state(config, {"reply": "by hand"}, as_node="aggregator")
branched = file.chain("chengdu")
tl.chain_frame(branched)[["position", "step", "parent", "branch", "in branch", "source"]]

# %% [markdown]
# The new step is a child of position 3, beside the old end.

# %%
axes = tl.plot_chain(tl.chain_frame(branched))

# %% [markdown]
# Both ends are whole states. What differs between them, leaf by leaf:

# %%
old, new = file.step(branched, branched.at(4)), file.step(branched, branched.at(5))
differences = tl.diff_frame(tl.diff(old.values, new.values))
differences[["kind", "path"]]

# %% [markdown]
# ## A failure
#
# Now the model gives the info agent no answer. *Prediction: when the turn is resumed, how many of the four specialists will
# call the model again?*


# %%
def info_is_down(messages):
    if "info agent" in messages[0].content:
        raise ValueError("the model is down")
    return tl.offline_model().rules(messages)


broken = tl.Lab.open(path, model=tl.offline_model().model_copy(update={"rules": info_is_down}))
try:
    broken.session("xian").send("帮我规划西安2天旅行")
except AgentFailed as error:
    print(f"{type(error).__name__}: {error}")

# %% [markdown]
# The turn has no answer, but it left something behind. The last rows are the superstep that was cut off:

# %%
stopped = file.chain("xian")
tl.turn_xray_frame(file.xray(stopped, 1))

# %% [markdown]
# Three specialists are done, and their writes are stored although the step they belong to is not. Sent again, the same message
# would throw them away, so it is refused:

# %%
try:
    lab.session("xian").send("帮我规划西安2天旅行")
except UnfinishedTurn as error:
    print(f"{type(error).__name__}: {error}")

# %% [markdown]
# `resume` runs what is missing and nothing else. The lab below has a model that works.

# %%
resumed = lab.session("xian").resume()
resumed.agents

# %% [markdown]
# One call. The record keeps the failure beside the result:

# %%
tl.turn_xray_frame(file.xray(file.chain("xian"), 1)).query("node == 'info'")

# %% [markdown]
# ## Blank inputs
#
# "Fields that the input leaves blank keep their value" is a promise of our planner's merge rules, not of LangGraph. A plain
# field:


# %%
class Trip(TypedDict, total=False):
    """A plain state."""

    city: str
    days: int
    log: Annotated[list[str], operator.add]


plain = StateGraph(Trip).add_node("plan", lambda trip: {"log": [trip["city"]]}).add_edge(START, "plan")
graph = plain.compile(checkpointer=session.store.saver)

# %%
there = {"configurable": {"thread_id": "plain"}}
graph.invoke({"city": "成都", "days": 3}, there)
after_blank = graph.invoke({"city": "", "days": 0}, there)
after_blank

# %% [markdown]
# Both saved values are gone: `""` and `0` count as said. What is left out stays; that is why a session puts only the
# traveller's words into the graph.
#
# ## Where the bytes go
#
# Every checkpoint stands for the whole state, and LangGraph's own saver stores it whole. Ten short turns, in its bytes:

# %%
long = lab.session("long")
for number in range(10):
    long.send(f"hello {number}")
steps = tl.steps_frame(file.page(file.chain("long"), -1, 100))
axes = tl.plot_growth(steps)

# %% [markdown]
# Each step is a little larger than the one before, so such a file grows with the square of the turns. The lab's own file does
# not: its saver stores each message and large value once. The same steps written by LangGraph's saver take at least half as
# much again, and more with every turn:

# %%
stock = tl.inflate(path, path.with_name("stock.db"))
larger = stock.bytes_after > 1.5 * stock.bytes_before
larger

# %% [markdown]
# By channel, for the planned trip, again in LangGraph's bytes:

# %%
sizes = tl.sizes_frame(tl.channel_sizes(file.connection, "chengdu"))
sizes.head(6)

# %% [markdown]
# Old steps can go. Pruning keeps the last ones, every branch point and every paused step; the dry run says what would happen.

# %%
plan = tl.prune(path, "long", 5, dry_run=True)
len(plan.kept), len(plan.dropped)

# %% [markdown]
# ## Look around
#
# The explorer shows all of this for any LangGraph SQLite file, also a stranger's: it is opened read-only, and nothing stored in
# it is executed.

# %%
explorer = tl.CheckpointExplorer(path, "xian")
explorer

# %% [markdown]
# ## What the articles claim, and what happened
#
# | claim | what you saw |
# |---|---|
# | a checkpoint after each node | one a superstep: six nodes, five checkpoints, one of them for the input |
# | the checkpoint's metadata says which node ran | it does not; the `writes` table does |
# | blank input fields keep the saved value | `""` and `0` overwrite; only what is left out stays |
# | after a failure the turn starts over | finished siblings are stored; `resume` made one model call |
# | a session is a line | it is a tree; every end is a whole state |
# | checkpoints are small | LangGraph stores the whole state again each time; the lab stores only what is new |
#
# ## What you saw
#
# - A turn left five checkpoints, one a superstep.
# - Four tasks wrote `messages` in one step, merged in plan order.
# - A change at an old step opened a second branch, and nothing was lost.
# - One of four specialists failed, and the resume ran that one only.
# - A blank input overwrote two saved fields.
# - Messages and the card take most of LangGraph's bytes; stored once they take less, and pruning drops whole steps.

# %%
assert len(chain.steps) == 5
assert [entry.task.node for entry in xray[2].tasks] == ["route", "hotel", "food", "info"]
assert branched.branches == 2
assert resumed.agents == ("info",)
assert (after_blank["city"], after_blank["days"]) == ("", 0)
assert (len(plan.kept), len(plan.dropped)) == (5, 35)
assert larger

# %%
file.close()
broken.close()
lab.close()
