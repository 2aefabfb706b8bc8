"""The shared services of a process (database, queue, models, …), built from the settings on first use."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from importlib import import_module
from threading import Thread
from typing import TYPE_CHECKING, Self

from keepsake.errors import MisconfiguredError
from keepsake.infra import logs
from keepsake.infra.auth.authenticate import Authenticator
from keepsake.infra.clock import Clock
from keepsake.infra.database import Connection, Database, Job
from keepsake.infra.job_queue import EMBED_JOB, EMBED_PRIORITY, JobQueue
from keepsake.infra.metrics import Metrics
from keepsake.infra.models.choose_embedder import Embedder, build_embedder, check_embedding
from keepsake.infra.models.token_counter import load_token_counter
from keepsake.infra.readers import Readers
from keepsake.infra.settings import Settings

if TYPE_CHECKING:  # slow to import, and not everybody has a model
    from keepsake.infra.models.chat import LanguageModel


_RULES = "keepsake.domain.reading.preload"
READING = (
    "keepsake.domain.reading",
    _RULES,
    "keepsake.domain.extraction.model_reply",
    "keepsake.domain.screening.screen",
    "keepsake.domain.summaries.model_reply",
)
"""What readers import before their first call, which has a deadline."""

_WRITING_SECONDS = 5.0
"""How long a job may take besides the call of the model."""


@dataclass(frozen=True)
class Resources:
    """The services of one process; none connects before its first use."""

    settings: Settings
    clock: Clock
    database: Database
    queue: JobQueue
    authenticator: Authenticator
    metrics: Metrics
    count_tokens: Callable[[str], int]
    readers: Readers
    summary_calls: asyncio.Semaphore
    """Limits how many summaries the model is asked for at once."""
    model: LanguageModel | None = None
    embedder: Embedder | None = None

    @classmethod
    def build(cls, settings: Settings, *, clock: Clock | None = None) -> Self:
        """Build all services from the settings."""
        logs.configure(settings.log_level)
        clock = clock or Clock()
        database = Database(settings, clock)
        return cls(
            settings=settings,
            clock=clock,
            database=database,
            queue=JobQueue(
                database,
                concurrency=settings.worker_concurrency,
                max_job_seconds=settings.model_deadline_seconds + _WRITING_SECONDS,
            ),
            authenticator=Authenticator(settings),
            metrics=Metrics(),
            count_tokens=load_token_counter(),
            readers=Readers(
                deadline=settings.reading_deadline_seconds, max_processes=settings.reading_processes, modules=READING
            ),
            summary_calls=asyncio.Semaphore(settings.worker_concurrency),
            model=_build_model(settings),
            embedder=build_embedder(settings),
        )

    def begin_loading(self) -> None:
        """Begin to load in threads what `prepare_reading` waits for, and return at once; for serving processes."""
        if self.readers.begin():
            Thread(target=_load_language, name="word forms and rules", daemon=True).start()

    async def prepare_reading(self) -> None:
        """Load the language and start a reader, once a process: no open transaction should wait for either."""
        if not getattr(sys.modules.get(_RULES), "IS_LOADED", False):
            await asyncio.to_thread(_load_language)
        await self.readers.start()

    def enqueue_embedding(self, conn: Connection) -> None:
        """Enqueue the embedding job when the transaction commits, if vectors are on."""
        if self.embedder is not None:
            conn.enqueue_on_commit(Job(EMBED_JOB, priority=EMBED_PRIORITY))

    async def synchronized_now(self) -> datetime:
        """Return the time of the database's clock, with which claims are compared; after the first call, at once."""
        if not self.clock.is_synchronized:
            await self.database.ping()
        return self.clock.now()

    async def close(self) -> None:
        """End running jobs, and close all connections."""
        await self.queue.stop()
        await self.database.close()
        self.readers.close()
        if self.model is not None:
            await self.model.close()
        if self.embedder is not None:
            await self.embedder.close()


def _load_language() -> None:
    """Read the word forms and compile the rules, about a second of CPU."""
    import_module(_RULES)


def _build_model(settings: Settings) -> LanguageModel | None:
    if not (settings.openai_extraction_model or settings.openai_summary_model or settings.openai_summary_models):
        return None
    from keepsake.infra.models.chat import LanguageModel  # noqa: PLC0415 (as above)

    return LanguageModel.of(settings)


_current: Resources | None = None


def get_resources() -> Resources:
    """Return this process's resources, built from the environment on first use."""
    global _current  # noqa: PLW0603 (the one value a process keeps between requests)
    if _current is None:
        _current = Resources.build(Settings.load())
    return _current


def exit_if_misconfigured() -> None:
    """End the process with an error in one line if a setting is missing or contradicts another."""
    if _current is not None:
        return
    try:
        check_embedding(Settings.load())
    except MisconfiguredError as error:
        raise SystemExit(f"keepsake: {error.message}") from None
