# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 08 Audit your own graph
#
# So far the graph was ours. Yours has other fields, other agents and no cases with right answers. In this lesson you will see
#
# - a stranger's graph audited in five lines: which fields of its state its models never get;
# - what handing them over would cost, packed and in full, and that it helps;
# - the same question asked of a checkpoint file, and why its answer is a weaker one;
# - a gate for a build, and a report that can be passed on without a single value of the state;
# - a model that nobody heard, which is *not measured* and not fine.

# %%
import json
import tempfile
from pathlib import Path
from typing import Annotated, Any, TypedDict

from langchain_core.messages import AIMessage, AnyMessage, SystemMessage
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import START, StateGraph
from langgraph.graph.message import add_messages

import travel_lab.notebook as tl
from travel_lab.chat_models import OfflineChatModel

# %% [markdown]
# ## The stranger
#
# A flight desk. It looks flights and rules up once, keeps both in its state, and lets a clerk talk. The model is a rule here;
# with `ChatOpenAI(...)` in its place nothing below would change.

# %%
ROUTE = {"from": "Berlin", "to": "Sydney"}
FLIGHTS = [{"name": f"TL{n}", "price": 80 + 7 * n, "seats": n % 5, **ROUTE} for n in range(1, 9)]
RULES = {"bags": 2, "refund": "only before the day of departure"}
model = OfflineChatModel(rules=lambda _messages: "Which flight do you mean?")


class Desk(TypedDict, total=False):
    """What the desk keeps."""

    messages: Annotated[list[AnyMessage], add_messages]
    flights: list[dict[str, Any]]
    rules: dict[str, Any]


# %%
def desk(said: str, saver: Any = None) -> Any:
    def search(state: Desk) -> Desk:
        found = {"flights": FLIGHTS, "rules": RULES, "messages": [AIMessage(said, name="search")]}
        return {} if "flights" in state else found

    def clerk(state: Desk) -> Desk:
        prompt = SystemMessage(f"The rules: {json.dumps(state['rules'])}")
        return {"messages": [model.invoke([prompt, *state["messages"]])]}

    graph = StateGraph(Desk).add_node("search", search).add_node("clerk", clerk)
    return graph.add_edge(START, "search").add_edge("search", "clerk").compile(checkpointer=saver)


# %% [markdown]
# ## Five lines
#
# *Prediction: two fields, `flights` and `rules`. The clerk reads all messages and gets the rules in its prompt. How much of each
# field will it have seen?*

# %%
turns = ["A flight to Sydney, please", "Which one is cheapest?", "Is there a seat left on it?"]
audited = tl.audit(desk("I found eight flights."), turns)
frame = tl.audit_frame(audited)
axes = tl.plot_audit(frame)
frame.round(2)

# %% [markdown]
# All of the rules, because the clerk's prompt holds them: a field that goes straight into a prompt is no false alarm. Of the
# flights nothing but that there were eight. The clerk asks "which flight do you mean?" with the answer in its own state.
#
# A fact is read off every leaf of the state; a record is known by its `name` or `title`. Where yours has another key, declare it:
# `facts=[tl.FactRule(agent="search", field="flights", subject="number", value="price")]`.
#
# What nobody saw, fact by fact:

# %%
facts = tl.audited_facts_frame(audited)
facts[facts["seen"] == 0].head(4)

# %% [markdown]
# ## What it would cost
#
# `full` is one more message with the field as JSON. `packed` is one with a small table of just the facts that were missing. We
# hand the table over and look again.

# %%
cost = audited.costs["flights"]
print("packed", cost.packed, "tokens for", cost.kept, "facts; full", cost.full)
table = "name|price|seats\n" + "\n".join(f"{f['name']}|{f['price']}|{f['seats']}" for f in FLIGHTS)
told = tl.audit(desk(table), turns)
tl.audit_frame(told)[["field", "verdict", "facts", "visible", "share"]].round(2)

# %% [markdown]
# The table has no column for `from` and `to`, and the audit saw that too: these facts are still invisible.
#
# ## A stranger's file
#
# Often there is no graph to play, only `checkpoints.db`. A file shows the messages that were *stored*, not what a model was
# *shown*; so the column is called *in messages*.

# %%
path = Path(tempfile.mkdtemp()) / "checkpoints.db"
with SqliteSaver.from_conn_string(str(path)) as saver:
    theirs = desk("I found eight flights.", saver)
    for words in turns:
        theirs.invoke({"messages": [("user", words)]}, {"configurable": {"thread_id": "customer-7"}})
stored = tl.audit_file(path)
tl.audit_frame(stored)[["field", "verdict", "facts", "visible", "share"]].round(2)

# %% [markdown]
# Here the rules look lost as well. The file cannot know that the clerk's prompt held them. It is a hint where to look, not a
# measurement of a model.
#
# ## A gate for a build
#
# In a test, `assert_context_complete(audit(...))` names what is missing. From a shell, for a file, the gate has to be told to
# take messages for views:
#
# ```sh
# travel-lab audit checkpoints.db --fail-under 0.9 --as-stored
# ```

# %%
try:
    tl.assert_context_complete(told, fields=["flights"])
except AssertionError as error:
    print("\n".join(str(error).splitlines()[:4]))

# %% [markdown]
# ## A report to pass on
#
# Field names and counts stay; every value, key and thread name becomes a placeholder, the same one for the same value.

# %%
shared = tl.redacted(stored)
said = shared.html() + str(shared)
print([name for name in ("TL1", "Sydney", "customer-7") if name in said], shared.threads[0].name)
tl.audited_facts_frame(shared).head(3)

# %% [markdown]
# ## A model nobody heard
#
# A node that calls a bare HTTP client tells LangChain nothing. Then the audit has nothing to say about that model, and says so.

# %%
lookup = StateGraph(Desk).add_node("search", lambda _state: {"flights": FLIGHTS})
unheard = tl.audit(lookup.add_edge(START, "search").compile(), turns)
print(unheard.score)

# %% [markdown]
# ## Your turn
#
# 1. Add `from` and `to` to the table. What does the share become, and how many tokens does `told.costs` still ask for?
# 2. Let the clerk see only the last message (`state["messages"][-1:]`). Which field falls, although every fact is stored?
#
# ## Check yourself
#
# Three numbers that must come out the same on every machine.

# %%
shares = frame.set_index("field")["share"]
assert shares["rules"] == 1.0
assert shares["flights"] == 0.0
assert cost.packed < 0.6 * cost.full
assert told.score.value > stored.score.value

# %% [markdown]
# ## What you saw
#
# - Five lines tell which fields of a graph's state its models never get, without cases and without a key.
# - A table of just the missing facts costs little more than half of the whole field.
# - A file tells what was stored; only a played graph tells what was shown.
# - Nothing measured is its own verdict: it passes no gate.
