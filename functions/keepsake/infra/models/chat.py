"""The way to the language model: any OpenAI-compatible endpoint, one question at a time, under an absolute deadline.

With ``embeddings`` the only speaker to ``openai``. The SDK's own retries are off, for waiting is the database's
business; what an endpoint does not know (a schema mode, a temperature) is left out from then on, as this process
learns it. A body is read here and not by the SDK, whose models take anything and fail later with errors that are not
its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol

import httpx2
import openai

from keepsake.infra.models.chat_replies import (
    MAX_BODY,
    Answer,
    ModelUnavailable,
    Refusal,
    Reply,
    error_of_connection,
    error_of_status,
    limit_body,
    read_completion,
)

SchemaMode = Literal["json_schema", "json_object", "prompt"]
__all__ = ["Answer", "LanguageModel", "ModelUnavailable", "Refusal", "Reply"]


class PromptBuilder(Protocol):
    """The question, with the schema in its text or without."""

    def __call__(self, *, schema_in_prompt: bool) -> Sequence[Mapping[str, str]]:
        """The messages to send."""


_MODES: tuple[SchemaMode, ...] = ("json_schema", "json_object", "prompt")
_LENGTH_OPTIONS = ("max_completion_tokens", "max_tokens")
_CONNECT_SECONDS = 5.0
_NO_KEY = "none"  # local endpoints ask for none, and the SDK insists on one


class LanguageModel:
    """One endpoint; opens nothing before it is asked."""

    def __init__(
        self,
        *,
        base_url: str | None,
        api_key: str | None,
        schema_mode: SchemaMode | None = None,
        max_output_tokens: int = 2000,
    ) -> None:
        self._fixed_mode = schema_mode
        self._most_output_tokens = max_output_tokens
        self._modes: dict[str, SchemaMode] = {}
        self._unsupported: dict[str, frozenset[str]] = {}
        self._base_url, self._api_key = base_url, api_key
        self._sdk_client: openai.AsyncOpenAI | None = None

    @property
    def endpoint(self) -> str:
        """Where it is, without anything that could be a credential."""
        return endpoint_of(self._base_url)

    async def ask(self, model: str, messages: PromptBuilder, schema: Mapping[str, Any], *, deadline: float) -> Reply:
        """The model's reply by ``deadline`` (of the event loop's clock), or ModelUnavailable."""
        try:
            async with asyncio.timeout_at(deadline):
                return await self._call_negotiating(model, messages, schema)
        except TimeoutError:
            raise ModelUnavailable("busy", "deadline", sent=True) from None

    async def close(self) -> None:
        """Give the connections back."""
        if self._sdk_client is not None:
            await self._sdk_client.close()

    async def _call_negotiating(self, model: str, messages: PromptBuilder, schema: Mapping[str, Any]) -> Reply:
        """Ask; where the endpoint says that it does not know a part of the question, ask without that part."""
        while True:
            mode = self._fixed_mode or self._modes.get(model, _MODES[0])
            options = {**self._supported_options(model), **_response_format(mode, schema)}
            try:
                return await self._call(model, messages(schema_in_prompt=mode != "json_schema"), options)
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                self._disable_unsupported_option(model, mode, options, error)

    def _supported_options(self, model: str) -> dict[str, Any]:
        """What the model is asked to keep to, as far as it is known to take it."""
        unsupported = self._unsupported.get(model, frozenset())
        length = next((name for name in _LENGTH_OPTIONS if name not in unsupported), None)
        options: dict[str, Any] = {} if length is None else {length: self._most_output_tokens}
        return options if "temperature" in unsupported else {"temperature": 0, **options}

    def _disable_unsupported_option(
        self, model: str, mode: SchemaMode, options: Mapping[str, Any], error: openai.APIStatusError
    ) -> None:
        """Remember what the endpoint refused, or pass the refusal on where it is about something else."""
        error_text = f"{error.message} {error.body}".lower()
        for name in ("temperature", *_LENGTH_OPTIONS):
            if name in options and name in error_text:
                self._unsupported[model] = self._unsupported.get(model, frozenset()) | {name}
                return
        about_format = any(word in error_text for word in ("response_format", "json_schema", "json_object", "schema"))
        if about_format and self._fixed_mode is None and mode != _MODES[-1]:
            self._modes[model] = _MODES[_MODES.index(mode) + 1]
            return
        raise to_model_error(error) from error

    async def _call(self, model: str, messages: Sequence[Mapping[str, str]], options: Mapping[str, Any]) -> Reply:
        request: Any = {"model": model, "messages": list(messages), **options}
        try:
            raw = await self._open_client().chat.completions.with_raw_response.create(**request)
            return read_completion(raw.http_response.content)
        except (openai.BadRequestError, openai.UnprocessableEntityError):
            raise
        except openai.OpenAIError as error:
            raise to_model_error(error) from error
        except (OSError, httpx2.HTTPError) as error:  # what the SDK does not wrap
            raise error_of_connection(error) from error
        except (ValueError, TypeError, AttributeError, LookupError, RecursionError) as error:
            raise ModelUnavailable("bad_reply", "unreadable", sent=True) from error

    def _open_client(self) -> openai.AsyncOpenAI:
        if self._sdk_client is None:
            self._sdk_client = open_client(self._base_url, self._api_key)
        return self._sdk_client


def open_client(base_url: str | None, api_key: str | None, *, max_bytes: int = MAX_BODY) -> openai.AsyncOpenAI:
    """The SDK's client, without retries and deadlines of its own, and with an end to what it reads."""
    http = openai.DefaultAsyncHttpxClient(
        timeout=httpx2.Timeout(None, connect=_CONNECT_SECONDS),
        follow_redirects=False,
        headers={"accept-encoding": "identity"},
        event_hooks={"response": [limit_body(max_bytes)]},
    )
    key = api_key or _NO_KEY
    return openai.AsyncOpenAI(api_key=key, base_url=base_url or None, max_retries=0, http_client=http)


def endpoint_of(base_url: str | None) -> str:
    """Where an endpoint is, without anything that could be a credential."""
    url = httpx2.URL(base_url or "https://api.openai.com/v1")
    return f"{url.scheme}://{url.netloc.decode('ascii')}{url.path}".rstrip("/")


def _response_format(mode: SchemaMode, schema: Mapping[str, Any]) -> dict[str, Any]:
    if mode == "json_schema":
        described = {"name": "memories", "strict": True, "schema": dict(schema)}
        return {"response_format": {"type": "json_schema", "json_schema": described}}
    return {"response_format": {"type": "json_object"}} if mode == "json_object" else {}


def to_model_error(error: openai.OpenAIError) -> ModelUnavailable:
    """What an error of the SDK means for us."""
    if isinstance(error, openai.APITimeoutError):
        return ModelUnavailable("busy", "deadline", sent=True)
    if isinstance(error, openai.APIConnectionError):
        return error_of_connection(error.__cause__)
    if isinstance(error, openai.APIStatusError):
        return error_of_status(error.status_code, {str(error.code), str(error.type)}, error.response.headers)
    return ModelUnavailable("bad_reply", "unreadable", sent=True)
