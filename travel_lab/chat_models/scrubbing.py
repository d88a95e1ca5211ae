"""Takes keys and personal fields out of text that is written down."""

import re

_MARKS = (
    (re.compile(r"(?i)(?<![a-z])(bearer\s+)[a-z0-9._~+/=-]{6,}"), r"\1[key]"),
    (re.compile(r"(?<![A-Za-z0-9])sk-[A-Za-z0-9_-]{6,}"), "[key]"),
    (re.compile(r"(?i)(api[ _-]?key(?: provided)?[\"']?\s*[:=]\s*[\"']?)(?!\[key\])[^\s\"',;]{4,}"), r"\1[key]"),
    (re.compile(r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+"), "[e-mail]"),
    # Before phone numbers, which would take the middle out of it.
    (re.compile(r"(?<!\d)\d{17}[\dXx](?!\d)"), "[id number]"),
    (re.compile(r"(?<!\d)(?:\+?86[ -]?)?1[3-9]\d[ -]?\d{4}[ -]?\d{4}(?!\d)"), "[phone]"),
    (re.compile(r"(?<![\w+])\+\d{1,3}[ -]?(?:\d[ -]?){7,12}(?!\d)"), "[phone]"),
)


def scrub(text: str) -> str:
    """The text without keys, e-mail addresses, phone and identity numbers; scrubbing twice changes nothing more."""
    for pattern, mark in _MARKS:
        text = pattern.sub(mark, text)
    return text


def forget(error: BaseException, secret: str) -> None:
    """Take one secret out of an error and of those it came from: services repeat a wrong key in their answer."""
    at: BaseException | None = error
    seen: set[int] = set()
    while at is not None and id(at) not in seen:
        seen.add(id(at))
        at.args = tuple(_without(part, secret) for part in at.args)
        for name in ("message", "body"):
            if hasattr(at, name):
                setattr(at, name, _without(getattr(at, name), secret))
        at = at.__cause__ or at.__context__


def _without(part: object, secret: str) -> object:
    if isinstance(part, str):
        return part.replace(secret, "[key]")
    if isinstance(part, dict):
        return {name: _without(value, secret) for name, value in part.items()}
    return [_without(value, secret) for value in part] if isinstance(part, list) else part
