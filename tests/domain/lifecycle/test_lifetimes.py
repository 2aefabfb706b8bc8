"""How long memories live, and how they grow."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from keepsake.domain.extraction.period_of_text import with_period
from keepsake.domain.lifecycle.lifetimes import (  # fmt: skip
    MAX_REFERENCE_COUNT,
    expires_at,
    importance_after_reinforcement,
    is_current,
    reference_count_after,
    time_to_live,
)
from keepsake.domain.memory import Candidate, MemoryType, Source, Status, Subtype
from keepsake.domain.reading.statements.extract import extract
from tests.support.memories import NOW, memory


@pytest.mark.parametrize(
    "message, lives",
    [
        ("I have a dog", None),
        ("My favorite food is ramen", None),
        ("I run every morning", None),
        ("I want to run a marathon", None),
    ],
)
def test_expires_at__by_what_is_said(message: str, lives: timedelta | None) -> None:
    (candidate,) = extract(message)
    assert expires_at(candidate, said_at=NOW) == (None if lives is None else NOW + lives)


@pytest.mark.parametrize(
    "message, day",
    [
        ("We're going to Cornwall for Christmas with my parents", (12, 27)),
        ("We're going to Spain in the summer", (9, 1)),
        ("I'm flying to Oslo before New Year's Eve", (1, 2)),
    ],
)
def test_expires_at__a_plan_lives_until_its_holiday_or_season_is_over(message: str, day: tuple[int, int]) -> None:
    """And not a week alone, after which nobody would know of the trip before it began."""
    (candidate, *_) = extract(message)
    ends = expires_at(candidate, said_at=NOW)
    assert ends is not None
    assert (ends.month, ends.day) == day
    assert timedelta(0) < ends - NOW < timedelta(days=368)


@pytest.mark.parametrize(
    "text, lives", [("Ran 5k", timedelta(days=7)), ("Lost the keys", timedelta(days=7)), ("Quit the bakery", None)]
)
@pytest.mark.parametrize("days_ago", [0, 1])
def test_expires_at__what_happened_today_lives_as_what_happened_yesterday(
    text: str, lives: timedelta | None, days_ago: int
) -> None:
    day = NOW - timedelta(days=days_ago)
    event = Candidate(MemoryType.FACT, Subtype.EVENT, f"{text} on {day:%A %-d %B %Y}", text, 0.7)
    assert expires_at(event, said_at=NOW) == (None if lives is None else NOW + lives)


def test_expires_at__what_is_to_happen_today_is_over_tomorrow() -> None:
    event = Candidate(MemoryType.FACT, Subtype.EVENT, f"Has an exam on {NOW:%A %-d %B %Y}", "exam today", 0.7)
    ends = expires_at(event, said_at=NOW)
    assert ends is not None
    assert ends - NOW < timedelta(days=2)


@pytest.mark.parametrize("zone", ["America/Los_Angeles", "Asia/Tokyo", "UTC"])
@pytest.mark.parametrize(
    "text, last_day",
    [
        ("Has an exam on Friday 4 December 2026", 4),
        ("Is hosting their in-laws on the weekend of 5 December 2026", 6),
        ("Is in Vienna from Friday 4 December 2026 to Monday 7 December 2026", 7),
        ("Has their finals in the week of 7 December 2026", 13),
        ("Is in Porto in the week of 30 November 2026, and in Oslo in the week of 7 December 2026", 13),
    ],
)
def test_expires_at__is_a_day_after_the_last_one_in_the_time_zone_of_the_person(
    text: str, last_day: int, zone: str
) -> None:
    said_at = datetime(2026, 12, 1, 23, tzinfo=ZoneInfo(zone))
    event = with_period(Candidate(MemoryType.FACT, Subtype.EVENT, text, text, 0.7))
    ends = expires_at(event, said_at=said_at)
    assert ends == datetime(2026, 12, last_day + 1, 23, 59, 59, tzinfo=ZoneInfo(zone))


@pytest.mark.parametrize(
    "text, is_over",
    [
        ("Son has a dentist appointment on Friday 4 December 2026", True),
        ("Has a checkup with Dr. Sousa on Friday 4 December 2026", True),
        ("Aunt is staying with them until Sunday 6 December 2026", True),
        ("Has a daughter who starts school on Friday 4 December 2026", False),
        ("Brother has a dog", False),
    ],
)
def test_expires_at__what_others_have_on_a_day_is_over_with_it(text: str, *, is_over: bool) -> None:
    candidate = with_period(Candidate(MemoryType.RELATIONSHIP, Subtype.RELATIONSHIP, text, text, 0.7))
    assert (expires_at(candidate, said_at=NOW) is not None) == is_over


@pytest.mark.parametrize(
    "text, since, lives",
    [
        ("Brother Gene has not picked up", NOW - timedelta(days=3), timedelta(days=7)),
        ("Ada has not written", NOW - timedelta(days=31), timedelta(days=7)),
        ("Ada has not eaten meat", NOW - timedelta(days=32), None),
        ("Has not smoked", NOW - timedelta(days=3), None),
    ],
)
def test_expires_at__what_somebody_else_has_not_done_of_late_lives_a_week(
    text: str, since: datetime, lives: timedelta | None
) -> None:
    said = Candidate(MemoryType.RELATIONSHIP, Subtype.RELATIONSHIP, f"{text} since {since:%-d %B %Y}", text, 0.7)
    assert expires_at(with_period(said), said_at=NOW) == (None if lives is None else NOW + lives)


def test_time_to_live__what_rules_cannot_place_lives_a_day() -> None:
    assert time_to_live(MemoryType.FACT, Subtype.OTHER, Source.RULE_EXTRACTION) == timedelta(days=1)
    assert time_to_live(MemoryType.FACT, Subtype.OTHER, Source.LLM_EXTRACTION) is None
    assert time_to_live(MemoryType.EMOTION, Subtype.OTHER, Source.USER) == timedelta(hours=6)


def test_importance__grows_from_the_third_time_but_not_to_what_every_context_shows() -> None:
    assert [importance_after_reinforcement(1, count) for count in (1, 2, 3, 4)] == [1, 1, 2, 2]
    assert importance_after_reinforcement(2, 99) == 2
    assert importance_after_reinforcement(3, 99) == 3


def test_reference_count__is_clamped() -> None:
    assert reference_count_after(MAX_REFERENCE_COUNT) == MAX_REFERENCE_COUNT


def test_is_current__ends_with_its_time_and_its_status() -> None:
    assert is_current(memory(expires_at=NOW + timedelta(seconds=1)), NOW)
    assert not is_current(memory(expires_at=NOW), NOW)
    assert not is_current(memory(status=Status.DELETED), NOW)
