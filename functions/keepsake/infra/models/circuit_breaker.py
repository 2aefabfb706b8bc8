"""A circuit breaker for one process: stops calls to an endpoint that fails, and probes it now and then."""

from __future__ import annotations

import time
from collections.abc import Callable

MAX_TIMEOUTS = 3
"""Deadlines missed one after another, after which an endpoint counts as away."""

PAUSE_SECONDS = 30.0


class CircuitBreaker:
    """Refuses calls after failures; when the pause is over, it allows one call as a probe."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, *, max_timeouts: int | None = MAX_TIMEOUTS) -> None:
        self._clock, self._max_timeouts = clock, max_timeouts
        self._open_until: float | None = None
        self._is_probing = False
        self._timeouts = 0

    def allow(self) -> bool:
        """Whether a call is allowed now; the caller must then record its result."""
        if self._open_until is None:
            return True
        if self._is_probing or self._clock() < self._open_until:
            return False
        self._is_probing = True
        return True

    def record_success(self) -> None:
        """Record an answer in time; closes the circuit."""
        self._open_until, self._is_probing, self._timeouts = None, False, 0

    def record_timeout(self) -> None:
        """Record a missed deadline; several in a row, or one of a probe, open the circuit, unless none may."""
        self._timeouts += 1
        if self._max_timeouts is not None and (self._is_probing or self._timeouts >= self._max_timeouts):
            self.record_failure()

    def record_failure(self, seconds: float | None = None) -> None:
        """Record a failure; opens the circuit for ``seconds``."""
        self._open_until = self._clock() + (PAUSE_SECONDS if seconds is None else seconds)
        self._is_probing, self._timeouts = False, 0
