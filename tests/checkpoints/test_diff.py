"""What differs between two states, leaf by leaf."""

from hypothesis import given
from hypothesis import strategies as st

from travel_lab.checkpoints import MISSING, Change, diff

LEAVES = st.none() | st.booleans() | st.integers(-3, 3) | st.text("ab", max_size=2)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["id", "name", "x"]), inner, max_size=3),
    max_leaves=8,
)
STATES = st.dictionaries(st.sampled_from(["a", "b", "c"]), VALUES, max_size=3)


def same(one, other):
    """Equal and of equal types, as 1 and True are not."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and one == other


@given(STATES, STATES)
def test_no_change_means_equal(before, after):
    """There are no changes exactly when the two states are the same."""
    assert (diff(before, after) == ()) == same(before, after)


@given(STATES, STATES)
def test_backwards_is_the_mirror(before, after):
    """Swapping the states swaps before and after of every change, and finds no other."""
    forth = {(change.path, repr(change.before), repr(change.after)) for change in diff(before, after)}
    back = {(change.path, repr(change.after), repr(change.before)) for change in diff(after, before)}

    assert forth == back


def test_leaf_is_named_by_its_path():
    """One changed leaf deep in a state is one row with its whole path."""
    before = {"requirements": {"days": 3, "budget": {"amount": 5000}}}
    after = {"requirements": {"days": 3, "budget": {"amount": 4000}}}

    assert diff(before, after) == (Change(path="requirements.budget.amount", before=5000, after=4000),)


def test_records_are_matched_by_name():
    """A record put in front of others is one addition, and a change inside another is found where it belongs."""
    before = {"hotels": [{"name": "A", "price": 1}, {"name": "B", "price": 2}]}
    after = {"hotels": [{"name": "C", "price": 9}, {"name": "A", "price": 1}, {"name": "B", "price": 3}]}

    assert [(change.path, change.kind) for change in diff(before, after)] == [
        ("hotels[name='B'].price", "changed"),
        ("hotels[name='C']", "added"),
    ]


def test_message_is_matched_by_id():
    """A message that was replaced in place shows the changed part, not two messages."""
    before = {"messages": [{"id": "m1", "content": "old"}]}
    after = {"messages": [{"id": "m1", "content": "new"}]}

    assert diff(before, after) == (Change(path="messages[id='m1'].content", before="old", after="new"),)


def test_changed_order_is_a_change():
    """The same records in another order are told as such, and as nothing else."""
    changes = diff({"days": [{"day": 1}, {"day": 2}]}, {"days": [{"day": 2}, {"day": 1}]})

    assert [change.path for change in changes] == ["days (order)"]


def test_records_without_one_name_each_are_matched_by_place():
    """Two records of one name are compared place by place."""
    changes = diff({"xs": [{"name": "A"}, {"name": "A"}]}, {"xs": [{"name": "A"}, {"name": "B"}]})

    assert changes == (Change(path="xs[1].name", before="A", after="B"),)


def test_missing_is_not_none():
    """A field that is gone and a field that became None are told apart."""
    assert diff({"a": 1}, {}) == (Change(path="a", before=1, after=MISSING),)
    assert diff({"a": 1}, {"a": None}) == (Change(path="a", before=1, after=None),)


def test_long_text_stands_whole():
    """Both texts of a change are whole, whatever their length."""
    change = diff({"a": "x" * 10_000}, {"a": "y" * 10_000})[0]

    assert (len(change.before), len(change.after)) == (10_000, 10_000)
