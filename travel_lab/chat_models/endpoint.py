"""Where a real model is reached: any service that speaks OpenAI's chat completions.

An `Endpoint` says what is known of the service and holds no secret; `connect` makes the LangChain chat model of it.
"""

import io
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import httpx2
from dotenv import dotenv_values
from pydantic import SecretStr

from travel_lab.chat_models.answer_form import FORMS, Form
from travel_lab.chat_models.endpoint_model import EndpointModel
from travel_lab.chat_models.time_limit import TimeLimit
from travel_lab.errors import BadEndpoint, UnknownName

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
NO_KEY = "none"
"""Sent where a service asks for no key, because the client insists on one."""


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """A service and a model behind it."""

    model: str
    """Name of the model, as the service spells it."""
    base_url: str
    """Address up to and without `/chat/completions`."""
    api_key_env: str = ""
    """Environment variable, or line of `.env`, that holds the key; blank where none is asked for."""
    window: int = 65_536
    """Tokens the model takes in one call, its answer included."""
    reply_reserve: int = 4_096
    """Tokens of the window kept free for the answer; also the limit sent with a call."""
    seconds: float = 60.0
    """One request takes at most this long, also when bytes trickle in."""
    forms: tuple[Form, ...] = FORMS
    """Ways to hold an answer to its form that the service may know, best first; refused ones are dropped and remembered."""
    limit_name: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    """What the service calls the limit of an answer."""
    temperature: float | None = 0.0
    """None leaves it to the service."""

    def __post_init__(self) -> None:
        address = urlsplit(self.base_url)
        if address.scheme not in {"http", "https"} or not address.hostname:
            raise BadEndpoint(
                f"An endpoint needs an http or https address, found {self.base_url!r}, such as http://localhost:8000/v1."
            )
        if address.username or address.password or address.query:
            raise BadEndpoint("An endpoint's address holds no key or password. Name an environment variable in api_key_env.")
        if not 0 < self.reply_reserve < self.window or self.seconds <= 0:
            raise BadEndpoint(
                f"An endpoint needs 0 < reply_reserve < window and seconds > 0, found {self.reply_reserve}, {self.window}, "
                f"{self.seconds:g}."
            )
        if not self.forms or "plain" not in self.forms:
            raise BadEndpoint(f"An endpoint's forms end with 'plain', found {self.forms!r}. Known: {', '.join(FORMS)}.")

    @property
    def room(self) -> int:
        """Tokens a view may have."""
        return self.window - self.reply_reserve


ENDPOINTS: Mapping[str, Endpoint] = {
    "deepseek": Endpoint(
        model="deepseek-chat",
        base_url="https://api.deepseek.com",
        api_key_env="DEEPSEEK_API_KEY",
        forms=("function_calling", "json_mode", "plain"),
    ),
    "openai": Endpoint(
        model="gpt-4o-mini",
        base_url="https://api.openai.com/v1",
        api_key_env="OPENAI_API_KEY",
        window=128_000,
        limit_name="max_completion_tokens",
    ),
    "ollama": Endpoint(
        model="qwen2.5:7b", base_url="http://localhost:11434/v1", window=8_192, reply_reserve=2_048, seconds=300.0
    ),
    "vllm": Endpoint(model="Qwen/Qwen2.5-7B-Instruct", base_url="http://localhost:8000/v1", window=32_768, seconds=300.0),
    "llama.cpp": Endpoint(
        model="local", base_url="http://localhost:8080/v1", window=8_192, reply_reserve=2_048, seconds=300.0,
        forms=("json_schema", "json_mode", "plain"),
    ),
    "offline": Endpoint(model="offline", base_url="http://localhost:8931/v1", forms=("plain",)),
}  # fmt: skip
"""The usual services by name; `offline` is what `travel-lab serve-model` runs. `dataclasses.replace` varies one."""


def endpoint(name: str) -> Endpoint:
    """The endpoint of that name.

    Raises:
        UnknownName: There is none.
    """
    if name not in ENDPOINTS:
        raise UnknownName("endpoint", name, ENDPOINTS, "Make your own: Endpoint(model=..., base_url=..., api_key_env=...).")
    return ENDPOINTS[name]


def find_key(wanted: Endpoint, environ: Mapping[str, str] | None = None, folder: Path | None = None) -> SecretStr | None:
    """The endpoint's key from the environment, else from `.env` in the folder; None when it asks for one and there is none."""
    if not wanted.api_key_env:
        return SecretStr(NO_KEY)
    said = (os.environ if environ is None else environ).get(wanted.api_key_env, "").strip()
    if not said:
        said = (_dotenv((folder or Path()) / ".env").get(wanted.api_key_env) or "").strip()
    return SecretStr(said) if said else None


def _dotenv(place: Path) -> Mapping[str, str | None]:
    if not place.is_file():
        return {}
    try:
        # A byte that is no UTF-8 spoils the line it stands in, not the others.
        text = place.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise BadEndpoint(f"Cannot read {str(place)!r}: {error.strerror}. Set the key in the environment instead.") from error
    return dotenv_values(stream=io.StringIO(text), interpolate=False)


def connect(wanted: Endpoint | str, *, key: SecretStr | None = None) -> EndpointModel:
    """The chat model of an endpoint; makes no request.

    Args:
        wanted: An endpoint, or a name from `ENDPOINTS`.
        key: The key; left out, it is looked up in the environment and in `.env`.

    Raises:
        BadEndpoint: No key is set, or what is set cannot be one.
        UnknownName: No endpoint of that name.
    """
    chosen = endpoint(wanted) if isinstance(wanted, str) else wanted
    secret = key or find_key(chosen)
    if secret is None:
        raise BadEndpoint(
            f"No key for {chosen.model!r} at {chosen.base_url}: {chosen.api_key_env} is not set. Set it in the environment or "
            "in a file .env beside your notebook; `travel-lab models` lists what is set."
        )
    said = secret.get_secret_value()
    if not said.isascii() or not said.isprintable() or " " in said:
        raise BadEndpoint(
            f"The key for {chosen.model!r} at {chosen.base_url} holds a blank, a line break or a character that is not ASCII; "
            "no key does. Copy it anew from the service's page."
        )
    local = urlsplit(chosen.base_url).hostname in LOOPBACK
    # A local connection costs nothing to open, so none is left behind open.
    limits = httpx2.Limits(max_keepalive_connections=0 if local else 8)
    transport = TimeLimit(httpx2.HTTPTransport(limits=limits), chosen.seconds)
    return EndpointModel(
        model=chosen.model,
        base_url=chosen.base_url,
        api_key=secret,
        # One place retries: travel_lab.retry.
        max_retries=0,
        timeout=chosen.seconds,
        temperature=chosen.temperature,
        # By model name alone some clients switch to another API, which most services do not have.
        use_responses_api=False,
        stream_usage=True,
        # A proxy for the internet does not know this machine's own ports.
        http_client=httpx2.Client(transport=transport, timeout=chosen.seconds, trust_env=not local),
        forms=chosen.forms,
        limit_name=chosen.limit_name,
        reply_limit=chosen.reply_reserve,
        room=chosen.room,
    )
