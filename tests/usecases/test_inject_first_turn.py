"""The first turn of a chat that the application saves only after the answer has memory, if the person agreed."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest

from keepsake.errors import NotFound
from keepsake.usecases.inject_memory import ContextRequest, Injected, inject_memory
from tests.fixtures.people import Account
from tests.fixtures.scene import Scene


async def first_turn(
    scene: Scene, text: str = "What do I like to eat?", *, person: Account | None = None, chat: UUID | None = None
) -> Injected:
    """Ask for the context of a message in a chat that is not saved yet, as a service does."""
    author = (person or scene.ada).user_id
    return await inject_memory(scene.resources, ContextRequest(chat or uuid4(), user_id=author, user_message=text))


def written(scene: Scene) -> list[dict[str, object]]:
    """What a context writes otherwise."""
    tables = ("keepsake.injections", "public.conversations", "public.conversations_participants", "keepsake.commands")
    return [row for table in tables for row in scene.db.all(f"select to_jsonb(t) as row from {table} as t order by 1")]


async def test_new_chat__has_memory_and_leaves_nothing(scene: Scene) -> None:
    await scene.tell("My favourite food is ramen.")
    scene.set(every_chat=True)
    before = written(scene)
    injected = await first_turn(scene)
    assert "ramen" in injected.context
    assert (injected.reason, injected.injection_id) == (None, None)
    assert written(scene) == before


async def test_without_the_persons_agreement_to_every_chat__there_is_no_such_chat(scene: Scene) -> None:
    await scene.tell("My favourite food is ramen.")
    for settings in ({}, {"every_chat": False}):
        if settings:
            scene.set(**settings)
        with pytest.raises(NotFound):
            await first_turn(scene)


async def test_memory_turned_off__holds_in_a_new_chat_too(scene: Scene) -> None:
    await scene.tell("My favourite food is ramen.")
    scene.set(every_chat=True, enabled=False)
    injected = await first_turn(scene)
    assert "ramen" not in injected.context
    assert injected.reason == "disabled"


async def test_chat_of_somebody_else__is_not_found(scene: Scene) -> None:
    """Whatever the person agreed to."""
    await scene.tell("My favourite food is ramen.")
    scene.set(every_chat=True)
    theirs = scene.people.conversation(scene.people.person("Ben"))
    with pytest.raises(NotFound):
        await first_turn(scene, chat=theirs)


async def test_person_without_a_profile__gets_no_memory(scene: Scene) -> None:
    nobody = scene.people.person("Cleo")
    scene.db.run("insert into public.user_memory_settings (user_id, every_chat) values (%s, true)", (nobody.user_id,))
    scene.db.run("delete from public.user_profile_list where user_id = %s", (nobody.user_id,))
    assert (await first_turn(scene, person=nobody)).reason == "no_profile"


async def test_person_themself__needs_a_saved_message(scene: Scene) -> None:
    """Who calls with their own token cannot name a chat that does not exist."""
    scene.set(every_chat=True)
    request = ContextRequest(uuid4(), user_id=scene.ada.user_id, user_message="What do I like to eat?")
    with pytest.raises(NotFound):
        await inject_memory(scene.resources, request, person=scene.ada.identity)


async def test_command__waits_until_the_message_is_saved(scene: Scene) -> None:
    await scene.tell("My favourite food is ramen.")
    scene.set(every_chat=True)
    injected = await first_turn(scene, "forget everything about my food")
    assert injected.command is None
    assert scene.told() == ["Favorite food is ramen"]


async def test_saved_afterwards__the_chat_is_as_any_other(scene: Scene) -> None:
    await scene.tell("My favourite food is ramen.")
    scene.set(every_chat=True)
    chat = uuid4()
    await first_turn(scene, chat=chat)
    scene.people.conversation(scene.ada, id=chat)
    message = scene.says("What do I like to eat?", chat=chat)
    injected = await inject_memory(scene.resources, ContextRequest(chat, message))
    assert "ramen" in injected.context
    assert injected.injection_id is not None
