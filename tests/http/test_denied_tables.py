"""Where a host lets people read nothing of its own tables, what a person asks for is not found, and nothing breaks."""

from __future__ import annotations

from typing import Any

import pytest

from tests.fixtures.scene import Scene
from tests.http.conftest import AS_SERVICE, Functions, as_person

CALLS: list[tuple[str, str, dict[str, Any]]] = [
    ("messages", "inject-memory", {"message_id": "message"}),
    ("conversations", "conversation-manager", {"action": "set_memory_enabled", "memory_enabled": True}),
    ("conversations", "conversation-manager", {"action": "update_conversation_profile", "profile_id": None}),
    ("user_profile_list", "conversation-manager", {"action": "update_conversation_profile", "profile_id": "profile"}),
    ("user_profile_list", "conversation-manager", {"action": "update_conversation_profile"}),
]


@pytest.mark.parametrize("table, name, body", CALLS)
async def test_a_table_people_may_not_read__hides_its_rows(
    functions: Functions, scene: Scene, table: str, name: str, body: dict[str, Any]
) -> None:
    chat = scene.people.conversation(scene.ada, mode="profile")
    ids = {"message": str(scene.says("I live in Graz.", chat=chat)), "profile": str(scene.ada.profile_id)}
    given = {key: ids.get(value, value) if isinstance(value, str) else value for key, value in body.items()}
    given["conversation_id"] = str(chat)
    assert (await functions.call(name, given, headers=as_person(scene.ada))).status_code == 200
    with scene.db.as_superuser() as connection:
        connection.execute(f"revoke select on public.{table} from authenticated".encode())
    answer = await functions.call(name, given, headers=as_person(scene.ada))
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


async def test_a_table_people_may_not_read__is_the_services_still(functions: Functions, scene: Scene) -> None:
    with scene.db.as_superuser() as connection:
        connection.execute("revoke select on public.messages, public.conversations from authenticated")
    ids = {"conversation_id": str(scene.chat), "message_id": str(scene.says("I live in Graz."))}
    assert (await functions.call("inject-memory", ids, headers=AS_SERVICE)).status_code == 200


async def read_history(functions: Functions, scene: Scene, headers: dict[str, str]) -> tuple[list[str], str | None]:
    """The texts of the history that a caller gets with a context, and its summary."""
    newest = scene.db.value("select id from public.messages where content = 'What now?'")
    body = {"conversation_id": str(scene.chat), "message_id": str(newest), "history": True}
    answer = await functions.call("inject-memory", body, headers=headers)
    assert answer.status_code == 200, answer.text
    history = answer.json()["history"]
    return [message["content"] for message in history["messages"]], history["summary"]


async def test_history__has_only_the_messages_that_its_person_may_read(functions: Functions, scene: Scene) -> None:
    """A host may hide messages, such as those from before somebody joined; a service reads them all."""
    scene.says("Said before Ada joined")
    scene.clock.advance(minutes=1)
    scene.people.answers(scene.chat, "Hidden by the host")
    scene.clock.advance(minutes=1)
    scene.says("What now?")
    scene.db.run(
        "insert into public.conversation_summaries (conversation_id, summary, messages_covered, generator)"
        " values (%s, 'Ada joined', 2, 'rules')",
        (scene.chat,),
    )
    everything = ["Said before Ada joined", "Hidden by the host", "What now?"]
    assert await read_history(functions, scene, as_person(scene.ada)) == (everything, "Ada joined")
    with scene.db.as_superuser() as connection:
        connection.execute(
            "create policy hidden on public.messages as restrictive for select to authenticated"
            " using (content = 'What now?')"
        )
        connection.execute("revoke select on public.conversation_summaries from authenticated")
    assert await read_history(functions, scene, as_person(scene.ada)) == (["What now?"], None)
    assert await read_history(functions, scene, AS_SERVICE) == (everything, "Ada joined")
