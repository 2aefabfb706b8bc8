"""Handles HTTP requests: checks path, method, size and caller, parses the body, calls the function, writes the reply.

A function declares itself with ``@endpoint(...)`` and sees a ``Call``. Nothing it raises reaches a caller as text, and
every answer, also a refusal, carries ``x-request-id`` and the CORS headers.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import wraps
from typing import Any, Unpack, cast

import functions_framework.aio
from pydantic import BaseModel
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from keepsake.contracts import wire
from keepsake.endpoints._declaration import DECLARATIONS, PREFIX, Call, Declaration, Handler, In, Options, Reply
from keepsake.endpoints._errors import error_reply
from keepsake.endpoints._uploads_and_downloads import ChunkedResponse, Chunks, receive_file
from keepsake.errors import (
    InvalidInput,
    KeepsakeError,
    MethodNotAllowed,
    NotFound,
    RequestTimeout,
    TooLarge,
    Unauthenticated,
)
from keepsake.identity import Caller, Identity, Person
from keepsake.infra.logs import bind_log_context, log, request_id
from keepsake.infra.resources import Resources, get_resources

BODY_LIMIT = 1024 * 1024
"""Bytes a body may have."""
MIN_BYTES_PER_SECOND = 16 * 1024
"""What has arrived extends the deadline at this rate, so that a large file has time and a slow trickle has none."""

_CREDENTIALS = ("authorization", "apikey", "webhook-id", "webhook-timestamp", "webhook-signature")
_ALLOWED_HEADERS = "authorization, x-client-info, apikey, content-type, x-request-id"
_EXPOSED_HEADERS = "x-request-id, retry-after, content-disposition"

DeployedFunction = Callable[[Request], Awaitable[Response]]

DEPLOYED: dict[str, DeployedFunction] = {}
"""All functions that were imported, by the name in their path."""


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

        DEPLOYED[deployed_name] = cast("DeployedFunction", functions_framework.aio.http(deployed))
        return DEPLOYED[deployed_name]

    return decorate


async def _serve(declaration: Declaration, handler: Handler[Any], http: Request) -> Response:
    """Answer a request; every exception becomes an error response."""
    started = time.perf_counter()
    rid = request_id(http.headers.get("x-request-id"))
    resources: Resources | None = None
    with bind_log_context(request_id=rid, function=declaration.name):
        try:
            resources = get_resources()
            if declaration.reads_messages:
                resources.begin_loading()
            reply = _serialize(await _process(declaration, handler, http, resources))
        except KeepsakeError as error:
            reply = error_reply(error)
        except ClientDisconnect:
            reply = error_reply(InvalidInput("The request ended before its body did."))
        except Exception as error:  # noqa: BLE001 (whatever it is, the caller gets no text of it)
            log.error("a function failed unexpectedly", exc_info=error)
            reply = error_reply(KeepsakeError())
        seconds = time.perf_counter() - started
        if resources is not None:
            resources.metrics.requests.labels(declaration.name, str(reply.status)).inc()
            resources.metrics.request_seconds.labels(declaration.name).observe(seconds)
        log.info("answered", status=reply.status, milliseconds=round(seconds * 1000, 2))
    origins = resources.settings.allowed_origins if resources else ("*",)
    cors = _cors_headers(http.headers.get("origin"), origins, declaration.method)
    return _response(reply, {**cors, "x-request-id": rid}, {"request_id": rid, "function": declaration.name})


async def _process(declaration: Declaration, handler: Handler[Any], http: Request, resources: Resources) -> Reply:
    """Check and parse the request, then call the handler."""
    document = _check_path(http, declaration.name, declaration.documents)
    if http.method == "OPTIONS":
        return Reply(b"", status=204)
    if document is not None:
        if http.method not in {"GET", "HEAD"}:
            raise MethodNotAllowed(hint="Use GET.")
        return Reply(declaration.documents[document]())
    if http.method != declaration.method and not (http.method == "HEAD" and declaration.method == "GET"):
        raise MethodNotAllowed(hint=f"Use {declaration.method}.")
    if declaration.callers:
        check_credentials(http)
    query, seconds = dict(http.query_params), resources.settings.body_deadline_seconds
    if declaration.max_upload_bytes is None:
        raw = b"".join([piece async for piece in receive_body(http, max_bytes=BODY_LIMIT, seconds=seconds)])
        identity = await resources.authenticator.authenticate(declaration.callers, http.headers, raw)
        body = wire.parse(declaration.request, raw)
        answer = await handler(Call(identity, _as_person(identity), body, query, resources, http.headers))
    else:  # nobody's file is taken before it is known whose it is
        identity = await resources.authenticator.authenticate(declaration.callers, http.headers, b"")
        pieces = receive_body(http, max_bytes=declaration.max_upload_bytes, seconds=seconds)
        async with receive_file(http, pieces) as file:
            answer = await handler(Call(identity, _as_person(identity), None, query, resources, http.headers, file))
    return answer if isinstance(answer, Reply) else Reply(answer)


def _as_person(identity: Identity | None) -> Person | None:
    return identity if isinstance(identity, Person) else None


async def receive_body(request: Request, *, max_bytes: int, seconds: float) -> AsyncIterator[bytes]:
    """The pieces of a body as they arrive; TooLarge or RequestTimeout as soon as it is too large or too slow."""
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > max_bytes:
        raise TooLarge(f"A body may have {max_bytes} bytes.")
    deadline = asyncio.get_running_loop().time() + seconds
    stream = aiter(request.stream())
    size = 0
    while True:
        try:
            async with asyncio.timeout_at(deadline + size / MIN_BYTES_PER_SECOND):
                piece = await anext(stream, None)
        except TimeoutError:
            raise RequestTimeout(details=f"after {size} bytes") from None
        if piece is None:
            return
        size += len(piece)
        if size > max_bytes:
            raise TooLarge(f"A body may have {max_bytes} bytes.")
        yield piece


def _check_path(request: Request, name: str, documents: Collection[str]) -> str | None:
    """Return the name of the requested document, or None for the function itself.

    Any other path is refused: deployed alone, a function is handed every path there is.
    """
    path = request.url.path.strip("/")
    if path in {"", name, f"{PREFIX}/{name}"}:
        return None
    for document in documents:
        if path in {document, f"{name}/{document}", f"{PREFIX}/{name}/{document}"}:
            return document
    first_part = path.removeprefix(f"{PREFIX}/").partition("/")[0]
    if first_part in DEPLOYED and first_part != name:
        raise NotFound("There is no such function.", hint=f"This service serves {name} alone.")
    near = get_close_matches(first_part.replace("_", "-"), DEPLOYED, n=1)
    raise NotFound("There is no such function.", hint=f"Did you mean {near[0]}?" if near else None)


def check_credentials(request: Request) -> None:
    """Refuse credentials that are sent twice: who reads the first and who reads the last would see two callers."""
    for name in _CREDENTIALS:
        if len(request.headers.getlist(name)) > 1:
            raise Unauthenticated(f"The header {name} is there more than once.")


def _serialize(reply: Reply) -> Reply:
    """Serialize the body now, so that a failure still becomes an error response."""
    body = reply.body
    return replace(reply, body=body.model_dump_json().encode()) if isinstance(body, BaseModel) else reply


def _response(reply: Reply, headers: Mapping[str, str], context: Mapping[str, str]) -> Response:
    all_headers = {**headers, **reply.headers}
    if isinstance(reply.body, Chunks):
        return ChunkedResponse(reply.body, reply.status, all_headers, media_type=reply.media_type, context=context)
    content = reply.body if isinstance(reply.body, bytes) else reply.body.model_dump_json().encode()
    if not content:
        return Response(status_code=reply.status, headers=all_headers)
    return Response(content, reply.status, all_headers, media_type=reply.media_type)


def _cors_headers(origin: str | None, allowed: Sequence[str], method: str) -> dict[str, str]:
    """Return the CORS headers."""
    headers = {"access-control-expose-headers": _EXPOSED_HEADERS}
    if "*" in allowed:
        headers["access-control-allow-origin"] = "*"
    else:
        headers["vary"] = "Origin"
        if origin in allowed:
            headers["access-control-allow-origin"] = str(origin)
    headers["access-control-allow-methods"] = f"{method}, OPTIONS"
    headers["access-control-allow-headers"] = _ALLOWED_HEADERS
    headers["access-control-max-age"] = "86400"
    return headers
