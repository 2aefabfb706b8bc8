"""A model without a verdict is usable: what it states is held to the contract too, in any language."""

from __future__ import annotations

import pytest

from keepsake.infra.settings import Settings
from tests.fixtures.model import with_model
from tests.fixtures.scene import Scene
from tests.model_server.running import ModelServer
from tests.usecases.extraction.test_believed_model import read, statement


@pytest.fixture
def settings(settings: Settings, model: ModelServer) -> Settings:
    return with_model(settings, model)


async def test_values_of_an_attribute_that_nobody_knows__stand_beside_each_other(
    scene: Scene, model: ModelServer
) -> None:
    for instrument in ("guitar", "banjo"):
        said = f"I own a {instrument}."
        told = statement(f"Owns a {instrument}", said, attribute="instrument", value=instrument)
        await read(scene, model, said, told)
    assert scene.told() == ["Owns a guitar", "Owns a banjo"]


async def test_a_new_value_of_what_has_one__takes_the_place_of_the_old(scene: Scene, model: ModelServer) -> None:
    for town in ("Graz", "Linz"):
        said = f"I live in {town}."
        await read(scene, model, said, statement(f"Lives in {town}", said, attribute="home", value=town))
    assert scene.told() == ["Lives in Linz"]


@pytest.mark.parametrize(
    "language, said, text, quote, reason",
    [
        ("en", "My sister Eva knits socks for me.", "Knits socks", "knits socks", "other_subject"),
        ("en", "I have kept bees for 4 years now.", "Has kept bees for 14 years", "kept bees", "invented_number"),
        ("en", "I fly to Oslo next week.", "Flies to Oslo in March 2024", "fly to Oslo next week", "invented_date"),
        ("de", "Meine Schwester Eva strickt Socken.", "Strickt Socken", "strickt Socken", "other_subject"),
        ("de", "Ich esse keinen Fisch.", "Isst Fisch", "esse keinen Fisch", "negation"),
        ("es", "Tengo abejas desde hace 4 años.", "Tiene abejas desde hace 14 años", "Tengo abejas", "invented_number"),
        ("fr", "Ma femme Claire joue du violon.", "Joue du violon", "joue du violon", "other_subject"),
        ("zh", "我养了两只猫", "养了五只猫", "我养了两只猫", "invented_number"),
    ],
)
async def test_what_the_message_contradicts__is_refused_in_any_language(
    *, scene: Scene, model: ModelServer, language: str, said: str, text: str, quote: str, reason: str
) -> None:
    await read(scene, model, said, statement(text, quote), message_language=language)
    assert text not in scene.told()
    assert reason in scene.db.one("select dropped from keepsake.extractions")["dropped"]
