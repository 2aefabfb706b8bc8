"""What is sent to a model, and what its refusals change: for this turn, for everybody, for a while, or not at all."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from keepsake.domain.extraction.prompt_version import prompt_version
from keepsake.infra.models.chat import LanguageModel
from keepsake.infra.settings import Settings
from keepsake.usecases.models.gate import circuit_of
from tests.faults.asking import FOUND, SAID, Asking
from tests.fixtures.model import with_model
from tests.fixtures.resources import use_resources
from tests.model_server.running import ModelServer


@pytest.fixture
def settings(settings: Settings, model: ModelServer) -> Settings:
    return with_model(settings, model, model_deadline_seconds=60.0)  # on a busy machine too


@pytest.mark.parametrize(
    "fault, formats",
    [
        ("no_json_schema", ["json_schema", "json_object"]),
        ("no_response_format", ["json_schema", "json_object", None]),
    ],
)
async def test_no_schema_mode__is_learnt_and_the_schema_goes_into_the_prompt(
    asking: Asking, fault: str, formats: list[str | None]
) -> None:
    asking.script.always(fault)
    asking.assert_read_by("llm", await asking.about(), FOUND)
    assert [form(chat) for chat in asking.script.chats] == formats
    assert '"additionalProperties"' not in str(asking.script.chats[0]["messages"])
    assert "additionalProperties" in str(asking.script.chats[-1]["messages"])
    await asking.about("I live in Graz.")
    assert [form(chat) for chat in asking.script.chats] == [*formats, formats[-1]], "asked for no more"


async def test_no_temperature__is_learnt(asking: Asking) -> None:
    asking.script.always("no_temperature")
    asking.assert_read_by("llm", await asking.about(), FOUND)
    await asking.about("I live in Graz.")
    assert [chat.get("temperature") for chat in asking.script.chats] == [0, None, None]


async def test_a_400_of_everything__is_no_endless_loop_and_shuts_the_model(asking: Asking) -> None:
    """Also the fixed question is refused: a setting is wrong, and no turn but the first is sent."""
    asking.script.always("bad_request")
    asking.assert_waiting(await asking.about())
    assert len(asking.script.chats) <= 4
    calls = len(asking.script.chats)
    asking.assert_waiting(await asking.again(asking.scene.says("I live in Graz.")))
    assert len(asking.script.chats) == calls


LONG = "I moved to Bergen. " + "Nothing else of any note happened to anybody I know of. " * 400


@pytest.mark.parametrize("fault", ["too_long", "too_long_500", "too_long_429", "too_long_413", "too_long_guided"])
async def test_too_long__concerns_this_turn_alone(asking: Asking, fault: str) -> None:
    """It ends at once, shortened or by rules; nobody else waits, and no option is given up."""
    asking.script.always(fault)
    asked = await asking.about(LONG)
    assert asked.outcome == ("extracted", None)
    assert len(asking.script.chats) <= 2
    asking.assert_read_by("llm", await asking.again(asking.scene.says("I live in Graz.")), *asking.scene.told())
    assert asking.scene.db.value("select count(*) from keepsake.model_circuits where opened_at is not null") == 0
    last = asking.script.chats[-1]
    assert (form(last), last["temperature"]) == ("json_schema", 0)
    assert {"max_completion_tokens", "max_tokens"} & last.keys()


async def test_refused_for_its_words__ends_by_rules_at_once_and_stops_nobody(asking: Asking) -> None:
    """A 400 of one message: a short fixed question tells it from a wrong setting."""
    asking.script.always("refuses_ramen")
    asking.assert_read_by("rules", await asking.about(), FOUND)
    other = await asking.again(asking.scene.says("I live in Graz."))
    assert other.said["generator"] == "llm"
    assert asking.scene.db.value("select count(*) from keepsake.model_circuits where opened_at is not null") == 0


@pytest.mark.parametrize("version, generator", [(prompt_version(), "rules"), ("another", "llm")])
async def test_a_model_that_is_not_to_be_used__is_not_asked(asking: Asking, version: str, generator: str) -> None:
    """The verdict counts for the prompt it was made with."""
    asking.scene.db.run(
        "insert into keepsake.model_verdicts (model, verdict, prompt_version, checked_at)"
        " values (%s, 'rules', %s, now())",
        (circuit_of(asking.scene.resources, "scripted"), version),
    )
    asking.assert_read_by(generator, await asking.about(), FOUND)
    assert len(asking.script.chats) == (generator == "llm")


async def test_what_an_endpoint_refuses__is_kept_for_other_processes_for_a_day(
    asking: Asking, model: ModelServer
) -> None:
    asking.script.always("no_temperature")
    asking.assert_read_by("llm", await asking.about(), FOUND)
    assert asking.scene.db.value("select refused from keepsake.model_profiles") == ["temperature"]
    for days, calls in ((0, 3), (2, 5)):
        asking.scene.clock.advance(days=days)
        fresh = LanguageModel.of(asking.scene.resources.settings)
        with use_resources(replace(asking.scene.resources, model=fresh)):
            await asking.about(f"I like tea number {days}.")
        assert fresh is not None
        await fresh.close()
        assert len(asking.script.chats) == calls


async def test_a_message_longer_than_the_window__is_sent_shortened_newest_part_first(
    asking: Asking, settings: Settings, model: ModelServer
) -> None:
    small = with_model(settings, model, model_window_tokens=4000, model_output_tokens=700)
    with use_resources(replace(asking.scene.resources, settings=small)):
        await asking.about(f"I live in Graz. {LONG} {SAID}")
    (chat,) = asking.script.chats
    sent = json.loads(chat["messages"][-1]["content"])["message"]
    assert sent.endswith(SAID)
    assert "Graz" not in sent
    assert asking.scene.resources.count_tokens(str(chat["messages"])) < 4000 - 700 + 200


async def test_unusable_replies_in_a_row__set_the_model_aside(
    asking: Asking, capfd: pytest.CaptureFixture[str]
) -> None:
    """Five turns cost ten calls; then the rules read at once, until a quarter of an hour later it is tried again."""
    asking.script.always("plain_refusal")
    for number in range(8):
        asked = await asking.about(f"I like tea number {number}.")
        assert asked.said["generator"] == "rules"
    assert len(asking.script.chats) == 2 * 5
    assert "set aside" in "".join(capfd.readouterr())
    asking.script.always(None)
    asking.scene.clock.advance(minutes=16)
    assert (await asking.about("I like tea number 9.")).said["generator"] == "llm"
    assert (await asking.about("I live in Graz.")).said["generator"] == "llm"
    assert len(asking.script.chats) == 2 * 5 + 3, "a short question, and two turns"


async def test_a_thinking_model__is_told_not_to_think_from_the_first_call(asking: Asking) -> None:
    asking.script.always("thinks")
    for number in range(20):
        assert (await asking.about(f"I like tea number {number}.")).said["generator"] == "llm"
    assert len(asking.script.chats) == 20


@pytest.mark.parametrize("fault", ["no_thinking_fields", "only_known_fields"])
async def test_an_endpoint_that_knows_no_thinking__is_asked_without_it_from_then_on(asking: Asking, fault: str) -> None:
    asking.script.always(fault)
    asking.assert_read_by("llm", await asking.about(), FOUND)
    calls = len(asking.script.chats)
    await asking.about("I live in Graz.")
    assert len(asking.script.chats) == calls + 1


def form(chat: dict[str, Any]) -> str | None:
    """How the form of the reply was asked for."""
    asked_for = chat.get("response_format")
    return asked_for["type"] if asked_for else None
