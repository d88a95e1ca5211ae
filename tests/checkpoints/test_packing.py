"""Packed values against LangGraph's own serialiser: the same bytes, the same objects, nothing shared."""

import copy
import dataclasses
import enum
import operator
import pickle
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

import ormsgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.types import Interrupt, Send
from pydantic import BaseModel

from travel_lab.checkpoints.owned import LoadedList, own
from travel_lab.checkpoints.packing import MessageMemory, Packer, Unpackable, read_raw, squeeze, unsqueeze
from travel_lab.checkpoints.unpacking import NameCollector, Unpacker, send_target, stock_bytes


class Stay(BaseModel):
    city: str
    nights: int
    notes: list[str] = []


@dataclasses.dataclass
class Leg:
    start: str
    messages: list


class Mood(enum.Enum):
    CALM = "calm"


class Point(NamedTuple):
    x: int
    y: int


PLAIN = JsonPlusSerializer(allowed_msgpack_modules=[Stay, Leg, Mood, Point])


class Shelf:
    """Blobs in memory, a packer and an unpacker on them."""

    def __init__(self):
        self.blobs: dict[bytes, bytes] = {}
        self.memory = MessageMemory()
        self.unpacker = Unpacker(PLAIN.loads_typed, self.blobs.__getitem__, self.memory)

    def pack(self, value, outer=0):
        packed = Packer(PLAIN.dumps_typed, self.memory).pack(value, outer)
        self.blobs.update({name: content for name, content in packed.blobs.items() if content is not None})
        return packed

    def pack_stored(self, stored: bytes, outer=0):
        packed = Packer(PLAIN.dumps_typed, None).pack(read_raw(stored), outer)
        self.blobs.update(packed.blobs)
        return packed

    def unpack(self, packed):
        return self.unpacker.unpack(packed.data)

    def stock(self, packed) -> bytes:
        return stock_bytes(packed.data, self.blobs.__getitem__)


@pytest.fixture
def shelf():
    return Shelf()


def stored(value) -> bytes:
    form, data = PLAIN.dumps_typed(value)
    assert form == "msgpack"
    return data


def chat(count: int) -> list:
    kinds = (HumanMessage, AIMessage)
    return [kinds[at % 2](content=f"第{at}天 " + "宽窄巷子" * 8, id=f"id-{at}") for at in range(count)]


texts = st.text(max_size=12) | st.sampled_from(["长" * 40, "x" * 300, "旅行" * 200, "\ud800 lone"])
scalars = st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | texts | st.binary(max_size=200)
rich = st.sampled_from(
    [
        Stay(city="成都", nights=3, notes=["a" * 200]),
        Leg(start="x", messages=[HumanMessage("hi" * 90, id="h")]),
        Mood.CALM,
        Point(1, 2),
        UUID(int=7),
        datetime(2026, 1, 2, tzinfo=UTC),
        date(2026, 1, 2),
        timedelta(seconds=3),
        Decimal("1.50"),
        Path("/a/b"),
        Interrupt(value={"q": "?" * 150}, id="i"),
        frozenset({1}),
        ValueError("no"),
        bytearray(b"abc"),
    ]
)
messages = st.builds(
    lambda kind, text, key, extra: kind(content=text, id=key, additional_kwargs=extra),
    st.sampled_from([HumanMessage, AIMessage, SystemMessage]),
    texts.filter(lambda text: "\ud800" not in text),
    st.text("abc", min_size=1, max_size=3),
    st.dictionaries(st.text("xyz", max_size=2), st.integers(0, 9), max_size=2),
) | st.builds(lambda text: ToolMessage(content=[{"type": "text", "text": text}], tool_call_id="t"), st.text(max_size=5))
values = st.recursive(
    scalars | rich | messages,
    lambda inner: (
        st.lists(inner, max_size=40)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(st.text(max_size=4) | st.integers(-5, 5) | st.none(), inner, max_size=40)
        | st.builds(Send, st.text("ab", min_size=1), inner)
    ),
    max_leaves=60,
).filter(lambda value: value is not None and not isinstance(value, bytes | bytearray))
"""LangGraph stores nothing and bytes in forms of their own; the saver leaves them to it."""


@settings(max_examples=150)
@given(value=values, outer=st.integers(0, 2))
def test_packed_value_is_the_stock_bytes(value, outer):
    """Whatever the value, putting the packed pieces together gives the very bytes LangGraph would have stored."""
    shelf = Shelf()

    assert shelf.stock(shelf.pack(value, outer)) == stored(value)


@settings(max_examples=150)
@given(value=values, outer=st.integers(0, 2))
def test_live_and_stored_values_pack_alike(value, outer):
    """Packing stored bytes, without importing a class, gives the same pieces as packing the live value."""
    shelf = Shelf()

    assert shelf.pack_stored(stored(value), outer).data == shelf.pack(value, outer).data


@settings(max_examples=150)
@given(value=values)
def test_loaded_value_is_what_langgraph_loads(value):
    """The object that comes back serialises to the same bytes as the one LangGraph's serialiser gives back."""
    shelf = Shelf()

    assert stored(shelf.unpack(shelf.pack(value))) == stored(PLAIN.loads_typed(("msgpack", stored(value))))


@given(data=st.binary(max_size=400) | st.text(max_size=300).map(str.encode))
def test_squeezed_bytes_come_back(data):
    """Compression loses nothing."""
    assert unsqueeze(squeeze(data)) == data


@settings(max_examples=40)
@given(count=st.integers(0, 400), cut=st.integers(0, 400), drop=st.integers(0, 30))
def test_lists_of_any_length_come_back(count, cut, drop):
    """Lists that grow and lose items at the front keep every item in order."""
    shelf = Shelf()
    items = chat(count)
    changed = items[drop:cut] + items[cut + 1 :]

    assert shelf.unpack(shelf.pack(items)) == items
    assert shelf.unpack(shelf.pack(changed)) == changed


def new_bytes(shelf, value) -> int:
    before = set(shelf.blobs)
    packed = shelf.pack(value)
    return len(packed.data) + sum(len(squeeze(shelf.blobs[name])) for name in set(shelf.blobs) - before)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda items: [*items, AIMessage("新" * 50, id="new")], id="append"),
        pytest.param(lambda items: items[3:], id="drop oldest"),
        pytest.param(lambda items: [*items[:400], AIMessage("新" * 50, id="id-400"), *items[401:]], id="replace one"),
        pytest.param(lambda items: [AIMessage("新" * 50, id="new"), *items], id="insert first"),
    ],
)
def test_small_change_of_a_long_list_costs_little(shelf, change):
    """One change anywhere in 1,000 messages (some 400 KB) stores less than 4 KB."""
    items = chat(1000)
    shelf.pack(items)

    assert new_bytes(shelf, change(items)) < 4000


def test_small_change_of_a_large_dictionary_costs_little(shelf):
    """One record changed among 1,000 stores less than 4 KB."""
    records = {f"hotel-{at}": {"name": f"酒店{at}", "price": at, "tags": ["a", "b"]} for at in range(1000)}
    shelf.pack(records)

    assert new_bytes(shelf, {**records, "hotel-500": {"name": "新", "price": 1, "tags": []}}) < 4000


def test_growing_list_of_short_texts_costs_little(shelf):
    """A log of a thousand short lines does not store its beginning again."""
    lines = [f"line {at} of the log" for at in range(1000)]
    shelf.pack(lines)

    assert new_bytes(shelf, [*lines, "one more"]) < 2000


def test_message_changed_in_place_is_stored_anew(shelf):
    """A message object whose content was changed after it was stored is not taken for the old one."""
    message = AIMessage("before" * 30, id="m", additional_kwargs={"k": [1]})
    shelf.pack([message])
    message.additional_kwargs["k"].append(2)

    assert shelf.unpack(shelf.pack([message])) == [AIMessage("before" * 30, id="m", additional_kwargs={"k": [1, 2]})]


@pytest.mark.parametrize("count", [3, 300])
def test_changing_a_loaded_message_changes_no_other_snapshot(shelf, count):
    """Two readings of one list share nothing a caller can change, whether it is short or long."""
    packed = shelf.pack(chat(count))
    one, two = shelf.unpack(packed), shelf.unpack(packed)
    one[1].content = "spoiled"
    one[2].additional_kwargs["spoiled"] = True
    one.append("spoiled")

    assert two == chat(count)
    assert shelf.unpack(packed) == chat(count)


def test_changing_a_loaded_record_changes_no_other_snapshot(shelf):
    """Records in long lists and large dictionaries are the caller's own as well."""
    state = {"list": [{"n": at, "tags": ["x" * 20]} for at in range(200)], "dict": {f"k{at}": ["v" * 20] for at in range(200)}}
    packed = shelf.pack(copy.deepcopy(state))
    one = shelf.unpack(packed)
    one["list"][5]["tags"].append("spoiled")
    one["dict"]["k5"].append("spoiled")

    assert shelf.unpack(packed) == state


def test_changing_a_loaded_message_does_not_change_what_is_stored_next(shelf):
    """A loaded message that is changed and stored again is stored as it is now."""
    loaded = shelf.unpack(shelf.pack(chat(200)))
    loaded[7].content = "今天"

    assert shelf.unpack(shelf.pack(loaded))[7].content == "今天"


LOOKS = {
    "index": lambda items: items[0],
    "slice": lambda items: items[:1].pop(),
    "iterate": lambda items: next(iter(items)),
    "reverse": lambda items: list(reversed(items))[-1],
    "list": lambda items: operator.itemgetter(0)(list(items)),
    "unpack": lambda items: operator.itemgetter(0)([*items]),
    "add": lambda items: operator.add(items, []).pop(0),
    "added": lambda items: operator.add([], items).pop(0),
    "times": lambda items: (items * 1)[0],
    "copy": lambda items: items.copy()[0],
    "copy module": lambda items: copy.copy(items)[0],
    "deep copy": lambda items: copy.deepcopy(items)[0],
    "pickle": lambda items: pickle.loads(pickle.dumps(items))[0],  # noqa: S301 (made one word earlier)
    "pop": lambda items: items.pop(0),
    "tuple": lambda items: operator.getitem(tuple(items), 0),
    "extend": lambda items: (fresh := [], fresh.extend(items))[0][0],
    "slice assignment": lambda items: (fresh := [], fresh.__setitem__(slice(None), items))[0][0],
    "sorted": lambda items: sorted(items, key=lambda item: item["n"]).pop(0),
    "star call": lambda items: operator.itemgetter(0)([*zip(*[items], strict=True)])[0],
    "zip": lambda items: next(zip(items, strict=False))[0],
    "min": lambda items: min(items, key=lambda item: item["n"]),
}


@pytest.mark.parametrize("look", LOOKS.values(), ids=list(LOOKS))
def test_no_way_of_looking_gives_a_shared_item_away(look):
    """However Python code takes an item out of a loaded list, it is not the stored one."""
    items = [{"n": at} for at in range(3)]

    taken = look(LoadedList(items, own))

    assert taken == {"n": 0}
    assert taken is not items[0]


def test_unread_list_is_equal_to_a_plain_one():
    """Comparing and measuring a loaded list needs no copies and says what a plain list says."""
    items = [{"n": at} for at in range(3)]
    loaded = LoadedList(items, own)

    assert loaded == items
    assert (len(loaded), repr(loaded), ormsgpack.packb(loaded)) == (3, repr(items), ormsgpack.packb(items))
    assert loaded.stored()[0] is items[0]


def test_items_stay_the_same_objects_once_owned():
    """An item taken twice is one object, as in any list."""
    loaded = LoadedList([{"n": 0}], own)

    assert loaded[0] is loaded[0]


def test_value_that_refers_to_itself_is_left_to_langgraph(shelf):
    """A circle cannot be packed; the saver then lets LangGraph say so."""
    circle: list = []
    circle.append(circle)

    with pytest.raises(Unpackable):
        shelf.pack(circle)


def test_collector_names_every_blob(shelf):
    """What a value rests on is found through lists, dictionaries and sends, and nothing else is."""
    value = {
        "m": chat(300),
        "s": [Send("hotel", {"text": "长" * 200, "m": chat(40)})],
        "d": {f"k{i}": "v" * 40 for i in range(99)},
    }
    packed = shelf.pack(value)
    shelf.pack("something else " * 40)
    collector = NameCollector(shelf.blobs.__getitem__)
    collector.collect(packed.data)

    assert collector.names == set(packed.blobs)


def test_send_names_its_node_without_blobs(shelf):
    """The node of a pending send is read from the row alone."""
    assert send_target(shelf.pack(Send("hotel", {"text": "长" * 2000})).data) == "hotel"
    assert send_target(shelf.pack(["no send"]).data) is None
