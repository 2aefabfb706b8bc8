"""Watches the servers under a running stack: PostgREST is started again; without its Postgres the stack ends."""

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
MOST_RESTARTS = 5
WITHIN_SECONDS = 60.0


@dataclass(slots=True)
class Watch:
    """What is watched, and whom to tell; of somebody else's Postgres there is nothing to watch."""

    rest: PostgREST
    postgres: EmbeddedPostgres | None
    say: Callable[[str], None]
    _restarts: deque[float] = field(default_factory=lambda: deque(maxlen=MOST_RESTARTS))

    async def keep(self) -> None:
        """Look again and again, until cancelled or until the stack must end.

        Nothing is started from another thread: what it started would end with it.
        """
        while True:
            self.look()
            await asyncio.sleep(PAUSE)

    def look(self) -> None:
        """Start PostgREST again if it has ended; say why the stack ends if it cannot go on."""
        if self.postgres is not None and (how := self.postgres.ended()):
            raise DatabaseUnavailable(
                f"Postgres has ended ({how}), so everything stops; what was saved is kept.",
                hint=f"Start again with `keepsake up`. Its log is {self.postgres.log_file}.",
                retry_after=1,
            )
        if how := self.rest.ended():
            self._not_too_often(how)
            self.say(f"PostgREST has ended ({how}) and is started again.")
            self.rest.start_again()

    def _not_too_often(self, how: str) -> None:
        now = time.monotonic()
        if len(self._restarts) == MOST_RESTARTS and now - self._restarts[0] < WITHIN_SECONDS:
            raise DatabaseUnavailable(
                f"PostgREST has ended ({how}) again and again, so everything stops.",
                hint=f"Its log is {self.rest.log_file}.",
                retry_after=1,
            )
        self._restarts.append(now)
