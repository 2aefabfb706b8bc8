"""What is said again keeps the date since which it holds; when it was last said is another date."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from keepsake.domain.summaries.periods import Level
from keepsake.identity import Person
from keepsake.usecases.archive_old_memories import archive_old_memories
from keepsake.usecases.undo_operation import undo_operation
from tests.fixtures.scene import Scene
from tests.support.summaries import forget_waiting, rows, summarize

_SENTENCE = "I have a dog named Rex."


def dates(scene: Scene) -> tuple[datetime, datetime | None]:
    """Since when the dog is known, and when it was last told of again."""
    row: dict[str, Any] = scene.db.one(
        "select valid_from, restated_at from public.user_memory where memory_text like '%%Rex'"
    )
    return row["valid_from"], row["restated_at"]


async def test_a_repetition__leaves_the_first_date_and_notes_the_last(scene: Scene) -> None:
    await scene.tell(_SENTENCE)
    first = dates(scene)[0]
    scene.clock.advance(days=40)
    await scene.tell(_SENTENCE)
    assert dates(scene) == (first, first + timedelta(days=40, minutes=1))


async def test_a_repetition_that_arrives_late__was_the_first(scene: Scene) -> None:
    before = scene.says(_SENTENCE)
    scene.clock.advance(days=40)
    await scene.tell(_SENTENCE)
    last = dates(scene)[0]
    await scene.extract(before)
    assert dates(scene) == (last - timedelta(days=40, minutes=1), last)


async def test_what_contradicts__is_compared_with_the_last_date(scene: Scene) -> None:
    """A message from between the two, which arrives late, changes nothing."""
    await scene.tell("I live in Graz.")
    scene.clock.advance(days=1)
    between = scene.says("I live in Austin.")
    scene.clock.advance(days=1)
    await scene.tell("I live in Graz.")
    await scene.extract(between)
    assert scene.told() == ["Lives in Graz"]


async def test_the_summary_of_the_later_period__does_not_tell_it_as_new(scene: Scene) -> None:
    await scene.tell(_SENTENCE)
    scene.clock.advance(days=40)
    forget_waiting(scene)
    await scene.tell(_SENTENCE)
    await scene.tell("I live in Graz.")
    scene.clock.advance(days=40)
    await summarize(scene, Level.MONTH)
    assert ["Ada has a dog" in row["cognitive_summary"] for row in rows(scene, "monthly")] == [False]


async def test_undo_of_a_repetition__takes_back_its_date(scene: Scene) -> None:
    await scene.tell(_SENTENCE)
    before = dates(scene)
    scene.clock.advance(days=40)
    found = await scene.tell(_SENTENCE)
    operation = scene.db.value("select operation_id from keepsake.extractions where id = %s", (found.extraction_id,))
    await undo_operation(scene.resources, Person(scene.ada.user_id), operation)
    assert dates(scene) == before


async def test_retention__counts_from_the_last_time_it_was_said(scene: Scene) -> None:
    await scene.tell(_SENTENCE)
    scene.set(retention_days='{"relationship": 30}')
    scene.clock.advance(days=29)
    await scene.tell(_SENTENCE)
    scene.clock.advance(days=29)
    assert (await archive_old_memories(scene.resources, max_seconds=300)).forgotten == 0
    scene.clock.advance(days=2)
    assert (await archive_old_memories(scene.resources, max_seconds=300)).forgotten == 1
