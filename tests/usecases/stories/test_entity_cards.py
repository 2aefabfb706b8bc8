"""Cards open of whom the chosen memories, or the message itself, name: their facts, and exactly those in the answer."""

from __future__ import annotations

import re
from typing import Any

import pytest

from keepsake.usecases.inject_memory import ContextRequest, Injected, inject_memory
from tests.fixtures.scene import Scene

SISTER = ("Sister is a nurse", "Sister lives in Rome", "Sister plays the cello", "Sister got married")


@pytest.fixture
def known(scene: Scene) -> Scene:
    """Ada, of whom more is known than fits, with a sister of three names."""
    for text in SISTER:  # importance 3 would be shown always, with its card
        scene.people.memory(scene.ada, text, importance=2, entity_refs=["person:anna"])
    scene.people.memory(scene.ada, "Anna hates coffee", importance=1, entity_refs=["person:anna"])
    for number in range(20):
        scene.people.memory(scene.ada, f"Likes novel number {number}", entity_refs=["project:novels"])
    scene.db.run("update public.user_memory_entities set aliases = '{Annie,Nurse A.}' where key = 'person:anna'")
    return scene


async def asked(scene: Scene, text: str, **wish: Any) -> Injected:
    """The context of a message that is not the first."""
    scene.people.answers(scene.chat, "Hello!")
    scene.says("Hi.")
    scene.clock.advance(minutes=1)
    return await inject_memory(scene.resources, ContextRequest(scene.chat, scene.says(text), **wish))


def exact(injected: Injected) -> bool:
    """Whether the memories of the answer are those whose numbers stand in the context."""
    return set(re.findall(r"M-\d+", injected.context)) == {one.memory.ref for one in injected.chosen}


@pytest.mark.parametrize("text", ["How is Anna doing?", "Annie's birthday!", "and ANNIE?"])
async def test_another_name__opens_the_card(known: Scene, text: str) -> None:
    """No word of the message stands in the facts; they are the three foremost, above everything else relevant."""
    told = await asked(known, text)
    line = next(line for line in told.context.splitlines() if line.startswith('["anna" (person)]: '))
    assert [fact in line for fact in SISTER] == [False, True, True, True]
    assert "Anna hates coffee" in told.context  # what says one of the names is found by any of them
    assert "novel" not in told.context
    assert exact(told)
    assert told.token_count == known.resources.count_tokens(told.context) <= 600


@pytest.mark.parametrize("text", ["How are you?", "Is Annieville far?", "Hannah annoys"])
async def test_no_name__opens_none(known: Scene, text: str) -> None:
    told = await asked(known, text)
    assert "(person)]" not in told.context
    assert exact(told)


async def test_a_card__gives_way_to_the_limits(known: Scene) -> None:
    """Whatever a caller allows, the ids are those of what stands there."""
    for limits in ({"max_memories": 1}, {"max_memories": 2}, {"token_budget": 120}, {"token_budget": 90}):
        told = await asked(known, "What of Annie?", **limits)
        assert exact(told)
        assert len(told.chosen) <= limits.get("max_memories", 10)
        assert told.token_count <= limits.get("token_budget", 600)


async def test_a_renamed_entity__is_found_by_its_new_name_where_its_memories_say_the_old_one(scene: Scene) -> None:
    await scene.tell("My friend Makesh plays tennis.")
    await scene.tell("I live in Graz.")
    entity = scene.db.value("select id from public.user_memory_entities where key = 'person:makesh'")
    with scene.db.as_person(scene.ada.user_id) as connection:
        connection.execute("select public.rename_entity(%s, 'Max')", (entity,))
    assert "Friend Makesh plays tennis" in (await asked(scene, "How is Max?")).context
