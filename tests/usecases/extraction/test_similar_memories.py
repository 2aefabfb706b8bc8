"""The model is also shown the memories that a message means without a word of theirs, where there are vectors."""

from __future__ import annotations

import pytest

from keepsake.infra.settings import Settings
from keepsake.usecases.embed_memories import embed_memories
from tests.fixtures.model import with_model, with_vectors
from tests.fixtures.scene import Scene
from tests.model_server.running import ModelServer
from tests.usecases.extraction.test_known_memories import known

PLAN = "Is thinking about learning an instrument"


@pytest.fixture
def settings(settings: Settings, model: ModelServer) -> Settings:
    """A pool of one: what held a connection while it waits for a vector would stand in its own way."""
    return with_vectors(with_model(settings, model), model, database_pool_size=1, database_timeout_seconds=2)


async def remember(scene: Scene, model: ModelServer) -> None:
    """A plan, twelve memories of more weight, and a vector for whatever is said that is the plan's."""
    scene.people.memory(scene.ada, PLAN, importance=0)
    for number in range(12):
        scene.people.memory(scene.ada, f"Likes dish {number}", importance=2)
    await embed_memories(scene.resources)
    vector = scene.db.value(
        "select vector::text from keepsake.memory_vectors as v join public.user_memory as m on m.id = v.memory_id"
        " where m.memory_text = %s",
        (PLAN,),
    )
    model.script.fixed_vector = [float(part) for part in vector.strip("[]").split(",")]


async def test_what_is_meant__is_shown_beside_what_shares_a_word(scene: Scene, model: ModelServer) -> None:
    await remember(scene, model)
    await scene.tell("I started the cello, and cook dish 7.")
    shown = known(model)
    assert {PLAN, "Likes dish 7"} <= set(shown)
    assert len(shown) == 10


@pytest.mark.parametrize("fault", ["error_500", "nan_vector"])
async def test_without_a_vector__words_alone_choose(scene: Scene, model: ModelServer, fault: str) -> None:
    await remember(scene, model)
    model.script.vectors_always(fault)
    result = await scene.tell("I started the cello, and cook dish 7.")
    assert result.status == "extracted"
    assert known(model)[0] == "Likes dish 7"
    assert PLAN not in known(model)
