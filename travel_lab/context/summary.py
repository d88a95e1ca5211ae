"""A rolling summary by a model: old turns become one message; nothing is lost to a summary that failed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langgraph.errors import GraphBubbleUp

from travel_lab.context.blocks import Block, turns_of
from travel_lab.context.trimming import Trimmed, WholeTurns, fitting, trimmed
from travel_lab.tokens import DEEPSEEK, TokenCounter, text_of

AUTHOR = "summary"
PROMPT = (
    "Summarise the conversation for the next assistant. Keep every name with its price, day, night and meal, and every wish "
    "of the user. Write plain sentences. 请用对话的语言书写，保留名称、价格、日期和用户的要求。"
)


@dataclass(frozen=True, kw_only=True)
class RollingSummary:
    """The last few turns as they are, all before them as a summary that grows with the conversation.

    Whatever leaves the history goes into a summariser's input whole, in parts when it is long. A summary that failed, came
    back empty or was cut off at the model's limit replaces nothing: the history is used as it is, the incident is reported,
    and the next turn tries again.
    """

    model: BaseChatModel
    """Writes the summary."""
    turns: int = 2
    """How many turns stay as they are."""
    part: int = 4_000
    """Tokens of conversation given to the model at once; a single longer message is given whole."""
    counter: TokenCounter = DEEPSEEK
    reads_state: bool = False
    _done: dict[tuple[str, ...], str] = field(default_factory=dict, repr=False, compare=False)

    def __call__(self, messages: Sequence[BaseMessage], results: Mapping[str, Any], question: str, budget: int | None) -> Trimmed:
        """All turns when they fit, else the summary and the last ones."""
        plain = WholeTurns(counter=self.counter)(messages, results, question, budget)
        turns = turns_of(messages)
        if budget is None or self.counter.messages(messages) <= budget or len(turns) <= self.turns:
            return plain
        old = [block for turn in turns[: -self.turns] for block in turn]
        try:
            summary = self._summary(old)
        except GraphBubbleUp:
            raise  # a pause of the graph is no failure
        except Exception as error:  # noqa: BLE001 (clients raise what they like; whatever it is, there is no summary)
            return trimmed(messages, plain.messages, counter=self.counter, incidents=(_told(error),))
        message = AIMessage(content=summary, name=AUTHOR, id=AUTHOR)
        after = fitting(messages, turns[-self.turns :][::-1], [message], question, budget, self.counter)
        if message not in after:
            too_long = f"the summary has {self.counter.messages([message])} tokens and does not fit into {budget}"
            return trimmed(messages, plain.messages, counter=self.counter, incidents=(too_long,))
        return trimmed(messages, after, counter=self.counter)

    def _summary(self, old: Sequence[Block]) -> str:
        """The summary of `old`, from the longest beginning of it that is already summarised."""
        lines = [_line(message) for block in old for message in block]
        known = max((key for key in self._done if tuple(lines[: len(key)]) == key), key=len, default=())
        summary, start = self._done.get(known, ""), len(known)
        while start < len(lines):
            end = self._end_of_part(lines, start)
            summary = self._ask(summary, lines[start:end])
            self._done[tuple(lines[:end])] = summary
            start = end
        return summary

    def _end_of_part(self, lines: Sequence[str], start: int) -> int:
        room, end = self.part - self.counter.text(lines[start]), start + 1
        while end < len(lines) and (room := room - self.counter.text(lines[end])) >= 0:
            end += 1
        return end

    def _ask(self, summary: str, lines: Sequence[str]) -> str:
        before = [f"summary so far: {summary}"] if summary else []
        reply = self.model.invoke([SystemMessage(PROMPT), HumanMessage("\n".join([*before, *lines]))])
        text = text_of(reply).strip()
        if not text:
            raise ValueError("the model returned an empty summary")
        if reply.response_metadata.get("finish_reason") == "length":
            raise ValueError("the summary was cut off at the model's limit")
        return text


def _line(message: BaseMessage) -> str:
    return f"{message.name or message.type}: {text_of(message)}"


def _told(error: Exception) -> str:
    return f"no summary this turn, the history is used as it is: {type(error).__name__}: {error}"
