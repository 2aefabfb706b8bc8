"""Parses the replies of a language model: answers, refusals, token usage, and kinds of failure."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Any, Literal

import httpx2

MAX_BODY = 256 * 1024
"""Bytes of one reply that are read; three memories need two thousand."""

MAX_RETRY_AFTER = 15 * 60.0
"""Seconds beyond which no wish to wait is heard."""

DEADLINE = "deadline"
"""Why there is no reply that came too late."""

TOO_LONG = "too_long"
"""Why a request is refused that is longer than the model reads."""

Kind = Literal["busy", "locked_out", "bad_reply", "refused_request"]
"""``refused_request`` concerns one request alone; the others concern the endpoint or the model."""

_TOO_MANY_REQUESTS = 429
_UNAUTHORIZED = frozenset({401, 402, 403, 404})
_PARTS_OF_THOUGHTS = frozenset({"thinking", "reasoning", "redacted_thinking"})
_IMPLAUSIBLE_TOKENS = 10_000_000
_QUOTA_CODES = ("insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "exceeded_current_quota")


@dataclass(frozen=True, slots=True)
class Usage:
    """The tokens of a call, as the endpoint counts them."""

    input: int
    output: int


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model answered, by where it stood; ``is_truncated`` if it ended at the maximum length.

    ``reasoning`` is what the model thought: it is read for an answer in the wrong place, and never stored or logged.
    """

    text: str
    is_truncated: bool
    usage: Usage | None
    tool_call: str = ""
    """The arguments of calls of tools and functions, one a line."""
    reasoning: str = field(default="", repr=False)
    has_parts: bool = False
    """Whether the text came in parts, or as an object."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """The model refuses to answer, now and later."""

    reason: Literal["refused", "content_filter"]
    usage: Usage | None


Reply = Answer | Refusal


class ModelUnavailable(Exception):
    """The model gave no usable reply: it is busy, it refuses our credentials or this
    one request, or its reply is malformed.

    ``why`` is a stable code for metrics; ``sent`` says whether the call may have cost tokens.
    """

    def __init__(
        self,
        kind: Kind,
        why: str,
        *,
        retry_after: float | None = None,
        sent: bool = False,
        usage: Usage | None = None,
    ) -> None:
        super().__init__(f"{kind}: {why}")
        self.kind, self.why, self.retry_after, self.sent, self.usage = kind, why, retry_after, sent, usage


def read_completion(body: bytes) -> Reply:
    """Parse the body of a chat completion."""
    try:
        parsed = json.loads(body)
    except (ValueError, RecursionError):
        raise ModelUnavailable("bad_reply", "not_json", sent=True) from None
    usage = _usage(parsed)
    choices = parsed.get("choices") if isinstance(parsed, dict) else None
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise ModelUnavailable("bad_reply", "no_choices", sent=True, usage=usage)
    message = choices[0].get("message")
    message = message if isinstance(message, dict) else {}
    finish_reason = choices[0].get("finish_reason")
    if finish_reason == "content_filter":
        return Refusal("content_filter", usage)
    if isinstance(message.get("refusal"), str) and message["refusal"]:
        return Refusal("refused", usage)
    content = message.get("content")
    answer = Answer(
        _text_of(content),
        is_truncated=finish_reason == "length",
        usage=usage,
        tool_call="\n".join(_arguments_of_calls(message)),
        reasoning=_text_of(message.get("reasoning_content")) or _text_of(message.get("reasoning")),
        has_parts=isinstance(content, list | dict),
    )
    if not (answer.is_truncated or any(text.strip() for text in (answer.text, answer.tool_call, answer.reasoning))):
        raise ModelUnavailable("bad_reply", "no_content", sent=True, usage=usage)
    return answer


def _text_of(content: Any) -> str:
    """The text of a content: as it is, in parts, or as an object that a server already parsed."""
    if isinstance(content, dict):
        return json.dumps(content)
    if isinstance(content, list):
        return "".join(map(_text_of_part, content))
    return content if isinstance(content, str) else ""


def _text_of_part(part: Any) -> str:
    """The text of a part, unless it is one of thoughts."""
    if isinstance(part, dict) and isinstance(part.get("text"), str) and part.get("type") not in _PARTS_OF_THOUGHTS:
        return str(part["text"])
    return part if isinstance(part, str) else ""


def _arguments_of_calls(message: Mapping[str, Any]) -> Iterator[str]:
    """The arguments of each call of a tool or of a function, as JSON."""
    calls = message.get("tool_calls")
    called = [call.get("function") for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []
    for function in (*called, message.get("function_call")):
        arguments = function.get("arguments") if isinstance(function, dict) else None
        if isinstance(arguments, str):
            yield arguments
        elif isinstance(arguments, dict | list):
            yield json.dumps(arguments)


def error_of_status(status: int, codes: Collection[str], headers: Mapping[str, str]) -> ModelUnavailable:
    """Map an HTTP status to ModelUnavailable; ``codes`` are the error's code and type."""
    retry_after = _retry_after(headers)
    quota = status == _TOO_MANY_REQUESTS and any(word in _QUOTA_CODES for word in codes)
    if status in _UNAUTHORIZED or quota:
        return ModelUnavailable("locked_out", "quota" if quota else str(status), retry_after=retry_after)
    return ModelUnavailable("busy", str(status), retry_after=retry_after)


def error_of_connection(cause: BaseException | None) -> ModelUnavailable:
    """Map a failed connection to ModelUnavailable."""
    if isinstance(cause, _TooLarge):
        return ModelUnavailable("bad_reply", "too_large", sent=True)
    if isinstance(cause, httpx2.ConnectError | httpx2.ConnectTimeout):
        return ModelUnavailable("busy", "refused")
    return ModelUnavailable("busy", "broken_off", sent=True)


def limit_body(max_bytes: int) -> Callable[[httpx2.Response], Awaitable[None]]:
    """Return a response hook that limits the size of the body and refuses compressed bodies."""

    async def limit(response: httpx2.Response) -> None:
        is_compressed = response.headers.get("content-encoding", "identity") != "identity"
        if is_compressed and isinstance(response.stream, httpx2.AsyncByteStream):
            await response.stream.aclose()
            raise _TooLarge("a packed body could be of any size")
        if isinstance(response.stream, httpx2.AsyncByteStream):
            response.stream = _LimitedStream(response.stream, max_bytes)

    return limit


class _TooLarge(httpx2.TransportError):
    """A body larger than any reply."""


class _LimitedStream(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream, max_bytes: int) -> None:
        self._stream, self._room = stream, max_bytes

    async def __aiter__(self) -> AsyncIterator[bytes]:
        max_bytes = self._room
        async for chunk in self._stream:
            max_bytes -= len(chunk)
            if max_bytes < 0:
                raise _TooLarge("more than a reply can have")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


def _usage(parsed: Any) -> Usage | None:
    usage = parsed.get("usage") if isinstance(parsed, dict) else None
    if not isinstance(usage, dict):
        return None
    prompt_tokens, completion_tokens = usage.get("prompt_tokens"), usage.get("completion_tokens")
    if not isinstance(prompt_tokens, int) or not isinstance(completion_tokens, int):
        return None
    return (
        Usage(prompt_tokens, completion_tokens)
        if 0 <= prompt_tokens < _IMPLAUSIBLE_TOKENS and 0 <= completion_tokens < _IMPLAUSIBLE_TOKENS
        else None
    )


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds of a Retry-After header, which may hold seconds, milliseconds or a date."""
    for name, divisor in (("retry-after-ms", 1000), ("retry-after", 1)):
        with suppress(ValueError):
            seconds = float(headers.get(name, "")) / divisor
            return min(seconds, MAX_RETRY_AFTER) if seconds >= 0 else None
    with suppress(ValueError, TypeError, OverflowError):
        moment = parsedate_to_datetime(headers.get("retry-after", ""))
        return max(0.0, min(moment.timestamp() - time.time(), MAX_RETRY_AFTER))
    return None
