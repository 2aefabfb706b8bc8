"""A memory whose text names a day, a weekend, a week, a month or days from one to another has them as its period."""

from __future__ import annotations

import pytest

from keepsake.domain.extraction.period_of_text import with_period
from tests.domain.extraction.test_resolve_relative_date import stated


@pytest.mark.parametrize(
    "text, period",
    [
        ("Has an exam on Friday 4 December 2026", "2026-12-04"),
        ("Is going to Porto on the weekend of 5 December 2026", "2026-12-05/2026-12-06"),
        ("Is moving house in the week of 28 December 2026", "2026-12-28/2027-01-03"),
        ("Is in Vienna from Friday 4 December 2026 to Monday 7 December 2026", "2026-12-04/2026-12-07"),
        ("Is in Oslo from 30 November until 2 December 2026", "2026-11-30/2026-12-02"),
        ("Is in Oslo 4 May 2027 - 9 May 2027", "2027-05-04/2027-05-09"),
        ("Is traveling from June 2027 to August 2027", "2027-06/2027-08"),
        ("Is starting a course in May 2027", "2027-05"),
        ("Has an exam on 4 December 2026 and another on 7 December 2026", None),
        ("Is in Oslo from 9 May 2027 to 4 May 2027", None),
        ("Has an exam on 4 December", None),
        ("Has a weekend of rest", None),
        ("Is there on the weekend of 31 November 2026", None),
        ("Is there in the week of 31 December 9999", "9999-12-31"),
    ],
)
def test_period__is_what_the_text_names(text: str, period: str | None) -> None:
    assert with_period(stated(text)).period == period
