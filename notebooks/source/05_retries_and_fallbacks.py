# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 05 Retries and fallbacks
#
# Model services are busy, slow, broken and sometimes wrong. In this lesson you will see
#
# - how many requests one call costs under each fault, counted by a server and not by the client;
# - how two layers that both retry turn "4 attempts" into 12 requests;
# - four agents that wait side by side: 7 seconds and not 28, played in no time;
# - what an agent leaves behind when all its attempts fail.

# %%
import contextlib

import matplotlib.pyplot as plt
import openai
import pandas as pd

import travel_lab.notebook as tl

pd.set_option("display.width", 120)
FIRST = "帮我规划成都3天旅行，预算5000"

# %% [markdown]
# ## The plan for waiting
#
# A policy says beforehand how long it may wait.

# %%
print(tl.RetryPolicy())

# %% [markdown]
# ## What each fault costs
#
# A server on this machine plays one fault for ever; a real client calls it once. Which faults deserve four requests, and which
# one? Make a guess before you run the cell.

# %%
faults = ["rate limit", "server error", "drop", "bad key", "no balance", "overflow deepseek", "empty"]
trials = tl.trials_frame(tl.try_faults(faults))
default = trials[trials["policy"] == "default"].set_index("fault")
default[["requests", "waited", "outcome", "trouble"]]

# %% [markdown]
# Busy, broken and unreachable services get four requests. A wrong key and an empty account get one: waiting does not help. A
# view that is too long is sent once more with half its history, and an empty answer is asked for once more, at once.
#
# ## Two layers that both retry
#
# The OpenAI client retries on its own: two more requests a call, unless it is told not to. A loop of four attempts around it
# looks innocent. How many requests reach the server?

# %%
server = tl.ModelServer(model=tl.offline_model(), schedule=tl.Schedule([tl.Fault(kind="rate limit", retry_after="0.01")]))
server.start()
client = openai.OpenAI(base_url=server.base_url, api_key="none", timeout=10)

# %%
for _ in range(4):
    with contextlib.suppress(openai.RateLimitError):
        client.chat.completions.create(model="offline", messages=[{"role": "user", "content": FIRST}])
multiplied = len(server.requests)
multiplied

# %% [markdown]
# Twelve. One place has to own retrying; `tl.connect` switches the client's own off.

# %%
client.close()
server.stop()
int(default.loc["rate limit", "requests"])

# %% [markdown]
# ## Four agents wait side by side
#
# Each of the four agents fails three times. On a virtual clock the waits pass at once; time moves on when every agent waits.


# %%
def lab_with(*faults, **policy):
    clock = tl.VirtualTime().clock()
    model = tl.FaultyModel(inner=tl.offline_model(), schedule=tl.Schedule(faults), sleep=clock.sleep, latency=0.5)
    return tl.Lab.open(model=model, clock=clock, retry=tl.RetryPolicy(**policy))


# %%
agents = ("route", "hotel", "food", "info")
lab = lab_with(*[tl.Fault(kind="rate limit", on=f"{agent} agent", times=3) for agent in agents], jitter=0.0)
together = tl.retry_frame(lab.session("together").send(FIRST))
together.groupby("agent")[["wait"]].sum().assign(ended=together.groupby("agent")["ended"].max())

# %% [markdown]
# The waits add up to 28 seconds; the turn took 9.5: half a second for the supervisor, then four calls of half a second with 1, 2
# and 4 seconds between them.

# %%
fig, ax = plt.subplots(figsize=(8, 3), layout="constrained")
axes = tl.plot_attempts(together, ax=ax)

# %% [markdown]
# All four come back at the same moment, which is unkind to a busy service. Jitter, on by default, spreads them:

# %%
lab.close()
lab = lab_with(*[tl.Fault(kind="rate limit", on=f"{agent} agent", times=3) for agent in agents], seed=7)
spread = tl.retry_frame(lab.session("spread").send(FIRST))
fig, ax = plt.subplots(figsize=(8, 3), layout="constrained")
axes = tl.plot_attempts(spread, ax=ax)

# %% [markdown]
# The second attempts, in seconds of the turn:

# %%
second = spread[spread["attempt"] == 2].set_index("agent")["began"].drop("supervisor", errors="ignore")
second.round(3)

# %% [markdown]
# ## When all attempts fail
#
# The hotel agent's service stays down. The others' results are kept; the plan says what it lacks.

# %%
lab.close()
lab = lab_with(tl.Fault(kind="server error", on="hotel agent"), jitter=0.0)
turn = lab.session("down").send(FIRST)
print(turn.reply)

# %%
down = tl.retry_frame(turn)
down[["agent", "attempt", "wait", "outcome", "agent ended"]]

# %%
fig, ax = plt.subplots(figsize=(8, 3), layout="constrained")
axes = tl.plot_attempts(down, ax=ax)

# %% [markdown]
# ## No fallback: resume
#
# The info agent has none. When its four attempts fail, the turn fails with a name, and what the others found is kept. How many
# requests does the resume need?

# %%
lab.close()
lab = lab_with(tl.Fault(kind="server error", on="info agent", times=4), jitter=0.0)
session = lab.session("resumed")
try:
    session.send(FIRST)
except tl.AgentFailed as error:
    print(error)

# %%
resumed = session.resume()
resumed.agents, len(resumed.calls), resumed.reply

# %% [markdown]
# ## What you saw
#
# - Four requests where waiting can help, one where it cannot; the server counted them.
# - Two layers of retries multiply: 4 × 3 = 12.
# - Waits of parallel agents overlap, and jitter keeps them from coming back together.
# - An agent whose attempts all fail leaves a degraded part with its reason, and its siblings are whole.
# - Without a fallback the turn fails by name, and a resume costs the one request that is missing.

# %%
assert default.loc["rate limit", "requests"] == 4
assert default.loc["bad key", "requests"] == 1
assert multiplied == 12
assert together["wait"].sum() == 28
assert together["ended"].max() == 9.5
assert second.max() - second.min() > 0.05
assert turn.itinerary["parts"]["hotel"]["status"] == "degraded"
assert (resumed.agents, len(resumed.calls)) == (("info",), 1)

# %%
lab.close()
