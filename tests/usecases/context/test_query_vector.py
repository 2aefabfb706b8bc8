"""A message finds what it means where its vector comes in time, and what its words find where it does not."""

from __future__ import annotations

import pytest

from keepsake.infra.models.circuit_breaker import MAX_TIMEOUTS
from keepsake.infra.settings import Settings
from keepsake.usecases.context.query_vector import embed_message
from keepsake.usecases.embed_memories import embed_memories
from keepsake.usecases.inject_memory import ContextRequest, Injected, inject_memory
from tests.fixtures.model import with_vectors
from tests.fixtures.scene import Scene
from tests.model_server.running import ModelServer

ASKED = "Is ramen still what I like?"


@pytest.fixture
def deadline_ms() -> int:
    return 5000


@pytest.fixture
def settings(settings: Settings, model: ModelServer, deadline_ms: int) -> Settings:
    """A pool of one: what held a connection while it waits would stand in its own way."""
    return with_vectors(
        settings, model, embedding_deadline_ms=deadline_ms, database_pool_size=1, database_timeout_seconds=0.5
    )


async def asked(scene: Scene, *, saved: bool = True) -> Injected:
    """What a message gets: one that is saved, as the person, or one about to be, as the service."""
    if saved:
        message = scene.says(ASKED)
        return await inject_memory(scene.resources, ContextRequest(scene.chat, message), person=scene.ada.identity)
    wish = ContextRequest(scene.chat, user_id=scene.ada.user_id, user_message=ASKED)
    return await inject_memory(scene.resources, wish)


@pytest.mark.parametrize("saved", [True, False])
async def test_meaning__finds_what_shares_no_word(scene: Scene, model: ModelServer, *, saved: bool) -> None:
    """The scripted model puts two texts close that share words as they are; here they are made to share a vector."""
    scene.people.memory(scene.ada, "Fond of noodle soups")
    scene.people.memory(scene.ada, "Parks the bicycle behind the house")
    scene.people.answers(scene.chat, "Hello!")
    await embed_memories(scene.resources)
    vector = scene.db.value(
        "select vector::text from keepsake.memory_vectors as v join public.user_memory as m on m.id = v.memory_id"
        " where m.memory_text = %s",
        ("Fond of noodle soups",),
    )
    model.script.fixed_vector = [float(part) for part in vector.strip("[]").split(",")]
    injected = await asked(scene, saved=saved)
    assert [one.memory.text for one in injected.chosen] == ["Fond of noodle soups"]
    assert injected.chosen[0].why == "about food"
    assert model.script.embeddings[-1]["input"] == [ASKED]


@pytest.mark.parametrize(
    "fault, why, deadline_ms",
    [
        ("hang", "deadline", 150),
        ("error_500", "unavailable", 3000),
        ("nan_vector", "unavailable", 3000),
        ("down", "unavailable", 3000),
    ],
)
async def test_endpoint_away__words_alone_and_said_so(
    scene: Scene, model: ModelServer, deadline_ms: int, fault: str, why: str
) -> None:
    scene.people.memory(scene.ada, "Likes ramen")
    scene.people.answers(scene.chat, "Hello!")
    if fault == "down":
        model.down()
    else:
        model.script.vectors_always(fault)
    injected = await asked(scene)
    assert [one.memory.text for one in injected.chosen] == ["Likes ramen"]
    assert f"words only: {why}" in injected.chosen[0].why
    for _ in range(MAX_TIMEOUTS):
        await embed_message(scene.resources, ASKED)
    calls = len(model.script.embeddings)
    assert (await embed_message(scene.resources, ASKED)).unavailable_reason == "unavailable"
    assert len(model.script.embeddings) == calls
    model.up() if fault == "down" else model.script.vectors_always(None)
    assert scene.resources.embedder is not None
    scene.resources.embedder.breaker.record_failure(0)  # its time has come
    assert (await embed_message(scene.resources, ASKED)).vector


@pytest.mark.parametrize("deadline_ms", [150])
async def test_deadline__is_kept_and_the_way_stays_open(scene: Scene, model: ModelServer, deadline_ms: int) -> None:
    """A first message may be late for its connection alone; the next finds it open."""
    await embed_message(scene.resources, ASKED)
    model.script.latency = 5
    assert (await embed_message(scene.resources, ASKED)).unavailable_reason == "deadline", deadline_ms


async def test_a_chat_without_memory__is_not_sent_anywhere(scene: Scene, model: ModelServer) -> None:
    scene.set(enabled=False)
    await asked(scene)
    scene.set(enabled=True)
    quiet = scene.people.conversation(scene.ada, memory=False)
    await inject_memory(scene.resources, ContextRequest(quiet, scene.says(ASKED, chat=quiet)))
    assert model.script.embeddings == []


async def test_a_database_without_pgvector__words_alone(scene: Scene, model: ModelServer) -> None:
    scene.db.run("drop extension vector cascade")
    scene.db.run("drop table keepsake.memory_vectors cascade")
    scene.people.answers(scene.chat, "Hello!")
    scene.people.memory(scene.ada, "Likes ramen")
    injected = await asked(scene)
    assert "words only: unavailable" in injected.chosen[0].why
    assert (await embed_memories(scene.resources)).why == "no_pgvector"
    assert model.script.embeddings == []
