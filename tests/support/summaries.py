"""A life to summarize: memories on chosen days of a person who lives in Berlin."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from keepsake.domain.summaries.periods import Level
from keepsake.usecases.summaries.write_due_summaries import summarize_profile
from tests.fixtures.people import Account
from tests.fixtures.scene import Scene

NOON = timedelta(hours=12)


def on(day: str, hour: int = 12) -> datetime:
    """A moment of a day, in UTC."""
    return datetime.fromisoformat(day).replace(tzinfo=UTC) + timedelta(hours=hour)


def remember(
    scene: Scene, day: str, text: str, *, person: Account | None = None, hour: int = 12, **columns: Any
) -> UUID:
    """Store a memory that was stated on this day."""
    moment = on(day, hour)
    return scene.people.memory(
        person or scene.ada, text, source="rule_extraction", created_at=moment, valid_from=moment, **columns
    )


async def summarize(scene: Scene, *levels: Level) -> int:
    """Write what is due for Ada, of all levels unless some are named."""
    waiting(scene)
    user_id, profile_id = scene.ada.user_id, scene.ada.profile_id
    return sum(
        [
            await summarize_profile(scene.resources, user_id=user_id, profile_id=profile_id, level=level)
            for level in levels or Level
        ]
    )


def waiting(scene: Scene) -> list[dict[str, Any]]:
    """The periods that wait for a summary."""
    scene.db.all("select keepsake.fold_summary_marks(1000)")
    return scene.db.all("select level, first_date, due_at from keepsake.summary_periods order by level, first_date")


def forget_waiting(scene: Scene) -> None:
    """Let no period wait for a summary."""
    scene.db.run("delete from keepsake.summary_marks")
    scene.db.run("delete from keepsake.summary_periods")


def rows(scene: Scene, level: str, person: Account | None = None) -> list[dict[str, Any]]:
    """The summaries of a level, oldest first."""
    statement: Any = f"select * from public.user_memory_{level}_summaries where user_id = %s order by created_at, id"
    return scene.db.all(statement, ((person or scene.ada).user_id,))


def add_month(
    scene: Scene,
    year: int,
    themes: list[str],
    *,
    month: int = 10,
    memory_ids: list[UUID] | None = None,
    person: Account | None = None,
    **texts: str,
) -> UUID:
    """Store the summary of a month."""
    columns = {"emotional_summary": "No feelings were noted this month.", "cognitive_summary": "New: nothing.", **texts}
    owner = person or scene.ada
    values = (
        owner.user_id, owner.profile_id, year, month, columns["emotional_summary"], columns["cognitive_summary"],
        themes, memory_ids or [],
    )  # fmt: skip
    row: UUID = scene.db.value(
        "insert into public.user_memory_monthly_summaries (user_id, profile_id, year, month, emotional_summary,"
        " cognitive_summary, key_themes, memory_ids, generator) values (%s, %s, %s, %s, %s, %s, %s, %s, 'rules')"
        " returning id",
        values,
    )
    return row
