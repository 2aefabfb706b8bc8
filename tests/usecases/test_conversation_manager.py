"""A person's choices for one conversation: their own primary profile or none, and whether to remember there."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest

from keepsake.errors import Conflict, InvalidInput, NotFound
from keepsake.store.participant_choices import Choice
from keepsake.usecases.conversation_manager import choose_profile, link_primary_profile, set_memory_enabled
from tests.fixtures.people import Account
from tests.fixtures.scene import Scene


async def choose(scene: Scene, profile_id: UUID | None, *, chat: UUID, person: Account | None = None) -> Choice:
    """Let somebody choose a profile."""
    who = (person or scene.ada).identity
    return await choose_profile(scene.resources, who, conversation_id=chat, profile_id=profile_id)


async def test_ones_primary_profile__starts_memory_now(scene: Scene) -> None:
    chat = scene.people.conversation(scene.ada, memory=False)
    choice = await choose(scene, scene.ada.profile_id, chat=chat)
    assert (choice.conversation_id, choice.profile_id) == (chat, scene.ada.profile_id)
    assert choice.remember_since is not None
    owned = scene.db.one("select profile_id from public.conversations where id = %s", (chat,))
    assert owned["profile_id"] == scene.ada.profile_id


async def test_null__clears_the_choice(scene: Scene) -> None:
    assert (await choose(scene, None, chat=scene.chat)).profile_id is None
    owned = scene.db.one("select profile_id from public.conversations where id = %s", (scene.chat,))
    assert owned["profile_id"] is None


async def test_anothers_profile__is_not_found(scene: Scene) -> None:
    bob = scene.people.person("Bob")
    for profile in (bob.profile_id, uuid4()):
        with pytest.raises(NotFound):
            await choose(scene, profile, chat=scene.chat)


async def test_a_profile_that_is_not_primary__conflicts(scene: Scene) -> None:
    other = scene.people.profile(scene.ada.user_id, "Countess")
    with pytest.raises(Conflict):
        await choose(scene, other, chat=scene.chat)


async def test_anothers_conversation__is_not_found(scene: Scene) -> None:
    bob = scene.people.person("Bob")
    for chat in (scene.chat, uuid4()):
        with pytest.raises(NotFound):
            await choose(scene, bob.profile_id, chat=chat, person=bob)
        with pytest.raises(NotFound):
            await set_memory_enabled(scene.resources, bob.identity, conversation_id=chat, memory_enabled=True)


async def test_a_participant__chooses_for_themselves_alone(scene: Scene) -> None:
    bob = scene.people.person("Bob")
    scene.people.join(scene.chat, bob, memory=False)
    choice = await choose(scene, bob.profile_id, chat=scene.chat, person=bob)
    assert choice.profile_id == bob.profile_id
    owned = scene.db.one("select profile_id from public.conversations where id = %s", (scene.chat,))
    assert owned["profile_id"] == scene.ada.profile_id


@pytest.mark.parametrize("enabled", [True, False, None])
async def test_the_toggle__is_kept_as_given(scene: Scene, *, enabled: bool | None) -> None:
    choice = await set_memory_enabled(
        scene.resources, scene.ada.identity, conversation_id=scene.chat, memory_enabled=enabled
    )
    assert choice.memory_enabled is enabled
    assert (await scene.tell("I live in Graz.")).reason == ("conversation_off" if enabled is False else None)


async def test_swiss__remembers_once_turned_on_and_nothing_from_before(scene: Scene) -> None:
    chat = scene.people.conversation(scene.ada, mode="swiss", since=None)
    before = scene.says("I live in Graz.", chat=chat)
    choice = await set_memory_enabled(scene.resources, scene.ada.identity, conversation_id=chat, memory_enabled=True)
    assert choice.remember_since is not None
    scene.clock.at = choice.remember_since
    assert (await scene.extract(before, chat=chat)).reason == "before_consent"
    assert (await scene.tell("I live in Oslo.", chat=chat)).status == "extracted"
    assert scene.told() == ["Lives in Oslo"]


async def test_profile_mode__links_the_primary_profile_once_there_is_one(scene: Scene) -> None:
    scene.db.run("update public.user_profile_list set is_primary = false where id = %s", (scene.ada.profile_id,))
    chat = scene.people.conversation(scene.ada, mode="profile", memory=False)
    who = scene.ada.identity
    assert (await link_primary_profile(scene.resources, who, conversation_id=chat)).profile_id is None
    scene.db.run("update public.user_profile_list set is_primary = true where id = %s", (scene.ada.profile_id,))
    assert (await link_primary_profile(scene.resources, who, conversation_id=chat)).profile_id == scene.ada.profile_id


async def test_another_mode__wants_the_profile_named(scene: Scene) -> None:
    with pytest.raises(InvalidInput):
        await link_primary_profile(scene.resources, scene.ada.identity, conversation_id=scene.chat)
