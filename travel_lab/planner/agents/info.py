"""The info agent: culture, trivia and etiquette. Without a fallback, as in the articles, its failure ends the turn by name."""

from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict

from travel_lab.errors import AgentFailed, ModelFailed, UnreadableReply
from travel_lab.itinerary.results import InfoData
from travel_lab.planner.agents.contract import Specialist
from travel_lab.planner.agents.reporting import consult, consult_or
from travel_lab.planner.prompts import WORDS
from travel_lab.planner.state import Payload, PlannerContext
from travel_lab.planner.tasks import cities_of, culture_rows, places_of, task_text


class _Answer(TypedDict):
    culture: list[str]
    trivia: list[str]
    etiquette: list[str]


_ANSWER = TypeAdapter(_Answer)


def work(payload: Payload, context: PlannerContext) -> dict[str, Any]:
    """Introduce the destination.

    Raises:
        AgentFailed: The model gave no usable answer, and the context gives no fallback.
    """
    cities = cities_of(payload["requirements"], context.provider)
    facts = [fact for city in cities for fact in context.provider.culture(city.id)]
    task = task_text("info", payload, context.provider, culture_rows(facts, payload["language"]))

    def read(answer: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
        try:
            said = _ANSWER.validate_python(answer)
        except ValidationError as error:
            raise UnreadableReply(f"The info agent's JSON does not fit its form: {error.error_count()} faults.") from error
        data = InfoData(destination="+".join(places_of(cities, payload["language"])), **said)
        return dict(data), []

    if context.info_fallback:
        empty = InfoData(destination="+".join(places_of(cities, payload["language"])), culture=[], trivia=[], etiquette=[])
        return consult_or(dict(empty), "info", payload, context, task, read)
    try:
        return consult("info", payload, context, task, read)
    except (ModelFailed, UnreadableReply) as error:
        raise AgentFailed(WORDS[payload["language"]]["failed"].format(agent="info", reason=error)) from error


INFO = Specialist(name="info", writes=("info_result",), work=work)
