"""Takes a model's thinking apart from its answer, so that no thought is stored, summarised or measured as context."""

import re
from dataclasses import dataclass

_OPEN = re.compile(r"(?:[^{]*?[。！？.!?\n])?\s*<think>")
_CLOSE = "</think>"


@dataclass(frozen=True, kw_only=True)
class Spoken:
    """A model's text in its two parts."""

    thinking: str
    """What it wrote before its answer; blank when it did not think aloud."""
    answer: str
    """What it answers; blank when the text ends in the middle of the thinking."""


def split_thinking(text: str) -> Spoken:
    """Split a text whose answer comes after a `<think>` block, also when the block has no beginning or no end.

    A block begins a text or follows a whole sentence; marks inside an answer, such as a shop called `<think>`, are left alone.
    """
    opening = _OPEN.match(text)
    if opening is None:
        head, close, tail = text.partition(_CLOSE)
        # Some servers put the opening mark into the prompt, so only the closing one arrives.
        if not close or "<think>" in head or "{" in head:
            return Spoken(thinking="", answer=text)
        return Spoken(thinking=head.strip(), answer=tail)
    thinking, _, answer = text[opening.end() :].partition(_CLOSE)
    return Spoken(thinking=thinking.strip(), answer=answer)
