"""What really goes to the model, as the server receives it: the turn, and nothing that tells who anybody is."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from keepsake.infra.readers import Readers
from keepsake.infra.resources import READING
from keepsake.infra.settings import Settings
from keepsake.usecases.extract_user_memory import extract_user_memory
from keepsake.usecases.inject_memory import ContextRequest, inject_memory
from tests.faults.asking import Asking
from tests.fixtures.model import API_KEY, with_model
from tests.fixtures.scene import Scene
from tests.model_server.running import ModelServer

UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
BUDGET = 3000


@pytest.fixture
def budget() -> int:
    """Tokens a person may cost in a day."""
    return 0


@pytest.fixture
def settings(settings: Settings, model: ModelServer, budget: int) -> Settings:
    return with_model(settings, model, model_tokens_per_user_per_day=budget)


def sent(model: ModelServer) -> str:
    """Everything that was ever asked, as it came over the wire."""
    return json.dumps(model.script.chats, ensure_ascii=False)


async def test_one_call_a_turn__with_no_id_and_no_key_of_a_memory(scene: Scene, model: ModelServer) -> None:
    for text in ("My favorite food is ramen.", "I live in Graz."):
        await scene.tell(text)
    message = scene.says("What should I cook, and where?")
    await inject_memory(scene.resources, ContextRequest(scene.chat, message_id=message))
    await scene.extract(message)
    assert len(model.script.chats) == 3
    told = sent(model)
    assert not UUID.search(told)
    assert not re.search(r"M-\d", told)
    assert "fact|person" not in told
    assert API_KEY not in told
    assert scene.ada.email not in told
    turn = json.loads(model.script.chats[-1]["messages"][1]["content"])
    assert turn.keys() == {"date", "before", "known", "message"}
    assert turn["known"] == ["1: Lives in Graz", "2: Favorite food is ramen"]


async def test_a_prompt_that_takes_too_long_to_build__is_not_sent(scene: Scene, model: ModelServer) -> None:
    """Masking the longest message takes its time, and nobody else waits for it."""
    readers = Readers(deadline=0, max_processes=1, modules=READING)
    message = scene.says("I live in Graz.")
    found = await replace(scene, resources=replace(scene.resources, readers=readers)).extract(message)
    readers.close()
    assert (found.status, found.reason) == ("skipped", "deadline")
    assert model.script.chats == []


async def test_together__nobody_elses_words_or_names(scene: Scene, model: ModelServer) -> None:
    ben = scene.people.person("Benedikt")
    chat = scene.people.conversation(scene.ada, ben, mode="together")
    scene.says("I am allergic to walnuts.", person=ben, chat=chat)
    scene.people.answers(chat, "Benedikt, I will keep your walnuts in mind.")
    message = scene.says("I live in Graz.", chat=chat)
    made = await extract_user_memory(scene.resources, conversation_id=chat, message_id=message)
    assert [memory.text for memory in made.memories] == ["Lives in Graz"]
    told = sent(model)
    assert "I live in Graz." in told
    assert not re.search("walnut|benedikt", told, re.IGNORECASE)


async def test_secrets__are_masked_before_they_are_sent(scene: Scene, model: ModelServer) -> None:
    await scene.tell("I live in Graz. My card number is 4111 1111 1111 1111.")
    told = sent(model)
    assert "I live in Graz." in told
    assert "1111" not in told


@pytest.mark.parametrize("setting", ["building", "enabled"])
async def test_paused__nothing_is_sent(scene: Scene, model: ModelServer, setting: str) -> None:
    scene.set(**{setting: False})
    assert (await scene.tell("I live in Graz.")).status == "skipped"
    assert model.script.received == []


async def test_not_remembered_here__nothing_is_sent(scene: Scene, model: ModelServer) -> None:
    """No profile chosen, or somebody before whom memory is off: the message stays where it is."""
    chat = scene.people.conversation(scene.ada, memory=False)
    assert (await scene.tell("I live in Graz.", chat=chat)).status == "skipped"
    assert model.script.received == []


@pytest.mark.parametrize("budget", [BUDGET])
async def test_over_the_budget__rules_read_it_and_nothing_is_sent(asking: Asking, budget: int) -> None:
    """A day's tokens are what the endpoint counted; the next day there are new ones."""
    asking.scene.clock.at = asking.scene.clock.at.replace(hour=12)  # so that the day is not over before its tokens
    texts = iter(f"I like tea number {number}." for number in range(100))
    asked = await asking.about(next(texts))
    while asked.said["generator"] == "llm":
        asked = await asking.about(next(texts))
    calls = len(asking.script.chats)
    assert 1 < calls < 20
    assert (await asking.about(next(texts))).said["generator"] == "rules"
    assert len(asking.script.chats) == calls
    spent = asking.scene.db.value("select sum(value) from keepsake.counters where name = 'model_tokens'")
    assert budget <= spent < 2 * budget
    asking.scene.clock.advance(days=1)
    assert (await asking.about(next(texts))).said["generator"] == "llm"
