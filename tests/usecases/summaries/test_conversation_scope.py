"""What a conversation's summary may rest on in the long run: nothing that is gone, and nothing for others to read."""

from __future__ import annotations

from dataclasses import replace

import pytest

from keepsake.store import conversation_summaries
from keepsake.usecases.archive_old_memories import archive_old_memories
from keepsake.usecases.erase_memories import EraseRequest, erase_memories
from tests.fixtures.scene import Scene
from tests.usecases.sessions.test_sessions import context
from tests.usecases.test_llm_summarizer import FACTS, jobs, stored, talk, text


@pytest.mark.parametrize("is_erased", [True, False], ids=["erased", "forgotten"])
async def test_a_memory_that_is_gone__stays_out_of_the_summary_for_good(scene: Scene, *, is_erased: bool) -> None:
    """Also after half a year, when old records shrink, and of the message that it came from."""
    await talk(scene, *FACTS[:3], "Do you know how to cook ramen?")
    secret = scene.db.value("select id from public.user_memory where memory_text like '%%ramen'")
    if is_erased:
        await erase_memories(scene.resources, scene.ada.identity, EraseRequest(memory_ids=[str(secret)]))
    else:
        scene.db.run("update public.user_memory set status = 'deleted', deleted_at = now() where id = %s", (secret,))
    scene.clock.advance(days=200)
    await archive_old_memories(scene.resources, max_seconds=10)
    assert scene.db.all("select from public.user_memory where id = %s", (secret,)) == []
    async with scene.resources.database.as_service() as conn:
        row = await conversation_summaries.read_stored(conn, conversation_id=scene.chat)
        assert row is not None
        sources = await conversation_summaries.read_sources(
            conn, row, conversation_id=scene.chat, now=scene.clock.now()
        )
    assert [turn.text for turn in sources.turns] == [FACTS[0], FACTS[2], "Do you know how to cook ramen?"]


async def test_who_joins__does_not_read_what_was_summarized_for_one(scene: Scene) -> None:
    """Feelings and sensitive topics of who was alone there are in no version of the summary that others may read."""
    await talk(scene, "I live in Graz.", "I feel lonely.", "I have diabetes.", "I love ramen.")
    await scene.resources.queue.run_until_idle(5)
    assert "diabetes" in text(scene)
    bob = scene.people.person("Bob")
    scene.people.join(scene.chat, bob)
    assert stored(scene) is None
    await jobs(scene, minutes=1)
    assert text(scene) == "Noted of Ada: “Loves ramen” and “Lives in Graz”."
    assert "diabetes" not in str(stored(scene))


async def test_who_allows_fewer_types__has_conversations_told_from_what_is_still_allowed(scene: Scene) -> None:
    """No message is told from then on, and the rolling summary stays that of the newest conversation."""
    first = "select rolling_summary from public.user_memory_session_state"

    async def told() -> str:
        return await context(scene, "Hi", scene.people.conversation(scene.ada)) + str(scene.db.value(first))

    newer = replace(scene, chat=scene.people.conversation(scene.ada))
    await talk(scene, "Der Kater ist weg!!", "I live in Graz.", "I have a dog named Rex.", "I want to run a marathon.")
    await talk(
        newer, "Die Vroni hat entbunden und ich bin Tante!!", "I love ramen.", "I play the cello.", "I feel lonely."
    )
    await jobs(scene, minutes=1)
    assert "Vroni" in text(newer)
    assert "Vroni" in await told()
    scene.set(allowed_types=["fact"])
    assert "Vroni" not in await told()
    for _ in range(2):
        await jobs(scene, minutes=1)
        assert text(scene) == "Ada lives in Graz."
        assert text(newer) == scene.db.value(first) == "Ada loves ramen."
        assert "Vroni" not in await told()
    scene.set(allowed_types=["fact", "emotion", "goal", "pattern", "relationship"])
    await jobs(scene, minutes=1)
    assert "Vroni" in await told()
