"""Copies of plain data and messages, and the list that makes them only when somebody looks.

A long list of messages is read a thousand times when a history is read, and looked into once or twice. The saver
therefore keeps each stored item once and hands out a `LoadedList` that becomes the caller's own at the first look.
"""

import copy
import threading
from collections.abc import Callable, Iterable
from typing import Any

from langchain_core.messages import BaseMessage

_PLAIN = frozenset({str, int, float, bool, type(None), bytes})
_OWNING = threading.RLock()


def own(value: Any) -> Any:
    """A copy that shares nothing with `value` that can be changed."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is list:
        return [own(item) for item in value]
    if kind is dict:
        return {key: own(item) for key, item in value.items()}
    if isinstance(value, BaseMessage):
        return own_message(value)
    return copy.deepcopy(value)


def own_message(message: BaseMessage) -> BaseMessage:
    """A copy of a message; pydantic's own deep copy gives the same, twenty times slower."""
    twin = object.__new__(type(message))
    put = object.__setattr__
    members = message.__dict__.copy()
    for key, item in members.items():
        if type(item) not in _PLAIN:
            members[key] = own(item)
    put(twin, "__dict__", members)
    put(twin, "__pydantic_fields_set__", set(message.__pydantic_fields_set__))
    put(twin, "__pydantic_extra__", own(message.__pydantic_extra__))
    put(twin, "__pydantic_private__", own(message.__pydantic_private__))
    return twin


class LoadedList(list[Any]):
    """A list read from a store; equal to a plain list, and its items become the caller's own at the first look.

    Until then they are shared with other snapshots. Comparing, measuring and serialising do not count as a look.
    """

    __slots__ = ("_owner", "_shared")

    def __init__(self, items: Iterable[Any], owner: Callable[[Any], Any]) -> None:
        """Args: the stored items, and what makes a copy of one."""
        super().__init__(items)
        self._owner = owner
        self._shared = True

    def stored(self) -> list[Any]:
        """The items as they are, without making them anybody's own; for reading only."""
        return list.__getitem__(self, slice(None))

    def make_own(self) -> None:
        """Replace shared items by copies, once."""
        with _OWNING:
            if self._shared:
                list.__setitem__(self, slice(None), [self._owner(item) for item in self.stored()])
                self._shared = False

    def __reduce_ex__(self, protocol: Any) -> tuple[type[list[Any]], tuple[list[Any]]]:
        """Pickled and copied as a plain list."""
        self.make_own()
        return list, (self.stored(),)


def _looking(name: str) -> Callable[..., Any]:
    plain = getattr(list, name)

    def look(self: LoadedList, *args: Any, **options: Any) -> Any:
        if self._shared:
            self.make_own()
        return plain(self, *args, **options)

    look.__name__ = name
    look.__doc__ = plain.__doc__
    return look


# Everything that hands an item out or puts one in. `index` and `sort` call the items' own methods, so they look too.
_LOOKS = (
    "__add__",
    "__contains__",
    "__delitem__",
    "__getitem__",
    "__iadd__",
    "__imul__",
    "__iter__",
    "__mul__",
    "__reversed__",
    "__rmul__",
    "__setitem__",
    "append",
    "copy",
    "count",
    "extend",
    "index",
    "insert",
    "pop",
    "remove",
    "reverse",
    "sort",
)
for _name in _LOOKS:
    setattr(LoadedList, _name, _looking(_name))


def _added_to(self: LoadedList, other: list[Any]) -> list[Any]:
    self.make_own()
    return [*other, *self]


# `[x] + loaded`: a plain list would take the items below Python's notice.
LoadedList.__radd__ = _added_to  # type: ignore[attr-defined]
