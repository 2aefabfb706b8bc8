"""A model for load tests: it answers every request after the same time, and notes when each request was open."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

HOST = "127.0.0.1"
Content = Mapping[str, Any] | Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""What the model answers: always the same, or what follows from the body of a request."""


@dataclass(slots=True)
class SlowModel:
    """Answers with the content after ``seconds``; ``open_times`` are when each request came and was answered."""

    content: Content
    seconds: float
    port: int = 0
    open_times: list[tuple[float, float]] = field(default_factory=list)
    clients: list[asyncio.StreamWriter] = field(default_factory=list)
    waiting: int = 0
    """Requests that came and are not answered."""

    @property
    def url(self) -> str:
        """The base address of the API."""
        return f"http://{HOST}:{self.port}/v1"

    def share_of(self, slots: int, since: float) -> float:
        """The share of so many slots that requests used, from the first one after ``since`` to the last answer."""
        times = [one for one in self.open_times if one[0] >= since]
        window = max(end for _, end in times) - min(begin for begin, _ in times)
        return sum(end - begin for begin, end in times) / (window * slots)

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection."""
        self.clients.append(writer)
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                headers = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
                length = next(line for line in headers.split("\r\n") if line.startswith("content-length:"))
                request = await reader.readexactly(int(length.partition(":")[2]))
                began = time.monotonic()
                self.waiting += 1
                await asyncio.sleep(self.seconds)
                self.waiting -= 1
                self.open_times.append((began, time.monotonic()))
                writer.write(self._reply(request))
                await writer.drain()
        writer.close()

    def _reply(self, request: bytes) -> bytes:
        content = self.content(json.loads(request)) if callable(self.content) else self.content
        message = {"role": "assistant", "content": json.dumps(content)}
        usage = {"prompt_tokens": 500, "completion_tokens": 50, "total_tokens": 550}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        head = {"id": "slow", "object": "chat.completion", "created": 0, "model": "slow"}
        body = json.dumps({**head, "choices": [choice], "usage": usage}).encode()
        return b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%b" % (len(body), body)


@asynccontextmanager
async def slow_model(content: Content, seconds: float) -> AsyncIterator[SlowModel]:
    """Serve such a model until the block ends."""
    model = SlowModel(content, seconds)
    server = await asyncio.start_server(model.answer, HOST, 0)
    model.port = server.sockets[0].getsockname()[1]
    try:
        yield model
    finally:
        server.close()
        for client in model.clients:
            client.close()
        await asyncio.sleep(0)  # their tasks end
