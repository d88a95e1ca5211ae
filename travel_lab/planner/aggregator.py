"""The aggregator: merges the results into the card and closes the turn; and the node that ends a turn without agents."""

from typing import Any, cast

from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime

from travel_lab.events import AgentFinished, Reply
from travel_lab.itinerary import AGENTS, Requirements, build_itinerary
from travel_lab.itinerary.excuses import excuses_for
from travel_lab.planner.prompts import WORDS
from travel_lab.planner.state import PlannerContext, PlannerState, has_content, results_of
from travel_lab.planner.tasks import cities_of, places_of, stays_of

AUTHOR = "aggregator"


def aggregator(state: PlannerState, runtime: Runtime[PlannerContext]) -> dict[str, Any]:
    """One card from all results that fit; the traveller's words; a general closing message."""
    context, turn, language = runtime.context, state["turn"], state["language"]
    requirements = cast(Requirements, state["requirements"])
    places = places_of(cities_of(requirements, context.provider), language)
    excuses = excuses_for(requirements, stays_of(requirements, context.provider), context.provider)
    itinerary = build_itinerary(requirements, results_of(state), turn, places, excuses)
    asked = {agent: q["text"] for agent, q in state.get("questions", {}).items() if q["turn"] == turn}
    updated = [agent for agent in AGENTS if itinerary["parts"][agent]["turn"] == turn]
    say = WORDS[language]
    whole = set(updated) >= {"route", "hotel", "food"}
    closing = say["done" if whole else "updated"].format(
        place="+".join(places), days=requirements["days"], agents=", ".join(updated)
    )
    lost = [
        say["incomplete" if result["turn"] == turn and has_content(result["data"]) else "no_result"].format(
            agent=agent, turn=turn, reason=result["reason"]
        )
        for agent, result in results_of(state).items()
        # Who asked has reported nothing this turn: a reason that stands there is of an earlier one.
        if agent in state["agents_to_call"] and agent not in asked and result["status"] != "ok"
    ]
    heard = [*([closing] if updated else []), *lost]
    if state["reply_kind"] == "restored":
        heard = [say["restored"].format(agents=", ".join(state["earlier"]["results"]))]
    told = [itinerary["comparison"]] if "hotel" in updated and itinerary["comparison"] and not whole else []
    reply = "\n".join([*heard, *told, *asked.values()])
    kind = "ask" if asked and not updated else "plan"
    context.emit(Reply(agent=AUTHOR, turn=turn, seconds=context.clock.elapsed(), text=reply, kind=kind))
    context.emit(AgentFinished(agent=AUTHOR, turn=turn, seconds=context.clock.elapsed()))
    message = AIMessage(content="\n".join([*heard, *asked.values()]), name=AUTHOR, id=f"turn-{turn}-{AUTHOR}")
    update = {"messages": [message], "reply": reply, "reply_kind": kind, "itinerary": itinerary}
    return {**update, "stage": "PLANNED"} if "stage" in state else update


def reply(state: PlannerState, runtime: Runtime[PlannerContext]) -> dict[str, Any]:
    """End a turn in which no agent works; the supervisor's words are the reply."""
    context = runtime.context
    context.emit(
        Reply(agent="reply", turn=state["turn"], seconds=context.clock.elapsed(), text=state["reply"], kind=state["reply_kind"])
    )
    return {}
