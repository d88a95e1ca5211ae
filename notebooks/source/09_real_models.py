# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 09 Real models
#
# Everything so far ran on the offline model. The same graph runs on DeepSeek, OpenAI, Ollama, vLLM or llama.cpp. This lesson
# needs no key: a server on this machine plays the service, and a real client calls it. You will see
#
# - what an endpoint is, and what a plan costs in requests;
# - what happens when a service does not know an answer form, cuts the prompt, or answers in prose;
# - a run recorded once and played again without any service;
# - what one answer is worth: the same question asked ten times;
# - what another strategy changes of a recorded run.
#
# With a key of your own: `lab = tl.Lab.open(model=tl.connect("deepseek"))`. When it does not answer, `travel-lab models --check
# deepseek` says what is wrong.

# %%
import dataclasses
import tempfile
from pathlib import Path

import pandas as pd

import travel_lab.notebook as tl

pd.set_option("display.max_colwidth", 60)
FIRST, CHANGE = "帮我规划成都3天旅行，预算5000", "把第二天的酒店换成便宜点的"

# %% [markdown]
# ## Endpoints
#
# An endpoint says where a model is and what is known of it. It holds the *name* of the variable with the key, never the key.

# %%
known = [(name, e.model, e.api_key_env or "none needed", e.forms[0]) for name, e in tl.ENDPOINTS.items()]
pd.DataFrame(known, columns=["name", "model", "key in", "first answer form"])

# %% [markdown]
# ## A plan over HTTP
#
# The prompt names today's date, so the clock is fixed: what is recorded today can be played tomorrow.

# %%
server = tl.ModelServer(model=tl.offline_model(), reported_window=400)
server.start()
near = dataclasses.replace(tl.ENDPOINTS["offline"], base_url=server.base_url, forms=("json_schema", "plain"))
lab = tl.Lab.open(model=tl.connect(near), clock=tl.VirtualTime().clock(), strategy="summary/own")
session = lab.session("http")
turn = session.send(FIRST)
len(server.requests), turn.reply

# %% [markdown]
# One request for the supervisor, one for each agent. Was every prompt read to its end? This server has a small window and says
# nothing; its own count gives it away.

# %%
calls = tl.calls_frame(turn.calls)
calls[["agent", "counted here", "counter", "reported"]].assign(warned=calls["warning"] != "")

# %%
server.stop()
lab.close()

# %% [markdown]
# ## A service that does not know the answer form
#
# We ask for a JSON schema; the service refuses it. Will the turn fail?

# %%
refuses = tl.Fault(kind="no schema", on="response_format: json_schema")
server = tl.ModelServer(model=tl.offline_model(), schedule=tl.Schedule([refuses]))
server.start()
model = tl.connect(dataclasses.replace(near, base_url=server.base_url))
lab = tl.Lab.open(model=model, clock=tl.VirtualTime().clock(), strategy="summary/own")
session = lab.session("forms")
learned = [session.send(FIRST).notes, session.send(CHANGE).notes]
learned, len(server.requests), model.form

# %% [markdown]
# One request was lost, once; the model remembers it.

# %%
server.stop()
lab.close()

# %% [markdown]
# ## Record a run, play it again
#
# A cassette keeps every call with its answer, without keys and personal fields. Whoever has the file needs no service.

# %%
folder = tempfile.TemporaryDirectory()
path = Path(folder.name) / "run.jsonl"


def play(model, strategy="summary/own"):
    with tl.Lab.open(model=model, clock=tl.VirtualTime().clock(), strategy=strategy) as lab:
        session = lab.session("played")
        return [session.send(FIRST), session.send(CHANGE)]


# %%
recorded = play(tl.RecordingModel(inner=tl.offline_model(), cassette=tl.Cassette(path)))
replay = tl.ReplayModel(cassette=tl.Cassette(path), model_name="offline")
played = play(replay)
replay.answered, [one.card == other.card for one, other in zip(recorded, played, strict=True)]

# %% [markdown]
# Under another strategy the views of the follow-up change. How many of the seven calls have to be asked anew?

# %%
other = tl.ReplayModel(cassette=tl.Cassette(path), model_name="offline", live=tl.offline_model())
play(other, "full/own")
other.answered

# %% [markdown]
# ## Answers in prose
#
# Small models lose the form once the history holds prose. Here the supervisor's answers are replaced by prose; the table counts
# answers in the form that was asked for, without and with history.

# %%
chatty = tl.ReplayModel(cassette=tl.Cassette(path), model_name="offline", overrides={"supervisor": "好的，我来安排。"})
lost = play(chatty)
kept = tl.format_frame(call for turn in recorded for call in turn.calls)
gone = tl.format_frame(call for turn in lost for call in turn.calls)
pd.concat({"recorded": kept, "in prose": gone}).query("agent == 'supervisor'")

# %% [markdown]
# An answer that cannot be read is asked for once more, so prose costs two calls a turn and the traveller gets a question.
#
# ## Replicates
#
# A real model answers the same view differently from run to run. Here four of ten answers of the hotel agent are cut in the
# middle, drawn by seed, and a cut answer is asked for once more. How often does the traveller get a whole plan?

# %%
clock = tl.VirtualTime().clock()
cuts = tl.Schedule([tl.Fault(kind="half", on="hotel agent", share=0.4)], seed=3)
moody = tl.FaultyModel(inner=tl.offline_model(), schedule=cuts, sleep=clock.sleep)
lab = tl.Lab.open(model=moody, clock=clock)
runs = [lab.session(f"run {n}").send(FIRST) for n in range(10)]
parts = [run.itinerary["parts"] for run in runs]
replicates = pd.DataFrame(
    {
        "calls": [len(run.calls) for run in runs],
        "hotel": [part["hotel"]["status"] for part in parts],
        "others": [{part[agent]["status"] for agent in ("route", "food", "info")} for part in parts],
    }
)
replicates

# %% [markdown]
# One run would have told any of these stories. A claim about a model needs the table, not a line of it.

# %%
whole = int((replicates["hotel"] == "ok").sum())
f"{whole} of {len(runs)} runs gave a whole plan"

# %% [markdown]
# ## What you saw
#
# - A plan turn is five requests; the service's own count shows when it did not read the prompt to its end.
# - A refused answer form costs one request, once.
# - A recorded run plays to the letter, and another strategy asks only what changed.
# - Answers in prose are counted, asked for again once, and never guessed at.
# - Ten runs of one question end in different ways; one of them is no measurement.

# %%
assert len(server.requests) == 8
assert replay.answered == {"recorded": 7}
assert other.answered == {"recorded": 5, "live": 2}
assert (calls["warning"] != "").sum() > 0
assert gone["in form"].sum() == 0

# %%
folder.cleanup()
