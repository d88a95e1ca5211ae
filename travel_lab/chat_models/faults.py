"""Faults on schedule: what real services do to a client, for tests and lessons.

A `Schedule` says which call meets which fault. `FaultyModel` plays it inside the process; `serving.ModelServer` over HTTP.
"""

import json
import random
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import BaseMessage
from langchain_core.outputs import ChatResult

from travel_lab.chat_models.answer_form import Form, form_of
from travel_lab.errors import BadInput, UnknownName

OVERFLOWS: Mapping[str, tuple[int, dict[str, Any]]] = {
    "openai": (400, {"message": "This model's maximum context length is 131072 tokens. However, you requested 131134 tokens.",
                     "type": "invalid_request_error", "code": "context_length_exceeded"}),
    "deepseek": (400, {"message": "This model's maximum context length is 131072 tokens. However, you requested 131134 tokens "
                       "(127038 in the messages, 4096 in the completion).", "type": "invalid_request_error", "code": "invalid_request_error"}),
    "llama.cpp": (400, {"code": 400, "message": "the request exceeds the available context size, try increasing it",
                        "type": "exceed_context_size_error", "n_prompt_tokens": 5000, "n_ctx": 4096}),
    "vllm": (400, {"object": "error", "message": "The prompt is too long: it has 5000 tokens and max_model_len is 4096.", "type": "BadRequestError", "code": 400}),
    "ollama": (500, {"message": "input length exceeds the context window", "type": "api_error"}),
}  # fmt: skip
"""Ways to say that a prompt is too long: status and error body by service."""

REFUSALS: Mapping[str, tuple[int, dict[str, Any]]] = {
    "bad key": (401, {"message": "Authentication Fails, your api key is invalid", "type": "authentication_error"}),
    "no balance": (402, {"message": "Insufficient Balance", "type": "unknown_error"}),
    "no quota": (
        429,
        {"message": "You exceeded your current quota.", "type": "insufficient_quota", "code": "insufficient_quota"},
    ),
    "forbidden": (403, {"message": "Not allowed.", "type": "permission_error"}),
    "wrong model": (404, {"message": "The model does not exist.", "type": "invalid_request_error", "code": "model_not_found"}),
    "bad request": (422, {"message": "Invalid parameters.", "type": "invalid_request_error"}),
    "rate limit": (429, {"message": "Rate limit reached.", "type": "requests", "code": "rate_limit_exceeded"}),
    "server error": (500, {"message": "Internal error.", "type": "server_error"}),
    "loading": (503, {"message": "Loading model", "type": "unavailable_error"}),
    "no schema": (400, {"message": "This response_format type is unavailable now", "type": "invalid_request_error"}),
    **{f"overflow {service}": told for service, told in OVERFLOWS.items()},
}
"""Faults that are an HTTP status and an error body."""
SPOILT = ("half", "empty", "blank", "thinking")
"""Faults that are an answer: cut in the middle, without text, of white space, or after a thinking block."""
BROKEN = ("hang", "drop", "slow")
"""Faults of the line: no answer, a closed connection, bytes that trickle in."""
KINDS = (*REFUSALS, *SPOILT, *BROKEN)


@dataclass(frozen=True, kw_only=True)
class Fault:
    """Something that goes wrong with a call."""

    kind: str
    """One of `KINDS`."""
    times: int | None = None
    """How many of the calls it fits it spoils; None for every one."""
    on: str = ""
    """Fits only calls whose messages hold this text, such as `hotel agent`; blank fits all."""
    skip: int = 0
    """Fitting calls that are left alone first."""
    share: float = 1.0
    """Part of the fitting calls it spoils, drawn by the schedule's seed."""
    retry_after: str = ""
    """The wait hint sent along; blank sends none."""
    seconds: float = 30.0
    """How long a hang or slow bytes last."""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise UnknownName("fault", self.kind, KINDS, "A schedule is a list of Fault(kind=...).")
        if not 0 <= self.share <= 1 or self.skip < 0 or self.seconds < 0:
            raise BadInput(
                f"Fault needs share from 0 to 1, skip >= 0 and seconds >= 0, found {self.share}, {self.skip}, {self.seconds}."
            )


class Schedule:
    """Hands each call its fault, or none; safe from several threads.

    Args:
        faults: The first that fits a call and is not used up is met.
        seed: Of the draws of faults that come with a share.
    """

    def __init__(self, faults: Sequence[Fault] = (), seed: int = 0) -> None:
        self.faults, self.seed = tuple(faults), seed
        self._met: Counter[int] = Counter()
        self._draws: Counter[str] = Counter()
        self._lock = threading.Lock()

    def next(self, text: str) -> Fault | None:
        """The fault of a call with that text: the first that fits and is not used up."""
        with self._lock:
            for at, fault in enumerate(self.faults):
                if fault.on not in text or not self._drawn(at, fault, text):
                    continue
                self._met[at] += 1
                if self._met[at] > fault.skip and (fault.times is None or self._met[at] <= fault.skip + fault.times):
                    return fault
        return None

    def _drawn(self, at: int, fault: Fault, text: str) -> bool:
        """By the text and how often it came: parallel agents get the same faults in whatever order they call."""
        if fault.share >= 1:
            return True
        name = f"{self.seed}-{at}-{text}"
        self._draws[name] += 1
        return random.Random(f"{name}-{self._draws[name]}").random() < fault.share  # noqa: S311 (a game of faults)


class ServiceError(Exception):
    """What a client raises for an HTTP error status; made by `FaultyModel`."""

    def __init__(self, status: int, body: Mapping[str, Any], retry_after: str = "") -> None:
        super().__init__(f"Error code: {status} - {json.dumps(dict(body), ensure_ascii=False)}")
        self.status_code, self.body, self.code = status, dict(body), body.get("code")
        self.response = _Response({"retry-after": retry_after} if retry_after else {})


@dataclass(frozen=True)
class _Response:
    headers: dict[str, str]


def spoil(text: str, kind: str) -> tuple[str, str]:
    """An answer's text under a fault, and its `finish_reason`."""
    if kind == "half":
        return text[: len(text) // 2], "length"
    if kind == "thinking":
        return f'<think>maybe {{"draft": true}}</think>{text}', "stop"
    return {"empty": "", "blank": " \n"}.get(kind, text), "stop"


class FaultyModel(BaseChatModel):
    """A chat model whose calls meet the faults of a schedule.

    Args:
        inner: Answers the calls that come through.
        schedule: Which call meets which fault.
        sleep: Waits out hangs and slow bytes, and `latency`.
        latency: Seconds every call takes.
    """

    inner: BaseChatModel
    schedule: Schedule
    sleep: Callable[[float], None]
    latency: float = 0.0

    @property
    def _llm_type(self) -> str:
        return "travel_lab-faulty"

    @property
    def form(self) -> Form:
        """That of the model inside."""
        return form_of(self.inner)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        if self.latency:
            self.sleep(self.latency)
        fault = self.schedule.next("\n".join(message.text for message in messages))
        if fault is not None:
            self._fail(fault)
        result = self.inner._generate(messages, stop, run_manager, **kwargs)  # noqa: SLF001 (the wrapped model's own work)
        if fault is not None:
            for generation in result.generations:
                text, reason = spoil(generation.text, fault.kind)
                metadata = {**generation.message.response_metadata, "finish_reason": reason}
                generation.message = generation.message.model_copy(update={"content": text, "response_metadata": metadata})
                generation.text = text
        return result

    def _fail(self, fault: Fault) -> None:
        if fault.kind in REFUSALS:
            status, body = REFUSALS[fault.kind]
            raise ServiceError(status, body, fault.retry_after)
        if fault.kind in {"hang", "slow"}:
            self.sleep(fault.seconds)
            raise TimeoutError(f"no whole answer within {fault.seconds:g} s")
        if fault.kind == "drop":
            raise ConnectionResetError("the service closed the connection")
