"""The clock: the system's time in production, a fixed time in tests."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta


class Clock:
    """The system's clock."""

    def now(self) -> datetime:
        """Return the current time in UTC."""
        return datetime.now(UTC)


@dataclass
class FixedClock(Clock):
    """A clock for tests that stands still until it is advanced."""

    at: datetime

    def now(self) -> datetime:
        """Return the time that was set."""
        return self.at

    def advance(self, **by: float) -> None:
        """Advance the clock; takes the arguments of ``timedelta``."""
        self.at += timedelta(**by)
