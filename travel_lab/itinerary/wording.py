"""Puts patterns together from their alternatives, one wording a line."""

import re


def any_of(*wordings: str) -> str:
    """A pattern that matches any of the wordings, tried in their order."""
    return f"(?:{'|'.join(wordings)})"


def says(*wordings: str) -> re.Pattern[str]:
    """A compiled pattern for any of the wordings."""
    return re.compile(any_of(*wordings))


NEAR = 80
"""Characters before a thing that may say what it is; a longer look makes long texts slow."""


def just_before(words: str, at: int) -> str:
    """What stands before a place in a text, as far as it can matter."""
    return words[max(at - NEAR, 0) : at]
