"""A chat model behind the HTTP surface real services have, on this machine only.

`travel-lab serve-model` runs the offline model in it, so that anyone can try a real client without a key; tests run faults.
"""

import json
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from travel_lab.chat_models.faults import REFUSALS, Fault, Schedule, spoil
from travel_lab.errors import BadInput, TravelLabError

ROLES: Mapping[str, Callable[..., BaseMessage]] = {
    "system": SystemMessage,
    "developer": SystemMessage,
    "user": HumanMessage,
    "assistant": AIMessage,
}
PATH = "/v1/chat/completions"
MAX_BYTES = 16 * 1024 * 1024
PIECE = 12
"""Characters a streamed piece of an answer has."""


@dataclass(frozen=True, kw_only=True)
class Served:
    """One request as it arrived."""

    body: Mapping[str, Any]
    at: float
    """Seconds since the server started."""
    fault: str
    """The fault it met; blank for none."""


@dataclass
class ModelServer:
    """Serves a model on loopback; a context manager, or `start` and `stop`.

    Args:
        model: Answers the requests that come through.
        schedule: Faults by request.
        port: Its port; 0 takes a free one.
        reported_window: When set, usage never reports more prompt tokens than this, as a server does that cuts the prompt.
    """

    model: BaseChatModel
    schedule: Schedule = field(default_factory=Schedule)
    port: int = 0
    reported_window: int | None = None
    requests: list[Served] = field(default_factory=list)
    """Every chat request, in order of arrival."""
    _server: ThreadingHTTPServer | None = None
    _closing: threading.Event = field(default_factory=threading.Event)
    _began: float = field(default_factory=time.monotonic)

    @property
    def base_url(self) -> str:
        """The address a client is given."""
        if self._server is None:
            raise BadInput("The model server is not running. Use it in a `with` block, or call start().")
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def start(self) -> None:
        """Listen in a thread of its own.

        Raises:
            BadInput: The port is taken, or there is no such port.
        """
        try:
            self._server = _Server(self)
        except (OSError, OverflowError) as error:
            raise BadInput(
                f"Cannot listen on port {self.port}: {error.args[-1]}. Choose another, or 0 for a free one."
            ) from error
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def stop(self) -> None:
        """Close the port; requests that hang are let go."""
        self._closing.set()
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()

    def wait(self, seconds: float) -> None:
        """Let a faulty answer take that long, or until the server stops."""
        self._closing.wait(seconds)

    def take(self, body: Mapping[str, Any]) -> Fault | None:
        """Note a request and give its fault."""
        fault = self.schedule.next("\n".join([*(_text(row) for row in body["messages"]), *_asked_form(body)]))
        self.requests.append(Served(body=body, at=time.monotonic() - self._began, fault=fault.kind if fault else ""))
        return fault

    def __enter__(self) -> Self:
        """Listen."""
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Stop."""
        self.stop()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, owner: ModelServer) -> None:
        self.owner = owner
        super().__init__(("127.0.0.1", owner.port), _Handler)

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that went away is no news."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the base class's name)
        """The owner keeps the requests; nothing is printed, least of all headers."""

    def do_GET(self) -> None:
        if self.path != "/v1/models":
            self._refuse(404, {"message": f"No route {self.path}.", "type": "invalid_request_error"})
            return
        name = str(getattr(self.server.owner.model, "model_name", "offline"))
        self._json(200, {"object": "list", "data": [{"id": name, "object": "model"}]})

    def do_POST(self) -> None:
        told = self.headers.get("Content-Length", "0")
        size = int(told) if told.isdecimal() else MAX_BYTES + 1
        if self.path != PATH or size > MAX_BYTES:
            # The body stays unread; on this connection it would be taken for the next request.
            self.close_connection = True
            self._refuse(404 if self.path != PATH else 413, {"message": f"No route {self.path} for {told} bytes."})
            return
        try:
            body = json.loads(self.rfile.read(size))
            messages = [_message(row) for row in body["messages"]]
            _asked_form(body)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            self._refuse(400, {"message": f"Not a chat request: {error}", "type": "invalid_request_error"})
            return
        fault = self.server.owner.take(body)
        if fault is None or not self._broken(fault):
            self._answer(body, messages, fault)

    def _broken(self, fault: Fault) -> bool:
        """Play a fault that gives no answer; whether it was one."""
        if fault.kind in REFUSALS:
            status, said = REFUSALS[fault.kind]
            self._refuse(status, said, fault.retry_after)
        elif fault.kind == "hang":
            self.server.owner.wait(fault.seconds)
            self.close_connection = True
        elif fault.kind == "drop":
            self.close_connection = True
        else:
            return False
        return True

    def _answer(self, body: Mapping[str, Any], messages: list[BaseMessage], fault: Fault | None) -> None:
        try:
            reply = self.server.owner.model.invoke(messages)
        except TravelLabError as error:
            self._refuse(400, {"message": str(error), "type": "invalid_request_error"})
            return
        except Exception as error:  # noqa: BLE001 (whatever the model raises, a client waits for an answer)
            self._refuse(500, {"message": f"The model failed: {type(error).__name__}: {error}", "type": "server_error"})
            return
        text, reason = spoil(reply.text, fault.kind if fault else "")
        head = {"id": f"chatcmpl-{len(self.server.owner.requests)}", "created": 0, "model": body.get("model", "offline")}
        usage = _usage(reply, self.server.owner.reported_window)
        if body.get("stream"):
            self._stream(head, text, reason, usage)
            return
        choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": reason}
        answer = {**head, "object": "chat.completion", "choices": [choice], "usage": usage}
        self._json(200, answer, slow=fault.seconds if fault and fault.kind == "slow" else 0.0)

    def _stream(self, head: Mapping[str, Any], text: str, reason: str, usage: Mapping[str, int]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        pieces = [text[at : at + PIECE] for at in range(0, len(text), PIECE)]
        rows: list[dict[str, Any]] = [
            {"choices": [{"index": 0, "delta": {"role": "assistant", "content": piece}, "finish_reason": None}]}
            for piece in pieces
        ]
        rows += [{"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}, {"choices": [], "usage": usage}]
        for row in rows:
            data = json.dumps({**head, "object": "chat.completion.chunk", **row}, ensure_ascii=False)
            self.wfile.write(f"data: {data}\n\n".encode())
        self.wfile.write(b"data: [DONE]\n\n")

    def _refuse(self, status: int, said: Mapping[str, Any], retry_after: str = "") -> None:
        self._json(status, {"error": dict(said)}, {"Retry-After": retry_after} if retry_after else {})

    def _json(self, status: int, value: object, headers: Mapping[str, str] | None = None, slow: float = 0.0) -> None:
        data = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
        self.send_response(status)
        for name, said in {"Content-Type": "application/json", "Content-Length": str(len(data)), **(headers or {})}.items():
            self.send_header(name, said)
        self.end_headers()
        step = max(len(data) // 50, 1) if slow else len(data)
        for at in range(0, len(data), step):
            self.wfile.write(data[at : at + step])
            if slow:
                self.server.owner.wait(slow / 50)


def _message(row: Mapping[str, Any]) -> BaseMessage:
    if row["role"] not in ROLES:
        raise ValueError(f"unknown role {row['role']!r}; known: {', '.join(ROLES)}")
    return ROLES[row["role"]](content=_text(row), name=row.get("name"))


def _text(row: Mapping[str, Any]) -> str:
    content = row.get("content") or ""
    return content if isinstance(content, str) else "".join(str(part.get("text", "")) for part in content)


def _asked_form(body: Mapping[str, Any]) -> list[str]:
    """The answer form a request asks for, so that a fault can be `on` it."""
    form = body.get("response_format") or {}
    return [*([f"response_format: {form.get('type')}"] if form else []), *(["tools"] if body.get("tools") else [])]


def _usage(reply: AIMessage, most: int | None) -> dict[str, int]:
    told = reply.usage_metadata
    asked, said = (told["input_tokens"], told["output_tokens"]) if told else (0, 0)
    asked = min(asked, most) if most is not None else asked
    return {"prompt_tokens": asked, "completion_tokens": said, "total_tokens": asked + said}
