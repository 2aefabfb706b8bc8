"""A pool that lends no connection which is known to be dead."""

from __future__ import annotations

import select
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import psycopg
from psycopg_pool import AsyncConnectionPool

from keepsake.infra.database.transactions import Connection

_IDLE_SECONDS = 5.0
"""How long a connection may have been idle to be lent without asking whether the server still answers."""
_CHECK_SECONDS = 0.3
"""How long the server may take to answer that."""


class ConnectionPool(AsyncConnectionPool[Connection]):
    """The pool of one process: what the server closed, or what may have gone silent, is replaced when it is lent."""

    _distrusted_before = 0.0

    def distrust_idle(self) -> None:
        """Replace every connection that has not answered since now: one went silent, so the others may have too."""
        self._distrusted_before = time.monotonic()

    async def getconn(self, timeout: float | None = None) -> Connection:  # noqa: ASYNC109 (the pool's own)
        """Lend a connection that is alive; only one that was idle for a while is asked, which is a round trip."""
        ends = time.monotonic() + (self.timeout if timeout is None else timeout)
        conn = await super().getconn(timeout)
        while True:
            try:
                if await self._is_alive(conn):
                    return conn
                await conn.close()
            except BaseException:  # nobody else would give it back
                await self.putconn(conn)
                raise
            await self.putconn(conn)
            conn = await super().getconn(max(0.0, ends - time.monotonic()))

    @asynccontextmanager
    async def connection_in_any_state(self, patience: float, max_wait: float) -> AsyncIterator[Connection]:
        """Lend a connection for a block that begins and ends its own transaction, and waits so long for each answer."""
        conn = await self.getconn(patience)
        usual, conn.max_wait = conn.max_wait, max_wait
        try:
            yield conn
        finally:
            conn.max_wait = usual
            await self.putconn(conn)

    async def _is_alive(self, conn: Connection) -> bool:
        if _was_closed(conn) or conn.last_answer < self._distrusted_before:
            return False
        return time.monotonic() - conn.last_answer < _IDLE_SECONDS or await conn.answers(_CHECK_SECONDS)


def _was_closed(conn: Connection) -> bool:
    """Whether an idle connection has something to read, which is its end; asked without a round trip."""
    try:
        readable, _, _ = select.select([conn.pgconn.socket], [], [], 0)
    except (OSError, ValueError, psycopg.Error):  # no socket any more, or one beyond what select can watch
        return conn.closed
    return bool(readable)
