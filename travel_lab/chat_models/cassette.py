"""Recordings of model calls: made once with a key and a network, played on thirty laptops without either.

A cassette is a JSONL file, a line a call. A call is found again by its content: model, messages, parameters, and how often the
same call came before. Keys and personal fields are taken out before anything is written or compared.
"""

import difflib
import hashlib
import json
import os
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic import PrivateAttr

from travel_lab.chat_models.answer_form import AnswerForm, Form, form_of
from travel_lab.chat_models.scrubbing import scrub
from travel_lab.errors import CassetteMiss, StorageError

VERSION = 1


@dataclass(frozen=True, kw_only=True)
class RecordedCall:
    """One call and its answer, as they stand in the file."""

    version: int = VERSION
    """Of the file's form."""
    key: str
    """Digest of model, messages and parameters."""
    occurrence: int
    """How many equal calls came before, from 0."""
    agent: str
    """The node that made the call; blank outside a graph."""
    model: str
    messages: list[dict[str, str]]
    """Role, author and text of each message of the view."""
    parameters: dict[str, Any]
    text: str
    """Of the answer."""
    thinking: str
    """Before the answer."""
    finish_reason: str
    usage: dict[str, int] | None
    """As the service reported it."""


class Cassette:
    """The recorded calls of one file; safe under parallel agents.

    Args:
        path: The file; made with the first recorded call.

    Raises:
        StorageError: The file is no recording.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._calls: dict[tuple[str, int], RecordedCall] = {}
        self._lock = threading.Lock()
        if self.path.exists():
            for number, line in enumerate(self.path.read_text(encoding="utf-8").splitlines(), start=1):
                call = _read_line(self.path, number, line)
                self._calls[call.key, call.occurrence] = call

    @property
    def calls(self) -> tuple[RecordedCall, ...]:
        """What is recorded, in the order of the file."""
        with self._lock:
            return tuple(self._calls.values())

    def find(self, key: str, occurrence: int) -> RecordedCall | None:
        """The recorded call; None when there is none."""
        with self._lock:
            return self._calls.get((key, occurrence))

    def add(self, call: RecordedCall) -> None:
        """Keep a call and write it at the end of the file.

        Raises:
            StorageError: The file cannot be written.
        """
        line = json.dumps(asdict(call), ensure_ascii=False)
        with self._lock:
            if (call.key, call.occurrence) in self._calls:
                return
            self._calls[call.key, call.occurrence] = call
            try:
                with self.path.open("a", encoding="utf-8") as file:
                    file.write(line + "\n")
            except OSError as error:
                raise StorageError(
                    f"Cannot write the recording {str(self.path)!r}: {error.strerror}. Choose another file."
                ) from error

    def nearest(self, asked: "_Asked") -> RecordedCall | None:
        """The recorded call whose messages are most like those asked with."""
        calls = self.calls
        if not calls:
            return None
        shown = _shown(asked.messages)
        return max(
            calls, key=lambda call: difflib.SequenceMatcher(None, _shown(call.messages), shown, autojunk=False).quick_ratio()
        )


def _read_line(path: Path, number: int, line: str) -> RecordedCall:
    try:
        return RecordedCall(**json.loads(line))
    except (ValueError, TypeError) as error:
        raise StorageError(f"Line {number} of {str(path)!r} is no recorded call: {error}. Record it anew.") from error


@dataclass(frozen=True, kw_only=True)
class _Asked:
    """A call as it is compared."""

    model: str
    agent: str
    messages: list[dict[str, str]]
    parameters: dict[str, Any]

    @property
    def key(self) -> str:
        content = json.dumps([self.model, self.messages, self.parameters], ensure_ascii=False, sort_keys=True)
        return hashlib.sha256(content.encode("utf-8", "replace")).hexdigest()[:32]


def _asked(
    model: str, messages: Sequence[BaseMessage], stop: Sequence[str] | None, run_manager: CallbackManagerForLLMRun | None,
    options: Mapping[str, Any],
) -> _Asked:  # fmt: skip
    told = (run_manager.metadata if run_manager else None) or {}
    rows = [{"role": m.type, "author": m.name or "", "text": scrub(m.text)} for m in messages]
    parameters = {name: asdict(v) if isinstance(v, AnswerForm) else v for name, v in options.items() if v is not None}
    if stop:
        parameters["stop"] = list(stop)
    return _Asked(
        model=model,
        agent=str(told.get("langgraph_node", "")),
        messages=rows,
        parameters=json.loads(json.dumps(parameters, default=str)),
    )


def _shown(messages: Sequence[Mapping[str, str]]) -> str:
    return "\n".join(row["text"] for row in messages)


class _CountsCalls(BaseChatModel):
    """A model that knows which of several equal calls it is asked."""

    cassette: Cassette
    model_name: str = ""
    _counts: Counter[str] = PrivateAttr(default_factory=Counter)
    _guard: Any = PrivateAttr(default_factory=threading.Lock)

    def _occurrence(self, key: str) -> int:
        with self._guard:
            self._counts[key] += 1
            return self._counts[key] - 1


class RecordingModel(_CountsCalls):
    """Passes every call on to a model and keeps it with its answer.

    Args:
        inner: The model that answers.
        cassette: Where calls are kept.
    """

    inner: BaseChatModel

    def model_post_init(self, context: object, /) -> None:
        """Go by the name of the model inside."""
        super().model_post_init(context)
        self.model_name = self.model_name or str(getattr(self.inner, "model_name", "") or "model")

    @property
    def _llm_type(self) -> str:
        return "travel_lab-recording"

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
        asked = _asked(self.model_name, messages, stop, run_manager, kwargs)
        result = self.inner._generate(messages, stop, run_manager, **kwargs)  # noqa: SLF001 (the wrapped model's own work)
        self.cassette.add(_recorded(asked, self._occurrence(asked.key), result.generations[0]))
        return result


class ReplayModel(_CountsCalls):
    """Answers from a cassette.

    Args:
        cassette: The recorded calls.
        model_name: Name of the model that was recorded.
        live: Asked for calls that are not recorded, such as those another strategy changed; None makes them a `CassetteMiss`.
        overrides: Answers to give instead, by agent: only calls that come to see them change, so only they are asked anew.
        answer_form: The form the recorded model was asked for.
    """

    model_name: str
    live: BaseChatModel | None = None
    overrides: Mapping[str, str] = {}
    answer_form: Form = "plain"
    _replayed: Counter[str] = PrivateAttr(default_factory=Counter)

    @property
    def _llm_type(self) -> str:
        return "travel_lab-replay"

    @property
    def form(self) -> Form:
        """As recorded."""
        return self.answer_form

    @property
    def answered(self) -> Mapping[str, int]:
        """Calls so far, by who answered: `recorded`, `live`, `override`."""
        return dict(self._replayed)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        asked = _asked(self.model_name, messages, stop, run_manager, kwargs)
        occurrence = self._occurrence(asked.key)
        if asked.agent in self.overrides:
            self._count("override")
            return ChatResult(generations=[ChatGeneration(message=AIMessage(self.overrides[asked.agent]))])
        found = self.cassette.find(asked.key, occurrence)
        if found is not None:
            self._count("recorded")
            return ChatResult(generations=[_played(found)])
        if self.live is None:
            raise CassetteMiss(_miss(self.cassette, asked, occurrence))
        self._count("live")
        return self.live._generate(messages, stop, run_manager, **kwargs)  # noqa: SLF001 (the wrapped model's own work)

    def _count(self, who: str) -> None:
        with self._guard:
            self._replayed[who] += 1


def _recorded(asked: _Asked, occurrence: int, generation: ChatGeneration) -> RecordedCall:
    message = generation.message
    told = message.usage_metadata if isinstance(message, AIMessage) else None
    names = ("input_tokens", "output_tokens", "total_tokens")
    reason = message.response_metadata.get("finish_reason") or (generation.generation_info or {}).get("finish_reason")
    return RecordedCall(
        key=asked.key,
        occurrence=occurrence,
        agent=asked.agent,
        model=asked.model,
        messages=asked.messages,
        parameters=asked.parameters,
        text=scrub(message.text),
        thinking=scrub(str(message.additional_kwargs.get("reasoning_content", ""))),
        finish_reason=str(reason or "stop"),
        usage={name: int(told[name]) for name in names} if told else None,  # type: ignore[literal-required]  # the names above
    )


def _played(call: RecordedCall) -> ChatGeneration:
    message = AIMessage(
        content=call.text,
        additional_kwargs={"reasoning_content": call.thinking} if call.thinking else {},
        usage_metadata=UsageMetadata(**call.usage) if call.usage else None,  # type: ignore[typeddict-item]  # as it was written
        response_metadata={"model_name": call.model, "finish_reason": call.finish_reason},
    )
    return ChatGeneration(message=message)


def _miss(cassette: Cassette, asked: _Asked, occurrence: int) -> str:
    who = f"agent {asked.agent!r}" if asked.agent else "a call"
    begin = f"No answer for {who} in {str(cassette.path)!r} (equal calls before it: {occurrence}). "
    nearest = cassette.nearest(asked)
    if nearest is None:
        return f"{begin}The recording is empty. Record a run with RecordingModel first."
    whose = nearest.agent or "nobody"
    return f"{begin}Nearest: a call of {whose!r}; {_difference(nearest, asked)}. Record the run anew, or pass live=."


def _difference(call: RecordedCall, asked: _Asked) -> str:
    """The first thing in which two calls differ."""
    if call.key == asked.key:
        return f"the same call, recorded {call.occurrence + 1} time(s) only"
    if call.model != asked.model:
        return f"it was made with model {call.model!r}, not {asked.model!r}"
    for at, (old, new) in enumerate(zip(call.messages, asked.messages, strict=False)):
        if old != new:
            before, now = old["text"], new["text"]
            start = next((n for n, (a, b) in enumerate(zip(before, now, strict=False)) if a != b), min(len(before), len(now)))
            return (
                f"message {at} ({new['role']}) differs from character {start}: recorded {_around(before, start)!r}, "
                f"asked {_around(now, start)!r}"
            )
    if len(call.messages) != len(asked.messages):
        return f"it had {len(call.messages)} messages, not {len(asked.messages)}"
    return f"its parameters were {call.parameters}, not {asked.parameters}"


def _around(text: str, start: int) -> str:
    return text[max(start - 10, 0) : start + 30]
