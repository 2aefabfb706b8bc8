"""``keepsake worker``: runs jobs in a process of its own, beside the functions."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal

from keepsake.infra.resources import resources
from keepsake.local.home import Home
from keepsake.local.hosting import load_functions
from keepsake.local.surroundings import surroundings


def work(home: Home, database_url: str | None) -> None:
    """Run jobs until a signal comes, and let those that run finish."""
    os.environ.update(surroundings(home, database_url))
    load_functions()  # the jobs are registered where the functions are
    asyncio.run(_work())


async def _work() -> None:
    shared = resources()
    working = asyncio.create_task(shared.queue.run_worker())
    for each in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(each, working.cancel)
    try:
        with contextlib.suppress(asyncio.CancelledError):
            await working
    finally:
        await shared.close()
