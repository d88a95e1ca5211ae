"""A conversation as chat front ends send it again with every message: what of it the session does not have yet."""

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import BaseMessage, MessageLikeRepresentation, convert_to_messages

from travel_lab.errors import BadMessage
from travel_lab.tokens import text_of

Said = str | Sequence[MessageLikeRepresentation]
"""The traveller's words, or the conversation that ends with them: messages, or dictionaries of `role` and `content`, no texts."""
_SHOWN = 40


def read_conversation(given: Said) -> list[BaseMessage]:
    """The messages of a conversation; none for plain words.

    Raises:
        BadMessage: It holds something else, or does not end with the traveller's message.
    """
    if isinstance(given, str) or not isinstance(given, Sequence):
        return []
    if any(isinstance(message, str) for message in given):
        raise _unreadable("a text in a list does not say who said it")
    try:
        messages = convert_to_messages(given)
    except (ValueError, NotImplementedError) as error:
        raise _unreadable(str(error).splitlines()[0]) from error
    if not messages or messages[-1].type != "human":
        found = f"one of type {messages[-1].type!r}" if messages else "none"
        raise BadMessage(f"A conversation ends with the traveller's new message, found {found}. Nothing was stored.")
    return messages


def _unreadable(why: str) -> BadMessage:
    return BadMessage(
        f"The conversation cannot be read: {why}. Each message is {{'role': 'user' or 'assistant', 'content': '…'}}, or a "
        "message of LangChain's; nothing was stored."
    )


def check_newest(conversation: Sequence[BaseMessage], state: Mapping[str, Any], session_id: str) -> None:
    """Make sure that the last message is new and that the session's own stand before it.

    Only the traveller's messages are compared, by id or by their words: a front end may show a reply in other words, or the card,
    and may have dropped the oldest ones.

    Raises:
        BadMessage: There is nothing new, or the conversation is another one.
    """
    if not conversation:
        return
    history = state.get("messages", ())
    newest, said, last = conversation[-1], _words(conversation), str(state.get("user_input", "")).strip()
    is_known = newest.id is not None and newest.id in {message.id for message in history}
    if is_known or (len(said) > 1 and said == _words(history)):
        raise BadMessage(
            f"Session {session_id!r} has every message of this conversation; the last is {said[-1][:_SHOWN]!r}. Nothing was "
            "stored; put the new one behind it, or send the words alone to say them again."
        )
    if len(said) > 1 and said[-2] != last:
        raise BadMessage(
            f"This is not the conversation of session {session_id!r}: before the new message stands {said[-2][:_SHOWN]!r}, and "
            f"there {repr(last[:_SHOWN]) if last else 'nothing'} was said last. Nothing was stored; name the right session, or "
            "send the new message alone."
        )


def _words(messages: Sequence[BaseMessage]) -> list[str]:
    return [text_of(message).strip() for message in messages if message.type == "human"]
