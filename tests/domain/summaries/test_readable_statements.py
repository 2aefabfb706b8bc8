"""Without a model a summary tells whole statements in the person's own verbs, and no scraps."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from keepsake.domain.memory import MemoryType, Subtype
from keepsake.domain.summaries.author import Author
from keepsake.domain.summaries.compose_sentences import compose
from keepsake.domain.summaries.events import describe, events_of
from keepsake.domain.summaries.periods import Level
from keepsake.domain.summaries.readable_statements import is_statement, keep_readable
from keepsake.domain.summaries.rules_form import write_summary
from keepsake.domain.summaries.said import SaidMessage
from keepsake.domain.summaries.sources import SourceMemory, SummarySources
from keepsake.domain.summaries.summary import WeekSummary

MONDAY = date(2024, 10, 7)
NOON = datetime(2024, 10, 7, 12, tzinfo=UTC)


def stated(said: str, *texts: str, **columns: Any) -> SummarySources:
    """What rules made of a message."""
    defaults: dict[str, Any] = {"type": MemoryType.FACT, "subtype": Subtype.OTHER, "is_by_rules": True, **columns}
    memories = [SourceMemory(uuid4(), text=text, day=MONDAY, **defaults) for text in texts]
    message = SaidMessage(uuid4(), uuid4(), NOON, said, tuple(one.id for one in memories))
    return SummarySources(memories, messages=[message])


def told(sources: SummarySources) -> str:
    """What of the memories the summary of the day tells."""
    kept = replace(sources, begun=keep_readable(sources.begun, sources.messages))
    return compose(describe(events_of(kept)), 300).text


@pytest.mark.parametrize(
    "said, text",
    [
        ("The cat is coughing again. Dentist on Friday.", "Is a dentist on Friday"),
        ("met her brother, theo. hes a plumber, widowed. nice guy", "Is widowed"),
        ("lena from the gym says the bakery is hiring. EARLY SHIFTS", "Works EARLY SHIFTS"),
        ("the picnic is on sunday, 12 cousins, wish me luck", "Has 12 cousins"),
        ("dad wants to sell the flat and have the money there", "Has the money there"),
        ("The play was in the hall, 80 people came", "80 people"),
        ("the 3rd to the 9th, then home", "3rd to the 9th"),
        ("He limps, right front paw", "Right front paw"),
        ("i keep wondering who to ask", "Keeps wondering"),
        ("My boss says if I miss another shift I'm out", "Is out"),
        ("I hung up on him", "Hung up"),
        ("Thursday is yoga", "Thursday is yoga"),
        ("off to rome, the exam is two days before", "The exam is two days before"),
        ("i had to sit", "Had to sit"),
    ],
)
def test_notes_and_what_is_of_others__are_not_told(said: str, text: str) -> None:
    assert told(stated(said, text)) == ""


@pytest.mark.parametrize(
    "said, text",
    [
        ("I live in Graz and it rains", "Lives in Graz"),
        ("im a baker", "Is a baker"),
        ("Planning to walk the coast path in May", "Is planning to walk the coast path in May"),
        ("single dad, my girl starts school soon", "Is a single dad"),
        ("Moved to Linz last week", "Moved to Linz"),
        ("we have a boat", "Has a boat"),
        ("my aunt Rosa lives alone in Braga", "Aunt Rosa lives alone in Braga"),
        ("Ruth and I are driving to the sea", "Is driving to the sea with Ruth"),
    ],
)
def test_what_the_person_said_with_a_verb__is_told(said: str, text: str) -> None:
    assert told(stated(said, text)) == f"{text}."


def test_what_a_model_or_nobody_present_said__is_not_judged() -> None:
    """A memory of a model has words of its own; one whose message is gone cannot be compared."""
    assert (
        told(stated("Dentist on Friday.", "Sees the dentist on Friday", is_by_rules=False))
        == "Sees the dentist on Friday."
    )
    gone = stated("Dentist on Friday.", "Sees the dentist on Friday")
    assert told(SummarySources(gone.begun)) == "Sees the dentist on Friday."


@pytest.mark.parametrize(
    "said, text, shown",
    [
        (
            "Found a crack in the old beam that nobody had ever noticed before",
            "Found a crack in the old beam that nobody had ever noticed before",
            "Found a crack in the old beam.",
        ),
        (
            "my aunt is coming from braga on friday and staying with us till july",
            "Aunt is coming from braga on friday and staying with us till july",
            "Aunt is coming from braga on Friday.",
        ),
        (
            "my aunt moves in with the whole family in spring if her doctors agree",
            "Aunt moves in with the whole family in spring if her doctors agree",
            "Aunt moves in with the whole family in spring if her doctors agree.",
        ),
    ],
)
def test_a_long_copy__is_cut_where_it_stays_true(said: str, text: str, shown: str) -> None:
    assert told(stated(said, text)) == shown


@pytest.mark.parametrize(
    "text, shown",
    [
        ("Starts a course on Monday 21 October 2024 the 21st", "Starts a course on Monday 21 October 2024."),
        ("Flies to Rome on Saturday 12 October 2024, 12 October 2024", "Flies to Rome on Saturday 12 October 2024."),
        ("Allergic to nuts", "Is allergic to nuts."),
    ],
)
def test_statement__has_its_date_once_and_a_verb(text: str, shown: str) -> None:
    assert told(stated("i start and im flying and i fly, allergic to nuts", text)) == shown


def test_others__are_told_one_after_another() -> None:
    texts = ("Aunt Rosa is 71 years old", "Brother Luis is a cook", "Aunt Rosa lives in Braga")
    assert told(stated("my aunt Rosa is 71, my brother Luis is a cook, she lives in Braga", *texts)) == (
        "Aunt Rosa is 71 years old and lives in Braga. Brother Luis is a cook."
    )


def test_missing_somebody__is_no_feeling_of_that_name() -> None:
    sources = stated("i miss Miso so much. i feel lonely", "Misses Miso", "Feels lonely", type=MemoryType.EMOTION)
    summary = write_summary(Level.WEEK, sources)
    assert isinstance(summary, WeekSummary)
    assert summary.summary.startswith("Missed Miso (written on Monday). ")
    assert summary.emotional_summary == "Felt lonely (Monday)."


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


@pytest.mark.parametrize(
    "said, text, later",
    [
        ("I need to call Frank at the office", "Needs to call Frank at the office", "Called Frank and said yes"),
        ("I'm flying out to Denver in May", "Is flying out to Denver in May", "So Denver is off"),
        ("My aunt does not know yet", "Aunt does not know yet", "told her. she laughed"),
        (
            "my mom wants to have the party at home",
            "Mom wants to have the party at home",
            "no party, she changed her mind",
        ),
        ("my brother Luis is in hospital", "Brother Luis is in hospital", "Luis is home"),
    ],
)
def test_what_a_later_message_may_have_settled__is_not_told(said: str, text: str, later: str) -> None:
    sources = stated(said, text)
    after = SaidMessage(uuid4(), uuid4(), NOON + timedelta(hours=1), later)
    assert told(replace(sources, messages=[*sources.messages, after])) == ""


def test_the_name_of_the_person__is_no_statement() -> None:
    sources = stated("hi! im resi, a baker", "Is resi", "Is a baker")
    kept = keep_readable(sources.begun, sources.messages, Author("Resi"))
    assert [one.text for one in kept] == ["Is a baker"]


def test_what_is_the_persons__has_their_pronoun() -> None:
    sources = stated("handed in my notice. my aunt sold their house", "Handed in their notice")
    assert [one.text for one in keep_readable(sources.begun, sources.messages, Author("Ada", "she/her"))] == [
        "Handed in her notice"
    ]


def test_a_task__is_no_habit() -> None:
    sources = stated("I need to call Frank", "Needs to call Frank", subtype=Subtype.HABIT)
    summary = write_summary(Level.WEEK, sources)
    assert isinstance(summary, WeekSummary)
    assert summary.dominant_patterns == []


@pytest.mark.parametrize(
    "text", ["Back has opinions", "Needs to call Frank at the office", "Is out", "Mom wants to move to Braga"]
)
def test_the_long_term__has_statements_of_what_is_so(text: str) -> None:
    sources = stated("", "Has a dog", "Brother is named Gene", "Schwester wohnt in Kiel", text)
    assert [is_statement(one) for one in sources.begun] == [True, True, True, False]
