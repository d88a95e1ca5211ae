"""A ledger per call: what the tokens of a view are spent on, and what is left of the model's window."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

from langchain_core.messages import BaseMessage

from travel_lab.errors import BadInput
from travel_lab.tokens import DEEPSEEK, PER_MESSAGE, TokenCounter, text_of


@dataclass(frozen=True, kw_only=True)
class Ledger:
    """Tokens of one call by part; together with `free` they fill the window."""

    system: int
    """The system prompt without the profile."""
    profile: int
    """What the system prompt says about the traveller."""
    history: int
    """Everything between the system prompt and the call's own message: the trimmed history or the briefing."""
    question: int
    """The call's own message without its offers."""
    offers: int
    """The provider's list in that message."""
    reply: int
    """Reserved for the answer."""
    free: int
    """Left of the window; negative when the call does not fit."""

    @property
    def window(self) -> int:
        """All of it."""
        return sum(getattr(self, part.name) for part in fields(self))


def ledger(
    view: Sequence[BaseMessage],
    *,
    window: int,
    reserved: int,
    profile: str = "",
    offers: str = "",
    counter: TokenCounter = DEEPSEEK,
) -> Ledger:
    """Read the ledger off a recorded view.

    Args:
        view: The exact messages of the call, system prompt first, own message last.
        window: Tokens the model takes, answer included.
        reserved: Tokens kept for the answer.
        profile: The part of the system prompt that is about the traveller.
        offers: The part of the last message that is the provider's list.
        counter: What is counted with.

    Raises:
        BadInput: The view is empty, or a part is not in the message it should be part of.
    """
    if not view:
        raise BadInput("A ledger needs a view of at least one message, found none. Pass ModelCall.view.")
    system = [message for message in view[:1] if message.type == "system"]
    own = view[-1] if len(view) > len(system) else None
    middle = view[len(system) : -1]
    for part, message, name in ((profile, system[0] if system else None, "profile"), (offers, own, "offers")):
        if part and (message is None or part not in text_of(message)):
            raise BadInput(f"The {name} {part[:40]!r} does not stand in its message. Pass the exact text, or leave it out.")
    spent = {"profile": counter.text(profile), "offers": counter.text(offers), "history": counter.messages(middle)}
    spent["system"] = counter.messages(system) - spent["profile"]
    spent["question"] = (counter.text(text_of(own)) + PER_MESSAGE if own is not None else 0) - spent["offers"]
    return Ledger(**spent, reply=reserved, free=window - sum(spent.values()) - reserved)
