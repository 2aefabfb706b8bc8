"""``keepsake worker``: runs jobs in a process of its own, beside the functions."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Callable

from keepsake.infra.logs import log
from keepsake.infra.resources import resources
from keepsake.infra.settings import Settings
from keepsake.operations.embed import what_is_missing
from keepsake.operations.environment import surroundings
from keepsake.operations.function_loader import load_functions
from keepsake.project.folder import Home


def work(home: Home, database_url: str | None, *, on_ready: Callable[[], None]) -> None:
    """Run jobs until a signal comes, and let those that run finish."""
    os.environ.update(surroundings(home, database_url))
    load_functions()  # the jobs are registered where the functions are
    if missing := what_is_missing(Settings.load()):
        log.warning(missing.found, remedy=missing.remedy)
    asyncio.run(_work(on_ready))


async def _work(on_ready: Callable[[], None]) -> None:
    shared = resources()
    working = asyncio.create_task(shared.queue.run_worker())
    for each in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(each, working.cancel)
    on_ready()
    try:
        with contextlib.suppress(asyncio.CancelledError):
            await working
    finally:
        await shared.close()
