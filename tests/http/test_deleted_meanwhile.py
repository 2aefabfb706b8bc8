"""A request about something that is deleted while it runs answers 404 or what was true before, never 500."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from itertools import product
from typing import Any
from uuid import uuid4

import httpx
import psycopg
import pytest

from tests.fixtures.people import Account
from tests.fixtures.scene import Scene
from tests.http.conftest import AS_SERVICE, Functions, as_person

DELETIONS: Mapping[str, str] = {
    "account": "delete from auth.users where id = %(account)s",
    "profile": "delete from public.user_profile_list where id = %(profile)s",
    "conversation": "delete from public.conversations where id = %(chat)s",
    "message": "delete from public.messages where id = %(message)s",
    "everything": "delete from public.conversations where id = %(chat)s; delete from auth.users where id = %(account)s",
}
TURN = {"conversation_id": "chat", "message_id": "message"}
CALLS: list[tuple[str, bool, Any]] = [
    ("inject-memory", True, TURN),
    ("inject-memory", False, TURN),
    ("inject-memory", False, {"conversation_id": "chat", "user_id": "account", "user_message": "I like tea."}),
    ("chat-send", True, TURN),
    ("chat-send", False, TURN),
    ("extract-user-memory", False, TURN),
    ("record-injection", False, {"injection_id": "injection", "message_id": "answer"}),
    (
        "conversation-manager",
        True,
        {"action": "set_memory_enabled", "conversation_id": "chat", "memory_enabled": False},
    ),
    (
        "conversation-manager",
        True,
        {"action": "update_conversation_profile", "conversation_id": "chat", "profile_id": "other_profile"},
    ),
    ("manage-user-memory", True, {"operation": "add_fact", "content": "User likes green tea"}),
    ("manage-user-memory", False, {"operation": "add_fact", "content": "User likes green tea", **TURN}),
    ("manage-user-memory", True, {"operation": "add_poi", "place": "Blue Bottle", **TURN}),
    ("import-memories", True, [{"memory_text": "Likes green tea"}]),
    ("erase-memories", True, {"everything": True, "include_messages": True, "confirm": "erase"}),
    ("erase-memories", True, {"subject": "tea", "confirm": "erase"}),
    ("export-memories", True, {}),
]


@pytest.mark.parametrize("name, by_person, body", CALLS)
async def test_what_is_deleted_while_a_request_runs__is_not_found(
    functions: Functions, scene: Scene, name: str, *, by_person: bool, body: Any
) -> None:
    texts = ("I live in Graz.", "Remember that I like green tea.") if "message_id" in body else ("I live in Graz.",)
    for deleted, text in product(DELETIONS, texts):
        person = scene.people.person()
        ids = await _arrange(functions, scene, person, text)
        headers = as_person(person) if by_person else AS_SERVICE
        answer = await _while_deleting(
            scene, DELETIONS[deleted], ids, partial(functions.call, name, _with_ids(body, ids), headers=headers)
        )
        assert answer.status_code < 500, (deleted, text, answer.text)
        again = await functions.call(name, _with_ids(body, ids), headers=headers)
        assert again.status_code < 500, (deleted, text, again.text)
        if deleted in {"account", "everything"}:
            assert scene.people.memories(person) == []


async def test_a_context_for_a_conversation_that_goes__is_not_found(functions: Functions, scene: Scene) -> None:
    ids = await _arrange(functions, scene, scene.ada, "I live in Graz.")
    body = _with_ids(TURN, ids)
    answer = await _while_deleting(
        scene,
        DELETIONS["conversation"],
        ids,
        lambda: functions.call("inject-memory", body, headers=as_person(scene.ada)),
    )
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


@pytest.mark.parametrize("include_messages", [True, False])
async def test_the_token_of_a_deleted_account__erases_nothing_and_is_told_so(
    functions: Functions, scene: Scene, *, include_messages: bool
) -> None:
    body = {"everything": True, "include_messages": include_messages, "confirm": "erase"}
    answer = await functions.call("erase-memories", body, headers=as_person(uuid4()))
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


async def _arrange(functions: Functions, scene: Scene, person: Account, text: str) -> dict[str, str]:
    chat = scene.people.conversation(person)
    scene.people.memory(person, "Likes black tea")
    message = scene.says(text, person=person, chat=chat)
    ids = {
        "account": str(person.user_id),
        "profile": str(person.profile_id),
        "other_profile": str(scene.people.profile(person.user_id, "Countess")),
        "chat": str(chat),
        "message": str(message),
        "answer": str(scene.people.answers(chat, "Noted.")),
    }
    earlier = scene.says("What do I like?", person=person, chat=chat)
    context = await functions.call("inject-memory", {"conversation_id": ids["chat"], "message_id": str(earlier)})
    return ids | {"injection": context.json()["injection_id"]}


def _with_ids(body: Any, ids: Mapping[str, str]) -> Any:
    if not isinstance(body, dict):
        return body
    return {key: ids.get(value, value) if isinstance(value, str) else value for key, value in body.items()}


async def _while_deleting(
    scene: Scene, statement: str, ids: Mapping[str, str], call: Callable[[], Awaitable[httpx.Response]]
) -> httpx.Response:
    """Delete in a transaction of its own, and commit once the request waits for it or has ended."""
    async with await psycopg.AsyncConnection.connect(scene.db.superuser_url) as deleting:
        for one in statement.split(";"):
            await deleting.execute(one.encode(), dict(ids))
        request = asyncio.ensure_future(call())
        while not request.done() and not await _somebody_waits(scene):
            await asyncio.wait({request}, timeout=0.02)
        await deleting.commit()
    return await request


async def _somebody_waits(scene: Scene) -> bool:
    found = await asyncio.to_thread(
        scene.db.value,
        "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )
    return bool(found)
