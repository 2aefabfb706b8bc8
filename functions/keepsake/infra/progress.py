"""Logs how far a long operation is, every few seconds."""

from __future__ import annotations

import time

from keepsake.infra.logs import log

_INTERVAL_SECONDS = 2.0


class Progress:
    """The progress of one operation; a short one logs nothing."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._reported = time.monotonic()

    def report(self, done: int, total: int | None = None) -> None:
        """Log the number of rows done, and of how many where that is known; not more often than every few seconds."""
        now = time.monotonic()
        if now - self._reported >= _INTERVAL_SECONDS:
            self._reported = now
            log.info("in progress", operation=self._name, rows=done, total=total)
