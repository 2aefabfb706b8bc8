"""What one persona alone was told: the others never see it, and it changes nothing of what they know."""

from __future__ import annotations

from dataclasses import replace

from keepsake.usecases.extraction.proposals import MessageToRead, Proposal, by_rules
from keepsake.usecases.inject_memory import ContextRequest, Injected, inject_memory
from tests.fixtures.scene import Scene


async def just_between_us(said: MessageToRead) -> Proposal:
    """Propose what rules find, for the coach alone."""
    found = await by_rules(said)
    return replace(found, candidates=[replace(one, persona_id="coach") for one in found.candidates])


async def whisper(scene: Scene, text: str) -> str:
    """Say something to the coach alone; what came of it."""
    scene.clock.advance(minutes=1)
    coached = scene.people.conversation(scene.ada, persona_id="coach")
    told = await scene.extract(scene.says(text, chat=coached), chat=coached, generate=just_between_us)
    return ", ".join(made.action for made in told.memories)


async def asked_by(scene: Scene, persona: str | None, text: str, *, first: bool = False) -> Injected:
    """The context of a message in a conversation with a persona."""
    chat = scene.people.conversation(scene.ada, persona_id=persona)
    if not first:
        scene.people.answers(chat, "Hello!")
        scene.says("Hi.", chat=chat)
    scene.clock.advance(minutes=1)
    return await inject_memory(scene.resources, ContextRequest(chat, scene.says(text, chat=chat)))


async def test_whispered__is_the_coachs_alone(scene: Scene) -> None:
    """Neither the memory, nor a name in it, nor a card, nor a first message's fill shows it to anybody else."""
    assert await whisper(scene, "My sister Zelda lives in Graz.") == "created"
    for first in (False, True):
        assert "Zelda" in (await asked_by(scene, "coach", "Where does Zelda live?", first=first)).context
        for other in ("poet", None):
            told = await asked_by(scene, other, "Where does Zelda live, in Graz?", first=first)
            assert ("Zelda" not in told.context, told.chosen) == (True, ()), (other, first)
    with scene.db.as_person(scene.ada.user_id) as ada:
        assert ada.execute("select persona_id from public.search_user_memory('Zelda')").fetchall() == [
            {"persona_id": "coach"}
        ]


async def test_both_scopes__neither_replaces_nor_strengthens_the_other(scene: Scene) -> None:
    """The same thing said twice stands twice, and of two answers to one question the coach knows its own alone."""
    await scene.tell("My favourite food is pizza.")
    before = scene.db.value("select to_jsonb(m) from public.user_memory as m where m.value = 'pizza'")
    assert await whisper(scene, "My favourite food is pizza.") == "created"
    assert await whisper(scene, "My favourite food is ramen.") == "superseded"
    shared = scene.db.value("select to_jsonb(m) from public.user_memory as m where m.value = 'pizza' and m.persona_id is null")  # fmt: skip # noqa: E501
    assert shared == before
    coach = await asked_by(scene, "coach", "Do I like pizza or ramen, what is my favourite food?")
    assert ("ramen" in coach.context, "is pizza" in coach.context) == (True, False)
    other = await asked_by(scene, "poet", "Do I like pizza or ramen, what is my favourite food?")
    assert ("ramen" in other.context, "is pizza" in other.context) == (False, True)
    await scene.tell("My favourite food is soup.")
    assert scene.told() == ["Favorite food is ramen", "Favorite food is soup"]


async def test_a_whispered_name__renames_nobody(scene: Scene) -> None:
    await scene.tell("My sister lives in Graz.")
    await whisper(scene, "My sister Zelda is 30.")
    assert "Zelda" not in (await asked_by(scene, "poet", "Where does my sister live?")).context
    refs = scene.db.value("select entity_refs from public.user_memory where memory_text = 'Sister lives in Graz'")
    assert refs == ["person:sister", "place:graz"]


async def test_a_pin__holds_through_what_is_said(scene: Scene) -> None:
    """Nothing said in passing takes the place of what is pinned; a plain correction does, and is pinned in turn."""
    await scene.tell("My favourite food is pizza.")
    with scene.db.as_person(scene.ada.user_id) as ada:
        ada.execute("update public.user_memory set pinned = true where value = 'pizza'")
    await scene.tell("My favourite food is ramen.")
    assert scene.told() == ["Favorite food is pizza"]
    await scene.tell("Actually, my favourite food is ramen now.")
    assert scene.told() == ["Favorite food is ramen"]
    row = scene.db.one("select pinned, importance from public.user_memory where value = 'ramen'")
    assert (row["pinned"], row["importance"]) == (True, 3)


async def test_importance__grows_with_the_third_time(scene: Scene) -> None:
    grown = []
    for _ in range(6):
        await scene.tell("My wife works at Google.")
        grown.append(
            scene.db.value("select importance from public.user_memory where memory_text = 'Wife works at Google'")
        )
    assert grown == [1, 1, 1, 2, 2, 2]


async def test_just_between_us__in_passing_is_the_personas_alone(scene: Scene) -> None:
    """What is confided without a command stays with whom it was said to; where nobody has a name, it is for all."""
    coached = scene.people.conversation(scene.ada, persona_id="coach")
    await scene.extract(scene.says("Just between us, I hate my job.", chat=coached), chat=coached)
    assert "Hates their job" in (await asked_by(scene, "coach", "How is my job?")).context
    assert (await asked_by(scene, "poet", "How is my job?")).chosen == ()
    await scene.tell("Just between us, I love opera.")
    assert "opera" in (await asked_by(scene, "poet", "Do I love opera?")).context
