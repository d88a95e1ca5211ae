"""Finds the JSON object in a model's text: fences and prose around it, small faults repaired and told, never a cut one."""

import json
import re
from dataclasses import dataclass
from typing import Any

import json_repair

from travel_lab.errors import CutReply, UnreadableReply

_CURLY = str.maketrans({"“": '"', "”": '"', "：": ":", "，": ",", "｛": "{", "｝": "}", "［": "[", "］": "]"})
_OPEN = re.compile(r"[{｛]")
_PAIRS = {"}": "{", "]": "[", "｝": "｛", "］": "［"}


@dataclass(frozen=True, kw_only=True)
class ReadObject:
    """A JSON object and how it was got."""

    value: dict[str, Any]
    repairs: tuple[str, ...]
    """What was put right in it, in words; empty for correct JSON."""


def find_object(text: str) -> ReadObject:
    """The first JSON object of a text.

    Raises:
        CutReply: It has no end.
        UnreadableReply: There is none.
    """
    decoder, at = json.JSONDecoder(), 0
    while (match := _OPEN.search(text, at)) is not None:
        start = match.start()
        try:
            value, end = decoder.raw_decode(text, start)
        except json.JSONDecodeError:
            value, end = None, start
        except (ValueError, RecursionError) as error:
            raise UnreadableReply(f"The JSON object cannot be taken in: {error}.") from error
        if isinstance(value, dict):
            return ReadObject(value=value, repairs=())
        span = text[start:end] if end > start else _span(text, start)
        if (repaired := _repaired(span)) is not None:
            return repaired
        at = start + max(len(span), 1)
    raise UnreadableReply(f"Expected one JSON object, found {text[:80]!r}.")


def _span(text: str, start: int) -> str:
    """From an opening brace to its closing one; a fault in the quotes is looked past."""
    opened: list[str] = []
    in_text = escaped = False
    for at in range(start, len(text)):
        sign = text[at]
        if in_text:
            in_text, escaped = escaped or sign != '"', not escaped and sign == "\\"
        elif sign == '"':
            in_text = True
        elif sign in _PAIRS.values():
            opened.append(sign)
        elif sign in _PAIRS and opened and opened.pop() == _PAIRS[sign] and not opened:
            return text[start : at + 1]
    whole = text[start : max(text.rfind("}"), text.rfind("｝")) + 1]
    counts = [whole.count(opening) - whole.count(closing) for closing, opening in _PAIRS.items()]
    if not whole or any(counts):
        raise CutReply(f"The JSON ends in the middle: {text[-60:]!r}.")
    return whole


def _repaired(span: str) -> ReadObject | None:
    """The span as an object, put right; None when it is only words in braces."""
    if ":" not in span and "：" not in span:
        return None
    # Full-width signs are read as JSON's own only where no ordinary quotes show which is which.
    full_width = '"' not in span and span.translate(_CURLY) != span
    try:
        value, log = json_repair.repair_json(span.translate(_CURLY) if full_width else span, return_objects=True, logging=True)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or not value:
        return None
    told = [*(["full-width signs read as JSON's own"] if full_width else []), *dict.fromkeys(entry["text"] for entry in log)]
    return ReadObject(value=value, repairs=tuple(told) or ("quotes, commas or literals read as JSON's own",))
