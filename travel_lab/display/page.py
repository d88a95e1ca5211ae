"""Self-contained HTML pages: every value is escaped, nothing is loaded from anywhere."""

from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

_TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def render_page(template: str, **values: Any) -> str:
    """The page of that template, such as `demo.html`, with the values filled in as text."""
    return _TEMPLATES.get_template(template).render(**values)
