"""The supervisor: reads the conversation, decides who works, and keeps what the traveller said."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langgraph.runtime import Runtime

from travel_lab.catalogue import City, Language, Provider
from travel_lab.errors import ModelFailed, UnreadableReply
from travel_lab.events import AgentFinished, AgentStarted, Note
from travel_lab.itinerary import AGENTS, MAX_DAYS, Requirements, language_of, requirements_hash
from travel_lab.itinerary.request import read_money, read_preferences
from travel_lab.planner.agents.asking import ask_model
from travel_lab.planner.prompts import REMINDER, WORDS, supervisor_prompt
from travel_lab.planner.replies import SupervisorLine, read_line
from travel_lab.planner.state import PlannerContext, PlannerState, merge_requirements, results_of
from travel_lab.planner.tasks import cities_of, places_of

AUTHOR = "supervisor"


def supervisor(state: PlannerState, runtime: Runtime[PlannerContext], team: Sequence[str] = AGENTS) -> dict[str, Any]:
    """One model call; its line becomes requirements and agents of `team` to call, or a question or an answer."""
    context, turn = runtime.context, state.get("turn", 0) + 1
    words, language = state["user_input"], language_of(state["user_input"], state.get("language"))
    context.emit(AgentStarted(agent=AUTHOR, turn=turn, seconds=context.clock.elapsed()))
    reason, line = "", SupervisorLine(kind="ask", text=WORDS[language]["where"])
    try:
        line = read_line(ask_model(context, AUTHOR, turn, _view(state, words, language, context)))
    except (ModelFailed, UnreadableReply) as error:
        reason = str(error)
    # LangGraph skips a name without a node in silence, and a turn of skipped names would end without a reply.
    absent = [agent for agent in line.agents if agent not in team]
    line = replace(line, agents=tuple(agent for agent in line.agents if agent in team), unknown=(*line.unknown, *absent))
    update = _decide(line, state, language, context.provider)
    unknown = [f"unknown agent {name!r} left out; known: {', '.join(team)}" for name in line.unknown]
    for note in [*unknown, *update.pop("notes")]:
        context.emit(Note(agent=AUTHOR, turn=turn, seconds=context.clock.elapsed(), text=note))
    status = "degraded" if reason else "ok"
    context.emit(AgentFinished(agent=AUTHOR, turn=turn, seconds=context.clock.elapsed(), status=status, reason=reason))
    messages = [
        HumanMessage(content=words, id=f"turn-{turn}-user"),
        AIMessage(content=update.pop("said"), name=AUTHOR, id=f"turn-{turn}-{AUTHOR}"),
    ]
    return {"turn": turn, "language": language, "messages": messages, **update}


def _view(state: PlannerState, words: str, language: Language, context: PlannerContext) -> list[Any]:
    strategy = context.strategy
    history = strategy.trimming(state.get("messages", []), results_of(state), words, strategy.budget)
    system = SystemMessage(supervisor_prompt(language, context.provider.cities()))
    return [system, *history.messages, HumanMessage(f"{words}\n{REMINDER[language]}")]


def _decide(line: SupervisorLine, state: PlannerState, language: Language, provider: Provider) -> dict[str, Any]:
    """What the line means for the state: requirements, agents, the words said, notes for the reader."""
    say = WORDS[language]
    if line.kind != "plan":
        return _answer(line.text or say["what_change"], line.kind)
    changes, question = _changes(line, language, provider)
    saved = cast(Requirements, state.get("requirements", {}))
    known = cast(Requirements, merge_requirements(saved, changes))
    cities = cities_of(known, provider)
    notes: list[str] = []
    if question is None and not cities:
        question = say["where"]
    if question is None and not known.get("days"):
        question = say["how_long"].format(place="+".join(places_of(cities, language)))
    agents = [] if question else _agents(line, saved, known, state, notes)
    if question is None and not agents:
        question = say["no_agents"]
    if question is not None:
        return {**_answer(question, "ask"), "requirements": changes, "notes": notes}
    said = say["plan"].format(place="+".join(places_of(cities, language)), days=known["days"], agents=", ".join(agents))
    return {"requirements": changes, "agents_to_call": agents, "reply": "", "reply_kind": "plan", "said": said, "notes": notes}


def _answer(text: str, kind: str) -> dict[str, Any]:
    return {"agents_to_call": [], "reply": text, "reply_kind": kind, "said": text, "notes": []}


def _agents(line: SupervisorLine, saved: Requirements, known: Requirements, state: PlannerState, notes: list[str]) -> list[str]:
    """The agents of the line, and those whose results a new destination, length or party makes stale."""
    outdated = requirements_hash(saved) != requirements_hash(known) and saved.get("days") is not None
    stale = [agent for agent in results_of(state) if outdated and agent not in line.agents]
    if stale:
        notes.append(f"{', '.join(stale)} called too: the trip changed, so the earlier results no longer fit")
    return [agent for agent in AGENTS if agent in {*line.agents, *stale}]


def _changes(line: SupervisorLine, language: Language, provider: Provider) -> tuple[dict[str, Any], str | None]:
    """The requirement fields a PLAN line states, and a question when one of them cannot be."""
    say, question = WORDS[language], None
    cities, unknown = _cities(line.destination, provider)
    if unknown:
        question = say["unknown_place"].format(place=unknown, places=", ".join(places_of(provider.cities(), language)))
    days = int(line.days) if line.days.isascii() and line.days.isdecimal() else None if line.days else 0
    if days is None or days > MAX_DAYS:
        question, days = question or say["bad_days"].format(most=MAX_DAYS), 0
    # A column may hold a sum and wishes: "5000 CNY, 不吃辣"; a comma inside a sum stands before three digits.
    parts = re.split(r"[;、]|,(?!\d{3}(?!\d))", line.budget)
    money = next((money for part in parts if (money := read_money(part)) is not None), None)
    changes: Mapping[str, Any] = {
        "destinations": [] if unknown else [city.id for city in cities],
        "days": days,
        "origin": line.origin,
        "date": line.date,
        "budget": {"amount": money.amount, "currency": money.currency} if money else None,
        "preferences": list(read_preferences(line.budget)),
    }
    return {key: value for key, value in changes.items() if value}, question


def _cities(column: str, provider: Provider) -> tuple[list[City], str]:
    names = [name.strip() for name in column.replace("、", "+").replace("&", "+").replace(",", "+").split("+") if name.strip()]
    found = {name: provider.find_city(name) for name in names}
    unknown = next((name for name, city in found.items() if city is None), "")
    return [city for city in found.values() if city is not None], unknown
