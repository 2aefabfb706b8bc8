"""A pipeline that sends its statements when an answer is awaited, all of them at once."""

from __future__ import annotations

from functools import partial

import psycopg
from psycopg.abc import PQGen
from psycopg.generators import send


class DeferredPipeline(psycopg.AsyncPipeline):
    """Leaves statements in libpq's buffer until it fetches or ends.

    psycopg's own pipeline sends every statement by itself. Each is then a system call here and wakes the server's
    process, which costs more than most statements that nobody waits for. How it is built is psycopg's own affair, so
    ``pyproject.toml`` admits only the minor version that this was written for.
    """

    def add(self, command: bytes) -> None:
        """Put a command that returns nothing into the batch."""
        self.command_queue.append(partial(self.pgconn.send_query_params, command, None))
        self.result_queue.append(None)

    def _communicate_gen(self) -> PQGen[None]:
        """Write the statements into the buffer; libpq sends it early only where it grows beyond 64 kB."""
        while self.command_queue:
            self.command_queue.popleft()()
        yield from ()

    def _sync_gen(self) -> PQGen[None]:
        """Send what is left with a Sync, whose answer ends the batch, and fetch every answer."""
        self._enqueue_sync()
        yield from self._communicate_gen()
        yield from send(self.pgconn)
        yield from self._fetch_gen(flush=False)

    def _exit_gen(self) -> PQGen[None]:
        """The same; psycopg also asks for what the Sync sends anyway."""
        yield from self._sync_gen()


class SynchronizedPipeline(DeferredPipeline):
    """Ends all that it sends with a Sync, so that the server waits for this process only between two batches.

    There it is idle in a transaction and ends it after a while, together with its locks, where this process is frozen.
    """

    def _fetch_gen(self, *, flush: bool) -> PQGen[None]:
        """Fetch what is awaited; the answer of the Sync comes last."""
        yield from self._sync_gen() if flush and self.result_queue else super()._fetch_gen(flush=False)
