"""The scripted model as a web application: OpenAI's chat completions and embeddings, and a door to script it by."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine
from dataclasses import asdict
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from tests.model_server.asked import Asked
from tests.model_server.completions import Json, error
from tests.model_server.script import FAULTS, VECTOR_FAULTS, Rate, Script
from tests.model_server.strict_schema import refusal_of


def build(script: Script) -> Starlette:
    """The application that answers as the script says."""
    routes = [
        Route(f"{prefix}/{path}", endpoint, methods=methods)
        for prefix in ("", "/v1")  # with and without the version, as people write base URLs
        for path, endpoint, methods in (
            ("chat/completions", _chat, ["POST"]),
            ("embeddings", _embeddings, ["POST"]),
            ("models", _models, ["GET"]),
            ("script", _script, ["GET", "POST", "DELETE"]),
        )
    ]
    app = Starlette(routes=routes)
    app.state.script = script
    return app


async def _chat(http: Request) -> Response:
    script: Script = http.app.state.script
    body = await _object(http)
    if body is None or not isinstance(body.get("messages"), list) or not body["messages"]:
        return _bad("Missing required parameter: 'messages'.", "messages")
    return _Noted(script, http.url.path, body, _reply(script, Asked(http, body)))


async def _reply(script: Script, asked: Asked) -> Response:
    if refused := script.refusal():
        return refused
    if refusal := refusal_of(asked.body):
        return _bad(refusal, "response_format")
    await _think(script)
    return await script.reply(asked)


class _Noted(Response):
    """A reply that is thought about and sent while the script knows of it: an endless one is never done."""

    def __init__(self, script: Script, path: str, body: Json, reply: Coroutine[Any, Any, Response]) -> None:
        self._script, self._reply = script, reply
        self._received = script.receive(path, body)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it."""
        try:
            await (await self._reply)(scope, receive, send)
        finally:
            self._script.answered(self._received)


async def _embeddings(http: Request) -> Response:
    script: Script = http.app.state.script
    body = await _object(http)
    given = body.get("input") if body else None
    texts = [given] if isinstance(given, str) else given
    if body is None or not isinstance(texts, list) or not all(isinstance(text, str) and text for text in texts):
        return _bad("'$.input' is invalid.", "input")
    if body.get("encoding_format", "float") != "float":
        return _bad("This server gives floats.", "encoding_format")
    return _Noted(script, http.url.path, body, _embedded(script, Asked(http, body)))


async def _think(script: Script) -> None:
    await asyncio.sleep(script.latency)
    while script.is_thinking:  # noqa: ASYNC110 (it is a test in another thread that ends it)
        await asyncio.sleep(0.01)


async def _embedded(script: Script, asked: Asked) -> Response:
    if refused := script.refusal():
        return refused
    await _think(script)
    return await script.embed(asked)


async def _models(http: Request) -> Response:
    names = ["scripted", *(f"fault:{name}" for name in FAULTS | VECTOR_FAULTS)]
    data = [{"id": name, "object": "model", "created": 0, "owned_by": "tests"} for name in names]
    return JSONResponse({"object": "list", "data": data})


async def _script(http: Request) -> Response:
    """GET what was asked; POST what to answer (`then`, `always`, `vectors_…`, `latency`, `rate`); DELETE both."""
    script: Script = http.app.state.script
    if http.method == "GET":
        return JSONResponse({"received": [asdict(one) for one in script.received], "to_come": len(script.replies)})
    if http.method == "DELETE":
        script.forget()
        return Response(status_code=204)
    body = await _object(http) or {}
    try:
        script.then(*body.get("then", ()))
        script.always(body.get("always", script.otherwise))
        script.vectors_then(*body.get("vectors_then", ()))
        script.vectors_always(body.get("vectors_always", script.vectors_otherwise))
    except ValueError as unknown:
        return _bad(str(unknown), "then")
    script.latency = float(body.get("latency", script.latency))
    if rate := body.get("rate"):
        script.rate = Rate(int(rate["requests"]), float(rate["seconds"]))
    return Response(status_code=204)


async def _object(http: Request) -> dict[str, Any] | None:
    try:
        read = json.loads(await http.body())
    except ValueError:
        return None
    return read if isinstance(read, dict) else None


def _bad(message: str, param: str) -> Response:
    return JSONResponse(error(message, kind="invalid_request_error", param=param), 400)
