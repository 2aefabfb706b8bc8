"""People who are mentioned by an id are read by their names: no model and no memory sees the id."""

from __future__ import annotations

import json

import pytest

from keepsake.domain.summaries.periods import Level
from keepsake.infra.settings import Settings
from tests.fixtures.model import with_model
from tests.fixtures.scene import Scene
from tests.model_server.running import ModelServer
from tests.support.summaries import rows, summarize
from tests.usecases.extraction.test_believed_model import statement

STRANGER = "0b8cdd9c-7f0c-4f39-8f4e-3f9f5a1c2d3e"


@pytest.fixture
def settings(settings: Settings, model: ModelServer) -> Settings:
    return with_model(settings, model, openai_extraction_verdict="good")


@pytest.mark.parametrize("form", ["<@{}>", "@{}", "<@!{}>"])
async def test_a_mention__is_a_name_to_the_model_and_in_the_memory(scene: Scene, model: ModelServer, form: str) -> None:
    bob = scene.people.person("Bob")
    shared = scene.people.conversation(scene.ada, bob)
    await scene.tell(f"should {form.format(bob.user_id)} and I race?", chat=shared)
    reply = {"memories": [statement("Gave Bob the old bike", "I gave Bob my old bike")]}
    model.script.then({"content": json.dumps(reply)})
    said = f"I gave {form.format(bob.user_id)} my old bike, {form.format(STRANGER)} watched"
    await scene.tell(said, chat=shared)
    assert scene.told() == ["Gave Bob the old bike"]
    shown = json.dumps(model.script.chats)
    assert "I gave Bob my old bike, somebody watched" in shown
    assert "should Bob and I race?" in shown
    assert not any(one in shown for one in (str(bob.user_id), STRANGER))
    assert scene.db.value("select source_quote from public.user_memory where source_quote is not null") == (
        "I gave Bob my old bike"
    )


async def test_a_mention__is_a_name_in_the_summary_of_a_day(scene: Scene) -> None:
    bob = scene.people.person("Bob")
    shared = scene.people.conversation(scene.ada, bob)
    await scene.tell(f"the picnic with <@{bob.user_id}> was lovely. <@{STRANGER}> sang songs", chat=shared)
    scene.clock.advance(days=2)
    await summarize(scene, Level.DAY)
    [day] = rows(scene, "daily")
    assert day["summary"] == "“the picnic with Bob was lovely. somebody sang songs”."
