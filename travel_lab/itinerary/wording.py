"""Puts patterns together from their alternatives, one wording a line."""

import re


def any_of(*wordings: str) -> str:
    """A pattern that matches any of the wordings, tried in their order."""
    return f"(?:{'|'.join(wordings)})"


def says(*wordings: str) -> re.Pattern[str]:
    """A compiled pattern for any of the wordings."""
    return re.compile(any_of(*wordings))
