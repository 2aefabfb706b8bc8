"""An export holds everything stored of a person, marked by how it came about, read in one moment, bit by bit."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

import pytest

from keepsake.errors import DatabaseUnavailable
from keepsake.identity import Person
from keepsake.infra.resources import Resources
from keepsake.infra.settings import Settings
from keepsake.store import exports
from keepsake.usecases.export_memories import Export, export_memories
from tests.fixtures.scene import Scene


async def whole(made: Export) -> Any:
    """The document, once it has come whole."""
    return json.loads(b"".join([chunk async for chunk in made.chunks]))


async def test_everything__is_there_and_marked(scene: Scene) -> None:
    people, ada, bob = scene.people, scene.ada, scene.people.person("Bob")
    people.memory(bob, "Likes chess")
    for source in ("llm_extraction", "curated_fold", "user"):
        people.memory(ada, f"By {source}", source=source)
    people.memory(ada, "Long gone", status="deleted", deleted_at=scene.clock.now().replace(year=2020))
    people.memory(ada, "Just gone", status="deleted", deleted_at=scene.clock.now())
    scene.set(building=False)
    await scene.tell("I live in Graz.")
    document = await whole(await export_memories(scene.resources, ada.identity))
    assert [(row["ref"], row["memory_text"], row["nature"]) for row in document["memories"]] == [
        ("M-1", "Name is Ada", "stated"),
        ("M-2", "By llm_extraction", "inferred"),
        ("M-3", "By curated_fold", "derived"),
        ("M-4", "By user", "stated"),
        ("M-6", "Just gone", "inferred"),
    ]
    assert document["memories"][-1]["status"] == "deleted"
    assert document["settings"][0]["building"] is False
    assert document["consent"][0]["conversation_id"] == str(scene.chat)
    assert document["extraction_counts"] == [{"status": "skipped", "reason": "paused", "generator": None, "turns": 1}]
    assert document["counts"]["memories"] == 5
    assert document["complete"] is True
    assert "chess" not in json.dumps(document)
    assert set(document["sections"]) == {section.name for section in exports.SECTIONS}


async def test_somebody_of_whom_nothing_is_stored__gets_an_empty_document(resources: Resources) -> None:
    document = await whole(await export_memories(resources, Person(uuid4())))
    assert set(document["counts"].values()) == {0}


async def test_a_long_export__shows_one_moment_and_keeps_no_connection_longer_than_it_is_read(scene: Scene) -> None:
    for number in range(8):
        scene.people.memory(scene.ada, f"Likes number {number}")
    made = await export_memories(scene.resources, scene.ada.identity, batch=2, read_ahead=1)
    first = await anext(made.chunks)
    second = await anext(made.chunks)
    scene.db.run("delete from public.user_memory where memory_no > 3")
    rest = [chunk async for chunk in made.chunks]
    assert json.loads(b"".join([first, second, *rest]))["counts"]["memories"] == 9

    given_up = await export_memories(scene.resources, scene.ada.identity, batch=2, read_ahead=1)
    await anext(given_up.chunks)
    await given_up.chunks.aclose()
    pool = await scene.resources.database.pool()
    stats = pool.get_stats()
    assert stats["pool_available"] == stats["pool_size"]


async def test_slow_readers__leave_connections_to_others(scene: Scene, settings: Settings) -> None:
    """Of a pool of three, one export at a time is read; the next is told to wait, and others go on."""
    few = Resources.build(settings.model_copy(update={"database_pool_size": 3, "database_timeout_seconds": 0.2}))
    scene.people.memory(scene.ada, "Likes ramen")
    slow = await export_memories(few, scene.ada.identity, batch=1, read_ahead=1)
    await anext(slow.chunks)
    await anext(slow.chunks)
    with pytest.raises(DatabaseUnavailable):
        await export_memories(few, scene.ada.identity)
    await few.database.ping()
    await slow.chunks.aclose()
    await (await export_memories(few, scene.ada.identity)).chunks.aclose()
    await few.close()


async def test_a_summary_of_a_chat_with_others__is_not_taken_along(scene: Scene) -> None:
    eve = scene.people.person("Eve")
    shared = scene.people.conversation(scene.ada, eve)
    for chat in (scene.chat, shared):
        scene.says("I like tea.", chat=chat)
        scene.db.run(
            "insert into public.conversation_summaries (conversation_id, summary, messages_covered)"
            " values (%s, 'They like tea', 1)",
            (chat,),
        )
    scene.says("My sister Mia is a nurse.", person=eve, chat=shared)
    scene.db.run("revoke select on public.messages from authenticated")
    for person, chats in ((scene.ada, [str(scene.chat)]), (eve, [])):
        made = await export_memories(scene.resources, person.identity)
        document = json.loads(b"".join([chunk async for chunk in made.chunks]))
        told = [row["conversation_id"] for row in document["conversation_summaries"]]
        assert told == chats
