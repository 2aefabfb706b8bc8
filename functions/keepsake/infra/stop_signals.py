"""Calls back on SIGTERM and SIGINT, and leaves both to the server that handles them."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable
from types import FrameType


def call_on_stop(callback: Callable[[], object]) -> None:
    """Call back in the running event loop at each SIGTERM and SIGINT, before the present handlers.

    Where nobody handles a signal it ends the process at once, and is left alone.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        present = signal.getsignal(number)
        if callable(present) and present is not signal.default_int_handler:
            signal.signal(number, _handler(loop, callback, present))


def _handler(
    loop: asyncio.AbstractEventLoop,
    callback: Callable[[], object],
    present: Callable[[int, FrameType | None], object],
) -> Callable[[int, FrameType | None], None]:
    def handle(number: int, frame: FrameType | None) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(callback)
        present(number, frame)

    return handle
