"""Which periods a backfill names: those of a date, of an ISO week, or of a month."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from keepsake.domain.summaries.periods import Level, Period, weeks_of_month
from keepsake.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class BackfillSpan:
    """A date, or a month or week of a year."""

    year: int | None = None
    month: int | None = None
    week: int | None = None
    day: date | None = None

    def __post_init__(self) -> None:
        """Refuse a span that is not exactly one of the three."""
        by_year = (self.month is not None) + (self.week is not None)
        if self.day is not None and not by_year and self.year is None:
            return
        if self.day is None and by_year == 1 and self.year is not None:
            return
        raise InvalidInput(
            "A backfill needs to know its period.", details="date, or year with month, or year with week"
        )

    def periods(self, level: Level) -> list[Period]:
        """The periods of this level; for a shorter span the one that contains it."""
        named = self._named()
        if level is Level.WEEK and named.level is Level.MONTH:
            return list(weeks_of_month(named))
        if level is Level.MONTH and named.level is Level.WEEK:
            return [named.month]
        days = [named.first + timedelta(days=number) for number in range((named.last - named.first).days + 1)]
        return list(dict.fromkeys(Period.containing(level, day) for day in days))

    def _named(self) -> Period:
        try:
            if self.day is not None:
                return Period(Level.DAY, self.day)
            if self.week is not None:
                return Period(Level.WEEK, date.fromisocalendar(self.year or 0, self.week, 1))
            return Period(Level.MONTH, date(self.year or 0, self.month or 0, 1))
        except ValueError:
            raise InvalidInput("There is no such period.", details="year, month or week: out of range") from None
