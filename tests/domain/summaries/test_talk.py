"""A summary without a model says how often one talked, and about what, in a month and where little was found."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import uuid4

from keepsake.domain.summaries.author import Author
from keepsake.domain.summaries.periods import Level
from keepsake.domain.summaries.rules_form import write_summary
from keepsake.domain.summaries.said import SaidMessage
from keepsake.domain.summaries.sources import SummarySources
from keepsake.domain.summaries.summary import MonthSummary, WeekSummary


def said(day: int, text: str) -> SaidMessage:
    """A message of October 2024."""
    return SaidMessage(uuid4(), uuid4(), datetime(2024, 10, day, 12, tzinfo=UTC), text)


def test_a_month__says_first_how_often_one_talked_and_about_what() -> None:
    messages = [said(day, "I met Rosa in the library") for day in (7, 8, 9, 14, 21)]
    summary = write_summary(Level.MONTH, SummarySources(said=messages), Author("Ada"))
    assert isinstance(summary, MonthSummary)
    assert summary.cognitive_summary.startswith(
        "Ada wrote on 5 days, among other things about Rosa and library. From the messages of Ada: 7 Oct"
    )


def test_a_week__says_it_where_little_was_found() -> None:
    much, little = (
        ["I live in Graz", "Rosa has a boat", "my dog eats apples"],
        ["I live in Graz", "surgery may 6", "ok"],
    )
    for texts, begins in (
        (much, "From the messages"),
        (little, "Ada wrote 3 messages. From the messages of Ada: Monday:"),
    ):
        messages = [said(7, text) for text in texts]
        summary = write_summary(Level.WEEK, SummarySources(said=messages), Author("Ada"))
        assert isinstance(summary, WeekSummary)
        assert summary.summary.startswith(begins)


def test_topics__are_no_months_of_another_language_and_not_the_person() -> None:
    messages = [said(7, "I told Ada and Mai of the library"), said(8, "Im Mai fahre ich mit der Ada und dem Hund weg")]
    messages += [said(9, "the library is closed in Mai, says Ada")]
    summary = write_summary(Level.MONTH, SummarySources(said=messages), Author("Ada"))
    assert isinstance(summary, MonthSummary)
    assert summary.cognitive_summary.startswith("Ada wrote on 3 days, among other things about library.")
