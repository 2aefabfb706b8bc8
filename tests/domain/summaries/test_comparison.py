"""Two months beside each other: what stayed, what took the place of what, what was planned and what came of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import uuid4

from keepsake.domain.memory import MemoryType, Subtype
from keepsake.domain.summaries.compared_month import MonthInYear, MonthMemory
from keepsake.domain.summaries.comparison import Comparison, build_comparison_prompt, compare_months, without_repeated


def memory(text: str, **columns: Any) -> MonthMemory:
    """A memory behind a month."""
    return MonthMemory(**{"id": uuid4(), "text": text, "type": MemoryType.FACT, "subtype": Subtype.OTHER, **columns})


def month(year: int, *memories: MonthMemory, felt: str = "No feelings were noted this month.") -> MonthInYear:
    """October of that year."""
    return MonthInYear(uuid4(), year, 10, 1, felt, "", ["people", "Adaeze"], (), memories)


GOAL: dict[str, Any] = {"type": MemoryType.GOAL}
FEELING: dict[str, Any] = {"type": MemoryType.EMOTION, "subtype": Subtype.FEELING}
EARLIER = month(
    2025,
    memory("Works as a pastry cook in a hotel", successor_id=uuid4(), successor_text="Works as a baker now"),
    memory("Loves rye bread"),
    memory("Goes for a run every morning", has_ended=True),
    memory("Is learning to play the cello", **GOAL),
    memory("Wants to open a bakery", **GOAL),
    memory("Wants to learn bookkeeping", **GOAL),
    memory("Feels exhausted", **FEELING),
    memory("Was at a wedding", subtype=Subtype.EVENT),
    felt="Felt exhausted (3 October).",
)
LATER = month(
    2026,
    memory("Works as a baker now"),
    memory("Plays the cello every Sunday"),
    memory("Friend Tomasi works in their bakery"),
    memory("Stopped running"),
    memory("Feels calm", **FEELING),
    felt="Felt calm (2 October).",
)


def test_rules__tell_what_became_of_what_was_said_a_year_before() -> None:
    found = compare_months(EARLIER, LATER)
    assert found.stayed == ["Loves rye bread"]
    assert found.changed == [
        "Works as a baker instead of a pastry cook in a hotel",
        "No longer goes for a run every morning",
    ]
    assert found.appeared == ["Plays the cello every Sunday", "Friend Tomasi works in their bakery"]
    assert found.growth == (
        "Planned in October 2025: to learn to play the cello (October 2026: plays the cello every Sunday);"
        " to open a bakery (October 2026: friend Tomasi works in their bakery); to learn bookkeeping."
        " In both months: Adaeze."
        " October 2025: felt exhausted (3 October). October 2026: felt calm (2 October)."
    )


def test_rules__tell_what_took_the_place_of_what_ended() -> None:
    """A job that ended in May, and another one that began in August, are one change."""
    job, garden = (
        memory(text, has_ended=True, type=MemoryType.FACT)
        for text in ("Works as a cook in a hotel", "Has a garden in Graz")
    )
    later = month(2026, memory("Works as a baker in a shop now"), memory("Has a dog named Miso"))
    found = compare_months(month(2025, job, garden), later)
    assert found.changed == [
        "Works as a baker in a shop instead of a cook in a hotel",
        "No longer has a garden in Graz",
    ]
    assert found.appeared == ["Has a dog named Miso"]
    assert found.growth == "In both months: Adaeze."


def test_rules__tell_what_came_of_plans() -> None:
    """By what took the place of a plan, or by what the later month says of one that ended."""
    earlier = month(
        2025,
        memory("Wants to open a bakery", successor_id=uuid4(), successor_text="Owns a bakery", **GOAL),
        memory("Wants to move to Oslo", has_ended=True, **GOAL),
        memory("Wants to learn Danish", has_ended=True, **GOAL),
        memory("Wants to run in May", successor_id=uuid4(), successor_text="Wants to run in June", **GOAL),
    )
    found = compare_months(earlier, month(2026, memory("Lives in Oslo"), memory("Stopped learning Danish")))
    assert found.growth.startswith(
        "Planned in October 2025: to open a bakery (October 2026: owns a bakery);"
        " to move to Oslo (October 2026: lives in Oslo)."
    )
    assert found.changed == ["Wants to run in June instead of May", "No longer wants to learn Danish"]


def test_rules__list_nothing_as_it_is_no_more() -> None:
    """What is doubted has not stayed; a plan that has come true within the month is not new, but what came of it."""
    husband = memory("Husband Paul is allergic to cats", is_doubted=True)
    job = memory("Started a job as a nurse", has_ended=True)
    swim = memory("Wants to learn to swim", successor_id=uuid4(), successor_text="Swims every Tuesday", **GOAL)
    earlier, later = month(2025, husband, job), month(2026, swim, memory("Swims every Tuesday"))
    found = compare_months(earlier, later)
    assert (found.stayed, found.changed) == (["Adaeze"], ["No longer has a job as a nurse"])
    assert found.appeared == ["Swims every Tuesday"]
    shown = [one.text for one in build_comparison_prompt(earlier, later).texts]
    assert f"{husband.text} (may no longer be so)" in shown
    assert f"{job.text} (no longer so)" in shown


def test_rules__say_so_where_nothing_can_be_compared() -> None:
    earlier, later = (replace(month(year), key_themes=["people"]) for year in (2025, 2026))
    found = compare_months(earlier, later)
    assert found.growth == "Nothing of October 2025 and October 2026 can be compared."
    assert (found.stayed, found.changed, found.appeared) == ([], [], [])


def test_a_models_lists__have_nothing_twice() -> None:
    bread, cello, job = "Loves rye bread", "Plays the cello every Sunday", "Works as a baker now"
    kept = without_repeated(Comparison("", [bread, cello], [job, cello], []))
    assert (kept.stayed, kept.changed, kept.appeared) == ([bread], [job], [])


def test_prompt__shows_what_took_the_place_of_what() -> None:
    shown = [(one.day, one.text) for one in build_comparison_prompt(EARLIER, LATER).texts]
    assert shown[:4] == [
        ("October 2025", "Felt exhausted (3 October)."),
        ("October 2025", "Works as a pastry cook in a hotel (now: Works as a baker now)"),
        ("October 2025", "Loves rye bread"),
        ("October 2025", "Goes for a run every morning (no longer so)"),
    ]
    assert ("October 2025", "Feels exhausted") not in shown


def test_what_says_the_same_and_more__has_stayed() -> None:
    """A plan of which more is known is still planned."""
    bakery = memory("Has a bakery", successor_id=uuid4(), successor_text="Owns a bakery in Graz")
    race = "Wants to run a marathon"
    goal = memory(race, **GOAL, successor_id=uuid4(), successor_text=f"{race} in Berlin")
    found = compare_months(replace(EARLIER, memories=[bakery, goal]), replace(LATER, memories=[]))
    assert (found.stayed, found.changed) == (["Owns a bakery in Graz"], [])
    assert "to run a marathon in Berlin" in found.growth
