"""A turn before the model: what it is shown, what is stored of its answer, and what it may cost."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from keepsake.domain.extraction.reply_schema import schema_of
from keepsake.infra.resources import Resources
from keepsake.infra.settings import Settings
from keepsake.usecases.extract_user_memory import extract_user_memory
from keepsake.usecases.extraction.proposals import by_rules
from keepsake.usecases.extraction.result import Extraction
from tests.fixtures.model import API_KEY, with_model
from tests.fixtures.scene import Scene
from tests.model_server.running import ModelServer
from tests.model_server.statements import memory


@pytest.fixture
def settings(settings: Settings, model: ModelServer, request: pytest.FixtureRequest) -> Settings:
    """The model's own, and what a test gives beside it."""
    return with_model(settings, model, **getattr(request, "param", {}))


async def read(scene: Scene, text: str, **columns: Any) -> Extraction:
    """Say something a minute later, and have the model read it."""
    scene.clock.advance(minutes=1)
    message = scene.says(text, **columns)
    return await extract_user_memory(scene.resources, conversation_id=scene.chat, message_id=message)


def shown(model: ModelServer) -> dict[str, Any]:
    """What the model was last told of a turn."""
    told: dict[str, Any] = json.loads(model.script.chats[-1]["messages"][1]["content"])
    return told


def tokens(resources: Resources) -> float:
    """Tokens counted in the metrics."""
    samples = [sample for metric in resources.metrics.model_tokens.collect() for sample in metric.samples]
    return sum(sample.value for sample in samples if sample.name.endswith("_total"))


async def test_a_fact__is_stored_as_the_models_with_its_words(scene: Scene) -> None:
    found = await read(scene, "Hello! My favourite food is pizza.")
    assert (found.status, found.generator) == ("extracted", "llm")
    row = scene.db.one("select * from public.user_memory where id = %s", (found.memories[0].id,))
    assert (row["memory_text"], row["source"]) == ("Favorite food is pizza", "llm_extraction")
    assert row["source_quote"] in "Hello! My favourite food is pizza."
    assert (row["memory_key"], row["value"]) == ("fact|person|self|favorite_food", "pizza")
    actors = scene.db.all("select distinct actor from keepsake.changes where operation_id is not null")
    assert "llm" in {change["actor"] for change in actors}


async def test_model_and_rules__replace_each_others_memories(scene: Scene, model: ModelServer) -> None:
    await scene.extract(scene.says("My favourite food is pizza."), generate=by_rules)
    assert (await read(scene, "My favourite food is ramen.")).memories[0].action == "superseded"
    scene.clock.advance(minutes=1)
    await scene.extract(scene.says("Actually my favourite food is sushi."), generate=by_rules)
    assert scene.told() == ["Favorite food is sushi"]
    assert len(model.script.chats) == 1


async def test_prompt__holds_no_id_no_key_and_no_words_of_others(scene: Scene, model: ModelServer) -> None:
    """Looked at as it came over the wire, in a conversation of three."""
    ben = scene.people.person("Benedetta")
    chat = scene.people.conversation(scene.ada, ben, mode="together")
    await scene.tell("I have a dog named Rex.")
    scene.people.says(ben, chat, "My secret hobby is falconry.")
    scene.people.answers(chat, "Falconry, Benedetta, how bold!")
    message = scene.says("I live in Graz.", chat=chat)
    await extract_user_memory(scene.resources, conversation_id=chat, message_id=message)
    wire = json.dumps(model.script.chats[-1])
    ids = [scene.ada.user_id, scene.ada.profile_id, ben.user_id, ben.profile_id, chat, scene.chat, message]
    never = [*map(str, ids), "alconry", "Benedetta", "Ada", scene.ada.email, "person|self", API_KEY, "sb_secret"]
    assert not [word for word in never if word in wire]
    told = {"date": shown(model)["date"], "message": "I live in Graz.", "known": ["1: Has a dog named Rex"]}
    assert shown(model) == told


async def test_prompt__holds_what_the_assistant_had_just_said_and_the_chart(scene: Scene, model: ModelServer) -> None:
    scene.db.run(
        """update public.user_profile_list set birth_chart = '{"sun": "Leo"}', timezone = 'Europe/Vienna'
        where id = %s""",
        (scene.ada.profile_id,),
    )
    scene.people.answers(scene.chat, "An earlier answer.")
    scene.people.answers(scene.chat, "Where do you live?")
    await read(scene, "I live in Graz.")
    told = shown(model)
    assert (told["assistant_before"], told["birth_chart"]) == ("Where do you live?", {"sun": "Leo"})
    await read(scene, "And I like figs.")
    assert "assistant_before" not in shown(model), "the last to speak was the person"


async def test_question__is_asked_strictly_and_once(scene: Scene, model: ModelServer) -> None:
    await read(scene, "I live in Graz.")
    (asked,) = model.script.chats
    assert asked["response_format"]["json_schema"]["strict"] is True
    assert asked["response_format"]["json_schema"]["schema"] == schema_of()
    assert (asked["temperature"], asked["model"]) == (0, "scripted")
    assert not asked.get("stream")


async def test_types_not_allowed__are_not_asked_for_and_not_kept(scene: Scene, model: ModelServer) -> None:
    scene.set(allowed_types="{goal}")
    assert (await read(scene, "I live in Graz. I want to run a marathon.")).memories[0].type == "goal"
    assert '"note_only_types": ["goal"]' in model.script.chats[-1]["messages"][1]["content"]


async def test_transits__are_kept_beside_the_memory(scene: Scene, model: ModelServer) -> None:
    said = "I feel restless under this Mars transit."
    felt = memory("Feels restless", said, type="emotion", astro_context={"transits": ["Mars transit", "Pluto return"]})
    model.script.then({"memories": [felt]})
    await read(scene, said)
    kept = scene.db.value("select astrological_context from public.user_memory where memory_type = 'emotion'")
    assert kept == {"transits": ["Mars transit"]}


async def test_a_secret__is_neither_shown_to_the_model_nor_stored(scene: Scene, model: ModelServer) -> None:
    said = "My card number is 4111 1111 1111 1111. I live in Graz."
    model.script.then(
        {"memories": [memory("Card number is 4111 1111 1111 1111", "card number is 4111 1111 1111 1111")]}
    )
    assert (await read(scene, said)).memories == ()
    assert "4111" not in json.dumps(model.script.chats)


async def test_medical__is_kept_with_little_confidence(scene: Scene) -> None:
    assert (await read(scene, "I am allergic to peanuts.")).memories[0].confidence == 0.4


async def test_tokens__are_counted_by_person_by_day_and_in_metrics(scene: Scene, model: ModelServer) -> None:
    await read(scene, "I live in Graz.")
    await read(scene, "I like figs.")
    by_person = scene.db.value("select value from keepsake.counters where name = 'model_tokens'")
    day = scene.db.one("select * from keepsake.model_days")
    assert (day["calls"], day["input_tokens"] + day["output_tokens"]) == (2, by_person)
    assert by_person == tokens(scene.resources) > 1000
    assert (day["day"], day["model"]) == (scene.clock.now().astimezone(UTC).date(), f"scripted at {model.url}")


@pytest.mark.parametrize("settings", [{"model_tokens_per_user_per_day": 1}, {"model_tokens_per_day": 1}], indirect=True)
async def test_over_the_budget__rules_read_until_the_next_day(scene: Scene, model: ModelServer) -> None:
    scene.clock.at = datetime.combine(scene.clock.now().date(), datetime.min.time(), UTC) + timedelta(hours=1)
    assert (await read(scene, "I live in Graz.")).generator == "llm"
    over = await read(scene, "I like figs.")
    assert (over.status, over.generator) == ("extracted", "rules")
    assert len(model.script.chats) == 1
    scene.clock.advance(days=1)
    assert (await read(scene, "I like plums.")).generator == "llm"


@pytest.mark.parametrize("settings", [{"model_tokens_per_user_per_day": 1}], indirect=True)
async def test_the_budget_of_one_person__does_not_touch_another(scene: Scene) -> None:
    await read(scene, "I live in Graz.")
    ben = scene.people.person("Ben")
    chat = scene.people.conversation(ben)
    message = scene.says("I live in Oslo.", person=ben, chat=chat)
    found = await extract_user_memory(scene.resources, conversation_id=chat, message_id=message)
    assert found.generator == "llm"


@pytest.mark.parametrize("fault", ["hang", "reset_midway"])
@pytest.mark.parametrize("settings", [{"model_deadline_seconds": 0.3}], indirect=True)
async def test_tokens_of_a_call_that_came_to_nothing__are_counted_too(
    scene: Scene, model: ModelServer, fault: str
) -> None:
    """What was sent is paid for, whether an answer came or not."""
    model.script.always(fault)
    assert (await read(scene, "I live in Graz.")).status == "queued"
    assert scene.db.value("select value from keepsake.counters where name = 'model_tokens'") > 500


async def test_tokens_of_replies_that_cannot_be_used__are_not_the_person_s(scene: Scene, model: ModelServer) -> None:
    model.script.always("cut_json")
    assert (await read(scene, "I live in Graz.")).status == "extracted"
    assert len(model.script.chats) == 2
    assert scene.db.value("select value from keepsake.counters where name = 'model_tokens'") == 0


@pytest.mark.parametrize("settings", [{"model_requests_per_minute": 600}], indirect=True)
async def test_calls_a_minute__are_spaced_evenly(scene: Scene, model: ModelServer) -> None:
    """Ten a second: eight at once go out a tenth of a second apart."""
    messages = [scene.says(f"I like tea number {number}.") for number in range(8)]
    await asyncio.gather(
        *(extract_user_memory(scene.resources, conversation_id=scene.chat, message_id=one) for one in messages)
    )
    came = [one.at for one in model.script.received]
    assert len(came) == 8
    assert came[-1] - came[0] >= 0.6


@pytest.mark.parametrize("settings", [{"model_requests_per_minute": 1}], indirect=True)
async def test_no_place_within_reach__the_turn_waits_for_one(scene: Scene, model: ModelServer) -> None:
    assert (await read(scene, "I live in Graz.")).generator == "llm"
    scene.clock.advance(seconds=-30)
    waits = await read(scene, "I like figs.")
    assert (waits.status, waits.reason) == ("queued", "model_unavailable")
    assert len(model.script.chats) == 1


async def test_a_model_at_work__does_not_use_up_the_persons_rate(scene: Scene, model: ModelServer) -> None:
    """Turns that wait for the model are not counted as extractions of this minute."""
    model.script.always("unauthorized")
    message = scene.says("I live in Graz.")
    for _ in range(3):
        await extract_user_memory(scene.resources, conversation_id=scene.chat, message_id=message)
    assert scene.db.value("select value from keepsake.counters where name = 'extractions'") == 1
