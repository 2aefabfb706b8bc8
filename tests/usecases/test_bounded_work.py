"""What runs every minute does not look at everything again, and what is old shrinks."""

from __future__ import annotations

from datetime import timedelta
from importlib import import_module

import pytest

from keepsake.infra.database import Job
from keepsake.infra.job_queue import SUMMARY_PRIORITY
from keepsake.usecases.archive_old_memories import archive_old_memories
from keepsake.usecases.chat_send import EXTRACT_JOB, chat_send
from keepsake.usecases.run_due_jobs import run_due_jobs
from keepsake.usecases.summaries.write_due_summaries import SUMMARIZE_PROFILE_JOB
from tests.fixtures.scene import Scene

run_due_jobs_module = import_module("keepsake.usecases.run_due_jobs")
MESSAGES = "insert into public.messages (conversation_id, user_id, role, content, created_at)"


def rows_read(scene: Scene, table: str) -> int:
    """How many rows were read of a table, by index or not."""
    scene.db.run("select pg_stat_force_next_flush()")
    count: int = scene.db.value(
        "select seq_tup_read + coalesce(idx_tup_fetch, 0) from pg_stat_user_tables where relid = %s::regclass", (table,)
    )
    return count


async def test_search_for_lost_turns__goes_on_where_it_ended(scene: Scene) -> None:
    """Found once, a day of messages is not looked at again; a lost one of now is found."""
    day_ago = scene.clock.now() - timedelta(days=1)
    for minute in range(5):
        scene.says(f"I have been to city number {minute}.", created_at=day_ago + timedelta(minutes=minute))
    assert (await run_due_jobs(scene.resources, max_seconds=0)).found == 5
    reached = scene.db.value("select reached from keepsake.watermarks where name = 'lost_turns'")
    assert reached == scene.clock.now() - timedelta(minutes=2)
    scene.db.run("delete from keepsake.extractions")
    assert (await run_due_jobs(scene.resources, max_seconds=0)).found == 0, "not looked at again"
    scene.says("I live in Graz.")
    scene.clock.advance(minutes=3)
    assert (await run_due_jobs(scene.resources, max_seconds=0)).found == 1


async def test_message__stored_late__is_found_by_the_next_run(scene: Scene) -> None:
    """Up to an hour after its date."""
    await run_due_jobs(scene.resources, max_seconds=0)
    message = scene.says("I live in Graz.", created_at=scene.clock.now() - timedelta(minutes=50))
    assert (await run_due_jobs(scene.resources, max_seconds=0)).found == 1
    row = scene.row(message)
    assert row is not None
    assert row["status"] == "pending"


async def test_message__stored_late_before_many__is_found_when_it_is_an_hour_old(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run looks again at a bounded number of messages only."""
    monkeypatch.setattr(run_due_jobs_module, "_MAX_READ_AGAIN", 3)
    for minute in range(3, 10):
        scene.says("I like tea.", created_at=scene.clock.now() - timedelta(minutes=minute))
    assert (await run_due_jobs(scene.resources, max_seconds=0)).found == 7
    scene.says("I live in Graz.", created_at=scene.clock.now() - timedelta(minutes=50))
    assert (await run_due_jobs(scene.resources, max_seconds=0)).found == 0
    scene.clock.advance(minutes=11)
    assert (await run_due_jobs(scene.resources, max_seconds=0)).found == 1


async def test_search__reads_what_came_since_the_last_one(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many messages of the last hour cost the next runs little."""
    monkeypatch.setattr(run_due_jobs_module, "_MAX_READ_AGAIN", 10)
    scene.db.run(
        f"{MESSAGES} select %s, %s, 'user', 'I like tea.', %s::timestamptz - n * interval '1 second'"
        " from generate_series(1, 3000) as n",
        (scene.chat, scene.ada.user_id, scene.clock.now()),
    )
    scene.db.run(
        "insert into keepsake.extractions (conversation_id, source_message_id, user_id, status, finished_at)"
        " select m.conversation_id, m.id, m.user_id, 'extracted', now() from public.messages as m"
    )
    scene.db.run("analyze public.messages")
    scene.db.run("analyze keepsake.extractions")
    before = rows_read(scene, "public.messages")
    for _ in range(5):
        scene.clock.advance(minutes=1)
        await run_due_jobs(scene.resources, max_seconds=0)
    await scene.resources.database.close()
    assert rows_read(scene, "public.messages") - before < 2 * 3000 + 400, "twice each, whatever the number of runs"


async def test_search__of_more_than_a_run_takes__loses_none(scene: Scene) -> None:
    day_ago = scene.clock.now() - timedelta(days=1)
    for minute in range(5):
        scene.says(f"I have been to city number {minute}.", created_at=day_ago + timedelta(minutes=minute))
    few = scene.resources.settings.model_copy(update={"jobs_per_run": 2})
    object.__setattr__(scene.resources, "settings", few)
    found = [(await run_due_jobs(scene.resources, max_seconds=0)).found for _ in range(4)]
    assert sum(found) == 5


async def test_backlog__is_not_queued_again(scene: Scene) -> None:
    """Jobs that wait in the queue longer than a job's grace are not doubled with every run."""
    few = scene.resources.settings.model_copy(update={"jobs_per_run": 4})
    object.__setattr__(scene.resources, "settings", few)
    for number in range(6):
        message = scene.says(f"I have been to city number {number}.")
        await chat_send(scene.resources, conversation_id=scene.chat, message_id=message)
    for _ in range(3):
        scene.clock.advance(minutes=3)
        await run_due_jobs(scene.resources, max_seconds=0)
    assert scene.db.value("select count(*) from keepsake.procrastinate_jobs") == 6


async def test_messages__are_not_delayed_by_waiting_summaries(scene: Scene) -> None:
    """Retries are queued however many summaries wait, and the worker takes messages first."""
    few = scene.resources.settings.model_copy(update={"jobs_per_run": 4})
    object.__setattr__(scene.resources, "settings", few)
    async with scene.resources.database.as_service() as conn:
        for _ in range(5):
            conn.enqueue_on_commit(Job(SUMMARIZE_PROFILE_JOB, {"user_id": scene.ada.user_id}, SUMMARY_PRIORITY))
    message = scene.says("I live in Graz.")
    await chat_send(scene.resources, conversation_id=scene.chat, message_id=message)
    scene.db.run("delete from keepsake.procrastinate_jobs where task_name = %s", (EXTRACT_JOB,))
    scene.clock.advance(minutes=3)
    assert (await run_due_jobs(scene.resources, max_seconds=0)).retried == 1
    first = scene.db.value("select task_name from keepsake.procrastinate_jobs order by priority desc, id limit 1")
    assert first == EXTRACT_JOB


async def test_an_answer_in_a_long_conversation__reads_the_newest_messages_only(scene: Scene) -> None:
    scene.db.run(
        f"{MESSAGES} select %s, %s, 'user', 'I like tea.', now() - interval '1 hour' + n * interval '1 second'"
        " from generate_series(1, 3000) as n",
        (scene.chat, scene.ada.user_id),
    )
    scene.db.run("analyze public.messages")
    answer = scene.people.answers(scene.chat, "Fine.")
    before = rows_read(scene, "public.messages")
    receipt = await chat_send(scene.resources, conversation_id=scene.chat, message_id=answer)
    assert len(receipt.extraction_ids) == 20
    await scene.resources.database.close()
    assert rows_read(scene, "public.messages") - before < 1000


async def test_extraction__reads_what_it_compares_with_by_its_key(scene: Scene) -> None:
    """Memories that share words with a new one are read once each, not all of the person's for each of them."""
    scene.db.run(
        "insert into public.user_memory (user_id, profile_id, memory_text, memory_type, source)"
        " select %s, %s, 'Likes green tea from shop ' || n, 'fact', 'import' from generate_series(1, 500) as n",
        (scene.ada.user_id, scene.ada.profile_id),
    )
    scene.db.run("analyze public.user_memory")
    before = rows_read(scene, "public.user_memory")
    await scene.tell("I like green tea from shop 777.")
    await scene.resources.database.close()
    assert len(scene.told()) > 500
    assert rows_read(scene, "public.user_memory") - before < 20_000


async def test_old_records__shrink(scene: Scene) -> None:
    """The audit log has an end; an old turn is still known as finished."""
    message = scene.says("I live in Graz.")
    await scene.extract(message)
    assert scene.db.value("select count(*) from keepsake.changes") > 0
    scene.db.run("update keepsake.changes set created_at = now() - interval '366 days'")
    scene.db.run("update keepsake.extractions set finished_at = now() - interval '181 days'")
    await archive_old_memories(scene.resources, max_seconds=300)
    assert scene.db.value("select count(*) from keepsake.changes where created_at < now() - interval '1 day'") == 0
    row = scene.row(message)
    assert row is not None
    assert (row["status"], len(row["results"])) == ("extracted", 1)
    assert (await scene.extract(message)).status == "duplicate"


async def test_old_extraction__counts_for_half_a_year_what_was_dropped(scene: Scene) -> None:
    """That a memory of it was erased stays."""
    message = scene.says("I live in Graz.")
    await scene.extract(message)
    scene.db.run("update keepsake.extractions set results = '[]', dropped = '{\"junk\": 1, \"erased\": 1}'")
    await archive_old_memories(scene.resources, max_seconds=300)
    row = scene.row(message)
    assert row is not None
    assert row["dropped"] == {"junk": 1, "erased": 1}
    scene.db.run("update keepsake.extractions set finished_at = now() - interval '181 days'")
    await archive_old_memories(scene.resources, max_seconds=300)
    row = scene.row(message)
    assert row is not None
    assert (row["status"], row["dropped"]) == ("extracted", {"erased": 1})
