import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from travel_lab.errors import CutReply, UnreadableReply
from travel_lab.planner.replies import read_object

DAYS = {"days": [1]}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('好的，以下是行程：\n{"days":[1]}', DAYS),
        ('```JSON\n{"days":[1]}\n```\n祝您旅途愉快', DAYS),
        ('<think>maybe {"draft":true}</think>{"days":[1]}', DAYS),
        ('{"days":[1]} 参考[1]。', DAYS),
        ('按{日期}排列：{"days":[1]}', DAYS),
        ('{"tip":"用```包裹```即可","days":[1]}', {"tip": "用```包裹```即可", "days": [1]}),
        ('{"tip":"写<think>标签</think>的书店"}', {"tip": "写<think>标签</think>的书店"}),
    ],
)
def test_object_is_found_in_prose(text, value):
    """Correct JSON is found among fences, sentences and thinking, and its values are kept to the letter."""
    found = read_object(text)

    assert (found.value, found.repairs) == (value, ())


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{'days':[1]}", DAYS),
        ('{"days":[1],}', DAYS),
        ("{“days”：[1]}", DAYS),
        ("｛“days”：［1］｝", DAYS),
        ('{"open":True,"note":None}', {"open": True, "note": None}),
        ('{"tip":"推荐"龙抄手"很好吃","days":[1]}', {"tip": '推荐"龙抄手"很好吃', "days": [1]}),
        ('{"tip":"C:\\d"}', {"tip": "C:\\d"}),
    ],
)
def test_small_faults_are_repaired_and_told(text, value):
    """JSON with a small fault is read, and what was put right is on record."""
    found = read_object(text)

    assert found.value == value
    assert found.repairs


@pytest.mark.parametrize(
    "text",
    [
        '{"days":[{"day":1,"activities":[{"name":"宽窄巷子"},{"name":"锦',
        '{"days":[{"day":1}',
        '```json\n{"days":[{"day":1,"sights":["武侯祠"]},',
        "{",
    ],
)
def test_cut_object_is_never_taken_for_a_whole_one(text):
    """JSON that ends in the middle is an error of its own, whatever smaller object stands in it."""
    with pytest.raises(CutReply):
        read_object(text)


@pytest.mark.parametrize("text", ["", "好的！", "[1, 2]", "<think>{}", '<think>{"days":[1]}', "{占位}"])
def test_text_without_an_object_is_refused(text):
    """Prose, lists and thoughts are no object."""
    with pytest.raises(UnreadableReply):
        read_object(text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=6), JSON, max_size=4), st.booleans())
def test_any_object_is_read_as_it_is(value, ascii_only):
    """What is written as JSON is read without a repair, between a fence and a sentence."""
    found = read_object(f"好的：\n```json\n{json.dumps(value, ensure_ascii=ascii_only)}\n```\n完成。")

    assert (found.value, found.repairs) == (value, ())


@given(st.dictionaries(st.text("abc", min_size=1), st.lists(st.integers(), min_size=1), min_size=1), st.data())
def test_no_beginning_of_an_object_is_read(value, data):
    """Wherever an object is cut, it is not read as if it were whole."""
    text = json.dumps(value)
    with pytest.raises(CutReply):
        read_object(text[: data.draw(st.integers(1, len(text) - 1))])


@given(st.text())
def test_any_text_is_read_or_refused_by_name(text):
    """Reading never ends in anything but an object or the named error."""
    try:
        assert isinstance(read_object(text).value, dict)
    except UnreadableReply as error:
        assert str(error)  # noqa: PT017 (either outcome is right, nothing else is)
