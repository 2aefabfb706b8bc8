"""Relative dates are resolved against the time of the message; in the past tense a weekday is the last one."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from keepsake.domain.extraction.resolve_relative_date import resolve_relative_date
from keepsake.domain.memory import Candidate, MemoryType, Subtype
from keepsake.domain.reading.statements.extract import extract

MONDAY = datetime(2026, 11, 23, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    "said, remembered",
    [
        ("My sister Adaeze got married on Saturday.", "Sister Adaeze got married on Saturday 21 November 2026"),
        ("My sister Ada is getting married on Saturday.", "Sister Ada is getting married on Saturday 28 November 2026"),
        ("I got engaged on Saturday.", "Got engaged on Saturday 21 November 2026"),
        ("I got engaged last Saturday.", "Got engaged on Saturday 21 November 2026"),
        ("My dad died on Sunday.", "Dad died on Sunday 22 November 2026"),
        ("I adopted a cat on Thursday.", "Adopted a cat on Thursday 19 November 2026"),
        ("I broke my ankle on Monday.", "Broke their ankle on Monday 23 November 2026"),
        ("booked the dentist for friday 3pm", "Booked the dentist for Friday 27 November 2026 3pm"),
        ("I'm seeing the dentist on Friday.", "Is seeing the dentist on Friday 27 November 2026"),
        ("My brother works on Saturday mornings.", "Brother works on Saturday mornings"),
        ("My brother works on Saturday.", "Brother works on Saturday"),
        ("My son has a dentist appointment on Friday.", "Son has a dentist appointment on Friday 27 November 2026"),
        ("My aunt is staying with us until Sunday.", "Aunt is staying with them until Sunday 29 November 2026"),
        ("My daughter has ballet on Fridays.", "Daughter has ballet on Fridays"),
    ],
)
def test_weekday__is_the_one_that_the_tense_means(said: str, remembered: str) -> None:
    candidates = extract(said)
    assert remembered in [resolve_relative_date(candidate, MONDAY).text for candidate in candidates]


@pytest.mark.parametrize(
    "said, remembered",
    [
        ("I'm in Vienna from Friday to Monday.", "from Friday 27 November 2026 to Monday 30 November 2026"),
        (
            "My mum is staying with us from Monday until Monday.",
            "from Monday 23 November 2026 until Monday 30 November 2026",
        ),
        ("I was in Rome from Thursday to Saturday.", "from Thursday 19 November 2026 to Saturday 21 November 2026"),
        ("I work from Monday to Friday.", "from Monday to Friday"),
    ],
)
def test_days_from_one_to_another__follow_each_other(said: str, remembered: str) -> None:
    (candidate,) = extract(said)
    assert resolve_relative_date(candidate, MONDAY).text.endswith(remembered)


@pytest.mark.parametrize(
    "said, remembered",
    [
        ("I own a bakery now.", "Owns a bakery"),
        ("I now own a bakery.", "Owns a bakery"),
        ("I work as a baker now, in my own shop.", "Works as a baker, in their own shop"),
        ("I bike to work now.", "Bikes to work"),
    ],
)
def test_now__is_left_out_for_the_memory_has_a_date(said: str, remembered: str) -> None:
    (candidate,) = extract(said)
    assert resolve_relative_date(candidate, MONDAY).text == remembered


@pytest.mark.parametrize(
    "text", ["Lives at home for now", "Liked ramen until now", "Is busy right now", "Is five just now"]
)
def test_now__stays_where_it_limits_a_time(text: str) -> None:
    assert resolve_relative_date(stated(text), MONDAY).text == text


@pytest.mark.parametrize(
    "text, dated",
    [
        ("Mother passed two years ago in April", "Mother passed in April 2024"),
        ("Retired in January of last year", "Retired in January 2025"),
        ("Last year in June they sold the boat", "In June 2025 they sold the boat"),
        ("Is moving to Oslo in May next year", "Is moving to Oslo in May 2027"),
        ("Swam on 3 May last year", "Swam on 3 May 2025"),
        ("Worked in May and June last year", "Worked in May and June last year"),
    ],
)
def test_month_of_a_year__is_written_with_it(text: str, dated: str) -> None:
    assert resolve_relative_date(stated(text), MONDAY).text == dated


def stated(text: str) -> Candidate:
    """A statement with this text."""
    return Candidate(type=MemoryType.FACT, subtype=Subtype.OTHER, text=text, quote=text, confidence=0.7)
