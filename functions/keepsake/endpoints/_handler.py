"""Handles HTTP requests: checks method, size and caller, parses the body, calls the function, maps errors to statuses.

A function declares itself with ``@endpoint(...)`` and sees a ``Call``. Nothing it raises reaches a caller as text, and
every answer, also a refusal, carries ``x-request-id`` and the CORS headers.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import Any, BinaryIO, Generic, TypedDict, TypeVar, Unpack, cast

import functions_framework.aio
from pydantic import BaseModel
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from keepsake.contracts import wire
from keepsake.contracts.problem import Problem
from keepsake.endpoints._callers import Caller, identify
from keepsake.endpoints._http import check_path, cors_headers, read_body
from keepsake.endpoints._streams import ChunkedResponse, Chunks, receive_file
from keepsake.errors import InvalidInput, KeepsakeError, MethodNotAllowed, RetryLater
from keepsake.identity import Identity
from keepsake.infra.logs import bind_log_context, log, request_id
from keepsake.infra.resources import Resources, get_resources

BODY_LIMIT = 1024 * 1024
"""Bytes a body may have."""

STATUSES = {
    "invalid_input": 400,
    "unauthenticated": 401,
    "not_found": 404,
    "method_not_allowed": 405,
    "conflict": 409,
    "too_large": 413,
    "rate_limited": 429,
    "internal_error": 500,
    "misconfigured": 500,
    "database_unavailable": 503,
    "retry_later": 503,
    "statement_timeout": 504,
}
"""The HTTP status of every error code."""

In = TypeVar("In", bound=BaseModel)
DeployedFunction = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class Call(Generic[In]):
    """An accepted request: caller, body, and the resources of the process."""

    identity: Identity | None
    body: In
    query: Mapping[str, str]
    resources: Resources
    headers: Mapping[str, str]
    file: BinaryIO
    """What was uploaded, where the function takes a file; then there is no body."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A response: its body (a model, bytes or a stream), media type and status."""

    body: BaseModel | bytes | Chunks
    status: int = 200
    media_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Declaration:
    """What a function declares about itself, for the documentation and the tests."""

    name: str
    callers: frozenset[Caller]
    request: type[BaseModel]
    responses: Mapping[int, type[BaseModel] | None]
    summary: str
    method: str = "POST"
    query: Mapping[str, str] = field(default_factory=dict)
    max_upload_bytes: int | None = None
    """Set if the function takes a file instead of a body; ``request`` then only describes the file."""
    extra_media_types: tuple[str, ...] = ()
    """Media types other than JSON: of the file if it takes one, else of the response."""
    documents: Mapping[str, Callable[[], bytes]] = field(default_factory=dict)
    """JSON documents below the function's path that everybody may read."""


class Options(TypedDict, total=False):
    """The optional fields of a declaration."""

    method: str
    query: Mapping[str, str]
    max_upload_bytes: int
    extra_media_types: tuple[str, ...]
    documents: Mapping[str, Callable[[], bytes]]


DECLARATIONS: dict[str, Declaration] = {}
"""The declarations of all functions that were imported, by name."""

Handler = Callable[[Call[In]], Awaitable[BaseModel | Reply]]


def endpoint(
    *,
    callers: Iterable[Caller],
    request: type[In],
    responses: Mapping[int, type[BaseModel] | None],
    name: str | None = None,
    **options: Unpack[Options],
) -> Callable[[Handler[In]], DeployedFunction]:
    """Deploy a function as an HTTP endpoint under its own name, with hyphens."""

    def decorate(handler: Handler[In]) -> DeployedFunction:
        deployed_name = name or handler.__name__.replace("_", "-")
        summary = (handler.__doc__ or "").strip()
        declaration = Declaration(deployed_name, frozenset(callers), request, responses, summary, **options)
        DECLARATIONS[deployed_name] = declaration

        @wraps(handler)
        async def deployed(http: Request) -> Response:
            return await _serve(declaration, cast("Handler[Any]", handler), http)

        return cast("DeployedFunction", functions_framework.aio.http(deployed))

    return decorate


async def _serve(declaration: Declaration, handler: Handler[Any], http: Request) -> Response:
    """Answer a request; every exception becomes an error response."""
    started = time.perf_counter()
    rid = request_id(http.headers.get("x-request-id"))
    resources: Resources | None = None
    with bind_log_context(request_id=rid, function=declaration.name):
        try:
            resources = get_resources()
            reply = _serialize(await _process(declaration, handler, http, resources))
        except KeepsakeError as error:
            reply = _error_reply(error)
        except ClientDisconnect:
            reply = _error_reply(InvalidInput("The request ended before its body did."))
        except Exception as error:  # noqa: BLE001 (whatever it is, the caller gets no text of it)
            log.error("a function failed unexpectedly", exc_info=error)
            reply = _error_reply(KeepsakeError())
        seconds = time.perf_counter() - started
        if resources is not None:
            resources.metrics.requests.labels(declaration.name, str(reply.status)).inc()
            resources.metrics.request_seconds.labels(declaration.name).observe(seconds)
        log.info("answered", status=reply.status, milliseconds=round(seconds * 1000, 2))
    origins = resources.settings.allowed_origins if resources else ("*",)
    cors = cors_headers(http.headers.get("origin"), origins, declaration.method)
    return _response(reply, {**cors, "x-request-id": rid}, {"request_id": rid, "function": declaration.name})


async def _process(declaration: Declaration, handler: Handler[Any], http: Request, resources: Resources) -> Reply:
    """Check and parse the request, then call the handler."""
    document = check_path(http, declaration.name, declaration.documents)
    if http.method == "OPTIONS":
        return Reply(b"", status=204)
    if document is not None:
        if http.method not in {"GET", "HEAD"}:
            raise MethodNotAllowed(hint="Use GET.")
        return Reply(declaration.documents[document]())
    if http.method != declaration.method and not (http.method == "HEAD" and declaration.method == "GET"):
        raise MethodNotAllowed(hint=f"Use {declaration.method}.")
    if declaration.max_upload_bytes is not None:  # nobody's file is taken before it is known whose it is
        identity, body = await identify(declaration.callers, http.headers, b"", resources), None
        limit = declaration.max_upload_bytes
    else:
        raw = await read_body(http, BODY_LIMIT)
        identity = await identify(declaration.callers, http.headers, raw, resources)
        body, limit = wire.parse(declaration.request, raw), 0
    async with receive_file(http, limit) as file:
        answer = await handler(Call(identity, body, dict(http.query_params), resources, http.headers, file))
    return answer if isinstance(answer, Reply) else Reply(answer)


def _serialize(reply: Reply) -> Reply:
    """Serialize the body now, so that a failure still becomes an error response."""
    body = reply.body
    return replace(reply, body=body.model_dump_json().encode()) if isinstance(body, BaseModel) else reply


def _error_reply(error: KeepsakeError) -> Reply:
    problem = Problem(code=error.code, message=error.message, details=error.details, hint=error.hint)
    headers = {"retry-after": str(error.retry_after)} if isinstance(error, RetryLater) else {}
    status = STATUSES.get(error.code, 500)
    if status == 401:
        headers["www-authenticate"] = "Bearer"
    if status >= 500 and error.__cause__:
        log.warning("refused", code=error.code, exc_info=error.__cause__)
    return Reply(problem, status=status, headers=headers)


def _response(reply: Reply, headers: Mapping[str, str], context: Mapping[str, str]) -> Response:
    all_headers = {**headers, **reply.headers}
    if isinstance(reply.body, Chunks):
        return ChunkedResponse(reply.body, reply.status, all_headers, media_type=reply.media_type, context=context)
    content = reply.body if isinstance(reply.body, bytes) else reply.body.model_dump_json().encode()
    if not content:
        return Response(status_code=reply.status, headers=all_headers)
    return Response(content, reply.status, all_headers, media_type=reply.media_type)
