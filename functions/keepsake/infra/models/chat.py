"""Calls a language model at any OpenAI-compatible endpoint, under an absolute deadline.

The SDK's own retries are off, because the database knows when to try again. What an endpoint does not know (a schema
mode, a temperature) is left out from then on, as this process learns it. A body is read here and not by the SDK, whose
models take anything and fail later with errors that are not its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol

import httpx2
import openai

from keepsake.infra.models.chat_reply_parser import (
    MAX_BODY,
    ModelUnavailable,
    Refusal,
    Reply,
    error_of_connection,
    error_of_status,
    limit_body,
    read_completion,
)

SchemaMode = Literal["json_schema", "json_object", "prompt"]


class PromptBuilder(Protocol):
    """Builds the messages of a prompt, with or without the schema in the text."""

    def __call__(self, *, schema_in_prompt: bool) -> Sequence[Mapping[str, str]]:
        """Return the messages to send."""


_MODES: tuple[SchemaMode, ...] = ("json_schema", "json_object", "prompt")
_LENGTH_OPTIONS = ("max_completion_tokens", "max_tokens")
_SCHEMA_LIMITS = ("maxLength", "maxItems")
"""Keywords of a schema that not every endpoint with a schema mode takes; both are left out together."""
_FILTERED: Literal["content_filter"] = "content_filter"
"""The code of the 400 by which Azure refuses a prompt."""
_CONNECT_SECONDS = 5.0
_NO_KEY = "none"  # local endpoints ask for none, and the SDK insists on one


class LanguageModel:
    """A client for one endpoint; it connects at the first call."""

    def __init__(
        self,
        *,
        base_url: str | None,
        api_key: str | None,
        schema_mode: SchemaMode | None = None,
        max_output_tokens: int = 1600,
    ) -> None:
        self._fixed_mode = schema_mode
        self._most_output_tokens = max_output_tokens
        self._modes: dict[str, SchemaMode] = {}
        self._unsupported: dict[str, frozenset[str]] = {}
        self._base_url, self._api_key = base_url, api_key
        self._sdk_client: openai.AsyncOpenAI | None = None

    @property
    def endpoint(self) -> str:
        """The endpoint's URL without credentials."""
        return endpoint_of(self._base_url)

    async def ask(self, model: str, messages: PromptBuilder, schema: Mapping[str, Any], *, deadline: float) -> Reply:
        """Return the model's reply by ``deadline`` (of the event loop's clock), or raise ModelUnavailable."""
        try:
            async with asyncio.timeout_at(deadline):
                return await self._call_negotiating(model, messages, schema)
        except TimeoutError:
            raise ModelUnavailable("busy", "deadline", sent=True) from None

    async def close(self) -> None:
        """Close the connections."""
        if self._sdk_client is not None:
            await self._sdk_client.close()

    async def _call_negotiating(self, model: str, messages: PromptBuilder, schema: Mapping[str, Any]) -> Reply:
        """Call the endpoint; if it refuses an option as unknown, call again without that option."""
        while True:
            mode = self._fixed_mode or self._modes.get(model, _MODES[0])
            response_format = _response_format(mode, self._supported_schema(model, schema))
            options = {**self._supported_options(model), **response_format}
            try:
                return await self._call(model, messages(schema_in_prompt=mode != "json_schema"), options)
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                if error.code == _FILTERED:
                    return Refusal(_FILTERED, None)
                self._disable_unsupported_option(model, mode, options, error)

    def _supported_options(self, model: str) -> dict[str, Any]:
        """Return the options to send: those that the endpoint has not refused for this model."""
        unsupported = self._unsupported.get(model, frozenset())
        length = next((name for name in _LENGTH_OPTIONS if name not in unsupported), None)
        options: dict[str, Any] = {} if length is None else {length: self._most_output_tokens}
        return options if "temperature" in unsupported else {"temperature": 0, **options}

    def _supported_schema(self, model: str, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the schema without the limits that the endpoint has refused for this model."""
        is_refused = _SCHEMA_LIMITS[0] in self._unsupported.get(model, frozenset())
        return _without_limits(schema) if is_refused else schema

    def _disable_unsupported_option(
        self, model: str, mode: SchemaMode, options: Mapping[str, Any], error: openai.APIStatusError
    ) -> None:
        """Stop sending the option that the endpoint refused; raise if the refusal has another reason."""
        error_text = f"{error.message} {error.body}".lower()
        for name in ("temperature", *_LENGTH_OPTIONS):
            if name in options and name in error_text:
                self._unsupported[model] = self._unsupported.get(model, frozenset()) | {name}
                return
        has_limits = mode == "json_schema" and _SCHEMA_LIMITS[0] not in self._unsupported.get(model, frozenset())
        if has_limits and any(name.lower() in error_text for name in _SCHEMA_LIMITS):
            self._unsupported[model] = self._unsupported.get(model, frozenset()).union(_SCHEMA_LIMITS)
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
    """Create a client of the SDK without retries or timeouts of its own, and with a limit on response size."""
    http = openai.DefaultAsyncHttpxClient(
        timeout=httpx2.Timeout(None, connect=_CONNECT_SECONDS),
        follow_redirects=False,
        headers={"accept-encoding": "identity"},
        event_hooks={"response": [limit_body(max_bytes)]},
    )
    key = api_key or _NO_KEY
    return openai.AsyncOpenAI(api_key=key, base_url=base_url or None, max_retries=0, http_client=http)


def endpoint_of(base_url: str | None) -> str:
    """Return the URL of an endpoint without credentials."""
    url = httpx2.URL(base_url or "https://api.openai.com/v1")
    return f"{url.scheme}://{url.netloc.decode('ascii')}{url.path}".rstrip("/")


def _response_format(mode: SchemaMode, schema: Mapping[str, Any]) -> dict[str, Any]:
    if mode == "json_schema":
        described = {"name": "memories", "strict": True, "schema": dict(schema)}
        return {"response_format": {"type": "json_schema", "json_schema": described}}
    return {"response_format": {"type": "json_object"}} if mode == "json_object" else {}


def _without_limits(schema: Any) -> Any:
    """Return the schema without the keywords that limit lengths."""
    if isinstance(schema, Mapping):
        return {name: _without_limits(part) for name, part in schema.items() if name not in _SCHEMA_LIMITS}
    return [_without_limits(part) for part in schema] if isinstance(schema, list) else schema


def to_model_error(error: openai.OpenAIError) -> ModelUnavailable:
    """Map an error of the SDK to ModelUnavailable."""
    if isinstance(error, openai.APITimeoutError):
        return ModelUnavailable("busy", "deadline", sent=True)
    if isinstance(error, openai.APIConnectionError):
        return error_of_connection(error.__cause__)
    if isinstance(error, openai.APIStatusError):
        return error_of_status(error.status_code, {str(error.code), str(error.type)}, error.response.headers)
    return ModelUnavailable("bad_reply", "unreadable", sent=True)
