"""Letters that match an English one and fold to another, such as the Turkish i: read as they are, without a failure."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from keepsake.domain.extraction.resolve_relative_date import resolve_relative_date
from keepsake.domain.reading.statements.extract import extract
from keepsake.domain.reading.statements.key_of_text import key_of

SAID_AT = datetime(2026, 1, 5, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    "said",
    [
        "\u0130 love pizza",
        "\u0131'm from Rome",
        "My dog is Rex. H\u0130s name is Max",
        "I moved to Rome ton\u0130ght",
        "I have an exam on fr\u0130day",
        "I have an exam on \u017funday",
        "I moved to Rome f\u0131ve days ago",
        "I have a flight in s\u0130x days",
    ],
)
def test_a_look_alike__is_read_without_a_failure(said: str) -> None:
    for candidate in extract(said):
        resolve_relative_date(candidate, SAID_AT)
        key_of(candidate.text)
