"""A question about past days, weeks, months or a year names its periods, seen from the person's today."""

from __future__ import annotations

from datetime import date

import pytest

from keepsake.domain.summaries.named_period import find_named_spans

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
        ("How was December of last year?", "December 2023"),
        ("How did I feel this week?", "the week from 2024-11-04 to 2024-11-10"),
        ("Summarize my November", "November 2024"),
        ("What happened last November?", "November 2023"),
        ("Tell me about 2024-10-31", "2024-10-31"),
        ("What was I up to during May 2024?", "May 2024"),
        ("How did the 9th of Oct. go? What did I do?", "2024-10-09"),
        ("What happened in week 42?", "the week from 2024-10-14 to 2024-10-20"),
        ("What happened two weeks ago?", "the week from 2024-10-21 to 2024-10-27"),
        ("What did I say on Tuesday?", "2024-11-05"),
        ("What did we talk about today?", "2024-11-06"),
        ("how was sept", "September 2024"),
    ],
)
def test_a_question__names_its_period(text: str, name: str) -> None:
    assert [span.name for span in find_named_spans(text, TODAY)] == [name]


@pytest.mark.parametrize(
    "text, names",
    [
        ("How was this October and last?", ["October 2024", "October 2023"]),
        ("How does this October compare to last October?", ["October 2024", "October 2023"]),
        ("How was March this year and last year?", ["March 2024", "March 2023"]),
        ("Compare my March with April", ["March 2024", "April 2024"]),
        ("Tell me about October 9th and October 11", ["2024-10-09", "2024-10-11"]),
        (
            "What happened this week and last?",
            ["the week from 2024-11-04 to 2024-11-10", "the week from 2024-10-28 to 2024-11-03"],
        ),
        ("How was my year, and the one before?", ["2024", "2023"]),
    ],
)
def test_a_question_about_two_periods__names_both(text: str, names: list[str]) -> None:
    assert [span.name for span in find_named_spans(text, TODAY)] == names


@pytest.mark.parametrize(
    "text, first, count",
    [
        ("How was my year?", "2024-01-01", 11),
        ("How was 2023?", "2023-01-01", 12),
        ("Tell me about the last three months", "2024-08-01", 3),
        ("What happened since July?", "2024-07-01", 5),
        ("How was my weekend?", "2024-11-02", 2),
    ],
)
def test_a_question_about_a_longer_time__names_its_periods(text: str, first: str, count: int) -> None:
    [span] = find_named_spans(text, TODAY)
    assert (str(span.periods[0].first), len(span.periods)) == (first, count)


@pytest.mark.parametrize(
    "text",
    [
        "I moved to Graz last week.",
        "What may I eat?",
        "How was your day?",
        "How are you today?",
        "Do you remember the day I met Anna?",
        "My sister visits in October.",
        "What happened on 2024-02-31?",
        "How was my October? " + "And then I statements her a long story. " * 20,
        "",
    ],
)
def test_what_does_not_ask__names_none(text: str) -> None:
    assert find_named_spans(text, TODAY) == []
