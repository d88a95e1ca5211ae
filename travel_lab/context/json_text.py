"""JSON values inside a text, also when the text was cut off in the middle of one, and Python's way of writing the same."""

import ast
import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

_DECODER = json.JSONDecoder()
_START = re.compile(r"[{\[]")
_CLOSER = {"{": "}", "[": "]"}
_PYTHON = re.compile(r"[\[{(\s]+'")
"""How a list or dictionary begins that Python wrote, as an f-string does: with a single quote."""
_MOST_IN_VAIN = 50
"""Brackets that lead far and to no object; after that many the rest is prose, because noise would take for ever."""


class _Read(NamedTuple):
    value: Any
    end: int
    far: bool = False
    """Whether it took more than what the bracket holds: the bracket never closes, or holds too many others."""


def split_json(text: str) -> Iterator[Any]:
    """The text in order: stretches without JSON as `str`, JSON values that hold objects as they are."""
    start = position = in_vain = 0
    while in_vain < _MOST_IN_VAIN and (match := _START.search(text, position)) is not None:
        value, end, far = _value_at(text, match.start())
        if isinstance(value, dict) or (isinstance(value, list) and any(isinstance(item, dict) for item in value)):
            yield text[start : match.start()]
            yield value
            start = position = end
        else:
            # A list of lists may hold objects further in.
            position = match.end()
            in_vain += far
    yield text[start:]


def _value_at(text: str, start: int) -> _Read:
    try:
        return _Read(*_DECODER.raw_decode(text, start))
    except ValueError:
        if _PYTHON.match(text, start):
            return _python_at(text, start)
        whole = _closed(text[start:])
    except RecursionError:
        return _Read(None, start, far=True)
    if whole is None:
        return _Read(None, start)
    try:
        return _Read(json.loads(whole), len(text), far=True)
    except (ValueError, RecursionError):
        return _Read(None, start, far=True)


def _python_at(text: str, start: int) -> _Read:
    """A literal of Python's as JSON would hold it; nothing is called."""
    end = _end_of_python(text, start)
    try:
        return _Read(json.loads(json.dumps(ast.literal_eval(text[start:end]), default=str)), end)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return _Read(None, start, far=True)


def _end_of_python(text: str, start: int) -> int:
    depth, quote, at = 0, "", start
    while at < len(text):
        char = text[at]
        if quote:
            at += char == "\\"
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        else:
            depth += (char in "{[(") - (char in "}])")
            if depth == 0:
                return at + 1
        at += 1
    return at


def _closed(text: str) -> str | None:
    """A cut-off JSON text up to its last whole member, with the brackets closed; None when it is not cut off."""
    open_brackets: list[str] = []
    end = depth = 0
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
            if not open_brackets:
                return None
            end, depth = at + 1, len(open_brackets)
        elif char == ",":
            end, depth = at, len(open_brackets)
    # Brackets opened since then belong to a member that is not whole.
    return text[:end] + "".join(_CLOSER[bracket] for bracket in reversed(open_brackets[:depth]))
