"""LangChain's OpenAI client, told to keep to what every compatible service can do.

It keeps thinking apart, forgets no usage, and learns from a refusal which answer forms a service does not know.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any, Literal

import openai
from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_openai.chat_models.base import BaseChatOpenAI
from pydantic import PrivateAttr, SecretStr

from travel_lab.chat_models.answer_form import FORMS, AnswerForm, Form, is_refused, request_fields
from travel_lab.chat_models.recorder import NOTES
from travel_lab.chat_models.scrubbing import forget
from travel_lab.chat_models.thinking import split_thinking
from travel_lab.errors import UnreadableReply
from travel_lab.tokens import text_of

THINKING = "reasoning_content"
"""Where thinking is kept on a message: `additional_kwargs`, the name most services use."""


class EndpointModel(BaseChatOpenAI):
    """The chat model of an endpoint; made by `connect`."""

    forms: tuple[Form, ...] = FORMS
    limit_name: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    reply_limit: int = 4_096
    room: int = 61_440
    _refused: list[Form] = PrivateAttr(default_factory=list)

    @property
    def form(self) -> Form:
        """The most binding form the service has not refused."""
        return next((form for form in self.forms if form not in self._refused), "plain")

    @property
    def _llm_type(self) -> str:
        return "travel_lab-endpoint"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        wanted: AnswerForm | None = kwargs.pop("answer_form", None)
        notes: list[str] = []
        while True:
            form: Form = self.form if wanted else "plain"
            asked = {**kwargs, **(request_fields(form, wanted) if wanted else {})}
            try:
                result = super()._generate(messages, stop, run_manager, **asked)
                break
            except (json.JSONDecodeError, UnicodeDecodeError) as error:
                raise UnreadableReply(f"The service's answer is no JSON: {error}.") from error
            except Exception as error:  # the key must not travel on in any; raised again unless another form helps
                self._forget_key(error)
                if not isinstance(error, openai.APIStatusError) or not is_refused(form, error):
                    raise
                # Agents run side by side: several may be told the same at once.
                if form not in self._refused:
                    self._refused.append(form)
                notes.append(f"the service refused answers as {form} (status {error.status_code}); asked again as {self.form}")
        for generation in result.generations:
            generation.message.response_metadata[NOTES] = notes
        return result

    def _forget_key(self, error: Exception) -> None:
        if isinstance(self.openai_api_key, SecretStr):
            forget(error, self.openai_api_key.get_secret_value())

    def _stream(self, *args: Any, **kwargs: Any) -> Iterator[ChatGenerationChunk]:
        kwargs.pop("answer_form", None)
        try:
            yield from super()._stream(*args, **kwargs)
        except Exception as error:  # whatever it is, the key must not travel on in it
            self._forget_key(error)
            raise

    def _get_request_payload(self, input_: Any, *, stop: list[str] | None = None, **kwargs: Any) -> dict[str, Any]:
        limit = kwargs.pop("max_tokens", None) or self.reply_limit
        payload = super()._get_request_payload(input_, stop=stop, **kwargs)
        payload[self.limit_name] = limit
        _give_thinking_back(self._convert_input(input_).to_messages(), payload["messages"])
        return payload

    def _create_chat_result(self, response: Any, generation_info: dict[str, Any] | None = None) -> ChatResult:
        try:
            result = super()._create_chat_result(response, generation_info)
            raw = response if isinstance(response, dict) else response.model_dump(warnings=False)
            thoughts = [choice["message"].get(THINKING) for choice in raw["choices"]]
        except (ValueError, TypeError, AttributeError, LookupError) as error:
            # What the client stumbles over in an answer says nothing; that the answer is of another form does.
            raise UnreadableReply(f"The service's answer is no chat completion: {type(error).__name__}: {error}.") from error
        if not thoughts:
            raise UnreadableReply("The service's answer is no chat completion: it has no choices.")
        for generation, thought in zip(result.generations, thoughts, strict=True):
            if isinstance(generation.message, AIMessage):
                _tidy(generation.message, thought if isinstance(thought, str) else "")
                generation.text = str(generation.message.content)
        return result

    def _convert_chunk_to_generation_chunk(
        self, chunk: dict[str, Any], default_chunk_class: type, base_generation_info: dict[str, Any] | None
    ) -> ChatGenerationChunk | None:
        made = super()._convert_chunk_to_generation_chunk(chunk, default_chunk_class, base_generation_info)
        choices = chunk.get("choices") or []
        if made is not None and choices and isinstance(made.message, AIMessageChunk):
            thought = (choices[0].get("delta") or {}).get(THINKING)
            if thought:
                made.message.additional_kwargs[THINKING] = thought
        return made


def _tidy(message: AIMessage, thought: str) -> None:
    """Thinking to its own place; a forced tool call's arguments are the answer."""
    spoken = split_thinking(text_of(message))
    if thought or spoken.thinking:
        message.additional_kwargs[THINKING] = "\n".join(part for part in (thought, spoken.thinking) if part)
    message.content = spoken.answer
    if not spoken.answer.strip() and message.tool_calls:
        message.content = json.dumps(message.tool_calls[0]["args"], ensure_ascii=False)


def _give_thinking_back(messages: Sequence[BaseMessage], sent: list[dict[str, Any]]) -> None:
    """Services that think demand the thinking of a turn with tool calls back, and refuse it elsewhere."""
    for message, row in zip(messages, sent, strict=True):
        if isinstance(message, AIMessage) and message.tool_calls and THINKING in message.additional_kwargs:
            row[THINKING] = message.additional_kwargs[THINKING]
