"""Each change of a memory keeps the mechanism that found what was said."""

from __future__ import annotations

import json
from typing import Any

from keepsake.usecases.erase_memories import EraseRequest, erase_memories
from keepsake.usecases.export_memories import export_memories
from tests.fixtures.db import Clone
from tests.fixtures.scene import Scene


def changes(db: Clone) -> list[tuple[Any, ...]]:
    """The changes of memories: what was done, to which text, and the mechanism."""
    rows = db.all(
        "select action, after ->> 'memory_text' as text, why from keepsake.changes where table_name = 'user_memory'"
        " and actor in ('rules', 'llm') order by seq"
    )
    return [tuple(row.values()) for row in rows]


async def test_rules__are_named_in_what_they_found_and_in_what_it_replaced(scene: Scene) -> None:
    await scene.tell("I live in Graz.")
    await scene.tell("I moved to Linz.")
    (_, _, first), (ended, _, second), (stored, text, third) = changes(scene.db)
    assert (ended, stored, text) == ("update", "insert", "Lives in Linz")
    assert first.startswith("statement_kinds ")
    assert second == third != first


async def test_doubt__names_the_reader_of_changes(scene: Scene) -> None:
    await scene.tell("I work at Tesco.")
    await scene.tell("Not at Tesco any more.")
    assert changes(scene.db)[-1][2] == "life_change"


async def test_later_change_in_the_same_transaction__has_no_mechanism_of_the_one_before(scene: Scene) -> None:
    """The setting of one statement does not last until the next operation."""
    await scene.tell("I have a dog named Rex.")
    with scene.db.as_service() as service:
        service.execute(
            "select set_config('keepsake.why', 'tastes 1 (likes)', true); update public.user_memory set importance = 2;"
            "select keepsake.begin_operation('cron', 'pinned'); update public.user_memory set pinned = true"
        )
    rows = scene.db.all("select why from keepsake.changes where action = 'update' order by seq")
    assert {row["why"] for row in rows} == {"tastes 1 (likes)", None}
    assert rows[-1]["why"] is None


async def test_person__reads_the_mechanism_of_their_own_changes(scene: Scene) -> None:
    found = await scene.tell("I live in Graz.")
    with scene.db.as_person(scene.ada.user_id) as person:
        told = person.execute(
            "select * from public.memory_operations(memory_id => %s)", (found.memories[0].id,)
        ).fetchall()
    assert told[0]["memories"][0]["why"].startswith("statement_kinds ")


async def test_person__reads_which_message_ended_or_doubted_a_memory(scene: Scene) -> None:
    found = await scene.tell("I live in Graz.")
    ended = scene.says("I moved to Linz.")
    newer = await scene.extract(ended)
    doubted = scene.says("moved again lol")
    await scene.extract(doubted)
    for memory, message, is_doubted in ((found, ended, False), (newer, doubted, True)):
        memory_id = str(memory.memories[0].id)
        with scene.db.as_person(scene.ada.user_id) as person:
            newest = person.execute("select * from public.memory_operations(memory_id => %s)", (memory_id,)).fetchone()
        assert newest is not None
        [change] = [one for one in newest["memories"] if one["memory_id"] == memory_id]
        assert (change["message_id"], bool(change["is_doubted"])) == (str(message), is_doubted)


async def test_export__has_the_mechanism_and_an_erasure_leaves_none(scene: Scene) -> None:
    await scene.tell("I live in Graz.")
    document = b"".join([part async for part in (await export_memories(scene.resources, scene.ada.identity)).chunks])
    assert [change["why"] for change in json.loads(document)["changes"] if change["actor"] == "rules"] == [
        why for _, _, why in changes(scene.db)
    ]
    await erase_memories(scene.resources, scene.ada.identity, EraseRequest(everything=True))
    assert scene.db.value("select count(*) from keepsake.changes where why is not null") == 0
