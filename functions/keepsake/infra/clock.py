"""The clock: the system's time in production, a fixed time in tests."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta


class Clock:
    """Tells the present moment."""

    def now(self) -> datetime:
        """The present moment, in UTC."""
        return datetime.now(UTC)


@dataclass
class FixedClock(Clock):
    """Stands still until it is moved."""

    at: datetime

    def now(self) -> datetime:
        """The moment the clock was set to."""
        return self.at

    def advance(self, **by: float) -> None:
        """Move the clock on, by the arguments of ``timedelta``."""
        self.at += timedelta(**by)
