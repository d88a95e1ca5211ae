"""JSON values inside a text, also when the text was cut off in the middle of one."""

import json
import re
from collections.abc import Iterator
from typing import Any

_DECODER = json.JSONDecoder()
_START = re.compile(r"[{\[]")
_CLOSER = {"{": "}", "[": "]"}


def split_json(text: str) -> Iterator[Any]:
    """The text in order: stretches without JSON as `str`, JSON values that hold objects as they are."""
    start = position = 0
    while (match := _START.search(text, position)) is not None:
        value, end = _value_at(text, match.start())
        if isinstance(value, dict) or (isinstance(value, list) and any(isinstance(item, dict) for item in value)):
            yield text[start : match.start()]
            yield value
            start = end
        position = max(end, match.end())
    yield text[start:]


def _value_at(text: str, start: int) -> tuple[Any, int]:
    try:
        return _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        whole = _closed(text[start:])
    if whole is None:
        return None, start
    try:
        return json.loads(whole), len(text)
    except (ValueError, RecursionError):
        return None, start


def _closed(text: str) -> str | None:
    """A cut-off JSON text up to its last whole member, with the brackets closed; None when nothing whole is left."""
    open_brackets: list[str] = []
    cut: tuple[int, str] | None = None
    in_string = escaped = False
    for at, char in enumerate(text):
        if in_string:
            in_string = escaped or char != '"'
            escaped = char == "\\" and not escaped
        elif char == '"':
            in_string = True
        elif char in "{[":
            open_brackets.append(char)
        elif char in "}]":
            if not open_brackets or _CLOSER[open_brackets.pop()] != char:
                return None
            cut = (at + 1, _closers(open_brackets))
        elif char == ",":
            cut = (at, _closers(open_brackets))
    return text[: cut[0]] + cut[1] if cut is not None and open_brackets else None


def _closers(open_brackets: list[str]) -> str:
    return "".join(_CLOSER[bracket] for bracket in reversed(open_brackets))
