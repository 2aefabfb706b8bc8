"""Without a model a summary tells of memories what no quote tells: whole statements, and no scraps."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any
from uuid import uuid4

import pytest

from keepsake.domain.memory import MemoryType, Subtype
from keepsake.domain.summaries.compose_sentences import compose
from keepsake.domain.summaries.events import describe, events_of
from keepsake.domain.summaries.own_words import find_quotes
from keepsake.domain.summaries.periods import Level
from keepsake.domain.summaries.readable_statements import leave_out_quoted
from keepsake.domain.summaries.rules_form import write_summary
from keepsake.domain.summaries.said import SaidMessage
from keepsake.domain.summaries.sources import SourceMemory, SummarySources
from keepsake.domain.summaries.summary import WeekSummary
from keepsake.domain.summaries.summary_words import words_in

MONDAY = date(2024, 10, 7)
NOON = datetime(2024, 10, 7, 12, tzinfo=UTC)


def stated(said: str, *texts: str, **columns: Any) -> SummarySources:
    """What rules made of a message; of one that is gone, if nothing is ``said``."""
    defaults: dict[str, Any] = {"type": MemoryType.FACT, "subtype": Subtype.OTHER, "is_by_rules": True, **columns}
    memories = [SourceMemory(uuid4(), text=text, day=MONDAY, **defaults) for text in texts]
    message = SaidMessage(uuid4(), uuid4(), NOON, said, tuple(one.id for one in memories))
    return SummarySources(memories, said=[message] if said else [])


def told(sources: SummarySources) -> str:
    """What of the memories the summary of the day tells."""
    quotes = find_quotes(sources.messages, sources.begun, words_in("en"))
    kept = replace(sources, begun=leave_out_quoted(sources.begun, quotes))
    return compose(describe(events_of(kept)), 300).text


@pytest.mark.parametrize(
    "text",
    [
        "Has the money there",
        "80 people",
        "3rd to the 9th",
        "Right front paw",
        "Is out",
        "Thursday is yoga",
        "The exam is two days before",
        "Had to sit",
        "Needs to call Frank at the office",
        "Mom wants to move to Braga",
        "Back has opinions",
    ],
)
def test_notes_and_scraps_of_rules__are_not_told(text: str) -> None:
    assert told(stated("", text)) == ""


@pytest.mark.parametrize(
    "text",
    [
        "Lives in Graz",
        "Is a baker",
        "Is planning to walk the coast path in May",
        "Is a single dad",
        "Moved to Linz",
        "Has a boat",
        "Aunt Rosa lives alone in Braga",
        "Is driving to the sea with Ruth",
        "Brother is named Gene",
    ],
)
def test_statements_of_rules__are_told_where_their_message_is_gone(text: str) -> None:
    assert told(stated("", text)) == f"{text}."


def test_what_a_quote_tells__is_not_told_again_but_for_what_a_model_or_the_person_wrote() -> None:
    assert told(stated("I live in Graz and it rains", "Lives in Graz")) == ""
    by_model = stated("Dentist on Friday.", "Sees the dentist on Friday", is_by_rules=False)
    assert told(by_model) == "Sees the dentist on Friday."


def test_others__are_told_one_after_another() -> None:
    texts = ("Aunt Rosa is 71 years old", "Brother Luis is a cook", "Aunt Rosa lives in Braga")
    assert told(stated("", *texts)) == ("Aunt Rosa is 71 years old and lives in Braga. Brother Luis is a cook.")


def test_missing_somebody__is_no_feeling_of_that_name() -> None:
    sources = stated("i miss Miso so much. i feel lonely", "Misses Miso", "Feels lonely", type=MemoryType.EMOTION)
    summary = write_summary(Level.WEEK, sources)
    assert isinstance(summary, WeekSummary)
    assert summary.emotional_summary == "Felt lonely (Monday)."


def test_half_a_feeling__is_not_told() -> None:
    sources = stated("im happy and it feels wrong to be happy", "Feels happy", type=MemoryType.EMOTION)
    summary = write_summary(Level.WEEK, sources)
    assert isinstance(summary, WeekSummary)
    assert summary.emotional_summary == ""


def test_patterns__are_habits() -> None:
    sources = stated(
        "i always thought he would stay. i swim before work every day",
        "Always thought he would stay",
        "Swims before work every day",
        subtype=Subtype.HABIT,
    )
    summary = write_summary(Level.WEEK, sources)
    assert isinstance(summary, WeekSummary)
    assert summary.dominant_patterns == ["Swims before work every day"]


def test_a_task__is_no_habit() -> None:
    sources = stated("I need to call Frank", "Needs to call Frank", subtype=Subtype.HABIT)
    summary = write_summary(Level.WEEK, sources)
    assert isinstance(summary, WeekSummary)
    assert summary.dominant_patterns == []
