"""Each change of a memory that a model proposed keeps the model and the version of its prompt."""

from __future__ import annotations

import pytest

from keepsake.domain.extraction import prompt
from keepsake.infra.settings import Settings
from keepsake.usecases.extraction.proposals import by_rules
from tests.fixtures.model import with_model
from tests.fixtures.scene import Scene
from tests.model_server.running import ModelServer
from tests.model_server.statements import memory
from tests.usecases.extraction.test_why import changes

MODEL = f"model scripted, prompt {prompt.VERSION}"


@pytest.fixture
def settings(settings: Settings, model: ModelServer) -> Settings:
    return with_model(settings, model)


async def test_model__is_named_with_the_version_of_its_prompt(scene: Scene, model: ModelServer) -> None:
    said = "I collect stamps from Peru."
    model.script.then({"memories": [memory("Collects stamps from Peru", said, value="stamps")]})
    found = await scene.tell(said)
    assert found.generator == "llm"
    assert changes(scene.db)[-1] == ("insert", "Collects stamps from Peru", MODEL)
    row = scene.db.one("select model from keepsake.extractions where id = %s", (found.extraction_id,))
    assert row["model"] == MODEL


async def test_rules_where_a_model_is_set__are_not_called_a_model(scene: Scene) -> None:
    found = await scene.extract(scene.says("I live in Graz."), generate=by_rules)
    row = scene.db.one("select model from keepsake.extractions where id = %s", (found.extraction_id,))
    assert row["model"] is None
    assert not changes(scene.db)[-1][2].startswith("model ")
