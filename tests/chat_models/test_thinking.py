import pytest
from hypothesis import given
from hypothesis import strategies as st

from travel_lab.chat_models import split_thinking


@pytest.mark.parametrize(
    ("text", "thinking", "answer"),
    [
        ('<think>maybe {"draft":true}</think>{"days":[1]}', 'maybe {"draft":true}', '{"days":[1]}'),
        ("\n<think>\nhm\n</think>\n\nPLAN: 成都", "hm", "\n\nPLAN: 成都"),
        ("hm, 3 days</think>PLAN: 成都", "hm, 3 days", "PLAN: 成都"),
        ("<think>never ends", "never ends", ""),
        ('{"tip":"写<think>标签</think>的书店"}', "", '{"tip":"写<think>标签</think>的书店"}'),
        ("写<think>标签</think>的书店", "", "写<think>标签</think>的书店"),
        ('{"tip":"a</think>b"}', "", '{"tip":"a</think>b"}'),
        ("PLAN: 成都", "", "PLAN: 成都"),
    ],
)
def test_thinking_is_taken_apart(text, thinking, answer):
    """A thinking block before the answer goes to its own place, and marks inside an answer stay."""
    spoken = split_thinking(text)

    assert (spoken.thinking, spoken.answer) == (thinking, answer)


@given(st.text().filter(lambda text: "think>" not in text))
def test_text_without_marks_is_all_answer(text):
    """A model that does not think aloud is quoted to the letter."""
    assert split_thinking(text).answer == text
