"""The way every specialist takes from its task to its result: ask, read, report; a question or a failure instead."""

from collections.abc import Callable, Mapping
from typing import Any

from langchain_core.messages import AIMessage, HumanMessage, SystemMessage

from travel_lab.catalogue import Language
from travel_lab.context import Handoff, silent
from travel_lab.errors import ModelFailed, UnreadableReply
from travel_lab.itinerary import AgentResult, requirements_hash
from travel_lab.planner.agents.asking import Asking, ask_model
from travel_lab.planner.prompts import WORDS, specialist_prompt
from travel_lab.planner.replies import read_object, read_question
from travel_lab.planner.state import Payload, PlannerContext, Question, has_content
from travel_lab.planner.tasks import most_sights

Read = Callable[[Mapping[str, Any]], tuple[dict[str, Any], list[str]]]
"""From a model's JSON to a result's data and what was wrong with it."""


def consult(agent: str, payload: Payload, context: PlannerContext, task: str, read: Read) -> dict[str, Any]:
    """Ask the model for `agent`'s result: its state update.

    Raises:
        ModelFailed: The model gave no answer.
        UnreadableReply: The answer has no usable content.
    """
    system = specialist_prompt(agent, payload["language"], most_sights(payload["requirements"]))
    view = [SystemMessage(system), *payload["briefing"], HumanMessage(task)]
    asking = Asking(context, agent, payload["turn"])

    def understand(text: str) -> tuple[str | None, dict[str, Any], list[str]]:
        question = read_question(text)
        if question is not None:
            return question, {}, []
        found = read_object(text)
        data, problems = read(found.value)
        for repair in found.repairs:
            asking.note(f"JSON repaired: {repair}")
        return None, data, problems

    question, data, problems = ask_model(asking, view, understand)
    if question is not None:
        return {"questions": {agent: Question(turn=payload["turn"], text=question)}}
    for problem in problems:
        asking.note(problem)
    return report(agent, payload, context, data, reason="; ".join(problems))


def consult_or(
    empty: Mapping[str, Any], agent: str, payload: Payload, context: PlannerContext, task: str, read: Read
) -> dict[str, Any]:
    """As `consult`; when that fails, a degraded result with `empty` data and the reason."""
    try:
        return consult(agent, payload, context, task, read)
    except (ModelFailed, UnreadableReply) as error:
        return report(agent, payload, context, dict(empty), reason=str(error))


def report(agent: str, payload: Payload, context: PlannerContext, data: dict[str, Any], *, reason: str) -> dict[str, Any]:
    """A result and its handoff message as a state update; with a reason the result is degraded."""
    result = AgentResult(
        agent=agent,
        status="degraded" if reason else "ok",
        reason=reason,
        turn=payload["turn"],
        requirements_hash=requirements_hash(payload["requirements"], agent),
        provider=context.provider.name,
        data=data,
    )
    text = handoff_text(context.strategy.handoff, result, payload["language"])
    message = AIMessage(content=text, name=agent, id=f"turn-{payload['turn']}-{agent}")
    return {f"{agent}_result": result, **({"messages": [message]} if text else {})}


def handoff_text(handoff: Handoff, result: AgentResult, language: Language) -> str:
    """What the agent's message says of its result; blank for none."""
    if has_content(result["data"]):
        return handoff(result["agent"], result["data"], language)
    # An empty result must not read like one; a silent agent says nothing of its failure either.
    lost = WORDS[language]["no_result"].format(agent=result["agent"], turn=result["turn"], reason=result["reason"])
    return "" if handoff is silent else lost
