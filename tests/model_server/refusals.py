"""Faults of the model's service: it is busy, broken, locked, out of quota, or does not know what it is asked for."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

from starlette.responses import JSONResponse, Response

from tests.model_server.asked import Asked, Fault
from tests.model_server.completions import error

SECONDS = 90
"""How long a busy service asks to wait."""


def _told(asked: Asked) -> str:
    """What endpoints write: some of it repeats the question."""
    return f"sk-scripted said something here that no caller may read, about: {asked.said}"


def _refuses(status: int, kind: str, code: str | None = None, **headers: str) -> Fault:
    async def fault(asked: Asked) -> Response:
        return JSONResponse(error(_told(asked), kind=kind, code=code), status, headers=headers)

    return fault


async def busy_until_date(asked: Asked) -> Response:
    """429, with the date from which on to come again."""
    when = format_datetime(datetime.now(UTC) + timedelta(seconds=SECONDS), usegmt=True)
    body = error(_told(asked), kind="requests", code="rate_limit_exceeded")
    return JSONResponse(body, 429, headers={"retry-after": when})


async def error_in_200(asked: Asked) -> Response:
    """An error under a status that says there is none."""
    return JSONResponse(error(_told(asked), kind="server_error"))


def _knows_no(parameter: str, message: str, *, only: str | None = None) -> Fault:
    """400 for one parameter (or one kind of it); without it, a good answer."""

    async def fault(asked: Asked) -> Response:
        given: Any = asked.body.get(parameter)
        if given is None or (only is not None and given.get("type") != only):
            return asked.answers_well()
        body = error(message, kind="invalid_request_error", code="unsupported_value", param=parameter)
        return JSONResponse(body, 400)

    return fault


async def no_schema_limits(asked: Asked) -> Response:
    """400 for a schema that limits lengths, as some strict modes do; without limits, a good answer."""
    if "maxLength" not in str(asked.body.get("response_format")):
        return asked.answers_well()
    message = "Invalid schema for response_format 'memories': In context=('properties',), 'maxLength' is not permitted."
    return JSONResponse(error(message, kind="invalid_request_error", param="response_format"), 400)


def _too_long(status: int, message: str) -> Fault:
    """An error for a long request; for a short one, a good answer."""

    async def fault(asked: Asked) -> Response:
        if sum(len(str(one.get("content"))) for one in asked.body["messages"]) < _WINDOW:
            return asked.answers_well()
        return JSONResponse(error(message, kind="invalid_request_error"), status)

    return fault


async def refuses_ramen(asked: Asked) -> Response:
    """400 for one word, without a reason; else a good answer."""
    if "ramen" not in asked.said:
        return asked.answers_well()
    return JSONResponse(error("The request could not be processed.", kind="invalid_request_error"), 400)


async def thinks(asked: Asked) -> Response:
    """A model that uses up its tokens for thoughts, unless it is told not to think."""
    kwargs = asked.body.get("chat_template_kwargs")
    is_told = kwargs == {"enable_thinking": False} or asked.body.get("think") is False
    return asked.answers_well() if is_told else asked.answers("", finish_reason="length")


async def no_thinking_fields(asked: Asked) -> Response:
    """400 for each field about thinking, named one after the other."""
    for name in ("think", "chat_template_kwargs", "reasoning_effort"):
        if name in asked.body:
            return JSONResponse(error(f"Unrecognized request argument supplied: {name}", kind="x", param=name), 400)
    return asked.answers_well()


async def only_known_fields(asked: Asked) -> Response:
    """422 for fields it does not know, without their names."""
    if asked.body.keys() & {"think", "chat_template_kwargs", "reasoning_effort"}:
        return JSONResponse({"detail": "The body is not valid."}, 422)
    return asked.answers_well()


_WINDOW = 16_000

FAULTS: dict[str, Fault] = {
    "too_long": _too_long(400, "This model's maximum context length is 4096 tokens."),
    "too_long_500": _too_long(500, "input is too long for the model context"),
    "too_long_429": _too_long(429, "Request too large for this model on tokens per min."),
    "too_long_413": _too_long(413, "Payload refused."),
    "too_long_guided": _too_long(
        400, "prompt with guided schema decoding too long: 'max_tokens' or 'max_completion_tokens' is too large: 700"
    ),
    "refuses_ramen": refuses_ramen,
    "thinks": thinks,
    "no_thinking_fields": no_thinking_fields,
    "only_known_fields": only_known_fields,
    "no_schema_limits": no_schema_limits,
    "busy": _refuses(429, "requests", "rate_limit_exceeded"),
    "busy_for_seconds": _refuses(429, "requests", "rate_limit_exceeded", **{"retry-after": str(SECONDS)}),
    "busy_until_date": busy_until_date,
    "busy_for_milliseconds": _refuses(429, "requests", None, **{"retry-after-ms": str(SECONDS * 1000)}),
    "busy_for_ever": _refuses(429, "requests", None, **{"retry-after": "99999999999"}),
    "busy_for_nonsense": _refuses(429, "requests", None, **{"retry-after": "soon; nan, -1"}),
    "error_500": _refuses(500, "server_error"),
    "error_502": _refuses(502, "server_error"),
    "error_503": _refuses(503, "server_error"),
    "error_503_for_seconds": _refuses(503, "server_error", **{"retry-after": str(SECONDS)}),
    "error_504": _refuses(504, "server_error"),
    "unauthorized": _refuses(401, "invalid_request_error", "invalid_api_key"),
    "forbidden": _refuses(403, "invalid_request_error", "unsupported_country_region_territory"),
    "quota": _refuses(429, "insufficient_quota", "insufficient_quota"),
    "no_such_model": _refuses(404, "invalid_request_error", "model_not_found"),
    "bad_request": _refuses(400, "invalid_request_error"),
    "filtered_request": _refuses(400, "invalid_request_error", "content_filter"),
    "error_in_200": error_in_200,
    "no_json_schema": _knows_no(
        "response_format",
        "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
        only="json_schema",
    ),
    "no_response_format": _knows_no("response_format", "Unrecognized request argument supplied: response_format"),
    "no_temperature": _knows_no(
        "temperature", "Unsupported value: 'temperature' does not support 0 with this model. Only 1 is supported."
    ),
}
