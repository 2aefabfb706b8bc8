"""Faults of the way to the model: it hangs, trickles, breaks off, floods, or sends what is no HTTP answer to a call."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from collections.abc import AsyncIterator
from typing import Any

from starlette.responses import RedirectResponse, Response, StreamingResponse

from tests.model_server.asked import Asked, Fault
from tests.model_server.completions import completion

HUGE = 1024 * 1024 * 1024
"""Bytes of the flood, should anybody read to its end."""

_JSON = "application/json"
_PIECE = 64 * 1024


def _whole(asked: Asked) -> bytes:
    """A good answer, as bytes to break."""
    return json.dumps(completion(asked.body, json.dumps({"memories": asked.found()}))).encode()


async def hang(asked: Asked) -> Response:
    """Take the question and say nothing, until the caller has gone."""
    while (await asked.http.receive())["type"] != "http.disconnect":
        pass
    return Response(status_code=499)


async def trickle(asked: Asked) -> Response:
    """Send a little now and then, without end: no single wait is long."""

    async def drops() -> AsyncIterator[bytes]:
        while True:
            yield b" "
            await asyncio.sleep(0.05)

    return StreamingResponse(drops(), media_type=_JSON)


async def reset(asked: Asked) -> Response:
    """Reset the connection before a word was said."""
    _reset(asked)
    await asyncio.Event().wait()
    raise AssertionError


async def reset_midway(asked: Asked) -> Response:
    """Reset the connection in the middle of the answer."""
    whole = _whole(asked)

    async def half() -> AsyncIterator[bytes]:
        yield whole[: len(whole) // 2]
        await asyncio.sleep(0.02)
        _reset(asked)
        await asyncio.Event().wait()

    return StreamingResponse(half(), media_type=_JSON, headers={"content-length": str(len(whole))})


async def ends_midway(asked: Asked) -> Response:
    """Close the connection, in order, before the answer has the length that was announced."""
    whole = _whole(asked)

    async def half() -> AsyncIterator[bytes]:
        yield whole[: len(whole) // 2]
        await asyncio.sleep(0.02)
        _transport(asked).close()
        await asyncio.Event().wait()

    return StreamingResponse(half(), media_type=_JSON, headers={"content-length": str(len(whole))})


async def huge_body(asked: Asked) -> Response:
    """Send more than anybody can want to read."""

    async def flood() -> AsyncIterator[bytes]:
        yield b'{"choices": ["'
        for _ in range(HUGE // _PIECE):
            yield b"a" * _PIECE
            await asyncio.sleep(0)
        yield b'"]}'

    return StreamingResponse(flood(), media_type=_JSON)


async def cut_body(asked: Asked) -> Response:
    """Half an answer that claims to be whole."""
    whole = _whole(asked)
    return Response(whole[: len(whole) // 2], media_type=_JSON)


async def empty_body(asked: Asked) -> Response:
    """200, and nothing."""
    return Response(b"", media_type=_JSON)


async def no_content(asked: Asked) -> Response:
    """204."""
    return Response(status_code=204)


async def html(asked: Asked) -> Response:
    """The page of a proxy in between."""
    return Response("<html><body>Welcome to nginx!</body></html>", media_type="text/html")


async def html_as_json(asked: Asked) -> Response:
    """The same page, announced as JSON."""
    return Response("<html><body>Welcome to nginx!</body></html>", media_type=_JSON)


async def not_gzip(asked: Asked) -> Response:
    """Garbage, announced as compressed."""
    return Response(b"\x1f\x8bgarbage", media_type=_JSON, headers={"content-encoding": "gzip"})


async def not_utf8(asked: Asked) -> Response:
    """Bytes that are no text."""
    return Response(b'{"choices": "\xff\xfe"}', media_type=_JSON)


async def redirect(asked: Asked) -> Response:
    """Send the caller in a circle."""
    return RedirectResponse(asked.http.url, status_code=307)


FAULTS: dict[str, Fault] = {
    fault.__name__: fault
    for fault in (
        hang,
        trickle,
        reset,
        reset_midway,
        ends_midway,
        huge_body,
        cut_body,
        empty_body,
        no_content,
        html,
        html_as_json,
        not_gzip,
        not_utf8,
        redirect,
    )
}


def _transport(asked: Asked) -> Any:
    """The connection itself, which ASGI keeps from us: uvicorn's receive is a method of what holds it."""
    receive: Any = asked.http.receive
    return receive.__self__.transport


def _reset(asked: Asked) -> None:
    transport = _transport(asked)
    linger = struct.pack("ii", 1, 0)  # closing then resets instead of saying goodbye
    transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    transport.abort()
