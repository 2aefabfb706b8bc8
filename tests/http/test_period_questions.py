"""Questions about days, weeks, months and a year are answered by their summaries, in full or cut at sentences."""

from __future__ import annotations

from datetime import date
from typing import Any
from uuid import UUID

import pytest

from tests.fixtures.scene import Scene
from tests.http.conftest import Functions
from tests.http.test_injected_summaries import inject

SENTENCE = "Ada spoke with Dr. Novak of {what} and was glad that it went so well, number {number}."
MAX_TOKENS, OCTOBER = 1200, 10
NOVEMBER = ("of last week", "of Monday", "of yesterday")
"""What was written of the month that is not over."""


def add(scene: Scene, table: str, **row: Any) -> UUID:
    """Store a summary that a model wrote."""
    row = {"user_id": scene.ada.user_id, "profile_id": scene.ada.profile_id, "generator": "llm", **row}
    marks = ", ".join(f"%({name})s" for name in row)
    statement: Any = (
        f"insert into public.user_memory_{table}_summaries ({', '.join(row)}) values ({marks}) returning id"
    )
    found: UUID = scene.db.value(statement, row)
    return found


def add_month(scene: Scene, year: int, month: int, text: str, felt: str = "") -> UUID:
    """Store the summary of a month."""
    return add(scene, "monthly", year=year, month=month, emotional_summary=felt, cognitive_summary=text)


def add_week(scene: Scene, monday: date, text: str) -> UUID:
    """Store the summary of a week."""
    year, week, _ = monday.isocalendar()
    dates = {"week_start_date": monday, "week_end_date": date.fromisocalendar(year, week, 7)}
    return add(scene, "weekly", year=year, week_number=week, emotional_summary="", summary=text, **dates)


def add_day(scene: Scene, day: date, text: str) -> UUID:
    """Store the summary of a day."""
    return add(scene, "daily", summary_date=day, summary=text)


@pytest.fixture
def lived(scene: Scene) -> Scene:
    """Ada, on a Friday in November, with summaries of more than a year."""
    scene.clock.at = scene.clock.now().replace(year=2026, month=11, day=27)
    for year, month in [(2025, month) for month in (10, 11, 12)] + [(2026, month) for month in range(1, 11)]:
        add_month(scene, year, month, f"It was of month {month} in {year}.")
    add_week(scene, date(2026, 10, 12), "It was of week 42.")
    add_week(scene, date(2026, 11, 16), "It was of last week.")
    add_day(scene, date(2026, 10, 9), "It was of October the ninth.")
    add_day(scene, date(2026, 11, 26), "It was of yesterday.")
    add_day(scene, date(2026, 11, 23), "It was of Monday.")
    return scene


@pytest.mark.parametrize(
    "question, expected",
    [
        ("How was my October?", ["of month 10 in 2026"]),
        ("What happened in week 42?", ["of week 42"]),
        ("Tell me about October 9th", ["of October the ninth"]),
        ("what did I do yesterday", ["of yesterday"]),
        ("How was this October and last?", ["of month 10 in 2026", "of month 10 in 2025"]),
        ("Can you compare my September with August?", ["of month 9 in 2026", "of month 8 in 2026"]),
        ("How was last week, and how was yesterday?", ["of last week", "of yesterday"]),
        ("How was my year?", [*(f"of month {month} in 2026" for month in range(1, 11)), *NOVEMBER]),
        ("What happened in 2025?", [f"of month {month} in 2025" for month in (10, 11, 12)]),
        ("Summarize the last three months", [f"of month {month} in 2026" for month in (8, 9, 10)]),
        ("How did this week go?", ["of Monday", "of yesterday"]),
    ],
)
async def test_a_question__is_answered_by_its_periods_and_no_other(
    functions: Functions, lived: Scene, question: str, expected: list[str]
) -> None:
    injected = await inject(functions, lived, question, max_memories=0)
    answers = [line for line in injected["context"].splitlines() if line.startswith("Summary of ")]
    shown = "\n".join(answers)
    assert [text for text in expected if f"It was {text}." not in shown] == []
    assert shown.count("It was ") == len(expected)
    assert len(set(injected["summary_ids"])) >= len(expected)


async def test_a_long_month__is_shown_in_full(functions: Functions, lived: Scene) -> None:
    felt, text = (
        " ".join(SENTENCE.format(what=what, number=number) for number in range(count))
        for what, count in (("joy", 12), ("work", 18))
    )
    lived.db.run("delete from public.user_memory_monthly_summaries where year = 2026 and month = 10")
    add_month(lived, 2026, 10, text, felt)
    injected = await inject(functions, lived, "How was my October?")
    assert f'Summary of October 2026: "{felt} {text}"' in injected["context"]
    assert injected["token_count"] <= MAX_TOKENS


async def test_a_long_year__is_cut_at_sentences(functions: Functions, lived: Scene) -> None:
    """Each month says something, and no sentence is cut."""
    text = " ".join(SENTENCE.format(what="work", number=number) for number in range(20))
    lived.db.run("update public.user_memory_monthly_summaries set cognitive_summary = %s", (text,))
    injected = await inject(functions, lived, "How was my year?")
    assert injected["token_count"] <= MAX_TOKENS
    [answer] = [line for line in injected["context"].splitlines() if line.startswith("Summary of 2026")]
    for number in range(20):
        answer = answer.replace(SENTENCE.format(what="work", number=number), "_")
    assert "Ada" not in answer
    assert answer.count(": _") == OCTOBER
