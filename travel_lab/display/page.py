"""Self-contained HTML pages: every value is escaped and free of control characters, nothing is loaded from anywhere."""

from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from travel_lab.display.terminal import printable


def _text_only(value: object) -> object:
    """A text without control characters, which HTML does not allow either."""
    return printable(value) if type(value) is str else value


_TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    finalize=_text_only,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def render_page(template: str, **values: Any) -> str:
    """The page of that template, such as `demo.html`, with the values filled in as text."""
    return _TEMPLATES.get_template(template).render(**values)
