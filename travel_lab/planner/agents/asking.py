"""One model call of an agent, through the one retry there is; every failure leaves by one name."""

from collections.abc import Sequence

from langchain_core.messages import BaseMessage
from langgraph.errors import GraphBubbleUp

from travel_lab.errors import ModelFailed
from travel_lab.events import AttemptFailed
from travel_lab.planner.state import PlannerContext
from travel_lab.retry import FailedAttempt, call_with_retry
from travel_lab.tokens import text_of


def ask_model(context: PlannerContext, agent: str, turn: int, view: Sequence[BaseMessage]) -> str:
    """The text of the model's answer to `view`.

    Raises:
        ModelFailed: After the policy's attempts, or at once when repeating cannot help.
    """

    def tell(failed: FailedAttempt) -> None:
        context.emit(
            AttemptFailed(
                agent=agent,
                turn=turn,
                seconds=context.clock.elapsed(),
                attempt=failed.attempt,
                error=f"{type(failed.error).__name__}: {failed.error}",
                wait=failed.wait,
            )
        )

    try:
        reply = call_with_retry(
            lambda: context.model.invoke(list(view)), context.retry, sleep=context.clock.sleep, on_failure=tell
        )
    except GraphBubbleUp:
        raise  # a pause of the graph is no failure
    except Exception as error:  # clients raise what they like; whatever it is, the agent has no answer
        raise ModelFailed(f"The model gave agent {agent!r} no answer: {type(error).__name__}: {error}") from error
    return text_of(reply)
