"""Ways to hold a model's answer to its form, and what each one adds to a request."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Form = Literal["json_schema", "function_calling", "json_mode", "plain"]
FORMS: tuple[Form, ...] = ("json_schema", "function_calling", "json_mode", "plain")
"""Every form, from the most to the least binding."""

_WORDS: Mapping[str, tuple[str, ...]] = {
    "json_schema": ("response_format", "json_schema", "schema", "grammar"),
    "function_calling": ("tool", "function"),
    "json_mode": ("response_format", "json_object", "json mode"),
}
_REFUSALS = frozenset({400, 422, 500, 501})


@dataclass(frozen=True, kw_only=True)
class AnswerForm:
    """The JSON object an answer should be."""

    name: str
    """Letters, digits and underscores."""
    schema: Mapping[str, Any]
    """Its JSON schema."""


def request_fields(form: Form, wanted: AnswerForm) -> dict[str, Any]:
    """What a request says to get the form."""
    if form == "json_schema":
        described = {"name": wanted.name, "schema": dict(wanted.schema), "strict": False}
        return _in_body({"type": "json_schema", "json_schema": described})
    if form == "function_calling":
        function = {"name": wanted.name, "parameters": dict(wanted.schema)}
        choice = {"type": "function", "function": {"name": wanted.name}}
        return {"tools": [{"type": "function", "function": function}], "tool_choice": choice}
    return _in_body({"type": "json_object"}) if form == "json_mode" else {}


def _in_body(response_format: Mapping[str, Any]) -> dict[str, Any]:
    """Past the client's own parsing, which raises on an answer that was cut off and hides what there is of it."""
    return {"extra_body": {"response_format": dict(response_format)}}


def is_refused(form: Form, error: Exception) -> bool:
    """Whether a service refused a request because it does not know the form; some say so with 500."""
    status = getattr(error, "status_code", None)
    said = str(error).casefold()
    return status in _REFUSALS and any(word in said for word in _WORDS.get(form, ()))


def form_of(model: object) -> Form:
    """The form a chat model asks its service for; `plain` for models that know nothing of forms."""
    said = getattr(model, "form", "plain")
    return said if said in FORMS else "plain"
