"""``keepsake worker``: runs jobs in a process of its own until a signal stops it."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Callable

from keepsake.errors import DatabaseUnavailable
from keepsake.infra.logs import log
from keepsake.infra.resources import get_resources
from keepsake.infra.settings import Settings
from keepsake.operations.check_embedding_setup import check_pgvector
from keepsake.operations.environment import load_environment
from keepsake.operations.function_loader import load_functions
from keepsake.operations.migrate import require_schema
from keepsake.project.folder import ProjectFolder


def run_worker(project: ProjectFolder, database_url: str | None, *, on_ready: Callable[[], None]) -> None:
    """Run jobs until a signal comes, and let running jobs finish; beside a running stack with the stack's settings."""
    load_environment(project, database_url)
    load_functions()  # the jobs are registered where the functions are
    settings = Settings.load()
    with contextlib.suppress(DatabaseUnavailable):  # it may come back; without Keepsake's tables no job ever comes
        require_schema(settings.database_url.get_secret_value())
    if problem := check_pgvector(settings):
        log.warning(problem.result, remedy=problem.remedy)
    asyncio.run(_run_worker(on_ready))


async def _run_worker(on_ready: Callable[[], None]) -> None:
    resources = get_resources()
    resources.begin_loading()
    worker_task = asyncio.create_task(resources.queue.run_worker())
    for signal_number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(signal_number, worker_task.cancel)
    on_ready()
    try:
        with contextlib.suppress(asyncio.CancelledError):
            await worker_task
    finally:
        await resources.close()
