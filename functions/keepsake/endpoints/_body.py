"""Receives a request body piece by piece, within its maximum size and in time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from starlette.requests import Request

from keepsake.errors import RequestTimeout, TooLarge

MIN_BYTES_PER_SECOND = 16 * 1024
"""What has arrived extends the deadline at this rate, so that a large file has time and a slow trickle has none."""


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
