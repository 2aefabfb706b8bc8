"""Guards an application that reads requests itself: no credentials twice, and a body within its size and deadline."""

from __future__ import annotations

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from keepsake.contracts.problem import Problem
from keepsake.endpoints._errors import error_reply
from keepsake.endpoints._handler import BODY_LIMIT, check_credentials, receive_body
from keepsake.errors import KeepsakeError


class RequestGuard:
    """Middleware that refuses a request as the functions do, before the application sees any of it."""

    def __init__(self, app: ASGIApp, *, seconds: float) -> None:
        self._app = app
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read the whole body, then hand the request on; a refusal by the sign-in behind it is answered too."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope, receive)
        try:
            check_credentials(request)
            pieces = receive_body(request, max_bytes=BODY_LIMIT, seconds=self._seconds)
            body = b"".join([piece async for piece in pieces])
            await self._app(scope, _replay(body, receive), send)
        except KeepsakeError as error:
            reply = error_reply(error)
            content = reply.body.model_dump_json() if isinstance(reply.body, Problem) else ""
            answer = Response(content, reply.status, dict(reply.headers), "application/json")
            await answer(scope, receive, send)
        except ClientDisconnect:
            return


def _replay(body: bytes, receive: Receive) -> Receive:
    """The body as one message, then what comes after it."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replayed() -> Message:
        return messages.pop() if messages else await receive()

    return replayed
