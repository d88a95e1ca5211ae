"""The supervisor: reads the conversation, decides who works, and keeps what the traveller said."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langgraph.runtime import Runtime
from langgraph.types import Overwrite

from travel_lab.catalogue import Language
from travel_lab.chat_models import form_of
from travel_lab.errors import ModelFailed, UnreadableReply
from travel_lab.events import AgentFinished, AgentStarted, Note
from travel_lab.itinerary import AGENTS, Requirements, language_of, requirements_hash
from travel_lab.planner.agents.asking import Asking, ask_model
from travel_lab.planner.columns import read_columns
from travel_lab.planner.prompts import JSON_REMINDER, REMINDER, WORDS, supervisor_prompt
from travel_lab.planner.replies import LINE_FORM, SupervisorLine, read_line
from travel_lab.planner.state import Earlier, PlannerContext, PlannerState, merge_requirements, results_of
from travel_lab.planner.tasks import cities_of, places_of, say_profile
from travel_lab.planner.written_forms import check_state

AUTHOR = "supervisor"


def supervisor(state: PlannerState, runtime: Runtime[PlannerContext], team: Sequence[str] = AGENTS) -> dict[str, Any]:
    """One model call; its line becomes requirements and agents of `team` to call, or a question or an answer."""
    check_state(state)
    context, turn = runtime.context, state.get("turn", 0) + 1
    words, language = state["user_input"], language_of(state["user_input"], state.get("language"))
    context.emit(AgentStarted(agent=AUTHOR, turn=turn, seconds=context.clock.elapsed()))
    reason, line = "", SupervisorLine(kind="ask", text=WORDS[language]["where"])
    try:
        line = ask_model(Asking(context, AUTHOR, turn), _view(state, words, language, context), read_line, LINE_FORM)
    except (ModelFailed, UnreadableReply) as error:
        reason = str(error)
    # LangGraph skips a name without a node in silence, and a turn of skipped names would end without a reply.
    absent = [agent for agent in line.agents if agent not in team]
    line = replace(line, agents=tuple(agent for agent in line.agents if agent in team), unknown=(*line.unknown, *absent))
    update = _decide(line, state, language, context)
    unknown = [f"unknown agent {name!r} left out; known: {', '.join(team)}" for name in line.unknown]
    for note in [*unknown, *update.pop("notes")]:
        context.emit(Note(agent=AUTHOR, turn=turn, seconds=context.clock.elapsed(), text=note))
    status = "degraded" if reason else "ok"
    context.emit(AgentFinished(agent=AUTHOR, turn=turn, seconds=context.clock.elapsed(), status=status, reason=reason))
    messages = [
        HumanMessage(content=words, id=f"turn-{turn}-user"),
        AIMessage(content=update.pop("said"), name=AUTHOR, id=f"turn-{turn}-{AUTHOR}"),
        *_restored_handoffs(update, turn, language, context),
    ]
    return {"turn": turn, "language": language, "messages": messages, **update}


def _restored_handoffs(update: Mapping[str, Any], turn: int, language: Language, context: PlannerContext) -> list[AIMessage]:
    """The handoffs of restored results once more, so that the newest one of an agent is the one that holds."""
    restored = {key: value.value["data"] for key, value in update.items() if key.endswith("_result")}
    spoken = {key.removesuffix("_result"): data for key, data in restored.items()}
    texts = {agent: context.strategy.handoff(agent, data, language) for agent, data in spoken.items()}
    return [AIMessage(content=text, name=agent, id=f"turn-{turn}-{agent}") for agent, text in texts.items() if text]


def _view(state: PlannerState, words: str, language: Language, context: PlannerContext) -> list[Any]:
    strategy = context.strategy
    history = strategy.trimming(state.get("messages", []), results_of(state), words, strategy.budget)
    as_json = form_of(context.model) != "plain"
    known = say_profile(context.profile, context.provider, language)
    system = SystemMessage(supervisor_prompt(language, context.provider.cities(), context.clock.today(), known, as_json=as_json))
    reminder = (JSON_REMINDER if as_json else REMINDER)[language]
    return [system, *history.messages, HumanMessage(f"{words}\n{reminder}")]


def _decide(line: SupervisorLine, state: PlannerState, language: Language, context: PlannerContext) -> dict[str, Any]:
    """What the line means for the state: requirements, agents, the words said, notes for the reader."""
    say, provider = WORDS[language], context.provider
    if line.kind != "plan":
        return _answer(line.text or say["what_change"], line.kind)
    if line.restore:
        return _restore(state, language)
    columns = read_columns(line, language, provider, context.clock.today())
    changes, question = columns.requirements, columns.question
    saved = cast(Requirements, state.get("requirements", {}))
    if not saved:
        changes = merge_requirements(_usual(context.profile), changes)
    known = cast(Requirements, merge_requirements(saved, changes))
    cities = cities_of(known, provider)
    notes = [*columns.notes]
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
    earlier = Earlier(requirements=saved, results={a: r for a, r in results_of(state).items() if a in agents})
    update = {"requirements": changes, "agents_to_call": agents, "reply": "", "reply_kind": "plan", "said": said, "notes": notes}
    return {**update, "earlier": earlier} if earlier["results"] else update


def _usual(profile: Requirements) -> dict[str, Any]:
    """What a user's new conversation starts from; an earlier destination is not this one's."""
    return {key: value for key, value in profile.items() if key != "destinations"}


def _restore(state: PlannerState, language: Language) -> dict[str, Any]:
    """Back to the results and requirements before the newest change; what they replace can be gone back to in turn."""
    say, earlier = WORDS[language], state.get("earlier")
    if earlier is None:
        return _answer(say["nothing_earlier"], "ask")
    now = results_of(state)
    swapped = Earlier(
        requirements=cast(Requirements, state["requirements"]), results={a: now[a] for a in earlier["results"] if a in now}
    )
    said = say["restored"].format(agents=", ".join(earlier["results"]))
    results = {f"{agent}_result": Overwrite(result) for agent, result in earlier["results"].items()}
    return {
        **results,
        "requirements": Overwrite(dict(earlier["requirements"])),
        "earlier": swapped,
        "agents_to_call": [],
        "reply": "",
        "reply_kind": "restored",
        "said": said,
        "notes": [],
    }


def _answer(text: str, kind: str) -> dict[str, Any]:
    return {"agents_to_call": [], "reply": text, "reply_kind": kind, "said": text, "notes": []}


def _agents(line: SupervisorLine, saved: Requirements, known: Requirements, state: PlannerState, notes: list[str]) -> list[str]:
    """The agents of the line, and those whose results the change makes stale."""
    stale = [
        agent
        for agent in results_of(state)
        if agent not in line.agents and requirements_hash(saved, agent) != requirements_hash(known, agent)
    ]
    if stale:
        notes.append(f"{', '.join(stale)} called too: the trip changed, so the earlier results no longer fit")
    return [agent for agent in AGENTS if agent in {*line.agents, *stale}]
