"""The local days of a person: when each begins, whatever their time zone does.

The local date of a person never goes back: a day begins at the first moment at which a clock in their time zone shows
its date, and ends where the next day begins. So days cover all time without gap or overlap, across changes of the
clock and moves to another time zone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

_DAY = timedelta(days=1)
_PRECISION = timedelta(seconds=1)
BEGINNING = datetime(1, 1, 3, tzinfo=UTC)
"""The first moment that every time zone can represent."""


@dataclass(frozen=True, slots=True)
class ZoneChange:
    """From this moment on, the person's time zone is this one."""

    since: datetime
    zone: tzinfo


@dataclass(frozen=True, slots=True)
class ZoneHistory:
    """The time zones of a person, oldest first; the first one also counts for all time before."""

    changes: Sequence[ZoneChange]

    def __post_init__(self) -> None:
        """Refuse a history that is empty or not in order."""
        moments = [one.since for one in self.changes]
        if not moments or moments != sorted(moments):
            raise ValueError("a zone history has at least one time zone, and is in order")

    @classmethod
    def of(cls, zone: tzinfo) -> ZoneHistory:
        """The history of a person who has always been in one time zone."""
        return cls((ZoneChange(BEGINNING, zone),))

    def zone_at(self, moment: datetime) -> tzinfo:
        """The time zone of the person at a moment."""
        return next((one for one in reversed(self.changes) if one.since <= moment), self.changes[0]).zone


def day_start(history: ZoneHistory, day: date) -> datetime:
    """The first moment, in UTC, at which the person's local date is this date or a later one."""
    following = [one.since for one in history.changes[1:]]
    for change, until in zip(history.changes, [*following, None], strict=True):
        start = max(first_moment(change.zone, day), change.since)
        if until is None or start < until:
            return start
    raise AssertionError("the last time zone has no end")


def local_date(history: ZoneHistory, moment: datetime) -> date:
    """The person's local date at a moment: the date of the day whose bounds contain it."""
    shown = moment.astimezone(history.zone_at(moment)).date()
    while day_start(history, shown + _DAY) <= moment:
        shown += _DAY
    return shown


def first_moment(zone: tzinfo, day: date) -> datetime:
    """The first moment, in UTC, at which a clock in the time zone shows this date or a later one."""
    midnight = datetime.combine(day, time(), zone)
    first, second = (midnight.replace(fold=fold).astimezone(UTC) for fold in (0, 1))
    if first <= second:  # midnight exists; where it occurs twice, the first time counts
        return first
    early, late = second, first  # the clock jumps over midnight between these two
    while late - early > _PRECISION:
        middle = early + (late - early) // 2
        if middle.astimezone(zone).date() >= day:
            late = middle
        else:
            early = middle
    return late.replace(microsecond=0)
