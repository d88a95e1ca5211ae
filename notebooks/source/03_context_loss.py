# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 03 Context loss: who forgot the hotel?
#
# In this lesson you will see
#
# - three stages of the same app: nothing remembered, the user's words only, results too;
# - the exact view of the supervisor and of the hotel agent at each stage, and the facts in it;
# - an X-ray: every fact in every turn, visible or lost, and *where* it was lost;
# - why the article's cure helps the supervisor and not the hotel agent.

# %%
import matplotlib.pyplot as plt
import pandas as pd

import travel_lab.notebook as tl

pd.set_option("display.max_colwidth", 60)
lab = tl.Lab.open()

# %% [markdown]
# ## Three stages
#
# `nothing`: the app keeps no message at all. `silent`: it keeps what was said, agents hand nothing over. `article`: agents
# write the article's summary. We play the same three messages under each, and two more strategies for later.

# %%
SAID = ("帮我规划成都5天旅行，预算9000", "把第二天的酒店换成便宜点的", "第二天去哪些地方？")


def play(strategy):
    session = lab.session(f"loss-{strategy}", strategy=strategy)
    return [session.send(text) for text in SAID]


turns = {strategy: play(strategy) for strategy in ("nothing", "silent", "article", "packed", "digest")}

# %% [markdown]
# Before you run the next cell: under which strategies will the planner know which hotel you mean in turn 2?

# %%
for strategy, played in turns.items():
    print(f"{strategy:8}  {played[1].reply.splitlines()[-1]}")

# %% [markdown]
# Three ask back, each for another reason. Look at what the supervisor was shown in turn 2, stage by stage.

# %%
tl.view_frame(turns["nothing"][1].call("supervisor").view)

# %% [markdown]
# Not even the first message is there. With `silent` the words are, the results are not:

# %%
tl.view_frame(turns["silent"][1].call("supervisor").view)

# %% [markdown]
# And with the article's summaries, each under its agent's name:

# %%
tl.view_frame(turns["article"][1].call("supervisor").view)

# %% [markdown]
# ## Before and after, as numbers
#
# `need` counts the facts an answer must rest on, `met` those the view binds. A call that was not made is *not measured*, which
# is not zero.

# %%
measures = tl.measures_frame(played[1].measure(agent) for played in turns.values() for agent in ("supervisor", "hotel"))
measures[["strategy", "agent", "facts", "bound", "need", "met", "completeness", "tokens"]]

# %%
axes = tl.plot_completeness(measures)

# %% [markdown]
# The article's cure works for the supervisor. The hotel agent, asked for something cheaper, still misses one fact:

# %%
print(turns["article"][1].measure("hotel").completeness.reason)

# %% [markdown]
# ## The other kinds of result
#
# Completeness asks about one question. *Visibility* asks about everything that was produced, by kind of fact; *asymmetry* about
# what the traveller was shown and the model cannot see.

# %%
ray = tl.xray("supervisor", [turn.moment("supervisor", tl.article_text) for turn in turns["article"]])
scores = tl.scores_frame(ray, {turn.number: turn.shown for turn in turns["article"]})
scores[scores["turn"] == 2].drop(columns=["turn", "call of", "stale"])

# %% [markdown]
# Every meal and every sight's day is there, no ticket, no start, no restaurant's price, and nothing at all of the culture
# guide. The same for what the traveller saw on the card:

# %%
for strategy in ("silent", "article"):
    turn = turns[strategy][1]
    print(f"{strategy:8}", tl.asymmetry(turn.call("supervisor").view, turn.shown).reason)

# %% [markdown]
# ## The X-ray
#
# One row a fact, one column a turn. Before you look: where will most of the facts be lost under the article's summary?

# %%
axes = tl.plot_xray(tl.xray_frame(ray))

# %% [markdown]
# They were *not written*: the handoff never said them, so no trimming and no budget can bring them back. The hotel agent's
# X-ray under the same strategy shows another place of loss:

# %%
hotel_ray = tl.xray("hotel", [turn.moment("hotel", tl.article_text) for turn in turns["article"]])
tl.xray_frame(hotel_ray).query("turn == 2").groupby(["agent", "place"]).size().to_frame("facts")

# %% [markdown]
# Facts of other agents are *not selected*: its briefing does not hold them. In a picture its turn 3 would be grey: the agent
# made no call there, and nothing can be measured.
#
# ## The same with packed handoffs
#
# A packed handoff writes the result as a small table, the facts follow-ups ask for most first.

# %%
print(tl.Packed()("hotel", turns["packed"][1].results_before["hotel"]["data"], "zh"))

# %%
fig, axes = plt.subplots(1, 2, figsize=(13, 5.5), layout="constrained")
for ax, strategy in zip(axes, ("article", "packed"), strict=True):
    made = tl.xray("supervisor", [turn.moment("supervisor") for turn in turns[strategy]])
    tl.plot_xray(tl.xray_frame(made), ax=ax).set_title(strategy)

# %% [markdown]
# Under `packed` the hotel is really changed in turn 2, so some hotel facts of turn 1 are *superseded* in turn 3 and others new.
# Neither is a loss.
#
# ## What the linter says
#
# The linter compares a handoff with the result it is about.

# %%
data = turns["article"][1].results_before["food"]["data"]
food = [fact for fact in turns["article"][1].facts_before if fact.agent == "food"]
tl.findings_frame(tl.lint_handoff(tl.article_summary("food", data, "zh"), food)).head(3)

# %% [markdown]
# ## What you saw
#
# - Nothing remembered and silent: completeness 0 for the supervisor, and the hotel agent is not even called.
# - The article's summary: 1.00 for the supervisor, less for the hotel agent, which does not see who sleeps where.
# - The X-ray tells the places of loss apart: not written, not selected, superseded; grey is not measured.

# %%
met = measures.set_index(["strategy", "agent"])["completeness"]
assert met["nothing", "supervisor"] == met["silent", "supervisor"] == 0
assert met["article", "supervisor"] == 1 > met["article", "hotel"]
assert met["packed", "hotel"] == met["digest", "hotel"] == 1
assert (scores[scores["kind"] == "culture"]["visibility"] == 0).all()

# %%
lab.close()
