"""A backfill names a day, a week or a month, and each level has its periods of it."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from keepsake.domain.summaries.backfill import BackfillSpan
from keepsake.domain.summaries.periods import Level
from keepsake.errors import InvalidInput

OCTOBER = BackfillSpan(year=2024, month=10)
WEEK = BackfillSpan(year=2024, week=44)
DAY = BackfillSpan(day=date(2024, 10, 31))


@pytest.mark.parametrize(
    "span, level, first, last, count",
    [
        (OCTOBER, Level.MONTH, "2024-10-01", "2024-10-31", 1),
        (OCTOBER, Level.WEEK, "2024-09-30", "2024-11-03", 5),
        (OCTOBER, Level.DAY, "2024-10-01", "2024-10-31", 31),
        (WEEK, Level.MONTH, "2024-10-01", "2024-10-31", 1),
        (WEEK, Level.WEEK, "2024-10-28", "2024-11-03", 1),
        (WEEK, Level.DAY, "2024-10-28", "2024-11-03", 7),
        (DAY, Level.MONTH, "2024-10-01", "2024-10-31", 1),
        (DAY, Level.WEEK, "2024-10-28", "2024-11-03", 1),
        (DAY, Level.DAY, "2024-10-31", "2024-10-31", 1),
        (BackfillSpan(year=2020, week=53), Level.MONTH, "2020-12-01", "2020-12-31", 1),
    ],
)
def test_a_span__has_periods_of_each_level(span: BackfillSpan, level: Level, first: str, last: str, count: int) -> None:
    periods = span.periods(level)
    assert (str(periods[0].first), str(periods[-1].last), len(periods)) == (first, last, count)


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"year": 2024},
        {"month": 10},
        {"year": 2024, "month": 10, "week": 44},
        {"year": 2024, "day": date(2024, 10, 31)},
        {"week": 44, "day": date(2024, 10, 31)},
    ],
)
def test_what_is_not_one_span__is_refused(values: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match="period"):
        BackfillSpan(**values)


def test_a_week_that_does_not_exist__is_refused() -> None:
    with pytest.raises(InvalidInput, match="no such period"):
        BackfillSpan(year=2023, week=53).periods(Level.WEEK)
