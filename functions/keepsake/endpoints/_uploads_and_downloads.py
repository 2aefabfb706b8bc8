"""Receives uploaded files up to a size limit, and streams responses that are too large for memory."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from tempfile import SpooledTemporaryFile
from typing import Any, BinaryIO, Protocol, cast, runtime_checkable

from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.types import Send

from keepsake.errors import InvalidInput
from keepsake.infra.logs import bind_log_context, log

_MAX_MEMORY_BYTES = 1024 * 1024

CHUNK_SECONDS = 10.0
"""How long a client may take to read one chunk; meanwhile a connection to the database is kept for it."""

STREAM_SECONDS = 600.0
"""How long it may take to read everything."""


@runtime_checkable
class Chunks(Protocol):
    """A stream of bytes that can be closed early."""

    def __aiter__(self) -> AsyncIterator[bytes]: ...

    async def aclose(self) -> None:
        """Close the stream."""


@asynccontextmanager
async def receive_file(request: Request, pieces: AsyncIterator[bytes]) -> AsyncIterator[BinaryIO]:
    """Receive an upload, piece by piece, into a temporary file."""
    if request.headers.get("content-encoding", "identity").strip().lower() not in {"", "identity"}:
        raise InvalidInput("A compressed file is not taken.", hint="Send it as it is, without a content-encoding.")
    with SpooledTemporaryFile(max_size=_MAX_MEMORY_BYTES) as file:
        async for piece in pieces:
            file.write(piece)
        file.seek(0)
        yield cast("BinaryIO", file)


class ChunkedResponse(StreamingResponse):
    """A response sent chunk by chunk. If it fails, it stays incomplete, which the client detects."""

    def __init__(self, chunks: Chunks, *args: Any, context: Mapping[str, str], **kwargs: Any) -> None:
        super().__init__(chunks, *args, **kwargs)
        self._chunks = chunks
        self._context = context

    async def stream_response(self, send: Send) -> None:
        """Send all chunks, log the result, and close the stream."""
        started = time.perf_counter()
        sent = 0

        async def send_counted(message: Any) -> None:
            nonlocal sent
            sent += len(message.get("body", b""))
            async with asyncio.timeout(CHUNK_SECONDS):
                await send(message)

        with bind_log_context(**self._context):
            ended = "gave up"
            try:
                async with asyncio.timeout(STREAM_SECONDS):
                    await super().stream_response(send_counted)
                ended = "complete"
            except TimeoutError:
                ended = "too slow"  # what is sent stays incomplete, and the connection to the database is free
                raise OSError("the client reads too slowly") from None
            except OSError:
                raise  # whoever asked has gone
            except Exception as error:  # noqa: BLE001 (no text of it may leave; the unfinished answer says enough)
                ended = "failed"
                log.error("an answer failed on the way", exc_info=error)
            finally:
                await self._chunks.aclose()
                log.info("streamed", ended=ended, bytes=sent, milliseconds=round((time.perf_counter() - started) * 1e3))
