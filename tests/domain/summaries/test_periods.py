"""Days, weeks and months cover all time, in every time zone and for people who move."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keepsake.domain.summaries.local_days import ZoneChange, ZoneHistory, day_start, first_moment, local_date
from keepsake.domain.summaries.periods import Level, Period, bounds, weeks_of_month

DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)
FIRST, LAST = date(2023, 1, 1), date(2027, 12, 31)
DAYS = [FIRST + DAY * number for number in range((LAST - FIRST).days + 1)]
ZONES = sorted(available_timezones())

zones = st.sampled_from(ZONES).map(ZoneInfo)
dates = st.dates(FIRST, LAST)
moments = st.datetimes(datetime(2023, 1, 2), datetime(2027, 12, 30), timezones=st.just(UTC))  # noqa: DTZ001
levels = st.sampled_from(Level)


@st.composite
def histories(draw: st.DrawFn) -> ZoneHistory:
    """A person who moves up to four times, perhaps within a day."""
    first = ZoneHistory.of(draw(zones)).changes[0]
    moves = draw(st.lists(st.builds(ZoneChange, moments, zones), max_size=4))
    return ZoneHistory((first, *sorted(moves, key=lambda move: move.since)))


def days_beside_changes(zone: ZoneInfo) -> Iterator[date]:
    """The days on which the clock may change, and one of each month in between; elsewhere every day is alike."""
    at_noon = [datetime(day.year, day.month, day.day, 12, tzinfo=zone).utcoffset() for day in DAYS]
    changing = {0, len(DAYS) - 1, *range(0, len(DAYS), 30)}
    for number, (before, after) in enumerate(pairwise(at_noon)):
        if before != after:
            changing |= {number, number + 1, number + 2}
    yield from (DAYS[number] for number in sorted(changing) if number < len(DAYS))


def test_every_zone__begins_each_day_at_the_first_moment_of_its_date() -> None:
    """Every zone that this machine knows, every change of its clock from 2023 to 2027."""
    checked = 0
    for name in ZONES:
        zone = ZoneInfo(name)
        for day in days_beside_changes(zone):
            start = first_moment(zone, day)
            assert start.astimezone(zone).date() >= day, (name, day)
            assert (start - SECOND).astimezone(zone).date() < day, (name, day)
            checked += 1
    assert checked > 30_000


@settings(max_examples=300, deadline=None)
@given(histories(), dates, levels)
def test_periods__follow_each_other_without_gap_or_overlap(history: ZoneHistory, day: date, level: Level) -> None:
    period = Period.containing(level, day)
    start, end = bounds(history, period)
    assert start <= end
    assert bounds(history, period.following)[0] == end
    assert period.first <= day <= period.last < period.following.first


@settings(max_examples=300, deadline=None)
@given(histories(), moments)
def test_every_moment__belongs_to_the_day_that_local_date_says(history: ZoneHistory, moment: datetime) -> None:
    day = local_date(history, moment)
    assert day_start(history, day) <= moment < day_start(history, day + DAY)


@settings(max_examples=100, deadline=None)
@given(histories(), moments, st.integers(1, 10**6))
def test_the_local_date__never_goes_back(history: ZoneHistory, moment: datetime, seconds: int) -> None:
    assert local_date(history, moment) <= local_date(history, moment + timedelta(seconds=seconds))


@given(dates)
def test_weeks__each_belong_to_one_month(day: date) -> None:
    """ISO 8601: the week is in the month of its Thursday, and the weeks of a year's months are its ISO weeks."""
    week = Period.containing(Level.WEEK, day)
    assert week in list(weeks_of_month(week.month))
    assert week.first.isocalendar().year == week.month.first.year
    assert sum(week in list(weeks_of_month(month)) for month in (week.month, week.month.following)) == 1


@pytest.mark.parametrize(
    "zone, day, start",
    [
        ("Europe/Berlin", date(2024, 3, 31), "2024-03-30T23:00"),
        ("Europe/Berlin", date(2024, 4, 1), "2024-03-31T22:00"),
        ("Africa/Cairo", date(2024, 4, 26), "2024-04-25T22:00"),  # midnight does not exist on this day
        ("America/Havana", date(2024, 11, 3), "2024-11-03T04:00"),  # midnight occurs twice
        ("Etc/GMT+12", date(2024, 1, 1), "2024-01-01T12:00"),
        ("Pacific/Kiritimati", date(2024, 1, 1), "2023-12-31T10:00"),
        ("Pacific/Apia", date(2011, 12, 30), "2011-12-30T10:00"),  # the whole day was left out
        ("Pacific/Apia", date(2011, 12, 31), "2011-12-30T10:00"),
    ],
)
def test_the_first_moment__of_days_on_which_the_clock_changes(zone: str, day: date, start: str) -> None:
    assert first_moment(ZoneInfo(zone), day) == datetime.fromisoformat(start).replace(tzinfo=UTC)


def test_a_week__ends_on_sunday_night_in_the_zone_that_counts_then() -> None:
    """Who moves from Berlin to New York on Wednesday has a week that is six hours longer."""
    moved = datetime(2024, 10, 9, 12, tzinfo=UTC)
    history = ZoneHistory(
        (ZoneHistory.of(ZoneInfo("Europe/Berlin")).changes[0], ZoneChange(moved, ZoneInfo("America/New_York")))
    )
    start, end = bounds(history, Period(Level.WEEK, date(2024, 10, 7)))
    assert (start, end) == (datetime(2024, 10, 6, 22, tzinfo=UTC), datetime(2024, 10, 14, 4, tzinfo=UTC))


def test_a_history__needs_a_zone_and_an_order() -> None:
    later, earlier = (ZoneChange(datetime(year, 1, 1, tzinfo=UTC), UTC) for year in (2025, 2024))
    with pytest.raises(ValueError, match="at least one"):
        ZoneHistory(())
    with pytest.raises(ValueError, match="in order"):
        ZoneHistory((later, earlier))
