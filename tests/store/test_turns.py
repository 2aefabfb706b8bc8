"""What is due is found by index, however much there is; and only for those who may be remembered."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from keepsake.infra.database import queries
from keepsake.store import turns
from tests.fixtures.scene import Scene

BY_INDEX = [
    ("turns", "due_turns", "messages"),
    ("turns", "unfinished_before", "messages"),
    ("turns", "turn_facts", "messages"),
    ("extractions", "claim_due", "extractions"),
    ("extractions", "claim_several", "extractions"),
    ("locks", "lock_claims", "extractions"),
    ("locks", "lock_claims", "conversations_participants"),
    ("extractions", "quarantine_crashed", "extractions"),
    ("injections", "injection_facts", "messages"),
    ("injections", "last_messages", "messages"),
    ("memories", "active_memories", "user_memory"),
    ("memories", "recent_memories", "user_memory"),
    ("retention", "expire", "user_memory"),
    ("retention", "delete_forgotten", "user_memory"),
    ("retention", "drop_deliveries", "webhook_deliveries"),
    ("retention", "drop_counters", "counters"),
]


def values(scene: Scene, parameters: frozenset[str]) -> dict[str, Any]:
    """Something of the right type for every parameter."""
    known: dict[str, Any] = {
        "user_id": scene.ada.user_id,
        "profile_id": scene.ada.profile_id,
        "conversation_id": scene.chat,
        "conversation_ids": [scene.chat],
        "message_ids": [scene.chat],
        "user_ids": [scene.ada.user_id],
        "profile_ids": [scene.ada.profile_id],
        "moments": [scene.clock.now()],
        "ids": [scene.chat],
        "token": scene.chat,
        "message_id": scene.chat,
        "user_message": "",
        "limit": 10,
        "batch": 10,
        "max_attempts": 5,
        "persona_id": "coach",
    }
    return {name: known.get(name, scene.clock.now()) for name in parameters}


@pytest.mark.parametrize("stem, name, table", BY_INDEX)
def test_found_by_index(scene: Scene, stem: str, name: str, table: str) -> None:
    """No plan needs to read a growing table from end to end."""
    query = queries.load(stem)[name]
    with scene.db.as_service() as connection:
        connection.execute("set local enable_seqscan = off")
        plan = connection.execute(f"explain {query.sql}".encode(), values(scene, query.parameters)).fetchall()
    text = "\n".join(row["QUERY PLAN"] for row in plan)
    assert f"Seq Scan on {table}" not in text, text


@pytest.mark.parametrize("name", ["relevant_memories", "mentioned_memories"])
def test_keys__by_profile_and_prefix_in_one_index(scene: Scene, name: str) -> None:
    """At no size of the table are all of a person's memories read for each prefix."""
    query = queries.load("memories")[name]
    given = values(scene, query.parameters) | {
        "prefixes": ["fact|"], "texts": ["Lives in Graz"], "languages": ["en"], "language": "en", "every_persona": False
    }  # fmt: skip
    with scene.db.as_service() as connection:
        connection.execute("set local enable_seqscan = off")
        plan = connection.execute(f"explain {query.sql}".encode(), given).fetchall()
    text = "\n".join(row["QUERY PLAN"] for row in plan)
    assert "user_memory_keys" in text, text


async def test_due__only_of_those_who_may_be_remembered(scene: Scene) -> None:
    early = scene.clock.now() - timedelta(minutes=5)
    without = scene.people.conversation(scene.ada, memory=False)
    scene.says("I live in Oslo.", chat=without, created_at=early)
    scene.people.answers(scene.chat, "You live in Rome.", created_at=early)
    message = scene.says("I live in Graz.", created_at=early)
    async with scene.resources.database.as_service() as conn:
        found = await turns.find_due(conn, since=early - timedelta(days=1), until=scene.clock.now(), limit=10)
    assert [turn.message_id for turn in found] == [message]


async def test_read__a_message_without_content_is_empty(scene: Scene) -> None:
    """A host may allow what Keepsake's own table does not."""
    scene.db.run("alter table public.messages alter content drop not null")
    message = scene.says("x")
    scene.db.run("update public.messages set content = null where id = %s", (message,))
    assert (await scene.extract(message)).reason == "empty"
