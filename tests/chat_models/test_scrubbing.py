import pytest
from hypothesis import given
from hypothesis import strategies as st

from travel_lab.chat_models.scrubbing import forget, scrub


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("Authorization: Bearer abc.def-123456", "Authorization: Bearer [key]"),
        ("key sk-1234567890abcdef is wrong", "key [key] is wrong"),
        ("Incorrect API key provided: planted-abc-123.", "Incorrect API key provided: [key]"),
        ('{"api_key": "planted-abc-123"}', '{"api_key": "[key]"}'),
        ("我的电话13812345678，邮箱li.lei@example.com", "我的电话[phone]，邮箱[e-mail]"),
        ("密钥sk-1234567890abcdef", "密钥[key]"),
        ("+86 138 1234 5678", "[phone]"),
        ("call +61 412 345 678", "call [phone]"),
        ("身份证11010519491231002X", "身份证[id number]"),
        ("成都3天，预算5000，2026-10-03，¥1,280", "成都3天，预算5000，2026-10-03，¥1,280"),
    ],
)
def test_keys_and_personal_fields_are_taken_out(text, clean):
    """Keys, addresses and numbers of a person leave the text, and what a trip is about stays."""
    assert scrub(text) == clean


@given(st.text())
def test_scrubbing_twice_changes_nothing_more(text):
    """A scrubbed text is found again when it is scrubbed anew."""
    assert scrub(scrub(text)) == scrub(text)


def test_secret_leaves_an_error_and_its_causes():
    """A service that repeats the key in its answer does not bring it into an error's text, body or cause."""
    cause = ValueError("no such key: planted-key")
    error = RuntimeError("401 planted-key")
    error.body = {"message": "wrong: planted-key", "list": ["planted-key"]}
    error.__cause__ = cause
    forget(error, "planted-key")

    assert (str(error), error.body, str(cause)) == (
        "401 [key]",
        {"message": "wrong: [key]", "list": ["[key]"]},
        "no such key: [key]",
    )
