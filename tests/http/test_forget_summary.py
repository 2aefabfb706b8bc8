"""A person forgets one summary: it is told no more, is not written again, and undo brings it back."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest

from keepsake.domain.summaries.periods import Level
from keepsake.usecases.erase_memories import EraseRequest, erase_memories
from tests.fixtures.people import Account
from tests.fixtures.scene import Scene
from tests.http.conftest import Functions, as_person
from tests.http.test_scope_of_summaries import GOAL, first_context, write_spine, write_texts
from tests.support.summaries import rows, summarize

TABLES = {
    "day": "user_memory_daily_summaries",
    "history": "user_memory_history_summaries",
    "week": "user_memory_weekly_summaries",
    "session": "user_memory_session_summaries",
    "spine": "user_memory_spine",
}


def rpc(scene: Scene, name: str, value: UUID, *, person: Account | None = None) -> dict[str, Any]:
    """The result of an RPC that a person calls."""
    with scene.db.as_person((person or scene.ada).user_id) as connection:
        row = connection.execute(f"select public.{name}(%s) as result".encode(), (value,)).fetchone()
    assert row is not None
    result: dict[str, Any] = row["result"]
    return result


def stored(scene: Scene, table: str) -> list[dict[str, Any]]:
    """The summaries of a table."""
    statement: Any = f"select * from public.{table} order by id"
    return scene.db.all(statement)


def id_of(scene: Scene, table: str) -> UUID:
    """The id of a summary."""
    row_id: UUID = stored(scene, table)[0]["id"]
    return row_id


def written(scene: Scene) -> UUID:
    """Ada's goal, and all that a first context tells of it beside memories."""
    memory = scene.people.memory(scene.ada, GOAL, memory_type="goal", importance=2, source="llm_extraction")
    write_texts(scene, memory, "session", "day", "history", "week")
    write_spine(scene, memory)
    return memory


@pytest.mark.parametrize("kind", ["day", "history", "week", "session", "spine"])
async def test_a_forgotten_summary__is_told_no_more_until_undo(functions: Functions, scene: Scene, kind: str) -> None:
    written(scene)
    if kind == "week":
        scene.db.run("delete from public.user_memory_history_summaries")
    before = stored(scene, TABLES[kind])
    assert f"{kind} sailing" in await first_context(functions, scene)
    done = rpc(scene, "forget_summary", id_of(scene, TABLES[kind]))
    assert done["affected"] == 1
    assert (stored(scene, TABLES[kind]), f"{kind} sailing" in await first_context(functions, scene)) == ([], False)
    undone = rpc(scene, "undo_operation", done["operation_id"])
    assert f"{kind} sailing" in await first_context(functions, scene)
    assert stored(scene, TABLES[kind]) == before
    assert scene.db.value("select count(*) from public.user_memory_forgotten_summaries") == 0
    rpc(scene, "undo_operation", undone["operation_id"])
    assert stored(scene, TABLES[kind]) == []


async def test_a_forgotten_period__is_not_written_again_until_undo(scene: Scene) -> None:
    """Neither when one of its memories changes, nor by a backfill; another period is."""
    then = scene.clock.now() - timedelta(days=400)
    memory = scene.people.memory(scene.ada, "Adopted a cat", source="rule_extraction", valid_from=then)
    await summarize(scene)
    months = rows(scene, "monthly")
    done = rpc(scene, "forget_summary", months[0]["id"])
    scene.db.run("update public.user_memory set memory_text = 'Adopted a dog' where id = %s", (memory,))
    assert await summarize(scene) == len({Level.DAY, Level.WEEK})
    assert "dog" in str(rows(scene, "weekly"))
    assert rows(scene, "monthly") == []
    rpc(scene, "undo_operation", done["operation_id"])
    assert rows(scene, "monthly") == months
    scene.db.run("update public.user_memory set memory_text = 'Adopted a bird' where id = %s", (memory,))
    await summarize(scene)
    assert "bird" in str(rows(scene, "monthly"))


async def test_what_was_merged_from_it__is_dropped_and_due_again(scene: Scene) -> None:
    memory = written(scene)
    write_texts(scene, memory, "merged")
    scene.db.run("delete from keepsake.due_contexts")
    rpc(scene, "forget_summary", id_of(scene, TABLES["day"]))
    assert scene.db.value("select count(*) from keepsake.context_cache") == 0
    assert scene.db.value("select count(*) from keepsake.due_contexts") == 1


async def test_somebody_elses_summary__is_not_found(scene: Scene) -> None:
    written(scene)
    eve = scene.people.person("Eve")
    for table in TABLES.values():
        with pytest.raises(psycopg.DatabaseError, match="not yours"):
            rpc(scene, "forget_summary", id_of(scene, table), person=eve)
    assert scene.db.value("select count(*) from public.user_memory_forgotten_summaries") == 0


async def test_a_job__logs_nothing(scene: Scene) -> None:
    """Only a decision of the person is in the audit log: not what jobs write, and not what goes with a memory."""
    memory = written(scene)
    rpc(scene, "forget_memory", memory)
    scene.db.run("delete from public.user_memory where id = %s", (memory,))
    assert stored(scene, TABLES["day"]) == []
    assert scene.db.all("select table_name from keepsake.changes where table_name <> 'user_memory'") == []


@pytest.mark.parametrize("way", ["erase", "hard delete"])
async def test_the_words_of_a_forgotten_summary__go_with_their_memory(scene: Scene, way: str) -> None:
    """They are in the audit log for undo, and no longer than the memory that they tell."""
    memory = written(scene)
    for table in TABLES.values():
        rpc(scene, "forget_summary", id_of(scene, table))
    words = (
        "select count(*) from keepsake.changes as c where c::text like '%%sailing%%' and c.table_name <> 'user_memory'"
    )
    assert scene.db.value(words) == len(TABLES)
    if way == "erase":
        await erase_memories(scene.resources, scene.ada.identity, EraseRequest(memory_ids=[str(memory)]))
    else:
        scene.db.run("delete from public.user_memory where id = %s", (memory,))
    assert scene.db.value(words) == 0


async def test_an_export__says_what_was_forgotten(functions: Functions, scene: Scene) -> None:
    written(scene)
    rpc(scene, "forget_summary", id_of(scene, TABLES["day"]))
    answer = await functions.call("export-memories", headers=as_person(scene.ada))
    assert answer.status_code == 200, answer.text
    (row,) = answer.json()["forgotten_summaries"]
    assert (row["kind"], row["first_date"]) == ("day", scene.clock.now().date().isoformat())
