"""What a checkpoint cannot hold: where in a value it is, of which type, and what to store instead."""

import dataclasses
import pickle
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from enum import Enum
from types import NoneType
from typing import Any

from langchain_core.messages import BaseMessage
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.types import Overwrite, Send
from pydantic import BaseModel

CANNOT = (TypeError, AttributeError, pickle.PicklingError)
"""How LangGraph's serialiser refuses a value."""
_TIMES = (datetime, date, time, timedelta)
_DEPTH = 100
"""Deeper than this nobody looks; a value that is nested so deep, or holds itself, is refused as a whole."""
_SHOWN = 80
_PLAIN_FORMS = {"DataFrame": "value.to_dict('records')", "Series": "value.tolist()", "Timedelta": "value.total_seconds()"}

Dumps = Callable[[Any], tuple[str, bytes]]
LANGGRAPHS: Dumps = JsonPlusSerializer().dumps_typed
_STRICT = JsonPlusSerializer(allowed_msgpack_modules=[])
_SAME = frozenset({NoneType, bool, int, float, str, bytes, dict, list, tuple})
"""Taken as they are; that a tuple comes back as a list does no harm."""


@dataclass(frozen=True, kw_only=True)
class Flaw:
    """The innermost part of a value that cannot be stored."""

    path: str
    """Where it is, such as `hotels[0].price`; blank for the value itself."""
    kind: str
    """Its type."""
    advice: str
    """What to store instead."""

    def told(self, key: str) -> str:
        """The end of a sentence such as "Node 'a' wrote to": the key, the place, the type, and the next step."""
        path = self.path if len(self.path) <= _SHOWN else f"{self.path[:_SHOWN]}…"
        where = f"{key} at {path}" if path else key
        return f"{where} a value of type {self.kind}, which a checkpoint cannot hold as it is. {self.advice}"


def flaw_in(value: object, dumps: Dumps = LANGGRAPHS) -> Flaw | None:
    """The first part that `dumps` refuses; None when the value can be stored."""
    if not _is_refused(value, dumps):
        return None
    path, part = next((path, part) for path, part in _walk("", value, 0) if _is_refused(part, dumps))
    if isinstance(part, dict):
        for key in part:
            if _is_refused({key: None}, dumps):
                return Flaw(path=path, kind=f"{_kind(part)} with a key of type {_kind(key)}", advice="Use texts as keys.")
    return Flaw(path=path, kind=_kind(part), advice=_advice(part))


def change_in(value: object) -> Flaw | None:
    """The first part that can be stored and comes back as something else, as a pandas Timestamp or a dataclass does.

    What it comes back as is what a store gives that decodes strictly and knows of no types, such as the lab's.
    """
    for path, part in _walk("", value, 0):
        if type(part) not in _SAME and not isinstance(part, BaseMessage | Overwrite):
            back = _STRICT.loads_typed(_STRICT.dumps_typed(part))
            if type(back) is not type(part):
                return Flaw(path=path, kind=_kind(part), advice=_advice(part))
    return None


def _is_refused(value: object, dumps: Dumps) -> bool:
    try:
        dumps(value)
    except CANNOT:
        return True
    return False


def _walk(path: str, value: object, depth: int) -> Iterator[tuple[str, object]]:
    """Every part of a value with its path, the innermost first."""
    if depth < _DEPTH:
        for step, part in _parts(value):
            yield from _walk((path + step).removeprefix("."), part, depth + 1)
    yield path, value


def _parts(value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, dict):
        yield from ((f".{key}", part) for key, part in value.items())
    elif isinstance(value, list | tuple | set | frozenset | deque):
        yield from ((f"[{at}]", part) for at, part in enumerate(value))
    elif isinstance(value, BaseModel):
        yield from ((f".{name}", part) for name, part in vars(value).items())
    elif isinstance(value, Send):
        yield ".arg", value.arg
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        yield from ((f".{field.name}", getattr(value, field.name)) for field in dataclasses.fields(value))


def _kind(value: object) -> str:
    """`DataFrame`, and `numpy.float64` where the bare name would look like Python's own."""
    kind = type(value)
    return f"numpy.{kind.__name__}" if kind.__module__ == "numpy" else kind.__name__


def _advice(value: object) -> str:
    kind = type(value)
    if kind is int:
        return "It is longer than 64 bits; store it as text: str(value)."
    if callable(value):
        return "Code is no data; keep it in the node or in the graph's context=."
    if kind in {dict, list, tuple}:
        return "It is nested too deep, or holds itself; store its parts side by side."
    plain = _plain_form(value)
    return f"Store plain data instead{f': {plain}' if plain else ', such as texts, numbers, lists and dictionaries'}."


def _plain_form(value: object) -> str:
    kind = type(value)
    if kind.__module__ == "numpy":
        return "value.item()"
    if isinstance(value, Enum):
        return "value.value"
    if isinstance(value, BaseModel):
        return "value.model_dump()"
    if dataclasses.is_dataclass(value):
        return "dataclasses.asdict(value)"
    return _PLAIN_FORMS.get(kind.__name__) or ("value.isoformat()" if isinstance(value, _TIMES) else "")
