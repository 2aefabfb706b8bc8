"""How many memories one message makes is a setting, which the model is told too."""

from __future__ import annotations

import pytest

from keepsake.infra.settings import Settings
from tests.fixtures.model import with_model
from tests.fixtures.scene import Scene
from tests.model_server.running import ModelServer
from tests.usecases.extraction.test_believed_model import read, statement


@pytest.fixture
def settings(settings: Settings, model: ModelServer) -> Settings:
    return with_model(settings, model, openai_extraction_verdict="good", memories_per_message=2)


async def test_only_the_most_important__are_stored_and_asked_for(scene: Scene, model: ModelServer) -> None:
    said = "I have bees, a boat and a banjo"
    told = [statement(f"Has {what}", said, importance=n) for n, what in enumerate(("bees", "a boat", "a banjo"))]
    await read(scene, model, said, *told)
    assert scene.told() == ["Has a boat", "Has a banjo"]
    (asked,) = model.script.chats
    assert "at most 2," in asked["messages"][0]["content"]
    assert asked["response_format"]["json_schema"]["schema"]["properties"]["memories"]["maxItems"] == 2
