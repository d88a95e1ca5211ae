# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 07 Measure it: cases, probes, controls, intervals
#
# One follow-up in one conversation proves little. In this lesson you will see
#
# - a corpus of conversations, and probes whose right answers are known;
# - completeness of eight strategies between two controls, with the tokens they cost;
# - intervals that respect that probes of one conversation are not independent;
# - which kinds of question a good strategy still fails, and how to look at one of them;
# - what is *not* measured when there is no model to read the views.

# %%
from dataclasses import replace

import travel_lab.notebook as tl

cases = [case for language in ("zh", "en") for case in tl.read_cases(tl.data_path(f"cases/{language}.jsonl"))]
held_out = [case for case in cases if case.split == "held_out"]
print(len(cases), "conversations,", sum(len(case.probes) for case in cases), "probes,", len(held_out), "conversations held out")

# %% [markdown]
# A **probe** is a question, the facts its answer must rest on, and the right answers. Its facts were drawn by seed from
# everything the agents produced, before any strategy was looked at.

# %%
case = held_out[0]
for probe in case.probes[:4]:
    print(f"after turn {probe.after}, {probe.kind}: {probe.words}")
    print("   needs", "; ".join(map(str, probe.needed)) or "nothing: it was never given", "→", probe.gold)

# %% [markdown]
# ## Run
#
# Every conversation is played **once**, by a supervisor that reads everything, and its results are fixed. A strategy then only
# changes what the probe's call would be shown. *Nothing* and *full* are the controls. Before you run it: which of the others
# will be best, and at what price?

# %%
known = {**tl.STRATEGIES, **tl.MORE_STRATEGIES}
strategies = [known[name] for name in ("nothing", "silent", "article", "summary/own", "packed", "digest", "look-up")]
strategies.append(replace(known["full/own"], name="full"))
app, sample = tl.PlannerApp(), held_out[::4]
evaluation = tl.evaluate(app, sample, strategies)
print(len(evaluation.rows), "cells,", len(evaluation.failures), "failures")

# %%
frontier = tl.frontier_frame(evaluation)
frontier.round(2)

# %%
axes = tl.plot_frontier(frontier)

# %% [markdown]
# `packed` says all that `full` says for about half the tokens. `digest` stays far below that however long the conversation, and
# pays for it somewhere; we will find out where.
#
# ## Intervals
#
# Probes of one conversation share its results. The interval draws conversations first, then probes within them. A difference is
# called one only when its interval excludes zero.

# %%
tl.differences_frame(evaluation, "article").round(2)

# %% [markdown]
# The same mean can rest on much or on little:

# %%
four = {str(n): [float(n % 2)] * 10 for n in range(4)}
forty = {str(n): [float(n % 2)] for n in range(40)}
print("40 probes in  4 conversations", tl.interval(four, seed=1))
print("40 probes in 40 conversations", tl.interval(forty, seed=1))

# %% [markdown]
# ## By kind
#
# A mean hides what it is made of. Which column has a hole?

# %%
kinds = tl.kinds_frame(evaluation)
axes = tl.plot_kinds(kinds)

# %% [markdown]
# The digest pins each agent's *latest* result. What was there before the latest change is gone, so *undo* fails. `never given`
# has no completeness at all: no fact is needed, and a dash is not a zero.

# %%
tl.worst_frame(evaluation, "digest", most=4)

# %% [markdown]
# To open one: its question, what it needs, and the very view that lacks it.

# %%
browser = tl.EvaluationBrowser(evaluation, app, sample, strategies)
browser.strategy.value = "digest"
browser

# %% [markdown]
# ## A budget
#
# Four handoffs, the newest messages that fit, six budgets.

# %%
HANDOFFS = {"silent", "summary/own", "packed", "full"}
swept = [replace(one, trimming=tl.NewestWithin()) for one in strategies if one.name in HANDOFFS]
sweep = tl.frontier_frame(tl.evaluate(app, sample[:8], swept, budgets=(100, 200, 400, 800, 1600, 3200)))
axes = tl.plot_sweep(sweep)

# %% [markdown]
# ## Is it answered?
#
# A fact that is bound in the view *can* be used. Whether a model uses it is another question, which only a real model answers.
# Without a reader the table of answers is empty: *not measured*.

# %%
tl.answers_frame(evaluation)

# %% [markdown]
# The offline model may read, but only as a check of the instrument: what it answers must rise with what it is shown. Its
# figures stay out of every conclusion, and the column `use` says so.

# %%
reader = tl.reader_of(tl.offline_model(), "offline", "check of the instrument")
read = tl.evaluate(app, sample[:4], [one for one in strategies if one.name in {"nothing", "article", "packed"}], readers=[reader])
tl.answers_frame(read).round(2)

# %% [markdown]
# ## Public dialogues
#
# Our corpus was made by us. The same instrument reads CrossWOZ and SGD: a value that a later reply informs, bound to its entity
# in an earlier result. The data is not shipped; `travel-lab corpora` says where to get it, and
# `python benchmarks/corpora_completeness.py CROSSWOZ SGD` prints the table of [docs/evaluation.md](../docs/evaluation.md).
#
# ## Check yourself
#
# Three numbers that must come out the same on every machine.

# %%
means = frontier.set_index("strategy")["completeness"].round(2)
assert means["packed"] == means["full"] == 1.0
assert kinds.loc["undo", "digest"] < 0.2 < kinds.loc["undo", "article"]
assert frontier.set_index("strategy").loc["packed", "tokens"] < 0.6 * frontier.set_index("strategy").loc["full", "tokens"]

# %% [markdown]
# ## What you saw
#
# - The article's summary carries a little over half of what follow-ups need; the packed handoff all of it at half of full's
#   tokens.
# - Intervals come from resampling conversations; forty probes in four conversations know little.
# - The digest is cheap and loses the past: a mean of 0.9 hid a kind at zero.
# - Presence in the view is not an answer. Who has a model can measure that as well, with `readers=[...]`.
