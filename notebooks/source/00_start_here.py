# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 00 Start here: what can the model see?
#
# A travel planner with five agents plans a trip, shows it to the traveller, and one message later asks *"which hotel did
# you mean?"*. In this lesson you will see
#
# - a plan made by the planner, offline and without a key;
# - the state it leaves behind, and which part of it a model is ever shown;
# - the exact messages of the next model call, and the gap in them as a number;
# - what changes when agents hand their results over, and what that costs in tokens.

# %%
import matplotlib.pyplot as plt
import pandas as pd

import travel_lab.notebook as tl

pd.set_option("display.max_colwidth", 48)

# %% [markdown]
# ## Plan a trip
#
# A lab keeps every step of its sessions in one SQLite file; without a path the file is temporary. The strategy says what
# agents write into the conversation about their results. We start with `silent`: nothing.

# %%
lab = tl.Lab.open()
session = lab.session("start-silent", strategy="silent")
turn = session.send("帮我规划成都3天旅行，预算5000")
print(turn.card)

# %% [markdown]
# The supervisor called four agents, which ran side by side; an aggregator merged their results into this card.

# %%
turn.agents

# %% [markdown]
# ## Look at the state
#
# Each agent's result is a field of the state. Only the field `messages` is ever shown to a model.

# %%
tl.state_frame(session.state())

# %% [markdown]
# ## Ask for a change
#
# Will the planner find a cheaper hotel for the second night? Make a guess before you run the cell.

# %%
change = session.send("把第二天的酒店换成便宜点的")
print(change.reply)

# %% [markdown]
# It asks which hotel we mean, right after showing it. This is what the supervisor was shown, message by message:

# %%
tl.view_frame(change.call("supervisor").view)

# %% [markdown]
# No hotel in it. The card went to the traveller, not into the conversation.
#
# ## See the gap as a number
#
# A *fact* is a small, checkable part of a result: this hotel costs 760, night 2 is in that hotel. A view *binds* a fact when its
# parts stand together. *Completeness* is the share of the facts an answer needs that the view binds.

# %%
silent = change.measure("supervisor")
silent.produced, silent.bound, silent.completeness.value

# %% [markdown]
# Every score comes with its reason:

# %%
silent.completeness.reason

# %% [markdown]
# ## Switch the handoff
#
# The same two messages under each strategy. A name reads *handoff/briefing*: what agents write about their results, and whether a
# specialist's own call gets its latest handoff (`own`) or its task only (`task`).


# %%
def follow_up(strategy):
    """The second turn of the same conversation."""
    session = lab.session(f"start-{strategy}", strategy=strategy)
    session.send("帮我规划成都3天旅行，预算5000")
    return session.send("把第二天的酒店换成便宜点的")


turns = {strategy: follow_up(strategy) for strategy in tl.STRATEGIES if strategy != "silent"} | {"silent": change}

# %%
agents = ("supervisor", "hotel")
measures = tl.measures_frame(turns[strategy].measure(agent) for strategy in tl.STRATEGIES for agent in agents)
measures

# %% [markdown]
# With the article's summary the supervisor sees enough to call the hotel agent. Whether the hotel agent knows what to change
# depends on its briefing: with the task alone it has a list of offers, but nobody told it where night 2 is spent. `in chat`
# counts what came through the conversation; the rest of `bound` stands in the agent's own list of offers.

# %%
fig, ax = plt.subplots(figsize=(8, 3.4), layout="constrained")
axes = tl.plot_completeness(measures, ax=ax)

# %% [markdown]
# One fact is missing from the hotel agent's view under `summary/task`:

# %%
seen = turns["summary/task"].visibility("hotel")
facts = tl.facts_frame(seen)
facts[facts["kind"] == "hotel night"]

# %% [markdown]
# And the replies:

# %%
for strategy in tl.STRATEGIES:
    print(f"{strategy:12}  {turns[strategy].reply.splitlines()[-1]}")

# %% [markdown]
# ## Every step is kept
#
# The session's checkpoints, oldest first: one a *superstep*, not one an agent. The four agents of turn 1 share a step.

# %%
chain = tl.chain_frame(lab.session("start-summary/own").chain())
chain[["position", "step", "parent", "source", "nodes"]]

# %% [markdown]
# ## What you saw
#
# - The planner answered and kept everything in its state, yet its model could see none of it: completeness 0.
# - A summary in `messages` closes the gap for the supervisor, at about twice the tokens; the specialist needs a briefing as well.
# - The full JSON closes it for both and costs the most.

# %%
by_call = measures.set_index(["strategy", "agent"])
assert by_call.loc[("silent", "supervisor"), "completeness"] == 0
assert by_call.loc[("summary/task", "hotel"), "completeness"] < by_call.loc[("summary/own", "hotel"), "completeness"]
assert by_call.loc[("full/own", "supervisor"), "completeness"] == by_call.loc[("full/own", "hotel"), "completeness"] == 1

# %%
lab.close()
