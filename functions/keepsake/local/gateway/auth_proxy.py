"""A reverse proxy to Supabase Auth, so that the chat page signs people in without calling another origin."""

from __future__ import annotations

import httpx
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from keepsake.local.gateway.rest_proxy import error_response

_REQUEST_HEADERS = frozenset({"authorization", "content-type", "x-client-info", "x-supabase-api-version"})
_RESPONSE_HEADERS = frozenset({"content-type", "retry-after", "x-supabase-api-version"})
_MAX_BODY = 64 * 1024


class AuthProxy:
    """The ASGI application for ``/auth/v1``: passes requests on with the project's publishable key."""

    def __init__(self, auth_url: str, publishable_key: str, *, prefix: str) -> None:
        self._auth_url = auth_url
        self._publishable_key = publishable_key
        self._prefix = prefix
        self._client = httpx.AsyncClient(trust_env=False, timeout=30, follow_redirects=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with what Supabase Auth answers."""
        response = await self._answer(Request(scope, receive))
        await response(scope, receive, send)

    async def close(self) -> None:
        """Close the connections to Supabase Auth."""
        await self._client.aclose()

    async def _answer(self, request: Request) -> Response:
        body = await _read(request)
        if body is None:
            return error_response(413, "too_large", "The request is too large for a sign-in.")
        path = request.url.path.removeprefix(self._prefix)
        headers = {name: value for name, value in request.headers.items() if name in _REQUEST_HEADERS}
        if headers.get("authorization") == f"Bearer {request.headers.get('apikey')}":
            headers["authorization"] = f"Bearer {self._publishable_key}"  # a client without a session repeats its key
        try:
            answer = await self._client.request(
                request.method,
                f"{self._auth_url}{path}",
                params=request.url.query,
                headers=headers | {"apikey": self._publishable_key},
                content=body,
            )
        except httpx.TransportError:
            return error_response(503, "auth_unavailable", "Supabase Auth does not answer.")
        kept = {name: value for name, value in answer.headers.items() if name in _RESPONSE_HEADERS}
        return Response(answer.content, answer.status_code, headers=kept)


async def _read(request: Request) -> bytes | None:
    """Return the body; None where it is larger than any sign-in."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > _MAX_BODY:
            return None
    return bytes(body)
