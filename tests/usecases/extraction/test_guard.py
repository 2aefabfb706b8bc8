"""What the author did not allow leaves a finished row, without a text, and no memory; now or later."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.fixtures.people import LONG_AGO
from tests.fixtures.scene import Scene


async def test_paused__nothing_of_it_comes_back_after_the_pause(scene: Scene) -> None:
    scene.set(building=False)
    message = scene.says("I live in Graz.")
    assert (await scene.extract(message)).reason == "paused"
    scene.set(building=True)
    again = await scene.extract(message)
    assert (again.status, again.reason, again.memories) == ("duplicate", "paused", ())
    row = scene.row(message)
    assert row is not None
    assert (row["status"], row["claim_token"], row["results"]) == ("skipped", None, [])


async def test_said_during_a_pause__is_before_consent_after_it(scene: Scene) -> None:
    """A turn nobody looked at during the pause is not dug up by whoever looks later."""
    scene.set(building=False)
    message = scene.says("I live in Graz.", created_at=scene.clock.now() - timedelta(seconds=5))
    scene.set(building=True)
    assert (await scene.extract(message)).reason == "before_consent"


async def test_turned_off__counts_as_paused(scene: Scene) -> None:
    scene.set(enabled=False)
    assert (await scene.tell("I live in Graz.")).reason == "paused"


async def test_no_profile_chosen__no_memory(scene: Scene) -> None:
    chat = scene.people.conversation(scene.ada, memory=False)
    assert (await scene.tell("I live in Graz.", chat=chat)).reason == "no_profile"


async def test_turned_on_late__nothing_from_before(scene: Scene) -> None:
    message = scene.says("I live in Graz.")
    scene.people.remember_since(scene.chat, scene.ada, scene.clock.now() + timedelta(seconds=1))
    assert (await scene.extract(message)).reason == "before_consent"


async def test_before_the_last_erasure__nothing_comes_back(scene: Scene) -> None:
    message = scene.says("I live in Graz.")
    scene.set(erased_before=scene.clock.now() + timedelta(seconds=1))
    assert (await scene.extract(message)).reason == "before_consent"


async def test_another_profile__is_not_primary(scene: Scene) -> None:
    other = scene.people.profile(scene.ada.user_id, "Countess")
    scene.db.run("update public.conversations set profile_id = %s where id = %s", (other, scene.chat))
    scene.people.remember_since(scene.chat, scene.ada, LONG_AGO)
    assert (await scene.tell("I live in Graz.")).reason == "not_primary"


async def test_a_new_primary_profile__old_memories_stay_with_the_old(scene: Scene) -> None:
    await scene.tell("I live in Graz.")
    scene.db.run("update public.user_profile_list set is_primary = false where id = %s", (scene.ada.profile_id,))
    other = scene.people.profile(scene.ada.user_id, "Countess", is_primary=True)
    chat = scene.people.conversation(scene.ada, memory=False)
    scene.db.run("update public.conversations set profile_id = %s where id = %s", (other, chat))
    scene.people.remember_since(chat, scene.ada, LONG_AGO)
    await scene.tell("I live in Oslo.", chat=chat)
    homes = scene.db.all(
        "select profile_id, value, status from public.user_memory where memory_key = %s order by value",
        ("fact|person|self|home",),
    )
    assert [(row["profile_id"], row["value"], row["status"]) for row in homes] == [
        (scene.ada.profile_id, "graz", "active"),
        (other, "oslo", "active"),
    ]


@pytest.mark.parametrize(
    "mode, enabled, reason",
    [
        ("swiss", None, "swiss_off"),
        ("swiss", False, "conversation_off"),
        ("chat", False, "conversation_off"),
        ("swiss", True, None),
        ("together", None, None),
    ],
)
async def test_mode_and_toggle(scene: Scene, *, mode: str, enabled: bool | None, reason: str | None) -> None:
    """Swiss remembers only when turned on; any conversation can be turned off."""
    chat = scene.people.conversation(scene.ada, mode=mode, memory_enabled=enabled)
    assert (await scene.tell("I live in Graz.", chat=chat)).reason == reason


async def test_an_answer__is_no_source(scene: Scene) -> None:
    assert (await scene.extract(scene.people.answers(scene.chat, "You live in Graz."))).reason == "not_a_user_message"


@pytest.mark.parametrize("text, reason", [("…!?", "empty"), ("Forget that I live in Graz.", "command")])
async def test_what_states_nothing(scene: Scene, text: str, reason: str) -> None:
    """Neither signs alone nor a command to the memory is a statement."""
    assert (await scene.tell(text)).reason == reason


async def test_together__each_ones_words_are_their_own_memory(scene: Scene) -> None:
    bob = scene.people.person("Bob")
    chat = scene.people.conversation(scene.ada, bob, mode="together")
    await scene.tell("I live in Graz.", chat=chat)
    await scene.tell("I live in Oslo.", person=bob, chat=chat)
    assert (scene.told(), scene.told(bob)) == (["Lives in Graz"], ["Lives in Oslo"])
