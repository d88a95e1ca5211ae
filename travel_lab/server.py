"""The chat endpoint (extra `serve`): one lab behind HTTP, each turn a stream of its typed events.

POST /chat {message, user_id, session_id}   Server-Sent Events; the last is `done` or `failed`
GET  /sessions/{session_id}?user_id=…       what was said and the card as it stands

`message` is what the traveller says; or the whole conversation that ends with it, `[{role, content}, …]`, as front ends
send it with every turn: only the last one is taken, and what the session has is not stored again.

A `user_id` is a name, no proof of who asks: the endpoint listens on this machine only. Put a server that checks
its users in front of it before anybody else can reach it.
"""

import json
import logging
import socket
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Annotated, Any, Literal, cast

import uvicorn
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationError
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from travel_lab.chat_models.scrubbing import scrub
from travel_lab.errors import BadInput, TravelLabError
from travel_lab.events import Done, Event, Failed
from travel_lab.itinerary import card_lines
from travel_lab.lab import Lab
from travel_lab.planner.resent import Said
from travel_lab.session import MAX_CHARACTERS, Session
from travel_lab.tokens import text_of
from travel_lab.turn import Turn

HOST = "127.0.0.1"
MAX_BYTES = 256 * 1024
"""The longest body; a message of `MAX_CHARACTERS` fits, also when every character is escaped."""
LOG = logging.getLogger(__name__)


def _named(name: str) -> str:
    if name == "None":
        raise ValueError("the word None is what a program sends that has lost its id")
    return name


Id = Annotated[str, StringConstraints(pattern=r"^[\w.-]{1,80}$"), AfterValidator(_named)]


class Owned(BaseModel):
    """A session and whose it is."""

    model_config = ConfigDict(extra="forbid", strict=True)
    user_id: Id
    session_id: Id


Words = Annotated[str, StringConstraints(pattern=r"\S", max_length=MAX_CHARACTERS)]


class ChatLine(BaseModel):
    """A message of a conversation as front ends keep it."""

    model_config = ConfigDict(extra="forbid", strict=True)
    role: Literal["user", "assistant"]
    content: str


class ChatMessage(Owned):
    """The body of `POST /chat`: the new message, or the conversation that ends with it."""

    message: Words | Annotated[list[ChatLine], Field(min_length=1)]


def build_app(lab: Lab) -> Starlette:
    """The endpoint over an open lab; whoever opened the lab closes it after the last request."""
    routes = [Route("/chat", _chat, methods=["POST"]), Route("/sessions/{session_id}", _session)]
    # A page from elsewhere must not reach the endpoint under a name of its own that leads to this machine.
    app = Starlette(routes=routes, middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=[HOST, "localhost"])])
    app.state.lab = lab
    return app


def listen(port: int) -> socket.socket:
    """A socket of this machine for `serve`; port 0 takes a free one.

    Raises:
        BadInput: The port is taken, or there is no such port.
    """
    try:
        return socket.create_server((HOST, port))
    except (OSError, OverflowError) as error:
        raise BadInput(f"Cannot listen on port {port}: {error.args[-1]}. Choose another, or 0 for a free one.") from error


def serve(lab: Lab, listening: socket.socket) -> None:
    """Serve a lab on this machine until interrupted; the socket is closed then."""
    config = uvicorn.Config(build_app(lab), ws="none", access_log=False, log_level="warning")
    uvicorn.Server(config).run(sockets=[listening])


async def _chat(request: Request) -> Response:
    # A web page can send any other type to this machine without asking.
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        return _refusal(415, "Send the message as application/json.")
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > MAX_BYTES:
            return _refusal(413, f"A body has at most {MAX_BYTES} bytes.")
    try:
        asked = ChatMessage.model_validate_json(body)
    except ValidationError as error:
        return _refusal(400, _what_is_wrong(error))
    said: Said = asked.message if isinstance(asked.message, str) else [line.model_dump() for line in asked.message]
    events = _lines(_session_of(request, asked), said)
    return StreamingResponse(events, media_type="text/event-stream", headers={"Cache-Control": "no-store"})


async def _session(request: Request) -> Response:
    try:
        asked = Owned(user_id=request.query_params.get("user_id", ""), session_id=request.path_params["session_id"])
    except ValidationError as error:
        return _refusal(400, _what_is_wrong(error))
    state = await run_in_threadpool(_session_of(request, asked).state)
    if not state:
        return _refusal(404, f"{asked.user_id} has no session {asked.session_id}. POST /chat starts one.")
    itinerary = state.get("itinerary")
    said = [{"role": message.type, "name": message.name, "text": text_of(message)} for message in state["messages"]]
    return JSONResponse(
        {
            "session_id": asked.session_id,
            "turn": state["turn"],
            "messages": said,
            "card": card_lines(itinerary, state["language"]) if itinerary else [],
        }
    )


def _session_of(request: Request, asked: Owned) -> Session:
    """The user's own session of that id; no user can name another one's, because no id holds a slash."""
    lab = cast(Lab, request.app.state.lab)
    return lab.session(f"{asked.user_id}/{asked.session_id}")


def _lines(session: Session, text: Said) -> Iterator[str]:
    """The turn's events as Server-Sent Events; ends after `done` or `failed`, whichever comes."""
    for event in session.stream(text):
        yield f"event: {_kind(event)}\ndata: {json.dumps(_data(event), ensure_ascii=False)}\n\n"
        if isinstance(event, Failed):
            return  # The next step of `stream` would raise what was just told.


def _kind(event: Event) -> str:
    """The event's class in the small letters of an event name: `AgentStarted` → `agent_started`."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in type(event).__name__).lstrip("_")


def _data(event: Event) -> Mapping[str, Any]:
    """The event's fields; a turn and an error are cut down to what a client may see."""
    data = {field.name: getattr(event, field.name) for field in fields(event)}
    if isinstance(event, Done):
        turn = cast(Turn, event.outcome)
        return {**data, "outcome": {"reply": turn.reply, "kind": turn.reply_kind, "agents": turn.agents}}
    if isinstance(event, Failed):
        return {**data, "error": {"kind": type(event.error).__name__, "message": _told(event.error)}}
    return data


def _told(error: Exception) -> str:
    """What the traveller reads of an error; a foreign one's words may hold an address or a key."""
    if not isinstance(error, TravelLabError):
        LOG.error("A turn failed: %s", scrub(f"{type(error).__name__}: {error}"))
        return "处理出错：内部错误 (internal error)"
    return str(error) if str(error).startswith("处理出错") else f"处理出错：{error}"


def _what_is_wrong(error: ValidationError) -> str:
    found = error.errors(include_url=False, include_input=False, include_context=False)
    return "; ".join(f"{'.'.join(map(str, row['loc'])) or 'body'}: {row['msg']}" for row in found)


def _refusal(status: int, message: str) -> JSONResponse:
    return JSONResponse({"error": {"message": message}}, status_code=status)
