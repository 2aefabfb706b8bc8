"""A pool that lends no connection which is known to be dead."""

from __future__ import annotations

import select
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import psycopg
from psycopg_pool import AsyncConnectionPool

from keepsake.infra.database.transactions import Connection


class ConnectionPool(AsyncConnectionPool[Connection]):
    """The pool of one process: what the server closed, or what may have gone silent, is replaced when it is lent."""

    _distrusted_before = 0.0

    def distrust_idle(self) -> None:
        """Replace every connection that has not answered since now: one went silent, so the others may have too."""
        self._distrusted_before = time.monotonic()

    async def getconn(self, timeout: float | None = None) -> Connection:  # noqa: ASYNC109 (the pool's own)
        """Lend a connection that is alive as far as can be told without a round trip."""
        conn = await super().getconn(timeout)
        while _was_closed(conn) or conn.last_answer < self._distrusted_before:
            await conn.close()
            await self.putconn(conn)
            conn = await super().getconn(timeout)
        return conn

    @asynccontextmanager
    async def connection_in_any_state(self, patience: float) -> AsyncIterator[Connection]:
        """Lend a connection for a block that begins and ends its own transaction."""
        conn = await self.getconn(patience)
        try:
            yield conn
        finally:
            await self.putconn(conn)


def _was_closed(conn: Connection) -> bool:
    """Whether an idle connection has something to read, which is its end; asked without a round trip."""
    try:
        readable, _, _ = select.select([conn.pgconn.socket], [], [], 0)
    except (OSError, ValueError, psycopg.Error):  # no socket any more, or one beyond what select can watch
        return conn.closed
    return bool(readable)
