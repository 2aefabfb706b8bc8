"""What one of two people says in a shared conversation is in no row of the other, at any level of summary."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest

from keepsake.infra.settings import Settings
from keepsake.usecases.compare_yearly_patterns import compare_yearly_patterns
from keepsake.usecases.generate_daily_summaries import generate_daily_summaries
from keepsake.usecases.generate_monthly_summaries import generate_monthly_summaries
from keepsake.usecases.generate_weekly_summaries import generate_weekly_summaries
from keepsake.usecases.run_due_jobs import run_due_jobs
from tests.fixtures.model import with_model
from tests.fixtures.people import Account
from tests.fixtures.scene import Scene
from tests.model_server.running import ModelServer
from tests.support.summaries import add_month

MARKERS = ("xqzada", "xqzbob")
MIXED = "The person plays the xqzada. The person plays the xqzbob."
FIELDS = (
    "summary",
    "emotional_summary",
    "cognitive_summary",
    "one_liner",
    "tone",
    "rolling_summary",
    "context",
    "growth",
)
LISTS = (
    *("key_themes", "dominant_patterns", "energy_shifts", "what_mattered", "open_loops", "commitments", "people"),
    *("profile", "projects", "stayed", "changed", "appeared"),
)
OF_LEVELS = {
    "user_memory_session_summaries", "user_memory_spine", "user_memory_todos",
    "user_memory_daily_summaries", "user_memory_history_summaries", "user_memory_weekly_summaries",
    "user_memory_monthly_summaries", "user_memory_yearly_comparisons", "user_memory",
}  # fmt: skip


def reply() -> dict[str, Any]:
    """What a model makes of two people whom it mixes up, at every level."""
    texts = {name: MIXED for field in FIELDS for name in (field, f"{field}_a", f"{field}_b")}
    numbered = [f"{number}: Plays the {marker}" for number in range(1, 5) for marker in MARKERS]
    return texts | {name: [*MARKERS, *numbered] for field in LISTS for name in (field, f"{field}_a", f"{field}_b")}


@pytest.fixture(params=["rules", "model"])
def settings(settings: Settings, model: ModelServer, request: pytest.FixtureRequest) -> Settings:
    """Rules extract; they or a model summarize."""
    model.script.always({"content": json.dumps(reply())})
    summarizes = "scripted" if request.param == "model" else None
    return with_model(settings, model, openai_extraction_model=None, openai_summary_model=summarizes)


async def live(scene: Scene, bob: Account) -> None:
    """Both talk in one conversation; then half an hour, a day, a week and a month pass."""
    shared = scene.people.conversation(scene.ada, bob)
    for number in range(20):
        for marker, person in zip(MARKERS, (scene.ada, bob), strict=True):
            texts = (f"I play the {marker}.", f"I need to repair the {marker}.")
            await scene.tell(texts[number] if number < len(texts) else "Hm, okay.", chat=shared, person=person)
    scene.clock.advance(minutes=31)
    await run_due_jobs(scene.resources, max_seconds=60)
    for days in (1, 7, 31):
        scene.clock.advance(days=days)
        for generate in (generate_daily_summaries, generate_weekly_summaries, generate_monthly_summaries):
            await generate(scene.resources, max_seconds=60)
    for person in (scene.ada, bob):
        (month,) = rows_of(scene, "public.user_memory_monthly_summaries", person)
        add_month(scene, month["year"] - 1, ["music"], month=month["month"], person=person)
        await compare_yearly_patterns(scene.resources, user_id=person.user_id)


def tables(scene: Scene) -> list[str]:
    """Every table whose rows belong to a person."""
    found = scene.db.all(
        "select c.table_schema as schema, c.table_name as name from information_schema.columns as c"
        " join information_schema.tables as t using (table_schema, table_name)"
        " where c.column_name = 'user_id' and c.table_schema in ('public', 'keepsake') and t.table_type = 'BASE TABLE'"
    )
    return sorted(f"{row['schema']}.{row['name']}" for row in found)


def rows_of(scene: Scene, table: str, person: Account) -> list[dict[str, Any]]:
    """The rows of a person."""
    statement: Any = f"select to_jsonb(t) as row from {table} as t where t.user_id = %s"
    return [found["row"] for found in scene.db.all(statement, (person.user_id,))]


async def test_marker__of_one_person_is_in_no_row_of_the_other(scene: Scene) -> None:
    bob = scene.people.person("Bob")
    now = scene.clock.now()
    is_in_month = (now - timedelta(hours=1)).month == now.month  # no month may end while they talk
    scene.clock.at = now - timedelta(hours=1 if is_in_month else 2)
    await live(scene, bob)
    found: dict[str, set[str]] = {}
    for table in tables(scene):
        for (own, other), person in ((MARKERS, scene.ada), (MARKERS[::-1], bob)):
            text = str(rows_of(scene, table, person)).lower()
            assert other not in text, table
            if own in text:
                found.setdefault(person.name, set()).add(table.removeprefix("public."))
    for name in (scene.ada.name, bob.name):
        assert found[name] >= OF_LEVELS - {"user_memory_spine"}, OF_LEVELS - found[name]
