"""The summary of a conversation, for a backend that reports the messages of the person and no answer."""

from __future__ import annotations

from typing import Any

from keepsake.infra.resources import Resources
from keepsake.operations.backfill import Backfill, backfill
from tests.fixtures.scene import Scene
from tests.http.conftest import Functions

FACTS = ("I live in Graz.", "I love ramen.", "I have a dog named Rex.", "I want to run a marathon.")


def texts(scene: Scene) -> list[str]:
    """The stored summaries of conversations."""
    return [row["summary"] for row in scene.db.all("select summary from public.conversation_summaries")]


async def say(functions: Functions, scene: Scene, text: str) -> None:
    """Save a message, and report it as the README's backend does."""
    scene.clock.advance(minutes=1)
    turn = {"conversation_id": str(scene.chat), "message_id": str(scene.says(text))}
    answer = await functions.call("chat-send", turn)
    assert answer.status_code == 202
    await run_jobs(functions)


async def run_jobs(functions: Functions) -> None:
    """Let cron run until nothing follows any more: a job may queue another one."""
    for _ in range(3):
        answer = await functions.call("run-due-jobs", {"max_seconds": 10})
        assert answer.status_code == 200


async def test_four_messages_of_the_person__make_a_summary(functions: Functions, scene: Scene) -> None:
    for fact in FACTS[:3]:
        await say(functions, scene, fact)
    assert texts(scene) == []
    await say(functions, scene, FACTS[3])
    [summary] = texts(scene)
    assert "Graz" in summary
    assert "marathon" in summary


async def test_a_session_that_ends__has_its_last_turns_summarized(functions: Functions, scene: Scene) -> None:
    await say(functions, scene, FACTS[0])
    scene.clock.advance(minutes=29)
    await run_jobs(functions)
    assert texts(scene) == []
    scene.clock.advance(minutes=2)
    await run_jobs(functions)
    assert "Graz" in texts(scene)[0]
    await say(functions, scene, FACTS[1])
    assert "ramen" not in texts(scene)[0]
    scene.clock.advance(minutes=31)
    await run_jobs(functions)
    assert "Graz" in texts(scene)[0]
    assert "ramen" in texts(scene)[0]


async def test_extraction_on_request__makes_a_summary_too(functions: Functions, scene: Scene) -> None:
    for fact in FACTS:
        scene.clock.advance(minutes=1)
        turn = {"conversation_id": str(scene.chat), "message_id": str(scene.says(fact))}
        answer = await functions.call("extract-user-memory", turn)
        assert answer.status_code == 200
    await run_jobs(functions)
    assert "marathon" in texts(scene)[0]


async def test_backfill__summarizes_the_conversations_that_it_reads(
    functions: Functions, scene: Scene, resources: Resources
) -> None:
    for fact in FACTS:
        scene.clock.advance(minutes=1)
        scene.says(fact)
    scene.clock.advance(days=10)
    said: list[str] = []

    async def no_pause(_: Any) -> None:
        return None

    await backfill(resources, Backfill(), said.append, sleep=no_pause)
    await run_jobs(functions)
    assert "Graz" in texts(scene)[0]
    assert "marathon" in texts(scene)[0]
