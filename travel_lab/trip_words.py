"""What words to a trip are taken for at a gate, and what is said back when they are no answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

from travel_lab.catalogue import Language
from travel_lab.errors import BadInput
from travel_lab.itinerary import Requirements, language_of
from travel_lab.planner.gate_words import field_change, is_yes, read_change
from travel_lab.planner.gates import Decision, option_line, seeded
from travel_lab.planner.option_words import chosen_option, is_question, is_refusal, named_options
from travel_lab.planner.state import PlannerState, RouteOption
from travel_lab.session import Session
from travel_lab.trips import SessionRecord

GateWords = Literal["CONFIRM", "SELECT", "QUESTION", "REFUSAL", "OTHER"]
_SAY = {
    "zh": {
        "OTHER": "没听明白：{possible}\n{question}",
        "QUESTION": "这是个问题，没有当作决定。已知的是：\n{known}\n{possible}",
        "REFUSAL": "没有选，也没有确认。{possible}",
        "CONFIRM": "有三条路线，还不知道选哪一条。{possible}\n{question}",
        "FORK": "是把现在的方案改掉，还是保留它、另外做一个版本？可以说「改掉」，或「保留，另外做一个」。",
        "REQUIREMENTS": "可以说「确认」，或者直接说要改什么，比如「改成6天」。",
        "ROUTE": "可以说「选第二条」，或者直接说要改什么，比如「改成6天」。",
    },
    "en": {
        "OTHER": "Not understood. {possible}\n{question}",
        "QUESTION": "That is a question, and nothing was decided. What is known:\n{known}\n{possible}",
        "REFUSAL": "Nothing was chosen or confirmed. {possible}",
        "CONFIRM": "There are three routes, and which one is not said. {possible}\n{question}",
        "FORK": "Shall the plan be changed, or kept with a second one beside it? Say 'change it', or 'keep it, make another'.",
        "REQUIREMENTS": "You can say 'confirm', or what to change, such as 'make it 6 days'.",
        "ROUTE": "You can say 'the second one', or what to change, such as 'make it 6 days'.",
    },
}


@dataclass(frozen=True, kw_only=True)
class Gate:
    """What waits for an answer."""

    session_id: str
    pending: str
    """`REQUIREMENTS` or `ROUTE`."""
    question: str
    requirements: Mapping[str, Any]
    options: tuple[RouteOption, ...]
    """Of the gate ROUTE; empty at the other."""


def read_at_gate(text: str, gate: Gate) -> GateWords:
    """What words at a gate are; OTHER may still be a change of the requirements, a REFUSAL turns an option down."""
    if is_question(text):
        return "QUESTION"
    if chosen_option(text, gate.options):
        return "SELECT"
    if is_yes(text):
        return "CONFIRM"
    return "REFUSAL" if is_refusal(text) and named_options(text, gate.options) else "OTHER"


def say_back(kind: GateWords, text: str, gate: Gate, language: Language) -> str:
    """The answer to words that decide nothing: what is known, and what can be said."""
    say, asked = _SAY[language], named_options(text, gate.options)
    options = [option for option in gate.options if option["route_id"] in asked] or gate.options
    if kind == "OTHER" and is_refusal(text):
        kind = "REFUSAL"
    known = "\n".join(option_line(option, language) for option in options) or gate.question
    return say[kind].format(possible=say[gate.pending], question=gate.question, known=known)


def say_which(language: Language) -> str:
    """The question whether to change the plan or to fork it."""
    return _SAY[language]["FORK"]


def gate_of(session: Session) -> Gate | None:
    """The gate that waits in a session."""
    pending, state = session.waits_for(), session.state()
    if not pending:
        return None
    return Gate(
        session_id=session.session_id,
        pending=pending,
        question=state["reply"],
        requirements=state["requirements"],
        options=tuple(state["route_options"]) if pending == "ROUTE" else (),
    )


def seed_state(session: Session, record: SessionRecord) -> PlannerState:
    """What a fork starts with."""
    seed = record.seed
    return cast(PlannerState, seeded(seed["requirements"], seed["language"], record.fork_reason, session.context.provider))


def decision(
    kind: Literal["CONFIRM", "MODIFY", "SELECT"], words: str, change: Mapping[str, Any] | None = None, route_id: str = ""
) -> Decision:
    """An answer to a gate."""
    return Decision(kind=kind, words=words, change=cast(Requirements, dict(change or {})), route_id=route_id)


def word_in(state: PlannerState, zh: str, en: str) -> str:
    """The one in the session's language."""
    return zh if state["language"] == "zh" else en


def read_fields(session: Session, state: PlannerState, words: str) -> dict[str, Any] | None:
    """The requirement fields the words change; None when they state none."""
    context = session.context
    language = language_of(words, state.get("language"))
    return read_change(words, state.get("requirements", {}), language, context.provider, context.clock.today())


def read_or_refuse(session: Session, state: PlannerState, change: Mapping[str, Any] | str) -> dict[str, Any]:
    """Fields or words as requirement fields; `BadInput` when they change none."""
    fields = read_fields(session, state, change) if isinstance(change, str) else field_change(change, session.context.provider)
    if not fields:
        raise BadInput(
            f"{change!r} changes none of the requirements. Say a place, days, money, people or wishes; nothing was changed."
        )
    return fields
