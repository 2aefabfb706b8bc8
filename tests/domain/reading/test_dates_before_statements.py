"""A date that stands before its statement is read as one that stands behind it."""

from __future__ import annotations

import pytest

from keepsake.domain.extraction.resolve_relative_date import resolve_relative_date
from keepsake.domain.reading.statements.extract import extract
from tests.domain.extraction.test_resolve_relative_date import MONDAY


@pytest.mark.parametrize(
    "said, remembered",
    [
        ("On Thursday my daughter has her driving test.", "Daughter has her driving test on Thursday 26 November 2026"),
        ("Friday we're moving house.", "Is moving house on Friday 27 November 2026"),
        ("On Sunday, we're visiting my parents.", "Is visiting their parents on Sunday 29 November 2026"),
        ("Tomorrow my mum is having surgery.", "Mum is having surgery on Tuesday 24 November 2026"),
        ("Next week we're hosting my in-laws.", "Is hosting their in-laws in the week of 30 November 2026"),
        ("Last week I adopted a cat.", "Adopted a cat in the week of 16 November 2026"),
        ("On Friday I have an interview at Google.", "Has an interview at Google on Friday 27 November 2026"),
        ("Tuesday I have a scan at the hospital.", "Has a scan at the hospital on Tuesday 24 November 2026"),
        ("On Thursdays I have choir.", "Has choir on Thursdays"),
    ],
)
def test_a_date_before_its_statement__is_read_as_one_behind_it(said: str, remembered: str) -> None:
    candidates = extract(said)
    assert remembered in [resolve_relative_date(candidate, MONDAY).text for candidate in candidates]
