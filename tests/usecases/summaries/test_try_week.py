"""A model is tried with a week to summarize, and nothing of it is stored."""

from __future__ import annotations

import pytest

from keepsake.infra.models.chat_reply_parser import ModelUnavailable
from keepsake.infra.settings import Settings
from keepsake.usecases.models.gate import ModelSlot
from keepsake.usecases.summaries.try_week import try_week
from tests.fixtures.model import with_model
from tests.fixtures.scene import Scene
from tests.model_server.running import ModelServer


@pytest.fixture
def settings(settings: Settings, model: ModelServer) -> Settings:
    return with_model(settings, model)


async def test_week__is_read_as_a_summary_is(scene: Scene, model: ModelServer) -> None:
    model.script.then({"content": '{"summary": "Marit got the job on Thursday and starts on 1 April [5]."}'})
    week = await try_week(scene.resources, ModelSlot.uncounted(scene.resources, "scripted"))
    assert (week["week_told"], week["week_sentences"], week["week_calls"]) == (2, 1, 2)
    assert week["week_tokens"] > 0
    assert "observatory" in str(model.script.chats[0])
    assert scene.db.all("select * from keepsake.model_days") == []


async def test_week_that_cannot_be_read__tells_nothing(scene: Scene, model: ModelServer) -> None:
    model.script.always({"content": "A lovely week!"})
    week = await try_week(scene.resources, ModelSlot.uncounted(scene.resources, "scripted"))
    assert (week["week_told"], week["week_sentences"], week["week_calls"]) == (0, 0, 2)


async def test_model_away__is_said(scene: Scene, model: ModelServer) -> None:
    model.down()
    with pytest.raises(ModelUnavailable):
        await try_week(scene.resources, ModelSlot.uncounted(scene.resources, "scripted"))
