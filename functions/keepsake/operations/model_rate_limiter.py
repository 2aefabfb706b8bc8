"""A rate limiter for calls of the language model: a leaky bucket without bursts."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

from keepsake.infra.resources import Resources

_MINUTE_SECONDS = 60.0


class ModelRateLimiter:
    """Lets messages through at even intervals; one that took a second call delays the next."""

    def __init__(
        self, resources: Resources, calls_per_minute: int, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        self._interval = _MINUTE_SECONDS / calls_per_minute if resources.settings.openai_extraction_model else 0.0
        self._resources, self._sleep = resources, sleep
        self._lock = asyncio.Lock()
        self._next, self._expected_calls = time.monotonic(), 0

    async def acquire(self) -> None:
        """Wait until the next message may be read by the model; by the rules, at once."""
        if not self._interval:
            return
        async with self._lock:
            extra = max(0, self._count_calls() - self._expected_calls)
            self._expected_calls += extra + 1
            start = max(self._next, time.monotonic()) + extra * self._interval
            self._next = start + self._interval
            await self._sleep(max(0.0, start - time.monotonic()))

    def _count_calls(self) -> int:
        """How many calls this process has made."""
        samples = [sample for metric in self._resources.metrics.model_calls.collect() for sample in metric.samples]
        return int(sum(sample.value for sample in samples if sample.name.endswith("_total")))
