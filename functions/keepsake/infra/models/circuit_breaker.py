"""A circuit breaker of one process: who is away is not waited for with every message, but tried again now and then."""

from __future__ import annotations

import time
from collections.abc import Callable

MAX_TIMEOUTS = 3
"""Deadlines missed one after another, after which an endpoint counts as away."""

PAUSE_SECONDS = 30.0


class CircuitBreaker:
    """Open while the other side is away; when its time has come, one call tries whether that is still so."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._open_until: float | None = None
        self._is_probing = False
        self._timeouts = 0

    def allow(self) -> bool:
        """Whether one may call now; who is let through says afterwards how it went."""
        if self._open_until is None:
            return True
        if self._is_probing or self._clock() < self._open_until:
            return False
        self._is_probing = True
        return True

    def record_success(self) -> None:
        """The answer came in time."""
        self._open_until, self._is_probing, self._timeouts = None, False, 0

    def record_timeout(self) -> None:
        """No answer in time, though perhaps later: only several of these are one too many."""
        self._timeouts += 1
        if self._is_probing or self._timeouts >= MAX_TIMEOUTS:
            self.record_failure()

    def record_failure(self, seconds: float | None = None) -> None:
        """No answer: nobody calls before ``seconds`` have passed."""
        self._open_until = self._clock() + (PAUSE_SECONDS if seconds is None else seconds)
        self._is_probing, self._timeouts = False, 0
