"""Erasing takes what is named, with its history and all that was derived, and nothing of anybody else."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest

from keepsake.errors import InvalidInput, NotFound
from keepsake.usecases.archive_old_memories import archive_old_memories
from keepsake.usecases.erase_memories import EraseRequest, Erasure, erase_memories
from keepsake.usecases.inject_memory import ContextRequest, inject_memory
from keepsake.usecases.record_injection import record_injection
from keepsake.usecases.run_due_jobs import run_due_jobs
from tests.fixtures.people import Account
from tests.fixtures.scene import Holdup, Scene
from tests.rest.dump import rows_that_say


async def erase(scene: Scene, person: Account | None = None, **asked: Any) -> Erasure:
    """Erase as the person, by default Ada."""
    return await erase_memories(scene.resources, (person or scene.ada).identity, EraseRequest(**asked))


def ref(scene: Scene, text: str) -> str:
    """The name people see of the memory that says it."""
    number = scene.db.value("select memory_no from public.user_memory where memory_text = %s", (text,))
    return f"M-{number}"


def everything_of(scene: Scene, person: Account) -> dict[str, list[str]]:
    """Every row of the database that names a person, by table."""
    return rows_that_say(scene.db, [str(person.user_id)])


async def test_a_memory__goes_with_what_it_replaced_and_all_that_was_derived(scene: Scene) -> None:
    await scene.tell("My favourite food is pizza.")
    await scene.tell("Actually, my favourite food is ramen now.")
    await scene.tell("I live in Graz.")
    answer = scene.people.answers(scene.chat, "You like it!")
    question = await inject_memory(
        scene.resources, ContextRequest(scene.chat, scene.says("What is my favourite food?"))
    )
    assert question.injection_id is not None
    await record_injection(scene.resources, injection_id=question.injection_id, message_id=answer)
    before = await erase(scene, memory_ids=[ref(scene, "Favorite food is ramen")], dry_run=True)
    assert [memory.text for memory in before.memories] == ["Favorite food is pizza", "Favorite food is ramen"]
    assert before.remaining is None
    assert scene.told() == ["Favorite food is ramen", "Lives in Graz"]

    done = await erase(scene, memory_ids=[ref(scene, "Favorite food is ramen")])
    assert done.erased == before.erased
    assert done.erased["public.user_memory"] == 2
    assert done.remaining is not None
    assert not any(done.remaining.values())
    assert not any(memory.text for memory in done.memories)
    assert scene.told() == ["Lives in Graz"]
    assert set(rows_that_say(scene.db, ["ramen", "pizza"])) == {"public.messages"}
    for memory in done.memories:
        assert not rows_that_say(scene.db, [str(memory.id)])


async def test_an_older_memory__goes_and_what_replaced_it_stays(scene: Scene) -> None:
    await scene.tell("My favourite food is pizza.")
    await scene.tell("Actually, my favourite food is ramen now.")
    done = await erase(scene, memory_ids=[ref(scene, "Favorite food is pizza")])
    assert done.kept_newer == (ref(scene, "Favorite food is ramen"),)
    assert scene.told() == ["Favorite food is ramen"]
    assert set(rows_that_say(scene.db, ["pizza"])) == {"public.messages"}
    changes = scene.db.all("select distinct operation_id from keepsake.changes where after ->> 'memory_text' ~ 'ramen'")
    with scene.db.as_person(scene.ada.user_id) as connection:
        connection.execute("select public.undo_operation(%s)", (changes[0]["operation_id"],))
    assert scene.told() == []


@pytest.mark.parametrize("subject", ["Anna", " anna ", "person:anna", "Annas"])
async def test_a_subject__is_found_in_what_is_said_now_and_was_said_before(scene: Scene, subject: str) -> None:
    scene.people.memory(scene.ada, "Lives in Savannah", memory_key="fact|person|self|home")
    scene.people.memory(
        scene.ada, "Sister is Anna", entity_refs=["person:anna"], memory_key="relationship|person|anna|sister"
    )
    forgotten = scene.people.memory(scene.ada, "Is angry with Anna", entity_refs=["person:anna"])
    edited = scene.people.memory(scene.ada, "Works with Anna", entity_refs=["person:anna"])
    with scene.db.as_person(scene.ada.user_id) as person:
        person.execute("select public.forget_memory(%s)", (forgotten,))
        person.execute("update public.user_memory set memory_text = 'Works alone' where id = %s", (edited,))
    scene.db.run("update public.user_memory set entity_refs = '{}' where id = %s", (edited,))
    done = await erase(scene, subject=subject)
    assert done.erased["public.user_memory"] == 2
    assert scene.told() == ["Lives in Savannah", "Works alone"]
    said = rows_that_say(scene.db, ["with Anna", "is Anna", "person:anna", "|anna|", "'anna'"])
    assert said.keys() <= {"supabase_migrations.schema_migrations"}


async def test_everything__leaves_nothing_and_nothing_comes_back(scene: Scene) -> None:
    unread = scene.says("I live in Graz.")
    await scene.tell("My favourite food is ramen.")
    late, holdup = scene.says("I have a dog named Rex."), Holdup()
    thinking = asyncio.create_task(scene.extract(late, generate=holdup.propose))
    await holdup.reached.wait()
    done = await erase(scene, everything=True)
    assert done.remaining is not None
    assert not any(done.remaining.values())
    assert done.erased_before is not None
    holdup.go_on.set()
    await thinking
    scene.clock.advance(minutes=10)
    await run_due_jobs(scene.resources, max_seconds=5)
    await archive_old_memories(scene.resources, max_seconds=5)
    assert (await scene.extract(unread)).reason == "before_consent"
    assert scene.db.value("select count(*) from public.user_memory") == 0
    assert set(rows_that_say(scene.db, ["ramen", "graz", "rex"])) == {"public.messages"}
    again = await erase(scene, everything=True)
    assert not any(again.erased.values())

    assert (await scene.tell("I live in Linz.")).status == "extracted"
    assert scene.told() == ["Lives in Linz"]


async def test_a_merge_under_way__is_waited_for_and_what_it_wrote_goes_too(scene: Scene) -> None:
    await scene.tell("I live in Graz.")
    merge = "select pg_advisory_xact_lock(hashtextextended('keepsake.merge:' || %s::text || %s::text, 0))"
    waiting = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    with scene.db.as_service() as merging:
        merging.execute(merge, (scene.ada.user_id, scene.ada.profile_id))
        erasing = asyncio.create_task(erase(scene, subject="Graz"))
        while scene.db.value(waiting) == 0:
            assert not erasing.done()
            await asyncio.sleep(0.02)
        merging.execute(
            "insert into public.user_memory (user_id, profile_id, memory_text, memory_type)"
            " values (%s, %s, 'Likes Graz', 'fact')",
            (scene.ada.user_id, scene.ada.profile_id),
        )
    assert (await erasing).erased["public.user_memory"] == 2
    assert scene.told() == []


async def test_many_at_once__end_without_a_deadlock(scene: Scene) -> None:
    """Erasing, extracting, undoing, clearing and archiving for one person at the same time."""
    bob = scene.people.person("Bob")
    scene.people.memory(bob, "Lives in Graz")
    log = Path(scene.db.cluster.socket_folder).with_suffix(".log")
    before = len(log.read_text(errors="replace"))

    def clear_and_undo() -> None:
        with scene.db.as_person(scene.ada.user_id) as person:
            row = person.execute("select public.clear_my_memories() ->> 'operation_id' as id").fetchone()
        with suppress(psycopg.Error), scene.db.as_person(scene.ada.user_id) as person:
            person.execute("select public.undo_operation(%s)", (row and row["id"],))

    for _ in range(3):
        said = [scene.says(f"I live in {town}.") for town in ("Graz", "Linz", "Wels", "Enns")]
        await asyncio.gather(
            *(scene.extract(message) for message in said),
            erase(scene, subject="Graz"),
            erase(scene, everything=True),
            erase(scene, profile_id=scene.ada.profile_id),
            asyncio.to_thread(clear_and_undo),
            archive_old_memories(scene.resources, max_seconds=5),
            run_due_jobs(scene.resources, max_seconds=1),
        )
    await erase(scene, everything=True)
    assert (scene.told(), scene.told(bob)) == ([], ["Lives in Graz"])
    assert "deadlock detected" not in log.read_text(errors="replace")[before:]


async def test_a_partial_erasure__is_not_undone_by_turns_still_to_be_read(scene: Scene) -> None:
    await scene.tell("I live in Graz.")
    scene.clock.advance(minutes=1)
    same, lost, other = (
        scene.says("I live in Graz."),
        scene.says("I live in Graz!"),
        scene.says("I have a dog named Rex."),
    )
    holdup, second = Holdup(), Holdup()
    thinking = [
        asyncio.create_task(scene.extract(same, generate=holdup.propose)),
        asyncio.create_task(scene.extract(other, generate=second.propose)),
    ]
    await asyncio.gather(holdup.reached.wait(), second.reached.wait())
    await erase(scene, memory_ids=[ref(scene, "Lives in Graz")])
    for up in (holdup, second):
        up.go_on.set()
    found = await asyncio.gather(*thinking)
    assert [one.reason for one in found] == ["before_consent", "in_progress"]
    scene.clock.advance(minutes=10)
    await run_due_jobs(scene.resources, max_seconds=5)
    assert scene.told() == ["Has a dog named Rex"]
    assert (await scene.extract(lost)).reason == "before_consent"


async def test_messages__only_ones_own_and_answers_where_one_is_alone(scene: Scene) -> None:
    bob = scene.people.person("Bob")
    shared = scene.people.conversation(bob, scene.ada)
    for chat in (scene.chat, shared):
        scene.says("I live in Graz.", chat=chat)
        scene.people.answers(chat, "Graz is lovely.")
    scene.says("Greetings to Graz!", person=bob, chat=shared)
    scene.db.run("update public.conversations set title = 'Graz'")
    await erase(scene, everything=True, include_messages=True)
    left = scene.db.all("select conversation_id, user_id, content from public.messages order by content")
    assert [(row["conversation_id"], row["user_id"]) for row in left] == [(shared, None), (shared, bob.user_id)]
    assert scene.db.all("select id from public.conversations where title is not null") == [{"id": shared}]


async def test_another_profile__is_erased_alone(scene: Scene) -> None:
    other = scene.people.profile(scene.ada.user_id, "Countess")
    scene.people.memory(scene.ada, "Lives in Graz")
    scene.people.memory(scene.ada, "Lives in a castle", profile_id=other)
    done = await erase(scene, profile_id=other)
    assert done.erased_before is None
    assert scene.told() == ["Lives in Graz"]
    assert (await erase(scene, profile_id=scene.ada.profile_id)).erased_before is not None
    assert scene.db.value("select count(*) from public.user_memory") == 0


async def test_anothers_rows__are_never_touched(scene: Scene) -> None:
    """Two people who said the same: whatever one erases, every row of the other stays as it was."""
    bob = scene.people.person("Bob")
    own = scene.people.conversation(bob)
    for person, chat in ((scene.ada, scene.chat), (bob, own)):
        await scene.tell("My favourite food is pizza.", person=person, chat=chat)
        await scene.tell("Actually, my favourite food is ramen now.", person=person, chat=chat)
        await inject_memory(
            scene.resources, ContextRequest(chat, scene.says("What is my favourite food?", person=person, chat=chat))
        )
        scene.db.run(
            "insert into public.conversation_summaries (conversation_id, summary) values (%s, 'They like ramen')",
            (chat,),
        )
    before = everything_of(scene, bob)
    summary = "select count(*) from public.conversation_summaries where conversation_id = %s"
    for asked in (
        {"subject": "pizza"},
        {"memory_ids": ["M-3"]},
        {"profile_id": scene.ada.profile_id},
        {"everything": True, "include_messages": True},
    ):
        await erase(scene, **asked)
        assert everything_of(scene, bob) == before
        assert scene.db.value(summary, (own,)) == 1
    assert scene.db.value(summary, (scene.chat,)) == 0


async def test_what_is_not_ones_own__is_not_found_and_nothing_goes(scene: Scene) -> None:
    bob = scene.people.person("Bob")
    his = scene.people.memory(bob, "Lives in Graz")
    mine = scene.people.memory(scene.ada, "Lives in Graz")
    for asked in (
        {"memory_ids": [str(his)]},
        {"memory_ids": [str(mine), str(his)]},
        {"memory_ids": [str(mine), "M-4711"]},
        {"memory_ids": [str(uuid4())]},
        {"profile_id": bob.profile_id},
        {"profile_id": uuid4()},
    ):
        with pytest.raises(NotFound):
            await erase(scene, **asked)
    assert (scene.told(), scene.told(bob)) == (["Lives in Graz"], ["Lives in Graz"])


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"memory_ids": []},
        {"memory_ids": ["%"]},
        {"memory_ids": ["M-0"]},
        {"subject": ""},
        {"subject": " "},
        {"subject": "%"},
        {"subject": "_"},
        {"subject": "*"},
        {"subject": "Person:self "},
        {"subject": "Graz", "everything": True},
        {"include_messages": True},
    ],
)
async def test_what_names_nothing__is_refused_and_nothing_goes(scene: Scene, asked: dict[str, Any]) -> None:
    scene.people.memory(scene.ada, "Lives in Graz")
    with pytest.raises(InvalidInput):
        await erase(scene, **asked)
    assert scene.told() == ["Lives in Graz"]


async def test_a_subject_that_is_nowhere__takes_nothing(scene: Scene) -> None:
    scene.people.memory(scene.ada, "Lives in Graz")
    for subject in ("Gra", "%a%", "G_az", "-Linz", "Linz or Graz", "person:graz", "' or true --"):
        done = await erase(scene, subject=subject)
        assert done.erased["public.user_memory"] == 0
    assert scene.told() == ["Lives in Graz"]
