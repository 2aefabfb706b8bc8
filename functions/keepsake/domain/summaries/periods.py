"""Local days, ISO weeks and months: when each begins and ends for a person."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum

from keepsake.domain.summaries.local_days import ZoneHistory, day_start

_DAY = timedelta(days=1)
_WEEK = timedelta(days=7)


class Level(StrEnum):
    """The length of a period, the shortest first."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"

    @property
    def function_name(self) -> str:
        """The function that writes the summaries of this level."""
        return f"generate-{_ADJECTIVES[self]}-summaries"


_ADJECTIVES = {Level.DAY: "daily", Level.WEEK: "weekly", Level.MONTH: "monthly"}


@dataclass(frozen=True, slots=True, order=True)
class Period:
    """A day, an ISO week or a month, by its first date."""

    level: Level
    first: date

    @classmethod
    def containing(cls, level: Level, day: date) -> Period:
        """The period of this length that a date belongs to."""
        if level is Level.WEEK:
            return cls(level, day - timedelta(days=day.weekday()))
        return cls(level, day.replace(day=1) if level is Level.MONTH else day)

    @property
    def last(self) -> date:
        """The last date."""
        return self.following.first - _DAY

    @property
    def following(self) -> Period:
        """The period after this one."""
        if self.level is Level.MONTH:
            return Period(self.level, (self.first + timedelta(days=31)).replace(day=1))
        return Period(self.level, self.first + (_WEEK if self.level is Level.WEEK else _DAY))

    @property
    def preceding(self) -> Period:
        """The period before this one."""
        return Period.containing(self.level, self.first - _DAY)

    @property
    def month(self) -> Period:
        """The month that the period belongs to: for a week that of its Thursday, as ISO 8601 counts years."""
        thursday = self.first + timedelta(days=3)
        return Period.containing(Level.MONTH, thursday if self.level is Level.WEEK else self.first)


def bounds(history: ZoneHistory, period: Period) -> tuple[datetime, datetime]:
    """When the period begins and ends, in UTC. Its summary is due at its end."""
    return day_start(history, period.first), day_start(history, period.following.first)


def weeks_of_month(month: Period) -> Iterator[Period]:
    """The weeks whose Thursday is in the month, in order."""
    week = Period.containing(Level.WEEK, month.first)
    while week.month <= month:
        if week.month == month:
            yield week
        week = week.following
