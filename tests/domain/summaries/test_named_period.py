"""A question about a past day, week or month names its period, seen from the person's today."""

from __future__ import annotations

from datetime import date

import pytest

from keepsake.domain.summaries.named_period import describe, find_named_period

TODAY = date(2024, 11, 6)  # a Wednesday


@pytest.mark.parametrize(
    "text, name",
    [
        ("How was my October?", "October 2024"),
        ("how was my october", "October 2024"),
        ("What did we talk about last week?", "the week from 2024-10-28 to 2024-11-03"),
        ("What happened last month?", "October 2024"),
        ("What did I do yesterday?", "2024-11-05"),
        ("Can you remind me what happened in December?", "December 2023"),
        ("How was December of last year? I mean in December 2022", "December 2022"),
        ("How did I feel this week?", "the week from 2024-11-04 to 2024-11-10"),
        ("Summarize my November", "November 2024"),
        ("What happened last November?", "November 2023"),
        ("Tell me about 2024-10-31", "2024-10-31"),
        ("What was I up to during May 2024?", "May 2024"),
    ],
)
def test_a_question__names_its_period(text: str, name: str) -> None:
    period = find_named_period(text, TODAY)
    assert period is not None
    assert describe(period) == name


@pytest.mark.parametrize(
    "text",
    [
        "I moved to Graz last week.",
        "What may I eat?",
        "How was your day?",
        "My sister visits in October.",
        "What happened on 2024-02-31?",
        "How was my October? " + "And then I statements her a long story. " * 20,
        "",
    ],
)
def test_what_does_not_ask__names_none(text: str) -> None:
    assert find_named_period(text, TODAY) is None
