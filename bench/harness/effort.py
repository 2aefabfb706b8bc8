"""What a call costs beside its time: round trips to the database, and seconds of this process's CPU."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import median
from time import perf_counter, process_time
from typing import Any

import psycopg

from bench.harness.timing import Times, p50, p95


@dataclass(slots=True)
class Efforts:
    """One entry a call: milliseconds in all, what of them the model took, CPU milliseconds, and round trips."""

    whole: Times = field(default_factory=list)
    model: Times = field(default_factory=list)
    cpu: Times = field(default_factory=list)
    trips: list[int] = field(default_factory=list)

    @property
    def own(self) -> Times:
        """What the calls took without the model's time."""
        return [whole - model for whole, model in zip(self.whole, self.model, strict=True)]

    def summary(self) -> tuple[object, ...]:
        """What a table shows of them, in the order of ``HEADINGS``."""
        return p50(self.own), p95(self.own), p50(self.whole), p50(self.cpu), round(median(self.trips))


HEADINGS = ("own p50 ms", "own p95 ms", "in all p50 ms", "CPU p50 ms", "round trips")


class Meter:
    """Takes the effort of one call after another."""

    def __init__(self) -> None:
        self._trips = 0

    def count(self) -> None:
        """One round trip more."""
        self._trips += 1

    @contextmanager
    def taking(self, efforts: Efforts) -> Iterator[list[float]]:
        """Note the block's effort; the block puts the model's milliseconds into the list."""
        waited: list[float] = []
        trips, cpu, began = self._trips, process_time(), perf_counter()
        yield waited
        efforts.whole.append((perf_counter() - began) * 1000)
        efforts.cpu.append((process_time() - cpu) * 1000)
        efforts.trips.append(self._trips - trips)
        efforts.model.append(sum(waited))


@contextmanager
def metering() -> Iterator[Meter]:
    """Count the times any asynchronous connection waits for its server until the block ends."""
    meter = Meter()
    wait = psycopg.AsyncConnection.wait

    async def counted(self: psycopg.AsyncConnection[Any], *given: Any, **more: Any) -> Any:
        meter.count()
        return await wait(self, *given, **more)

    psycopg.AsyncConnection.wait = counted  # type: ignore[method-assign]
    try:
        yield meter
    finally:
        psycopg.AsyncConnection.wait = wait  # type: ignore[method-assign]
