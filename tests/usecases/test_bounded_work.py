"""What runs every minute does not look at everything again, and what is old shrinks."""

from __future__ import annotations

from datetime import timedelta

from keepsake.usecases.archive_old_memories import archive_old_memories
from keepsake.usecases.chat_send import chat_send
from keepsake.usecases.run_due_jobs import run_due_jobs
from tests.fixtures.scene import Scene

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
    reached = scene.db.value("select reached from keepsake.watermarks")
    assert reached == scene.clock.now() - timedelta(minutes=2)
    scene.db.run("delete from keepsake.extractions")
    assert (await run_due_jobs(scene.resources, max_seconds=0)).found == 0, "older than an hour: not looked at again"
    scene.says("I live in Graz.")
    scene.clock.advance(minutes=3)
    assert (await run_due_jobs(scene.resources, max_seconds=0)).found == 1


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


async def test_old_records__shrink(scene: Scene) -> None:
    """The audit log has an end; an old turn is still known as finished."""
    message = scene.says("I live in Graz.")
    await scene.extract(message)
    assert scene.db.value("select count(*) from keepsake.changes") > 0
    scene.db.run("update keepsake.changes set created_at = now() - interval '366 days'")
    scene.db.run("update keepsake.extractions set finished_at = now() - interval '181 days'")
    await archive_old_memories(scene.resources, max_seconds=30)
    assert scene.db.value("select count(*) from keepsake.changes where created_at < now() - interval '1 day'") == 0
    row = scene.row(message)
    assert row is not None
    assert (row["status"], row["results"]) == ("extracted", [])
    assert (await scene.extract(message)).status == "duplicate"
