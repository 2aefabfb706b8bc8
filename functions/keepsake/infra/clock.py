"""The clock: the time of the database."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta


class Clock:
    """The time of the database, by which all processes agree; until it is known, the time of the system.

    Each new connection tells it. In between it counts by the monotonic clock, so that a change of the system's clock
    changes nothing.
    """

    def __init__(self) -> None:
        self._epoch: datetime | None = None
        self._ticks = 0.0

    @property
    def is_synchronized(self) -> bool:
        """Whether the time of the database is known."""
        return self._epoch is not None

    def now(self) -> datetime:
        """Return the current time in UTC."""
        if self._epoch is None:
            return self._read_system_time()
        return self._epoch + timedelta(seconds=time.monotonic() - self._ticks)

    def synchronize(self, database_time: datetime, *, sent_at: float) -> None:
        """Set the clock to the time the database told for ``sent_at``, the moment of asking on the monotonic clock.

        So this clock is never behind the database's, and ahead by the way there at most, however late the answer was
        read. Behind it, a message said right after the person allowed it would seem to have been said before.
        """
        self._epoch, self._ticks = database_time.astimezone(UTC), sent_at

    def _read_system_time(self) -> datetime:
        return datetime.now(UTC)
