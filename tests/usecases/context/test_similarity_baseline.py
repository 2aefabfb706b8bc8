"""An irrelevant message gets nothing, whatever range of similarities the embedding model has."""

from __future__ import annotations

import math

import pytest

from keepsake.domain.context.similarity_baseline import UNRELATED_TEXTS, calibrate
from keepsake.infra.settings import Settings
from keepsake.usecases.embed_memories import embed_memories
from keepsake.usecases.inject_memory import ContextRequest, inject_memory
from tests.fixtures.model import with_vectors
from tests.fixtures.scene import Scene
from tests.model_server import broken_vectors
from tests.model_server.embedding import embed
from tests.model_server.running import ModelServer

SYNONYM = {"soups": "ramen", "noodles": "ramen", "fond": "ramen"}
MEMORIES = ("Fond of soups", "Parks the bicycle behind the house", "Sister studies law in Graz", "Broke an arm in 2019")


def with_bias(share: float, scale: float) -> object:
    """The scripted model with a part that all texts share: their similarities then lie between ``share`` and 1."""

    def biased(text: str, dimensions: int = 256) -> list[float]:
        words = [SYNONYM.get(word, word) for word in text.lower().strip("?.").split()]
        own = embed(" ".join(words), dimensions - 1)
        return [scale * math.sqrt(share), *(scale * math.sqrt(1 - share) * part for part in own)]

    return biased


@pytest.fixture
def settings(settings: Settings, model: ModelServer) -> Settings:
    return with_vectors(settings, model)


@pytest.mark.parametrize("share, scale", [(0.0, 1.0), (0.5, 7.0), (0.8, 0.1)])
async def test_an_irrelevant_message__gets_nothing_from_models_of_any_range(
    scene: Scene, model: ModelServer, monkeypatch: pytest.MonkeyPatch, share: float, scale: float
) -> None:
    monkeypatch.setattr(broken_vectors, "embed", with_bias(share, scale))
    for text in MEMORIES:
        scene.people.memory(scene.ada, text)
    scene.people.answers(scene.chat, "Hello!")
    await embed_memories(scene.resources)

    async def found(message: str) -> list[str]:
        request = ContextRequest(scene.chat, user_id=scene.ada.user_id, user_message=message)
        return [one.memory.text for one in (await inject_memory(scene.resources, request)).chosen]

    assert await found("What is 17 times 23?") == []
    assert await found("Ramen noodles?") == ["Fond of soups"]
    mean = scene.db.value("select unrelated_mean from keepsake.embedding_models")
    assert mean == pytest.approx(share, abs=0.05)


def test_calibration__follows_shift_and_scale() -> None:
    plain = calibrate([embed(text) for text in UNRELATED_TEXTS])
    assert abs(plain.mean) < 0.1
    shifted = calibrate([[3.0, *(2 * part for part in embed(text))] for text in UNRELATED_TEXTS])
    assert shifted.mean > 0.6
    assert shifted.deviation < plain.deviation
    constant = calibrate([[1.0, 0.0] for _ in UNRELATED_TEXTS])
    assert (constant.mean, constant.deviation) == (1.0, 0.001)
