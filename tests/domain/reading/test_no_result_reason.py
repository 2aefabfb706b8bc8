"""Why a message made no memory, in a word."""

from __future__ import annotations

import pytest

from keepsake.domain.reading.statements.extract import extract
from keepsake.domain.reading.statements.is_stated import no_result_reason


@pytest.mark.parametrize(
    "said, reason",
    [
        ('My boss said "I hate late starts" before I had put my bag down.', "quoted"),
        ("Maybe I'll get a cat instead.", "hedged"),
        ("I think I might like opera.", "hedged"),
        ("Do I need special shoes for half marathons?", "asked"),
        ("Can you suggest a restaurant", "asked"),
        ("If I lived in Rome, I'd eat pasta every day.", "supposed"),
        ("Good evening to both.", None),
        ("", None),
    ],
)
def test_no_result_reason__names_what_kept_it_from_being_a_statement(said: str, reason: str | None) -> None:
    assert extract(said) == []
    assert no_result_reason(said) == reason
