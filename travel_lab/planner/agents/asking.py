"""One model call of an agent, through the one retry there is; every failure leaves by one name."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from langchain_core.messages import AIMessage, BaseMessage
from langgraph.errors import GraphBubbleUp

from travel_lab.chat_models import NOTES, AnswerForm, diagnose, form_of, is_overflow, scrub
from travel_lab.deadline import within
from travel_lab.errors import CassetteMiss, ClockStuck, ContextOverflow, CutReply, EmptyReply, ModelFailed, UnreadableReply
from travel_lab.events import AttemptFailed, AttemptSucceeded, Note
from travel_lab.planner.state import PlannerContext
from travel_lab.retry import FailedAttempt, call_with_retry
from travel_lab.tokens import text_of

T = TypeVar("T")
LARGER = 2
"""After an answer that was cut off, the limit of the next one is this many times larger."""


@dataclass(frozen=True)
class Asking:
    """Who asks, and when."""

    context: PlannerContext
    agent: str
    turn: int

    @property
    def now(self) -> float:
        """Seconds on the run's clock."""
        return self.context.clock.elapsed()

    def note(self, text: str) -> None:
        """Tell the reader something of this call."""
        self.context.emit(Note(agent=self.agent, turn=self.turn, seconds=self.now, text=text))


def ask_model(asking: Asking, view: Sequence[BaseMessage], read: Callable[[str], T], wanted: AnswerForm | None = None) -> T:
    """What `read` makes of the model's answer to `view`.

    An answer that is empty, cut off or unreadable counts as a failed attempt. A view that is too long is halved and tried once.

    Args:
        asking: Who asks, and when.
        view: The messages.
        read: From the answer's text to what the agent needs; raises UnreadableReply.
        wanted: The JSON form of the answer, for models that can be held to one.

    Raises:
        CassetteMiss: The model plays a recording that has no answer to this view.
        ModelFailed: After the policy's attempts, or at once when repeating cannot help.
        UnreadableReply: The last answer could not be read.
    """
    try:
        return _Attempts(asking, read, wanted).run(view)
    except ContextOverflow:
        shorter = _halved(view)
        if len(shorter) == len(view):
            raise
        asking.note(f"the view was too long; asked once more with {len(shorter)} of its {len(view)} messages")
        return _Attempts(asking, read, wanted).run(shorter)


def _halved(view: Sequence[BaseMessage]) -> Sequence[BaseMessage]:
    """Without the older half of what stands between the system prompt and the call's own message."""
    history = view[1:-1]
    return [view[0], *history[(len(history) + 1) // 2 :], view[-1]] if history else view


class _Attempts(Generic[T]):
    """The attempts of one call."""

    def __init__(self, asking: Asking, read: Callable[[str], T], wanted: AnswerForm | None) -> None:
        self._asking, self._read, self._wanted = asking, read, wanted
        self._limit: int | None = None
        self._first, self._began, self._asked = asking.now, 0.0, False

    def run(self, view: Sequence[BaseMessage]) -> T:
        """The answer, read."""
        asking, context = self._asking, self._asking.context
        try:
            return call_with_retry(
                lambda attempt: self._once(view, attempt),
                context.retry,
                times=context.clock,
                chance=context.retry.chance(asking.agent, asking.turn),
                on_failure=self._tell,
            )
        except (GraphBubbleUp, UnreadableReply, ModelFailed, CassetteMiss, ClockStuck):
            raise  # a pause of the graph is no failure, and the others have their names
        except Exception as error:  # clients raise what they like; whatever it is, the agent has no answer
            trouble = diagnose(error)
            if trouble.hopeless:
                context.refusals.append(trouble.advice)
            raise ModelFailed(f"The model gave agent {asking.agent!r} no answer: {scrub(str(trouble))}") from error

    def _once(self, view: Sequence[BaseMessage], attempt: int) -> T:
        asking, context = self._asking, self._asking.context
        if context.refusals:
            self._asked = False
            raise ModelFailed(f"Agent {asking.agent!r} did not ask: {context.refusals[0]}")
        self._began, self._asked = asking.now, True
        try:
            left = context.retry.deadline - (self._began - self._first)
            reply = within(left, lambda: context.model.invoke(list(view), **self._options()))
        except Exception as error:  # clients name it in many ways; all that is no overflow, a pause too, is raised again
            # Whatever its status, a view that is too long is as long the next time.
            if not is_overflow(error):
                raise
            raise ContextOverflow(f"The view of agent {asking.agent!r} is too long: {scrub(str(error))}") from error
        for note in reply.response_metadata.get(NOTES, ()):
            asking.note(note)
        value = self._read(self._whole(reply))
        context.emit(
            AttemptSucceeded(agent=asking.agent, turn=asking.turn, seconds=asking.now, attempt=attempt, began=self._began)
        )
        return value

    def _options(self) -> dict[str, Any]:
        """Only what the model takes: another client would pass unknown words on to its service."""
        held = self._wanted is not None and form_of(self._asking.context.model) != "plain"
        return {**({"answer_form": self._wanted} if held else {}), **({"max_tokens": self._limit} if self._limit else {})}

    def _whole(self, reply: AIMessage) -> str:
        """The answer's text.

        Raises:
            CutReply: The model came to its limit.
            EmptyReply: There is no text.
        """
        text = text_of(reply)
        if reply.response_metadata.get("finish_reason") == "length":
            limit = getattr(self._asking.context.model, "reply_limit", None)
            self._limit = LARGER * limit if limit else None
            raise CutReply(f"The answer was cut off at its limit of tokens: {text[-60:]!r}.")
        if not text.strip():
            raise EmptyReply("The model answered without any text.")
        return text

    def _tell(self, failed: FailedAttempt) -> None:
        asking = self._asking
        if not self._asked:
            return
        asking.context.emit(
            AttemptFailed(
                agent=asking.agent,
                turn=asking.turn,
                seconds=asking.now,
                attempt=failed.attempt,
                began=self._began,
                error=scrub(f"{type(failed.error).__name__}: {failed.error}"),
                wait=failed.wait,
            )
        )
