"""Calls a language model at any OpenAI-compatible endpoint, under an absolute deadline.

The SDK's own retries are off, because the database knows when to try again. What an endpoint does not take (a schema
mode, a temperature, a wish not to think) is left out once a request without it was answered. A refusal that concerns
one request is told apart from a wrong setting by a short fixed question. A body is read here and not by the SDK, whose
models take anything and fail later with errors that are not its own.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol, Self

import httpx2
import openai

from keepsake.infra.json_setting import parse_object
from keepsake.infra.models.chat_reply_parser import (
    DEADLINE,
    MAX_BODY,
    TOO_LONG,
    ModelUnavailable,
    Refusal,
    Reply,
    error_of_connection,
    error_of_status,
    limit_body,
    read_completion,
)
from keepsake.infra.models.request_profile import RequestProfile, SchemaMode, is_too_long
from keepsake.infra.settings import Settings


class PromptBuilder(Protocol):
    """Builds the messages of a prompt, with or without the schema in the text."""

    def __call__(self, *, schema_in_prompt: bool) -> Sequence[Mapping[str, str]]:
        """Return the messages to send."""


_FILTERED: Literal["content_filter"] = "content_filter"
"""The code of the 400 by which Azure refuses a prompt."""
_CONNECT_SECONDS = 5.0
_NO_KEY = "none"  # local endpoints ask for none, and the SDK insists on one
_PROFILE_SECONDS = 24 * 60 * 60.0
"""How long what an endpoint refused is left out; then it is tried again."""
_TRUSTED_SECONDS = 5 * 60.0
"""How long after an answer the name of a model and the key need no question of their own."""
_PROBE = ({"role": "user", "content": "Are you ready? Answer yes or no."},)
_TOO_LARGE = 413
_ABOUT_ACCESS = frozenset({401, 402, 403, 404})
_REFUSALS = (openai.BadRequestError, openai.UnprocessableEntityError)


class LanguageModel:
    """A client for one endpoint; it connects at the first call."""

    def __init__(
        self,
        *,
        base_url: str | None,
        api_key: str | None,
        schema_mode: SchemaMode | None = None,
        max_output_tokens: int = 1600,
        extra_fields: Mapping[str, Any] | None = None,
        may_think: bool = False,
    ) -> None:
        self._fixed_mode = schema_mode
        self._most_output_tokens = max_output_tokens
        self._extra_fields, self._may_think = extra_fields or {}, may_think
        self._profiles: dict[str, tuple[float, RequestProfile]] = {}
        self._answered: dict[str, float] = {}
        self._unsaved: set[str] = set()
        self._base_url, self._api_key = base_url, api_key
        self._sdk_client: openai.AsyncOpenAI | None = None

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """Return the client that the settings describe."""
        key, mode = settings.openai_api_key, settings.openai_schema_mode
        return cls(
            base_url=settings.openai_base_url,
            api_key=key.get_secret_value() if key else None,
            schema_mode=None if mode == "auto" else mode,
            max_output_tokens=settings.model_output_tokens,
            extra_fields=parse_object(settings.model_request_fields),
            may_think=settings.model_may_think,
        )

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
            raise ModelUnavailable("busy", DEADLINE, sent=True) from None

    async def probe(self, model: str, *, deadline: float) -> None:
        """Ask a short fixed question, whatever the answer; raise ModelUnavailable where there is none."""
        try:
            async with asyncio.timeout_at(deadline):
                await self._probe(model)
        except TimeoutError:
            raise ModelUnavailable("busy", DEADLINE, sent=True) from None

    def profile(self, model: str) -> RequestProfile:
        """What the endpoint takes for a model, as far as its answers of the last day have shown."""
        learnt_at, profile = self._profiles.get(model, (0.0, RequestProfile()))
        if not learnt_at or time.monotonic() - learnt_at > _PROFILE_SECONDS:
            return RequestProfile(schema_mode=self._fixed_mode or "json_schema")
        return profile

    def recall(self, model: str, profile: RequestProfile, *, age: float) -> None:
        """Take over what another process learnt ``age`` seconds ago."""
        self._profiles[model] = time.monotonic() - age, profile

    def knows(self, model: str) -> bool:
        """Whether something was learnt or recalled of a model."""
        return model in self._profiles

    def take_unsaved(self, model: str) -> RequestProfile | None:
        """What was learnt of a model and not handed out yet."""
        if model not in self._unsaved:
            return None
        self._unsaved.discard(model)
        return self.profile(model)

    async def close(self) -> None:
        """Close the connections."""
        if self._sdk_client is not None:
            await self._sdk_client.close()

    async def _call_negotiating(self, model: str, messages: PromptBuilder, schema: Mapping[str, Any]) -> Reply:
        """Call the endpoint; if it refuses an option as unknown, call again without that option."""
        profile = known = self.profile(model)
        while True:
            options = profile.options(self._most_output_tokens, self._extra_fields, may_think=self._may_think)
            prompt = messages(schema_in_prompt=profile.schema_mode != "json_schema")
            try:
                reply = await self._call(model, prompt, {**options, **profile.response_format(schema)})
            except _REFUSALS as error:
                if error.code == _FILTERED:
                    return Refusal(_FILTERED, None)
                adapted = self._without_refused_option(model, profile, options, error)
                if adapted is None:
                    await self._check_model(model)
                    raise ModelUnavailable("refused_request", str(error.status_code)) from error
                profile = adapted
            else:
                if profile != known or model not in self._profiles:
                    self._profiles[model] = time.monotonic(), profile
                    self._unsaved.add(model)
                return reply

    def _without_refused_option(
        self, model: str, profile: RequestProfile, options: Mapping[str, Any], error: openai.APIStatusError
    ) -> RequestProfile | None:
        """Return the profile to try next; None where the refusal is about something else."""
        text = _text_of(error)
        if is_too_long(text):
            raise ModelUnavailable("refused_request", TOO_LONG) from error
        param = str(getattr(error, "param", None) or "")
        fixed = self._fixed_mode is not None
        adapted = profile.without(text, param, options, extra=self._extra_fields, fixed_mode=fixed)
        if adapted is None and model not in self._profiles:
            return profile.without_thinking_options(options)
        return adapted

    async def _check_model(self, model: str) -> None:
        """Raise ModelUnavailable where the endpoint refuses a short fixed question too: then the setting is wrong."""
        if time.monotonic() - self._answered.get(model, float("-inf")) > _TRUSTED_SECONDS:
            await self._probe(model)

    async def _probe(self, model: str) -> None:
        profile = self.profile(model)
        options = profile.options(self._most_output_tokens, self._extra_fields, may_think=self._may_think)
        for sent in (options, {}):
            try:
                await self._call(model, _PROBE, sent)
            except _REFUSALS as error:
                refusal = error
            except ModelUnavailable as failure:
                if failure.kind != "bad_reply":
                    raise
                return
            else:
                return
        raise ModelUnavailable("locked_out", str(refusal.status_code)) from refusal

    async def _call(self, model: str, messages: Sequence[Mapping[str, str]], options: Mapping[str, Any]) -> Reply:
        request: Any = {"model": model, "messages": list(messages)}
        try:
            completions = self._open_client().chat.completions.with_raw_response
            raw = await completions.create(**request, extra_body=dict(options))
            reply = read_completion(raw.http_response.content)
        except _REFUSALS:
            raise
        except openai.OpenAIError as error:
            raise to_model_error(error) from error
        except (OSError, httpx2.HTTPError) as error:  # what the SDK does not wrap
            raise error_of_connection(error) from error
        except (ValueError, TypeError, AttributeError, LookupError, RecursionError) as error:
            raise ModelUnavailable("bad_reply", "unreadable", sent=True) from error
        self._answered[model] = time.monotonic()
        return reply

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


def to_model_error(error: openai.OpenAIError) -> ModelUnavailable:
    """Map an error of the SDK to ModelUnavailable."""
    if isinstance(error, openai.APITimeoutError):
        return ModelUnavailable("busy", DEADLINE, sent=True)
    if isinstance(error, openai.APIConnectionError):
        return error_of_connection(error.__cause__)
    if isinstance(error, openai.APIStatusError):
        if error.status_code not in _ABOUT_ACCESS and (error.status_code == _TOO_LARGE or is_too_long(_text_of(error))):
            return ModelUnavailable("refused_request", TOO_LONG)
        return error_of_status(error.status_code, {str(error.code), str(error.type)}, error.response.headers)
    return ModelUnavailable("bad_reply", "unreadable", sent=True)


def _text_of(error: openai.APIStatusError) -> str:
    """The text of an error, which may repeat the request: it is searched, and never logged."""
    return f"{error.message} {error.body}"
