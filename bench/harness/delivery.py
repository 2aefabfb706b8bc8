"""Delivers messages to ``chat-send`` over several connections, and keeps what each was answered.

A message counts as acknowledged once it was answered 2xx: it may neither be lost nor processed twice. One that
was refused (503 with ``Retry-After``) or whose connection broke off is delivered again, as a backend would do.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from uuid import UUID

from bench.harness.serving import Client

_PAUSE = 0.05


@dataclass(slots=True)
class Delivery:
    """What the senders were answered, message by message."""

    acknowledged: list[tuple[UUID, UUID]] = field(default_factory=list)
    refused: int = 0
    broken: int = 0
    wrong: list[str] = field(default_factory=list)
    """Answers that are neither a 2xx nor a refusal with Retry-After."""
    stopped: asyncio.Event = field(default_factory=asyncio.Event)

    def add(self, other: Delivery) -> None:
        """Count what another delivery was answered with this one."""
        self.acknowledged += other.acknowledged
        self.refused += other.refused
        self.broken += other.broken
        self.wrong += other.wrong

    async def until_acknowledged(self, count: int = 8) -> None:
        """Wait until so many messages are acknowledged; TimeoutError where that takes a minute."""
        async with asyncio.timeout(60):
            while len(self.acknowledged) < count:  # noqa: ASYNC110 (other processes are waited for)
                await asyncio.sleep(0.02)

    async def deliver(self, client: Client, waiting: Iterator[tuple[UUID, UUID]]) -> None:
        """Deliver message after message until none waits or it is stopped; what was not acknowledged, again."""
        for chat, message in waiting:
            while not self.stopped.is_set() and not await self._is_acknowledged(  # noqa: ASYNC110 (not waited for)
                client, chat, message
            ):
                await asyncio.sleep(_PAUSE)
            await asyncio.sleep(_PAUSE)
        await client.close()

    async def _is_acknowledged(self, client: Client, chat: UUID, message: UUID) -> bool:
        try:
            async with asyncio.timeout(60):
                answer = await client.request("chat-send", {"conversation_id": str(chat), "message_id": str(message)})
        except (OSError, EOFError) as error:
            self.broken += not isinstance(error, ConnectionRefusedError)
            await client.close()
            return False
        if 200 <= answer.status < 300:
            self.acknowledged.append((chat, message))
            return True
        if answer.status in {429, 503} and answer.has_retry_after:
            self.refused += 1
        else:
            self.wrong.append(f"{answer.status} {answer.content[:200]!r}")
        return False


@asynccontextmanager
async def delivering(
    port: int, key: str, saved: Sequence[tuple[UUID, UUID]], *, connections: int = 8
) -> AsyncIterator[Delivery]:
    """Deliver the messages over so many connections while the block runs; what is under way then is answered."""
    delivery, waiting = Delivery(), iter(saved)
    tasks = [asyncio.create_task(delivery.deliver(Client(port, key), waiting)) for _ in range(connections)]
    try:
        yield delivery
    finally:
        delivery.stopped.set()
        await asyncio.gather(*tasks)
