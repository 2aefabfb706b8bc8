"""A streaming reverse proxy to PostgREST that checks the API key and filters headers."""

from __future__ import annotations

from collections.abc import AsyncIterator
from http import HTTPStatus

import httpx
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from keepsake.errors import Unauthenticated
from keepsake.local.gateway.api_keys import ApiKeys

# What concerns one connection only, and what the gateway itself decides.
HOP_BY_HOP = frozenset(
    {
        "connection",
        "keep-alive",
        "proxy-authenticate",
        "proxy-authorization",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)
SERVER_HEADERS = frozenset({"date", "server"})
GATEWAY_HEADERS = frozenset({"host", "apikey", "authorization", "content-length"})
METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"
EXPOSED_HEADERS = "Content-Location, Content-Range, Location, Preference-Applied, Proxy-Status, Range-Unit"
_UNAVAILABLE_HINT = (
    "Try again in a moment; if it stays away, end `keepsake up` and start it again. Its log is postgrest.log."
)


class RestProxy:
    """The ASGI application for ``/rest/v1``."""

    def __init__(self, rest_url: str, keys: ApiKeys, *, prefix: str) -> None:
        self._rest_url = httpx.URL(rest_url)
        self._keys = keys
        self._prefix = prefix.encode()
        self._client = httpx.AsyncClient(
            trust_env=False, timeout=httpx.Timeout(30, read=60), limits=httpx.Limits(max_connections=100)
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on to PostgREST."""
        request = Request(scope, receive)
        response = _preflight(request) if request.method == "OPTIONS" else await self._answer(request)
        response.headers.setdefault("access-control-allow-origin", "*")
        response.headers.setdefault("access-control-expose-headers", EXPOSED_HEADERS)
        await response(scope, receive, send)

    async def close(self) -> None:
        """Close the connections to PostgREST."""
        await self._client.aclose()

    async def _answer(self, request: Request) -> Response:
        headers = request.headers
        if "transfer-encoding" in headers and "content-length" in headers:
            return error_response(HTTPStatus.BAD_REQUEST, "invalid_input", "The body has a length and is in chunks.")
        try:
            bearer = self._keys.bearer(headers.getlist("apikey"), headers.getlist("authorization"))
        except Unauthenticated as refusal:
            return error_response(HTTPStatus.UNAUTHORIZED, refusal.code, refusal.message, hint=refusal.hint)
        target = self._target(request)
        if target is None:
            return error_response(HTTPStatus.NOT_FOUND, "not_found", "There is nothing here.")
        upstream = self._client.build_request(
            request.method,
            target,
            headers=[
                *_request_headers(headers),
                (b"authorization", bearer.encode("latin-1")),
                *_content_length(headers),
            ],
            content=request.stream() if _has_body(headers) else None,
        )
        try:
            answer = await self._client.send(upstream, stream=True)
        except httpx.TransportError:
            unavailable = error_response(
                HTTPStatus.SERVICE_UNAVAILABLE, "rest_unavailable", "PostgREST does not answer.", hint=_UNAVAILABLE_HINT
            )
            unavailable.headers["retry-after"] = "2"
            return unavailable
        response = StreamingResponse(_body(answer), answer.status_code)
        response.raw_headers = [
            (name.lower(), value) for name, value in answer.headers.raw if _is_response_header(name.lower())
        ]
        return response

    def _target(self, request: Request) -> httpx.URL | None:
        """Return the URL for PostgREST, with the path byte for byte as the client sent it; None if it is invalid."""
        path = request.scope["raw_path"].removeprefix(self._prefix) or b"/"
        query = request.scope["query_string"]
        try:
            return self._rest_url.copy_with(raw_path=path + b"?" + query if query else path)
        except (httpx.InvalidURL, UnicodeDecodeError):
            return None


def error_response(status: int, code: str, message: str, *, hint: str | None = None) -> Response:
    """Create an error response in the format of PostgREST, and of the functions."""
    problem = {"code": code, "message": message, "error": message, "details": None, "hint": hint}
    return JSONResponse(problem, status)


def _preflight(request: Request) -> Response:
    requested_headers = request.headers.get("access-control-request-headers", "authorization, apikey, content-type")
    headers = {
        "access-control-allow-methods": METHODS,
        "access-control-allow-headers": requested_headers,
        "access-control-max-age": "3600",
    }
    return Response(status_code=HTTPStatus.NO_CONTENT, headers=headers)


def _request_headers(headers: Headers) -> list[tuple[bytes, bytes]]:
    """Return the client's headers without hop-by-hop headers and credentials."""
    hop_headers = {name.strip().lower() for value in headers.getlist("connection") for name in value.split(",")}
    dropped = HOP_BY_HOP | GATEWAY_HEADERS | hop_headers
    return [(name, value) for name, value in headers.raw if name.decode("latin-1") not in dropped]


def _content_length(headers: Headers) -> list[tuple[bytes, bytes]]:
    length = headers.get("content-length")
    return [(b"content-length", length.encode("latin-1"))] if length is not None and _has_body(headers) else []


def _has_body(headers: Headers) -> bool:
    return "transfer-encoding" in headers or headers.get("content-length", "0") != "0"


def _is_response_header(name: bytes) -> bool:
    return not name.startswith(b"access-control-") and name.decode("latin-1") not in HOP_BY_HOP | SERVER_HEADERS


async def _body(answer: httpx.Response) -> AsyncIterator[bytes]:
    try:
        async for chunk in answer.aiter_raw():
            yield chunk
    finally:
        await answer.aclose()
