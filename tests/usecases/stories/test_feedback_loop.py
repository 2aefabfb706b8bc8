"""The assistant repeats what it was told of the person: nothing is learnt from it, and nothing counts as said again."""

from __future__ import annotations

from typing import Any

import pytest

from keepsake.infra.settings import Settings
from keepsake.usecases.inject_memory import ContextRequest, inject_memory
from tests.fixtures.model import with_model
from tests.fixtures.scene import Scene
from tests.model_server.running import ModelServer
from tests.model_server.statements import Memory, find, memory

ROUNDS = 50
KNOWN = ("My favorite food is ramen.", "I live in Graz.", "I have a dog named Rex.")

# What people say between two answers: nothing of it is worth keeping.
IDLE = ("Thanks, great!", "What should I cook tonight?", "Ok.", "Tell me more, please!", "Could you say that again?")


@pytest.fixture
def settings(settings: Settings, model: ModelServer) -> Settings:
    return with_model(settings, model)


def gullible(said: str, told: list[str]) -> list[Memory]:
    """What a model answers that takes every word for the person's: with every kind of quote it could give."""
    quotes = ("", said, said.strip("!?."))
    repeated = [memory(text, text) for text in told]
    fig_leaves = [memory(text, quote) for text in told for quote in quotes]
    return [*find(said), *repeated, *fig_leaves]


def kept(scene: Scene) -> list[dict[str, Any]]:
    """What stands of every memory, apart from when it was last shown."""
    rows = scene.db.all(
        "select id, memory_text, status, value, memory_key, confidence_score, importance, source from user_memory"
        " order by memory_no"
    )
    return [dict(row) for row in rows]


def shown(scene: Scene) -> dict[str, int]:
    """How often each memory was referred to."""
    rows = scene.db.all("select memory_text, reference_count from public.user_memory order by memory_no")
    return {row["memory_text"]: row["reference_count"] for row in rows}


async def test_fifty_rounds__no_new_memory_and_no_count_from_the_assistants_words(
    scene: Scene, model: ModelServer
) -> None:
    """Inject, let the assistant repeat it all, say nothing new, and have a gullible model read the turn; once more."""
    for text in KNOWN:
        assert (await scene.tell(text)).generator == "llm"
    before = kept(scene)
    for number in range(ROUNDS):
        said = IDLE[number % len(IDLE)]
        scene.clock.advance(minutes=1)
        message = scene.says(said)
        context = await inject_memory(scene.resources, ContextRequest(scene.chat, message_id=message))
        counted = shown(scene)
        model.script.then({"memories": gullible(said, [each.memory.text for each in context.chosen])})
        found = await scene.extract(message)
        assert (found.status, found.generator, found.memories) == ("extracted", "llm", ())
        assert shown(scene) == counted, "what the assistant says is no mention by the person"
        scene.clock.advance(seconds=1)
        repeated = " ".join(each.memory.text + "." for each in context.chosen)
        scene.people.answers(scene.chat, f"As you told me: {repeated} {context.context}")
    assert kept(scene) == before
    assert len(model.script.chats) == len(KNOWN) + ROUNDS


async def test_said_again__by_the_person_themselves_counts(scene: Scene, model: ModelServer) -> None:
    """The other side of it: their own words do count, also where the assistant had just said the same."""
    del model
    await scene.tell("I live in Graz.")
    scene.people.answers(scene.chat, "You live in Graz, don't you?")
    again = await scene.tell("I live in Graz.")
    assert [each.action for each in again.memories] == ["reinforced"]
