"""What every function shares: built once per process, on first use, from the settings; replaced whole in tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Self

from keepsake.errors import MisconfiguredError
from keepsake.infra import logs
from keepsake.infra.auth import Authenticator
from keepsake.infra.clock import Clock
from keepsake.infra.db import Database
from keepsake.infra.job_queue import JobQueue
from keepsake.infra.metrics import Metrics
from keepsake.infra.settings import Settings
from keepsake.infra.tokenizer import load_counter
from keepsake.infra.webhooks import WebhookVerifier


@dataclass(frozen=True)
class Resources:
    """The doers of one process. Nothing in it opens a connection before it is asked to."""

    settings: Settings
    clock: Clock
    database: Database
    queue: JobQueue
    authenticator: Authenticator
    webhooks: WebhookVerifier
    metrics: Metrics
    count_tokens: Callable[[str], int]

    @classmethod
    def build(cls, settings: Settings, *, clock: Clock | None = None) -> Self:
        """Everything from the settings; only the clock may be another."""
        logs.configure(settings.log_level)
        database = Database(settings)
        return cls(
            settings=settings,
            clock=clock or Clock(),
            database=database,
            queue=JobQueue(database, concurrency=settings.worker_concurrency),
            authenticator=Authenticator(settings),
            webhooks=WebhookVerifier(settings.webhook_keys),
            metrics=Metrics(),
            count_tokens=load_counter(),
        )

    async def close(self) -> None:
        """Give back what was opened."""
        await self.database.close()


_current: Resources | None = None


def resources() -> Resources:
    """This process's resources, built from the environment on first use."""
    global _current  # noqa: PLW0603 (the one value a process keeps between requests)
    if _current is None:
        _current = Resources.build(Settings.load())
    return _current


@contextmanager
def use_resources(given: Resources) -> Iterator[Resources]:
    """Let every function of this process use ``given`` until the block ends."""
    global _current  # noqa: PLW0603 (as above)
    before, _current = _current, given
    try:
        yield given
    finally:
        _current = before


def refuse_to_start_misconfigured() -> None:
    """End the process with one clear line where a setting is missing or contradicts another."""
    if _current is not None:
        return
    try:
        Settings.load()
    except MisconfiguredError as error:
        raise SystemExit(f"keepsake: {error.message}") from None
