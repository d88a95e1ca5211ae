"""How a history hangs together: blocks that must stay whole, turns, and the messages that must stay at all."""

from collections.abc import Sequence

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage

from travel_lab.tokens import text_of

Block = list[BaseMessage]
"""One message, or a message with tool calls and all their results."""


def blocks_of(messages: Sequence[BaseMessage]) -> list[Block]:
    """The history without system messages in blocks, oldest first.

    A tool result without its call, and a call that not all its results follow, are in no block: no provider takes them.
    """
    blocks: list[Block] = []
    results = {message.tool_call_id: message for message in messages if isinstance(message, ToolMessage)}
    for message in messages:
        if isinstance(message, ToolMessage) or message.type == "system":
            continue
        calls = [call["id"] for call in message.tool_calls] if isinstance(message, AIMessage) else []
        if all(call in results for call in calls):
            blocks.append([message, *(results[call] for call in calls if call is not None)])
    return blocks


def turns_of(messages: Sequence[BaseMessage]) -> list[list[Block]]:
    """The blocks by turn, oldest first; a turn begins with a user message, and what stands before the first is one too."""
    turns: list[list[Block]] = []
    for block in blocks_of(messages):
        if not turns or block[0].type == "human":
            turns.append([])
        turns[-1].append(block)
    return turns


def required_in(messages: Sequence[BaseMessage], question: str) -> list[BaseMessage]:
    """System messages, and the newest user message when it is the one being answered."""
    newest = next((message for message in reversed(messages) if message.type == "human"), None)
    answered = newest is not None and bool(question.strip()) and text_of(newest).strip() == question.strip()
    return [m for m in messages if m.type == "system" or (answered and m is newest)]
