"""The two gates: what stands before them, the gates themselves, and where an answer leads.

REQUIREMENT_DRAFT → (gate REQUIREMENTS) → REQUIREMENT_CONFIRMED → ROUTE_OPTIONS → (gate ROUTE) → ROUTE_CONFIRMED → PLANNED

A gate does nothing before its `interrupt`, so nothing runs twice. What it is answered with is a `Decision`, checked before.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, cast

from langchain_core.messages import AIMessage, HumanMessage
from langgraph.runtime import Runtime
from langgraph.types import interrupt
from typing_extensions import TypedDict

from travel_lab.catalogue import Language, Provider
from travel_lab.itinerary import AGENTS, Requirements
from travel_lab.itinerary.cost import money
from travel_lab.itinerary.wishes import say_wish
from travel_lab.planner.agents import supervisor
from travel_lab.planner.routes import draw_options
from travel_lab.planner.state import PlannerContext, PlannerState, RouteOption, merge_requirements
from travel_lab.planner.tasks import cities_of, places_of
from travel_lab.planner.written_forms import check_state

DRAFT, CONFIRMED, OPTIONS, CHOSEN, PLANNED = (
    "REQUIREMENT_DRAFT",
    "REQUIREMENT_CONFIRMED",
    "ROUTE_OPTIONS",
    "ROUTE_CONFIRMED",
    "PLANNED",
)
REQUIREMENT_GATE, ROUTE_GATE = "wait_requirement_confirmation", "wait_route_confirmation"
GATES = {REQUIREMENT_GATE: "REQUIREMENTS", ROUTE_GATE: "ROUTE"}
"""Node → what it waits for, as in `pending_confirmation`."""
AUTHOR = "gate"
_SAY = {
    "zh": {
        "draft": "要点：{place}，{days}天{wishes}。确认吗？也可以直接说要改什么。",
        "incomplete": "还缺{missing}，请补充。",
        "options": "三条路线，选哪一条？\n{lines}",
        "option": "{id}. {name}（{days}天），约{cost}：{why}",
    },
    "en": {
        "draft": "So far: {place}, {days} days{wishes}. Confirm, or say what to change.",
        "incomplete": "Still missing: {missing}. Please add it.",
        "options": "Three routes; which one?\n{lines}",
        "option": "{id}. {name} ({days} days), about {cost}: {why}",
    },
}
_MISSING = {"zh": {"where": "目的地", "days": "天数"}, "en": {"where": "the destination", "days": "the number of days"}}


class Decision(TypedDict):
    """An answer to a gate."""

    kind: Literal["CONFIRM", "MODIFY", "SELECT"]
    words: str
    """As the traveller said it, or what stands for it."""
    change: Requirements
    """Of a MODIFY; empty otherwise."""
    route_id: str
    """Of a SELECT; blank otherwise."""


def entry(state: PlannerState) -> str:
    """Where a message goes in: a draft is completed, everything else is the supervisor's."""
    return "requirements" if state.get("stage") == DRAFT else "supervisor"


def requirements(state: PlannerState, runtime: Runtime[PlannerContext], team: Sequence[str] = AGENTS) -> dict[str, Any]:
    """The supervisor reads the words; nobody works yet. With a place and a length the gate waits, else its question is asked."""
    update = supervisor(state, runtime, team)
    if update["reply_kind"] != "plan":
        return {**update, "pending_confirmation": ""}
    saved = merge_requirements(state.get("requirements", {}), update["requirements"])
    asked = draft_question(cast(Requirements, saved), runtime.context.provider, update["language"])
    said = AIMessage(content=asked, name=AUTHOR, id=f"turn-{update['turn']}-{AUTHOR}")
    kept = {key: update[key] for key in ("turn", "language", "requirements")}
    return {**kept, "messages": [update["messages"][0], said], "agents_to_call": [], **_waiting("REQUIREMENTS", asked)}


def after_requirements(state: PlannerState) -> str:
    """To the gate, or to the question."""
    return REQUIREMENT_GATE if state["pending_confirmation"] else "reply"


def wait_requirement_confirmation(state: PlannerState, runtime: Runtime[PlannerContext]) -> dict[str, Any]:
    """The first gate."""
    decision: Decision = interrupt({"pending": "REQUIREMENTS", "question": state["reply"]})
    if decision["kind"] == "CONFIRM":
        return {**_heard(state, decision), "stage": CONFIRMED, "pending_confirmation": ""}
    changed = cast(Requirements, merge_requirements(state["requirements"], decision["change"]))
    asked = draft_question(changed, runtime.context.provider, state["language"])
    return {**_heard(state, decision, asked), "requirements": decision["change"], **_waiting("REQUIREMENTS", asked)}


def after_requirement_gate(state: PlannerState) -> str:
    """On, or back to the gate with what was changed."""
    return "route_options" if state["stage"] == CONFIRMED else REQUIREMENT_GATE


def route_options(state: PlannerState, runtime: Runtime[PlannerContext]) -> dict[str, Any]:
    """Three options, and the question which."""
    check_state(state)
    language = state["language"]
    drawn = draw_options(cast(Requirements, state["requirements"]), runtime.context.provider, language)
    asked = _SAY[language]["options"].format(lines="\n".join(option_line(option, language) for option in drawn))
    said = AIMessage(content=asked, name=AUTHOR, id=f"turn-{state['turn']}-{AUTHOR}")
    return {"messages": [said], "route_options": drawn, "selected_route_id": "", "stage": OPTIONS, **_waiting("ROUTE", asked)}


def wait_route_confirmation(state: PlannerState) -> dict[str, Any]:
    """The second gate; a change draws the options anew."""
    decision: Decision = interrupt({"pending": "ROUTE", "question": state["reply"], "options": state["route_options"]})
    if decision["kind"] == "MODIFY":
        changed = {"requirements": decision["change"], "stage": CONFIRMED, "pending_confirmation": "", "selected_route_id": ""}
        return {**_heard(state, decision), **changed}
    chosen = next(option for option in state["route_options"] if option["route_id"] == decision["route_id"])
    wishes = [chosen["pace"]] if chosen["pace"] else []
    return {
        **_heard(state, decision),
        "requirements": {"destinations": list(chosen["stops"]), "preferences": wishes},
        "selected_route_id": chosen["route_id"],
        "stage": CHOSEN,
        "pending_confirmation": "",
        "agents_to_call": list(AGENTS),
        "reply": "",
        "reply_kind": "plan",
    }


def seeded(requirements: Mapping[str, Any], language: Language, words: str, provider: Provider) -> dict[str, Any]:
    """The state a fork starts with: requirements to be confirmed, and nothing that was decided or found elsewhere."""
    asked = draft_question(cast(Requirements, requirements), provider, language)
    said = [HumanMessage(content=words, id="turn-1-user"), AIMessage(content=asked, name=AUTHOR, id=f"turn-1-{AUTHOR}")]
    draft = {"requirements": dict(requirements), "language": language, "user_input": words, "turn": 1, "messages": said}
    return {**draft, "stage": DRAFT, "route_options": [], "selected_route_id": "", **_waiting("REQUIREMENTS", asked)}


def missing_of(requirements: Mapping[str, Any], language: Language) -> list[str]:
    """What a trip cannot do without and is not known."""
    say = _MISSING[language]
    known = {"where": requirements.get("destinations"), "days": requirements.get("days")}
    return [say[key] for key, value in known.items() if not value]


def draft_question(requirements: Requirements, provider: Provider, language: Language) -> str:
    """The requirements in words, to be confirmed, or what is missing."""
    say, missing = _SAY[language], missing_of(requirements, language)
    if missing:
        return say["incomplete"].format(missing=", ".join(missing))
    wishes = "".join(f", {say_wish(wish, language)}" for wish in requirements.get("preferences", []))
    places = "+".join(places_of(cities_of(requirements, provider), language))
    return say["draft"].format(place=places, days=requirements["days"], wishes=wishes)


def _heard(state: PlannerState, decision: Decision, said: str = "") -> dict[str, Any]:
    """An answer is a message of the traveller, with a turn of its own."""
    turn = state["turn"] + 1
    messages: list[Any] = [HumanMessage(content=decision["words"], id=f"turn-{turn}-user")]
    if said:
        messages.append(AIMessage(content=said, name=AUTHOR, id=f"turn-{turn}-{AUTHOR}"))
    return {"turn": turn, "user_input": decision["words"], "messages": messages}


def _waiting(pending: str, asked: str) -> dict[str, Any]:
    return {"pending_confirmation": pending, "reply": asked, "reply_kind": "ask"}


def option_line(option: RouteOption, language: Language) -> str:
    """An option in one line: name, days, cost and why."""
    cost, days = money(option["cost"], option["currency"]), "+".join(map(str, option["days"]))
    return _SAY[language]["option"].format(id=option["route_id"], name=option["name"], days=days, cost=cost, why=option["why"])
