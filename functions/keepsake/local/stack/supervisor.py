"""Supervises the servers of a running stack: restarts PostgREST if it ends or hangs, and ends with Postgres."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

import httpx

from keepsake.errors import DatabaseUnavailable
from keepsake.local.servers.postgres import EmbeddedPostgres
from keepsake.local.servers.postgrest import PostgREST

PAUSE = 0.2
MAX_RESTARTS = 5
RESTART_WINDOW_SECONDS = 60.0
PROBE_SECONDS = 5.0
MAX_MISSED_PROBES = 3


@dataclass(slots=True)
class Supervisor:
    """The servers to watch, and where to report; an existing Postgres is not watched."""

    rest: PostgREST
    postgres: EmbeddedPostgres | None
    say: Callable[[str], None]
    _restarts: deque[float] = field(default_factory=lambda: deque(maxlen=MAX_RESTARTS))

    async def run(self) -> None:
        """Check every few seconds, until cancelled or until the stack must end.

        Nothing is started from another thread: what it started would end with it.
        """
        async with httpx.AsyncClient(trust_env=False, timeout=PROBE_SECONDS) as client:
            probes = asyncio.create_task(self._probe_again_and_again(client))
            try:
                while True:
                    self.check()
                    await asyncio.sleep(PAUSE)
            finally:
                probes.cancel()

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

    async def _probe_again_and_again(self, client: httpx.AsyncClient) -> None:
        """Kill a PostgREST that runs but does not answer several times in a row; `check` starts it again."""
        missed = 0
        while True:
            await asyncio.sleep(PROBE_SECONDS)
            try:
                await client.get(self.rest.live_url)
                missed = 0
            except httpx.TransportError:
                missed += 1
            if missed >= MAX_MISSED_PROBES and not self.rest.exit_status():
                self.say("PostgREST does not answer and is ended.")
                self.rest.kill()
                missed = 0

    def _limit_restarts(self, reason: str) -> None:
        now = time.monotonic()
        if len(self._restarts) == MAX_RESTARTS and now - self._restarts[0] < RESTART_WINDOW_SECONDS:
            raise DatabaseUnavailable(
                f"PostgREST has ended ({reason}) again and again, so everything stops.",
                hint=f"Its log is {self.rest.log_file}.",
                retry_after=1,
            )
        self._restarts.append(now)
