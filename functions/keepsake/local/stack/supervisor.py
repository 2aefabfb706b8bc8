"""Supervises the servers of a running stack: restarts PostgREST, and ends the stack if Postgres ends."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from keepsake.errors import DatabaseUnavailable
from keepsake.local.servers.postgres import EmbeddedPostgres
from keepsake.local.servers.postgrest import PostgREST

PAUSE = 0.2
MAX_RESTARTS = 5
RESTART_WINDOW_SECONDS = 60.0


@dataclass(slots=True)
class Supervisor:
    """What is watched, and whom to tell; of somebody else's Postgres there is nothing to watch."""

    rest: PostgREST
    postgres: EmbeddedPostgres | None
    say: Callable[[str], None]
    _restarts: deque[float] = field(default_factory=lambda: deque(maxlen=MAX_RESTARTS))

    async def run(self) -> None:
        """Look again and again, until cancelled or until the stack must end.

        Nothing is started from another thread: what it started would end with it.
        """
        while True:
            self.check()
            await asyncio.sleep(PAUSE)

    def check(self) -> None:
        """Start PostgREST again if it has ended; say why the stack ends if it cannot go on."""
        if self.postgres is not None and (reason := self.postgres.exit_status()):
            raise DatabaseUnavailable(
                f"Postgres has ended ({reason}), so everything stops; what was saved is kept.",
                hint=f"Start again with `keepsake up`. Its log is {self.postgres.log_file}.",
                retry_after=1,
            )
        if reason := self.rest.exit_status():
            self._limit_restarts(reason)
            self.say(f"PostgREST has ended ({reason}) and is started again.")
            self.rest.restart()

    def _limit_restarts(self, reason: str) -> None:
        now = time.monotonic()
        if len(self._restarts) == MAX_RESTARTS and now - self._restarts[0] < RESTART_WINDOW_SECONDS:
            raise DatabaseUnavailable(
                f"PostgREST has ended ({reason}) again and again, so everything stops.",
                hint=f"Its log is {self.rest.log_file}.",
                retry_after=1,
            )
        self._restarts.append(now)
