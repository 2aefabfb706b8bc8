"""``keepsake explain --again`` shows the request to the model, its reply, and what became of each statement."""

from __future__ import annotations

import pytest

from keepsake.infra.settings import Settings
from tests.fixtures.model import with_model
from tests.fixtures.scene import Scene
from tests.model_server.running import ModelServer
from tests.model_server.statements import memory
from tests.operations.test_explain import answer, stored


@pytest.fixture
def settings(settings: Settings, model: ModelServer, request: pytest.FixtureRequest) -> Settings:
    return with_model(settings, model, **getattr(request, "param", {}))


async def test_again__shows_the_prompt_the_reply_and_a_statement_that_is_refused(
    scene: Scene, model: ModelServer
) -> None:
    said = "I collect stamps. My brother may like tea."
    message = scene.says(said)
    reply = {
        "memories": [
            memory("Collects stamps", "I collect stamps", value="stamps"),
            memory("Has a boat", "I have a boat", value="boat"),
        ]
    }
    model.script.then(reply)
    before = stored(scene.db)
    shown = await answer(scene, message_id=message, again=True)
    assert stored(scene.db) == before
    assert "Request 1:" in shown
    assert said in shown
    assert '"Has a boat"' in shown
    assert "The language model “scripted” read your message" in shown
    assert "decision   store “Collects stamps”" in shown
    assert "not stored 1: " in shown


async def test_model_away__is_said(scene: Scene, model: ModelServer) -> None:
    model.down()
    shown = await answer(scene, message_id=scene.says("I collect stamps."), again=True)
    assert "The model gave no usable reply: busy" in shown


@pytest.mark.parametrize(
    "settings", [{"openai_extraction_verdict": verdict} for verdict in ("rules", "usable")], indirect=True
)
async def test_again__asks_a_model_only_if_an_extraction_would(scene: Scene, model: ModelServer) -> None:
    """With the verdict *use the rules* it is not asked."""
    shown = await answer(scene, message_id=scene.says("I live in Graz."), again=True)
    is_asked = scene.resources.settings.openai_extraction_verdict == "usable"
    assert ("Request 1:" in shown) == bool(model.script.chats) == is_asked
