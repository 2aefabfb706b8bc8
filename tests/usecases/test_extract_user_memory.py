"""One turn becomes memories, once: stored, reinforced, superseded, screened, capped."""

from __future__ import annotations

import asyncio
from uuid import uuid4

import pytest

from keepsake.errors import NotFound
from tests.fixtures.scene import Scene


async def test_a_fact__is_stored_with_its_source_and_its_words(scene: Scene) -> None:
    message = scene.says("My favourite food is pizza.")
    found = await scene.extract(message)
    assert (found.status, found.generator) == ("extracted", "rules")
    (memory,) = found.memories
    assert (memory.text, memory.action, memory.ref[:2]) == ("Favorite food is pizza", "created", "M-")
    row = scene.db.one("select * from public.user_memory where id = %s", (memory.id,))
    assert (row["source_message_id"], row["conversation_id"], row["origin_mode"]) == (message, scene.chat, "chat")
    assert (row["source"], row["source_quote"]) == ("rule_extraction", "My favourite food is pizza")


async def test_said_twice__is_stored_once_and_counts(scene: Scene) -> None:
    first, second = await scene.tell("I live in Austin."), await scene.tell("I live in Austin.")
    assert (second.memories[0].action, second.memories[0].id) == ("reinforced", first.memories[0].id)
    assert scene.db.value("select reference_count from public.user_memory where id = %s", (first.memories[0].id,)) == 1


async def test_a_name_that_is_known__takes_no_room_from_what_is_new(scene: Scene) -> None:
    await scene.tell("I'm Ada, 34, in Leeds with my wife Priya and our two kids")
    assert scene.told() == ["Is 34 years old", "Lives in Leeds", "Wife is named Priya", "Has two kids"]


async def test_actually__supersedes_and_links(scene: Scene) -> None:
    first, second = await scene.tell("My favourite food is pizza."), await scene.tell("Actually it's ramen.")
    assert second.memories[0].action == "superseded"
    old = scene.db.one("select * from public.user_memory where id = %s", (first.memories[0].id,))
    new = scene.db.one("select * from public.user_memory where id = %s", (second.memories[0].id,))
    assert (old["status"], new["status"], new["supersedes_id"]) == ("superseded", "active", old["id"])
    assert old["valid_to"] == new["valid_from"]


async def test_said_late__an_older_message_does_not_override_a_newer(scene: Scene) -> None:
    """Between devices the later message time wins, whichever arrives first."""
    before = scene.says("I live in Austin.")
    await scene.tell("I live in Graz.")
    await scene.extract(before)
    assert scene.told() == ["Lives in Graz"]


async def test_changes__carry_one_operation_and_a_reason_each(scene: Scene) -> None:
    await scene.tell("My favourite food is pizza.")
    found = await scene.tell("Actually my favourite food is ramen.")
    operation = scene.db.value("select operation_id from keepsake.extractions where id = %s", (found.extraction_id,))
    changes = scene.db.all("select * from keepsake.changes where operation_id = %s order by seq", (operation,))
    assert [change["action"] for change in changes] == ["update", "insert"]
    assert {change["actor"] for change in changes} == {"rules"}
    assert all(change["reason"] for change in changes)


async def test_second_call__is_told_what_the_first_made(scene: Scene) -> None:
    message = scene.says("I have a dog named Rex.")
    first, second = await scene.extract(message), await scene.extract(message)
    assert second.status == "duplicate"
    assert (second.extraction_id, second.memories) == (first.extraction_id, first.memories)


async def test_second_call__does_not_tell_of_what_was_forgotten(scene: Scene) -> None:
    message = scene.says("I have a dog named Rex.")
    (memory,) = (await scene.extract(message)).memories
    scene.db.run("update public.user_memory set status = 'deleted' where id = %s", (memory.id,))
    assert (await scene.extract(message)).memories == ()


async def test_fifty_at_once__make_one_extraction(scene: Scene) -> None:
    message = scene.says("I have a dog named Rex.")
    found = await asyncio.gather(*(scene.extract(message) for _ in range(50)))
    assert [one.status for one in found].count("extracted") == 1
    assert {one.status for one in found} <= {"extracted", "duplicate", "queued"}
    assert len(scene.told()) == 1
    row = scene.row(message)
    assert row is not None
    assert row["attempts"] == 1


async def test_fifty_turns_of_one_person_at_once__lose_nothing(scene: Scene) -> None:
    messages = [scene.says(f"I like {fruit}.") for fruit in ("apples", "pears", "plums", "figs", "kiwis") * 10]
    found = await asyncio.gather(*(scene.extract(message) for message in messages))
    assert {one.status for one in found} == {"extracted"}
    assert len(scene.told()) == 5
    assert scene.db.value("select sum(reference_count) from public.user_memory where source = 'rule_extraction'") == 45


async def test_an_unknown_message__is_not_found(scene: Scene) -> None:
    with pytest.raises(NotFound):
        await scene.extract(uuid4())


async def test_a_message_of_another_conversation__is_not_found(scene: Scene) -> None:
    elsewhere = scene.says("I live in Graz.", chat=scene.people.conversation(scene.ada))
    with pytest.raises(NotFound):
        await scene.extract(elsewhere)


@pytest.mark.parametrize(
    "text, secret",
    [
        ("My card number is 4111 1111 1111 1111.", "1111 1111"),
        ("My card number is 4111111111111111.", "11111111"),
        ("My password is hunter2!Xy.", "hunter2"),
    ],
)
async def test_a_secret__stands_nowhere_but_in_the_chat(
    scene: Scene, capfd: pytest.CaptureFixture[str], *, text: str, secret: str
) -> None:
    await scene.tell(text)
    for table in ("public.user_memory", "keepsake.extractions", "keepsake.changes", "keepsake.procrastinate_jobs"):
        assert not scene.db.all(f"select from {table} as t where strpos(to_jsonb(t)::text, %s) > 0", (secret,)), table
    assert secret not in "".join(capfd.readouterr())


async def test_types_not_allowed__are_dropped_and_counted(scene: Scene) -> None:
    scene.set(allowed_types="{goal}")
    message = scene.says("I live in Graz.")
    assert not (await scene.extract(message)).memories
    row = scene.row(message)
    assert row is not None
    assert row["dropped"] == {"type_not_allowed": 1}


async def test_a_very_long_message__is_read_to_a_sentence_end_and_marked(scene: Scene) -> None:
    message = scene.says("I live in Graz. " + "The weather is nice today. " * 1300 + "I have a dog named Rex.")
    await scene.extract(message)
    assert scene.told() == ["Lives in Graz"]
    row = scene.row(message)
    assert row is not None
    assert row["truncated"] is True


async def test_over_the_cap__the_oldest_unpinned_is_archived(scene: Scene) -> None:
    scene.db.run(
        "insert into public.user_memory (user_id, profile_id, memory_text, memory_type, source, created_at, pinned)"
        " select %s, %s, 'Memory ' || n, 'fact', 'import', now() - make_interval(days => 2000 - n), n = 1"
        " from generate_series(1, 999) as n",
        (scene.ada.user_id, scene.ada.profile_id),
    )
    active = "select count(*) from public.user_memory where status = 'active'"
    assert scene.db.value(active) == 1000  # with the name
    await scene.tell("I live in Graz.")
    assert scene.db.value(active) == 1000
    archived = scene.db.one("select memory_text, archived_at from public.user_memory where status = 'archived'")
    assert archived["memory_text"] == "Memory 2"
    assert archived["archived_at"] is not None
