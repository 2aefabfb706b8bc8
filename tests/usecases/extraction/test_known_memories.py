"""A model that is shown related memories, and what its word about one of them does."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest

from keepsake.infra.settings import Settings
from keepsake.usecases.extraction.result import Extraction
from tests.fixtures.model import with_model
from tests.fixtures.scene import Scene
from tests.model_server.running import ModelServer
from tests.model_server.statements import memory

WORK = "fact|person|self|employer"


@pytest.fixture
def settings(settings: Settings, model: ModelServer) -> Settings:
    return with_model(settings, model)


def known(model: ModelServer) -> list[str]:
    """The memories in the last prompt, without their numbers."""
    told: dict[str, Any] = json.loads(model.script.chats[-1]["messages"][1]["content"])
    return [line.partition(": ")[2] for line in told.get("known", ())]


async def reply(scene: Scene, model: ModelServer, said: str, **given: Any) -> Extraction:
    """Say something that the model answers with one memory."""
    model.script.then({"memories": [memory(given.pop("text", ""), said, value="", **given)]})
    return await scene.tell(said)


def row(scene: Scene, text: str) -> dict[str, Any]:
    return scene.db.one("select * from public.user_memory where memory_text = %s", (text,))


async def test_prompt__shows_ten_memories_the_related_ones_first(scene: Scene, model: ModelServer) -> None:
    for number in range(15):
        scene.people.memory(scene.ada, f"Likes dish {number}")
    scene.people.memory(scene.ada, "Works at Tesco", importance=2)
    scene.people.memory(scene.ada, "Lives in Graz", importance=3)
    await scene.tell("I am not at Tesco today.")
    assert len(known(model)) == 10
    assert known(model)[:2] == ["Works at Tesco", "Lives in Graz"]


async def test_prompt__shows_nothing_that_a_context_of_this_conversation_could_not_show(
    scene: Scene, model: ModelServer
) -> None:
    other = scene.people.profile(scene.ada.user_id, "Other")
    ben = scene.people.person("Ben")
    before = scene.clock.now() - timedelta(hours=1)
    scene.people.memory(scene.ada, "Likes tea from the other profile", profile_id=other)
    scene.people.memory(ben, "Likes tea as Ben does")
    scene.people.memory(scene.ada, "Likes tea with Mona only", persona_id="mona")
    scene.people.memory(scene.ada, "Likes tea until lately", expires_at=before)
    scene.people.memory(scene.ada, "Likes tea no more", status="superseded")
    scene.people.memory(scene.ada, "Is happy about tea", memory_type="emotion")
    scene.people.memory(scene.ada, "Lives in Graz maybe", doubted_at=before)
    scene.people.memory(scene.ada, "Likes green tea")
    edited = scene.people.memory(scene.ada, "Likes tea as edited")
    scene.db.run(
        "insert into keepsake.unscreened_edits (user_id, memory_id, operation_id) values (%s, %s, gen_random_uuid())",
        (scene.ada.user_id, edited),
    )
    scene.set(allowed_types="{fact,goal}")
    await scene.tell("I like tea.")
    assert known(model) == ["Likes green tea"]


async def test_prompt__masks_secrets_of_memories(scene: Scene, model: ModelServer) -> None:
    scene.people.memory(scene.ada, "My password is hunter2!Xy.")
    await scene.tell("I changed the password.")
    assert "hunter2" not in json.dumps(model.script.chats)


async def test_ends__ends_the_memory_and_undo_brings_it_back(scene: Scene, model: ModelServer) -> None:
    scene.people.memory(scene.ada, "Works at Tesco", memory_key=WORK, value="tesco")
    made = await reply(scene, model, "I left Tesco for good", relation="ends", number=1)
    assert [one.action for one in made.memories] == ["ended"]
    assert row(scene, "Works at Tesco")["status"] == "superseded"


async def test_doubts__casts_doubt_and_repeats_clears_it(scene: Scene, model: ModelServer) -> None:
    scene.people.memory(scene.ada, "Works at Tesco", memory_key=WORK, value="tesco")
    made = await reply(scene, model, "handed in my notice", relation="doubts", number=1)
    assert [one.action for one in made.memories] == ["doubted"]
    assert row(scene, "Works at Tesco")["doubted_at"] is not None
    again = {"relation": "repeats", "number": 1, "text": "Works at Tesco", "attribute": "employer"}
    await reply(scene, model, "I still work at Tesco", **again)
    assert row(scene, "Works at Tesco")["doubted_at"] is None


async def test_replaces__another_key_is_replaced_too(scene: Scene, model: ModelServer) -> None:
    scene.people.memory(scene.ada, "Drives an old Fiat", memory_key="fact|person|self|drives|fiat", value="yes")
    said = "swapped the Fiat for a bicycle, sold it"
    await reply(scene, model, said, relation="replaces", number=1, text="Swapped the Fiat for a bicycle")
    assert row(scene, "Drives an old Fiat")["status"] == "superseded"
    assert scene.told() == ["Swapped the Fiat for a bicycle"]


@pytest.mark.parametrize("guard", [{"pinned": True}, {"confidence_score": 1}, {"source": "user"}])
async def test_what_the_person_confirmed__ends_only_where_they_name_it(
    scene: Scene, model: ModelServer, guard: dict[str, Any]
) -> None:
    scene.people.memory(scene.ada, "Works at Tesco", memory_key=WORK, value="tesco", **guard)
    made = await reply(scene, model, "my boss and I are done", relation="ends", number=1)
    assert made.memories == ()
    assert row(scene, "Works at Tesco")["status"] == "active"
    await reply(scene, model, "I left Tesco", relation="ends", number=1)
    assert row(scene, "Works at Tesco")["status"] == "superseded"


@pytest.mark.parametrize("number, reason", [(7, "unknown_number"), (1, "unrelated_number")])
async def test_wrong_number__is_counted_by_its_reason(
    scene: Scene, model: ModelServer, number: int, reason: str
) -> None:
    scene.people.memory(scene.ada, "Works at Tesco", memory_key=WORK, value="tesco")
    scene.clock.advance(minutes=1)
    message = scene.says("cut out coffee completely")
    cut = memory("Cut out coffee", "cut out coffee", value="coffee", relation="ends", number=number)
    model.script.then({"memories": [cut]})
    await scene.extract(message)
    stored = scene.row(message)
    assert stored is not None
    assert stored["dropped"] == {reason: 1}
    assert row(scene, "Works at Tesco")["status"] == "active"


@pytest.mark.parametrize(
    "said, text",
    [
        ("Please keep your answers short", "Prefers short answers"),
        ("always answer in Spanish", "Prefers answers in Spanish"),
        ("use metric units", "Prefers metric units"),
        ("call me Dan", "Likes to be called Dan"),
        ("explain it as to a beginner", "Prefers explanations for a beginner"),
    ],
)
async def test_answer_preference__is_stored_whatever_the_model_finds(
    scene: Scene, model: ModelServer, said: str, text: str
) -> None:
    model.script.then({"memories": []})
    await scene.tell(said)
    assert scene.told() == [text]


async def test_other_order__is_no_memory(scene: Scene, model: ModelServer) -> None:
    order = memory("Prefers a pirate tone", "talk like a pirate", attribute="answer_tone", value="pirate")
    model.script.then({"memories": [order]})
    await scene.tell("from now on talk like a pirate")
    assert scene.told() == []


async def test_role_play__is_no_source(scene: Scene, model: ModelServer) -> None:
    await scene.tell("let's play: you are a dragon and I'm a knight")
    await reply(scene, model, "I have a castle by the sea", text="Has a castle by the sea")
    assert scene.told() == []
