"""What is wrong with a call, in words that say what to do; read from class, status, body and message together."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Kind = Literal["key", "balance", "model", "route", "overflow", "busy", "server", "timeout", "request", "other"]

ADVICE: Mapping[Kind, str] = {
    "key": "The service refuses the key. Check the variable the endpoint names in api_key_env.",
    "balance": "The account has no balance or quota left. Top it up, or choose another endpoint.",
    "model": "The service does not know the model. Check Endpoint.model against the service's list.",
    "route": "Nothing answers at that address. Check Endpoint.base_url, and that the server runs.",
    "overflow": "The view is longer than the model's window. Trim it, or set Endpoint.window to what the server really has.",
    "busy": "The service is busy or limits your rate. Wait, or send less at once.",
    "server": "The service failed inside. Try again later.",
    "timeout": "The service did not answer in time. Raise Endpoint.seconds, or check that it is not overloaded.",
    "request": "The service refuses the request as it is.",
    "other": "",
}
HOPELESS = frozenset({"key", "balance", "model"})
"""Troubles that hold for every call of a run: one refusal speaks for all agents."""

_OVERFLOW = re.compile(
    r"(?i)exceed_context_size|context_length_exceeded|context[ _-]?(?:length|window|size)|"
    r"maximum context|max_model_len|"
    r"(?:prompt|input|request)[^.]{0,40}(?:too long|too many tokens)|exceeds the (?:model's )?maximum (?:number of )?tokens"
)
_BALANCE = re.compile(r"(?i)insufficient[ _](?:balance|quota)|exceeded your current quota")
_MODEL = re.compile(
    r"(?i)model[^.]{0,60}(?:not (?:exist|found|available)|does not exist|unknown)|model_not_found|no such model|unknown model"
)
_CONNECTION = re.compile(r"(?i)connection")
_BY_STATUS: Mapping[int, Kind] = {401: "key", 403: "key", 402: "balance", 404: "route", 408: "timeout", 409: "busy", 429: "busy"}


@dataclass(frozen=True, kw_only=True)
class Trouble:
    """A failed call, understood."""

    kind: Kind
    advice: str
    """What it means and what to do; blank when nothing is known of such an error."""
    said: str
    """Class and message of the error."""

    def __str__(self) -> str:
        """The advice with what was said; without advice only that."""
        return f"{self.advice} ({self.said})" if self.advice else self.said

    @property
    def hopeless(self) -> bool:
        """Whether every other call of the run would fail in the same way."""
        return self.kind in HOPELESS


def diagnose(error: BaseException) -> Trouble:
    """Understand a failed call; services word one trouble in many ways, so class alone is not trusted."""
    kind = _kind(error)
    return Trouble(kind=kind, advice=ADVICE[kind], said=f"{type(error).__name__}: {error}")


def is_overflow(error: BaseException) -> bool:
    """Whether the view was longer than the model's window."""
    return _kind(error) == "overflow"


def _kind(error: BaseException) -> Kind:
    status = getattr(error, "status_code", None)
    words = f"{error} {getattr(error, 'code', '')} {getattr(error, 'body', '')}"
    # The package's name for it is right where it is used, and it often is not.
    if type(error).__name__.endswith("ContextOverflowError"):
        return "overflow"
    if not isinstance(status, int):
        return _without_status(error)
    if status in {400, 413, 422, 500} and _OVERFLOW.search(words):
        return "overflow"
    if status in {400, 402, 403, 429} and _BALANCE.search(words):
        return "balance"
    if status in {400, 404, 422} and _MODEL.search(words):
        return "model"
    return _BY_STATUS.get(status, "server" if status >= 500 else "request")


def _without_status(error: BaseException) -> Kind:
    names = " ".join(kind.__name__ for kind in type(error).__mro__)
    if isinstance(error, TimeoutError) or "Timeout" in names:
        return "timeout"
    return "route" if isinstance(error, ConnectionError) or _CONNECTION.search(names) else "other"
