"""Readers: what a model makes of a view, and whether that is an answer.

A reader with a real model behind it is a result. The offline reader is a check of the instrument and nothing else: it reads
by the same rules the views were made to satisfy.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage

from travel_lab.context import Fact, bound_facts
from travel_lab.context.values import normal
from travel_lab.evaluation.cases import Probe
from travel_lab.tokens import text_of

RESULT, CHECK = "result", "check of the instrument"
"""What a reader's figures may be used for."""
_ABSTAINS = re.compile(
    r"[?？]\s*$|哪|请问|没有(?:看到|找到|提到|相关|这)|无法|不清楚|不知道|未(?:提供|提到|给出)|\bwhich\b"
    r"|\bnot (?:sure|given|mentioned|available|know)|\bno (?:information|record)|\bcannot\b|\bcan't\b|\bdon't (?:have|know|see)",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class Reader:
    """Asks a model what it makes of a view."""

    name: str
    """Shown in every table; with the date for a recording."""
    ask: Callable[[Sequence[BaseMessage], int], str]
    """(view, replicate) → the reply's text."""
    use: str = RESULT
    """`result`, or `check of the instrument`, which is kept out of frontiers and conclusions."""

    def __call__(self, view: Sequence[BaseMessage], replicate: int) -> str:
        """The reply to one view."""
        return self.ask(view, replicate)


@dataclass(frozen=True)
class _Asked:
    """Sends a view as it is; a class, so that it can travel to another process."""

    model: BaseChatModel

    def __call__(self, view: Sequence[BaseMessage], replicate: int) -> str:
        return text_of(self.model.invoke(list(view)))


def reader_of(model: BaseChatModel, name: str, use: str = RESULT) -> Reader:
    """A reader that sends each view to `model` as it is, once a replicate."""
    return Reader(name=name, ask=_Asked(model), use=use)


def judge(reply: str, probe: Probe, facts: Sequence[Fact]) -> str:
    """What a reply is: `answered`, `abstained`, `made up` or `vague`.

    - answered: all parts of one right answer stand in it;
    - abstained: it is not, and asks back or says that it does not know; for a probe of things never given this is right;
    - made up: it is neither, and binds to a subject of the conversation a value no fact has;
    - vague: none of these.
    """
    said = normal(reply)
    if any(all(_stands(part, said) for part in answer) for answer in probe.gold):
        return "answered"
    if _ABSTAINS.search(reply):
        return "abstained"
    return "made up" if _invents(reply, probe, facts) else "vague"


def _stands(part: str, said: str) -> bool:
    """Whether a name or a number stands in the text, not inside a longer number."""
    wanted = re.escape(normal(part))
    return re.search(rf"(?<![\d.]){wanted}(?![\d]|\.\d)" if wanted[-1:].isdigit() else wanted, said) is not None


def _invents(reply: str, probe: Probe, facts: Sequence[Fact]) -> bool:
    """A number about a known subject that none of its facts has, or any number where nothing was ever given."""
    numbers = {float(found.replace(",", "")) for found in re.findall(r"\d[\d,]*(?:\.\d+)?", reply)}
    if not probe.needed:
        return bool(numbers)
    known = {float(fact.value) for fact in facts if isinstance(fact.value, float)}
    known |= {float(value) for fact in facts for _, value in fact.scope if isinstance(value, int)}
    named = [fact for fact in facts if normal(fact.subject) in normal(reply)]
    return bool(named) and bool(numbers - known) and not bound_facts(reply, named)
