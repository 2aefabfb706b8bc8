"""A summary without a model counts and quotes what is stored, and says nothing else."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keepsake.domain.memory import MemoryType, Subtype
from keepsake.domain.summaries.author import Author
from keepsake.domain.summaries.periods import Level
from keepsake.domain.summaries.rules_form import write_summary
from keepsake.domain.summaries.said import SaidMessage
from keepsake.domain.summaries.sources import SourceMemory, SummarySources
from keepsake.domain.summaries.summary import MAX_DAY, MAX_MONTH, DaySummary, MonthSummary, WeekSummary

MONDAY, TUESDAY, FRIDAY = date(2024, 10, 7), date(2024, 10, 8), date(2024, 10, 11)


def memory(text: str, day: date = MONDAY, **columns: Any) -> SourceMemory:
    """A memory of that day."""
    defaults: dict[str, Any] = {"type": MemoryType.FACT, "subtype": Subtype.OTHER, "id": uuid4()}
    return SourceMemory(text=text, day=day, **defaults | columns)


def feeling(text: str, day: date) -> SourceMemory:
    """A feeling of that day."""
    return memory(text, day, type=MemoryType.EMOTION, subtype=Subtype.FEELING)


ANNA: dict[str, Any] = {"entity_refs": ("person:anna",), "entity_label": "Anna"}
LIFE = SummarySources(
    begun=[
        memory("Has a sister named Anna", importance=2, subtype=Subtype.RELATIONSHIP, **ANNA),
        memory("Anna is a nurse", TUESDAY, **ANNA),
        memory("Lives in Vienna", TUESDAY, replaced_id=uuid4(), replaced_text="Lives in Graz"),
        memory("Wants to run a marathon", FRIDAY, type=MemoryType.GOAL),
        memory("Runs every morning", FRIDAY, subtype=Subtype.HABIT),
        feeling("Feels tired", MONDAY),
        feeling("Feels tired", TUESDAY),
        feeling("Feels happy", FRIDAY),
    ],
    ended=[
        memory("Wants to learn Greek", MONDAY, type=MemoryType.GOAL, ended=TUESDAY),
        memory("Works at Acme", MONDAY, ended=FRIDAY),
    ],
)


def test_a_week__says_what_is_new_what_changed_and_how_the_person_felt() -> None:
    assert write_summary(Level.WEEK, LIFE, Author("Ada")) == WeekSummary(
        emotional_summary="Ada felt tired (Monday and Tuesday) and happy (Friday).",
        summary=(
            "Ada has a sister named Anna and runs every morning. Ada wants to run a marathon. Anna is a nurse."
            " Ada lives in Vienna instead of Graz (written on Tuesday)."
            " Ada no longer wants to learn Greek (written on Tuesday) and no longer works at Acme (written on Friday)."
        ),
        key_themes=["Anna"],
        dominant_patterns=["Runs every morning"],
        energy_shifts=["Monday: tired", "Tuesday: tired", "Friday: happy"],
    )


def test_a_month__tells_of_the_person_first_and_of_others_then() -> None:
    summary = write_summary(Level.MONTH, LIFE)
    assert isinstance(summary, MonthSummary)
    assert summary.cognitive_summary.startswith(
        "Has a sister named Anna, wants to run a marathon and runs every morning. Anna is a nurse."
        " Lives in Vienna instead of Graz (written on 8 October)."
    )
    assert summary.emotional_summary == "Felt tired (7 October and 8 October) and happy (11 October)."
    assert summary.key_themes == ["Anna"]


def test_a_month__leaves_out_the_least_important_where_not_everything_fits() -> None:
    begun = [memory(f"Likes the dish number {number} of the long menu of the inn") for number in range(40)]
    begun.append(memory("Has a daughter named Leila", FRIDAY, importance=3))
    summary = write_summary(Level.MONTH, SummarySources(begun))
    assert isinstance(summary, MonthSummary)
    assert "Has a daughter named Leila. And 29 more." in summary.cognitive_summary


def test_a_day__stays_short_and_says_how_much_more_there_is() -> None:
    sources = SummarySources(begun=[memory(f"Likes the dish number {number} of the menu") for number in range(40)])
    summary = write_summary(Level.DAY, sources)
    assert isinstance(summary, DaySummary)
    assert len(summary.summary) <= MAX_DAY
    assert summary.summary.startswith("Likes the dish number 0 of the menu, the dish number 1 of the menu and ")
    assert summary.summary.endswith(" more.")


def test_without_feelings__says_nothing_of_them() -> None:
    week, month = (
        write_summary(level, SummarySources(begun=[memory("Lives in Graz")])) for level in (Level.WEEK, Level.MONTH)
    )
    assert isinstance(week, WeekSummary)
    assert isinstance(month, MonthSummary)
    assert week.emotional_summary == month.emotional_summary == ""


def test_without_memories__says_how_often_one_talked_and_about_what() -> None:
    said = [
        SaidMessage(uuid4(), uuid4(), datetime(2024, 10, day, 12, tzinfo=UTC), text)
        for day, text in ((7, "how is the hospital?"), (8, "is the hospital open on sunday?"), (8, "ok"))
    ]
    day, week, none = (
        write_summary(level, SummarySources(said=found))
        for level, found in ((Level.DAY, said[:1]), (Level.WEEK, said), (Level.DAY, []))
    )
    assert isinstance(week, WeekSummary)
    assert (day.summary, none.summary) == ("Wrote a message.", "")  # type: ignore[union-attr]
    assert week.summary == "Wrote on 2 days, among other things about hospital."


@pytest.mark.parametrize(
    "text, phrase",
    [
        ("Likes ramen.", "likes ramen"),
        ("Sister Adaeze is pregnant", "sister Adaeze is pregnant"),
        ("Adaeze is pregnant", "Adaeze is pregnant"),
        ("Will is a colleague", "Will is a colleague"),  # a name that is a verb too
        ("Berlin is home", "Berlin is home"),
        ("NASA hired them", "NASA hired them"),
        ("Cat's name is Miso", "cat's name is Miso"),
        ("Grace's cat is old", "Grace's cat is old"),
        ("Likes “ramen”; and New: “gold”", "likes “ramen”; and New: “gold”"),
    ],
)
def test_phrase__begins_with_a_small_letter_unless_it_begins_with_a_name(text: str, phrase: str) -> None:
    label = text.split(maxsplit=1)[0] if text.startswith(("Adaeze", "Will")) else None
    summary = write_summary(Level.DAY, SummarySources(begun=[memory(text, entity_label=label)]))
    assert isinstance(summary, DaySummary)
    assert summary.summary == f"{phrase[:1].upper()}{phrase[1:]}."


def test_plans__are_told_with_one_wanting() -> None:
    begun = [memory(text, type=MemoryType.GOAL) for text in ("Wants to open a bakery", "Is learning Greek")]
    summary = write_summary(Level.DAY, SummarySources([*begun, memory("Wants to bake", type=MemoryType.GOAL)]))
    assert isinstance(summary, DaySummary)
    assert summary.summary == "Wants to open a bakery and to bake. Is learning Greek."


@pytest.mark.parametrize(
    "text, phrase",
    [
        ("Started a job as a nurse on Monday 30 September 2024", "No longer has a job as a nurse"),
        ("Bought a used Vespa", "No longer has a used Vespa"),
        ("Moved into a loft", "“Moved into a loft” no longer holds"),
        ("Got engaged", "“Got engaged” no longer holds"),
        ("Boyfriend Tiago is a cook", "“Boyfriend Tiago is a cook” no longer holds"),
        ("Does not eat fish", "“Does not eat fish” no longer holds"),
        ("Is going to Oslo", "Is no longer going to Oslo"),
        ("Married to Paul", "Is no longer married to Paul"),
        ("Has a garden", "No longer has a garden"),
    ],
)
def test_what_ended__is_told_as_what_was_so(text: str, phrase: str) -> None:
    summary = write_summary(Level.WEEK, SummarySources(ended=[memory(text, ended=FRIDAY)]))
    assert isinstance(summary, WeekSummary)
    assert summary.summary == f"{phrase} (written on Friday)."


def test_a_statement_that_names_its_day__is_told_without_another_date() -> None:
    dated = memory("Started a job on Monday 7 October 2024", MONDAY)
    week, month = (write_summary(level, SummarySources(begun=[dated])) for level in (Level.WEEK, Level.MONTH))
    assert isinstance(week, WeekSummary)
    assert isinstance(month, MonthSummary)
    assert week.summary == "Started a job on Monday 7 October 2024."
    assert month.cognitive_summary == "Started a job on Monday 7 October 2024."


@pytest.mark.parametrize(
    "before, now, told",
    [
        ("Favorite food is pizza", "Favorite food is ramen now", "Favorite food is ramen instead of pizza"),
        ("Mum is 68 years old", "Mum is 69 years old", "Mum is 69 years old instead of 68"),
        ("Has a cat", "Lives with a dog", "Lives with a dog (before: has a cat)"),
        ("Wants to open a bakery", "Owns a bakery now", "Owns a bakery (the plan was to open a bakery)"),
        ("Lives in Graz", "Lives in Graz", "Lives in Graz (before: lives in Graz)"),
        ("Works as a nurse", "Works as a baker", "Works as a baker instead of a nurse"),
        ("Lives in Austin", "Lives in Lisbon, moved from Austin", "Lives in Lisbon, moved from Austin"),
        ("Lives in Porto", "Lives in Graz, which is small", "Lives in Graz, which is small (before: lives in Porto)"),
    ],
)
def test_change__does_not_repeat_how_both_begin(before: str, now: str, told: str) -> None:
    summary = write_summary(Level.DAY, SummarySources(begun=[memory(now, replaced_id=uuid4(), replaced_text=before)]))
    assert isinstance(summary, DaySummary)
    assert summary.summary == f"{told}."


@pytest.mark.parametrize(
    "text, phrase",
    [
        ("Works as a baker now, in their own shop", "Works as a baker, in their own shop"),
        ("Feels calm these days", "Feels calm"),
        ("Lives here for now", "Lives here for now"),
        ("Knows what is now known", "Knows what is now known"),
    ],
)
def test_what_was_so_when_it_was_said__is_told_without_now(text: str, phrase: str) -> None:
    summary = write_summary(Level.DAY, SummarySources(begun=[memory(text)]))
    assert isinstance(summary, DaySummary)
    assert summary.summary == f"{phrase}."


def test_feelings_with_commas__are_told_apart() -> None:
    begun = [feeling("Feels calm, as never before", MONDAY), feeling("Feels happy", FRIDAY)]
    summary = write_summary(Level.WEEK, SummarySources(begun))
    assert isinstance(summary, WeekSummary)
    assert summary.emotional_summary == "Felt calm, as never before (Monday); happy (Friday)."
    assert summary.key_themes == []


def test_what_was_given_up__is_told_once() -> None:
    habit: dict[str, Any] = {"type": MemoryType.PATTERN, "subtype": Subtype.HABIT}
    run = memory("Goes for a run every morning", **habit, ended=TUESDAY)
    begun = [memory("Stopped running", **habit), memory("Gave up on running"), memory("Quit smoking", **habit)]
    begun += [memory("Does not meet Marcus anymore"), memory("No longer runs")]
    summary = write_summary(Level.WEEK, SummarySources(begun, [run]))
    assert isinstance(summary, WeekSummary)
    assert summary.summary == (
        "Does not meet Marcus anymore. No longer goes for a run every morning (written on Tuesday)."
        " Quit smoking (written on Monday)."
    )
    assert summary.dominant_patterns == []
    summary = write_summary(Level.WEEK, SummarySources(begun[:2]))
    assert isinstance(summary, WeekSummary)
    assert summary.summary == "Stopped running (written on Monday)."


def test_a_theme__is_the_name_that_a_memory_has_for_its_entity() -> None:
    begun = [
        memory("Friend Tomasi works in their bakery", entity_refs=("person:tomasi",)),
        memory("Has a dog named Miso", entity_label="Miso"),
        memory("Likes rye bread", subtype=Subtype.PREFERENCE, entity_label="bread"),
    ]
    summary = write_summary(Level.DAY, SummarySources(begun))
    assert summary.key_themes == ["Tomasi", "Miso"]


def test_the_sources__are_every_memory_whose_words_may_occur() -> None:
    replaced = LIFE.begun[2].replaced_id
    became = uuid4()
    message = SaidMessage(UUID(int=1), uuid4(), datetime(2024, 10, 7, tzinfo=UTC), "Hm.", (became,))
    sources = SummarySources(LIFE.begun, LIFE.ended, [message])
    assert set(sources.memory_ids) == {one.id for one in (*LIFE.begun, *LIFE.ended)} | {replaced, became}
    assert set(sources.source_ids) == {one.id for one in (*LIFE.begun, *LIFE.ended)} | {UUID(int=1)}


memories = st.builds(
    memory,
    st.text(st.characters(categories=["L", "N", "P", "Zs"]), min_size=1, max_size=200),
    st.sampled_from([MONDAY, TUESDAY, FRIDAY]),
    type=st.sampled_from(MemoryType),
    subtype=st.sampled_from(Subtype),
    importance=st.integers(0, 3),
    replaced_text=st.none() | st.text(min_size=1, max_size=200),
)


@given(st.lists(memories, min_size=1, max_size=30), st.sampled_from(Level))
def test_every_summary__keeps_its_limit_and_repeats_itself(begun: list[SourceMemory], level: Level) -> None:
    sources = SummarySources(begun=begun)
    summary = write_summary(level, sources)
    assert summary == write_summary(level, sources)
    for name in ("summary", "emotional_summary", "cognitive_summary"):
        assert len(getattr(summary, name, "")) <= MAX_MONTH


@pytest.mark.parametrize("level", Level)
def test_a_memory_without_words__is_left_out(level: Level) -> None:
    """An import may have one that is a full stop."""
    texts = (".", ". ", "Has a dog")
    ended = [memory(text, ended=FRIDAY) for text in texts[:2]]
    sources = SummarySources([memory(text) for text in texts], ended)
    assert write_summary(level, sources).outlines
    assert "dog" in str(write_summary(level, sources))


def test_what_says_the_same_and_more__is_no_change() -> None:
    detail = memory("Owns a bakery in Graz", replaced_id=uuid4(), replaced_text="Has a bakery")
    summary = write_summary(Level.DAY, SummarySources(begun=[detail]))
    assert isinstance(summary, DaySummary)
    assert summary.summary == "Owns a bakery in Graz."
