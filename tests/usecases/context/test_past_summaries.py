"""A context answers "how was my October?" from the stored summary, and begins a conversation with the newest week."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from keepsake.usecases.inject_memory import ContextRequest, inject_memory
from tests.fixtures.scene import Scene
from tests.support.summaries import remember, summarize


async def ask(scene: Scene, text: str) -> str:
    """The context for a message of Ada."""
    return (await inject_memory(scene.resources, ContextRequest(scene.chat, scene.says(text)))).context


@pytest.fixture
async def october(scene: Scene) -> Scene:
    """An October of long ago, in a conversation that has begun."""
    remember(scene, "2024-10-14", "Moved to Graz")
    remember(scene, "2024-10-15", "Feels tired", memory_type="emotion", subtype="feeling")
    await summarize(scene)
    scene.people.answers(scene.chat, "Hello.", created_at=scene.clock.now() - timedelta(minutes=5))
    return scene


@pytest.mark.parametrize(
    "question, expected",
    [
        ("How was my October 2024?", "Summary of October 2024"),
        ("What happened on 2024-10-14?", "Summary of 2024-10-14"),
    ],
)
async def test_a_question_about_a_period__is_answered_by_its_summary(
    october: Scene, question: str, expected: str
) -> None:
    context = await ask(october, question)
    assert expected in context
    assert "oved to Graz" in context
    assert ("Ada felt tired (15 October). Ada moved to Graz" in context) == ("October" in question)


async def test_a_question_about_a_period_without_summary__says_that_nothing_is_stored(october: Scene) -> None:
    both = await ask(october, "How were my March 2024 and my October 2024?")
    assert "Summary of March 2024: none is stored." in both
    assert "noted about this person" in both
    october.db.run("delete from public.user_memory")
    alone = await ask(october, "How was my March 2024?")
    assert alone.splitlines()[-2] == "Summary of March 2024: none is stored."
    assert "noted about this person" not in alone


async def test_a_question_about_a_period__begins_with_what_was_said_in_it(scene: Scene) -> None:
    remember(scene, "2024-10-14", "Moved to Graz")
    remember(scene, "2024-10-31", "Has a dog named Miso", memory_type="relationship", importance=2)
    remember(scene, "2024-11-01", "Works as a baker", importance=2)
    remember(scene, "2024-09-30", "Wants to learn bookkeeping", memory_type="goal", importance=2)
    context = await ask(scene, "How was my October 2024?")
    assert 0 < context.find('"Has a dog named Miso"') < context.find('"Moved to Graz"')
    assert "baker" not in context
    assert "bookkeeping" not in context


async def test_another_message__shows_no_summary(october: Scene) -> None:
    assert "Summary of" not in await ask(october, "I moved to Graz in October 2024.")


async def test_a_forgotten_memory__is_not_shown_by_a_summary_that_still_has_it(october: Scene) -> None:
    october.db.run("update public.user_memory set status = 'deleted' where memory_text = 'Moved to Graz'")
    assert "Moved to Graz" not in await ask(october, "How was my October 2024?")


async def test_where_others_read__no_summary_is_shown(october: Scene) -> None:
    october.people.join(october.chat, october.people.person("Bob"))
    assert "Summary of" not in await ask(october, "How was my October 2024?")


async def test_the_first_message__brings_the_newest_week(scene: Scene) -> None:
    monday = scene.clock.now().date() - timedelta(days=scene.clock.now().weekday() + 7)
    remember(scene, str(monday), "Started a pottery course")
    await summarize(scene)
    scene.db.run("update public.user_memory set status = 'archived', archived_at = now() where status = 'active'")
    context = await ask(scene, "Hello!")
    assert f'Week {monday} to {monday + timedelta(days=6)}: "Ada started a pottery course' in context
    scene.people.answers(scene.chat, "Hello, Ada.")
    scene.clock.advance(minutes=1)
    assert "pottery" not in await ask(scene, "And now?")


async def test_an_old_week__is_no_news(october: Scene) -> None:
    assert date(2024, 10, 14) < october.clock.now().date()
    assert "Week" not in await ask(october, "Hello!")
