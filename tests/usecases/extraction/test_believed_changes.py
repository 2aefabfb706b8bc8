"""What a capable model says of two people, or changes in what is remembered, is told, but overrides nothing pinned."""

from __future__ import annotations

from typing import Any

import pytest

from keepsake.infra.settings import Settings
from tests.fixtures.model import with_model
from tests.fixtures.scene import Scene
from tests.model_server.running import ModelServer
from tests.usecases.extraction.test_believed_model import read, shown, statement


@pytest.fixture
def settings(settings: Settings, model: ModelServer) -> Settings:
    return with_model(settings, model, openai_extraction_verdict="good")


async def test_what_is_added__is_told_though_it_begins_like_what_is_known(scene: Scene, model: ModelServer) -> None:
    got = statement("Got the job at the health centre in Benfica", "got the job at the health centre in benfica")
    await read(scene, model, "got the job at the health centre in benfica!", got)
    more = "Got the job at the health centre in Benfica, Monday to Friday, without nights"
    await read(
        scene, model, "and no nights, monday to friday!", statement(more, "no nights", relation="adds", numbers=[1])
    )
    assert scene.told() == [more]


async def test_what_a_message_in_german_is_about__is_shown_first(scene: Scene, model: ModelServer) -> None:
    scene.people.memory(scene.ada, "Arbeitet als Konditorin beim Kirchenwirt", language="de")
    for number in range(12):
        scene.people.memory(scene.ada, f"Sammelt Briefmarken aus dem Jahr {1950 + number}", language="de")
    await read(scene, model, "ich hab heut beim Kirchenwirt gekündigt und der Chef hat gelacht", message_language="de")
    assert shown(model)["known"][0] == "1: Arbeitet als Konditorin beim Kirchenwirt"


_DUARTE, _TABLE = "so duarte and i are a thing i think", "we were all at the table, joana too"


@pytest.mark.parametrize(
    "said, memory",
    [
        (_DUARTE, statement("Is with Duarte, Ada thinks", _DUARTE, about="duarte")),
        (
            "i apologised. shes staying.",
            statement("Mother wanted to go; Ada apologised, and she is staying", "i apologised", about="mother"),
        ),
        (_TABLE, statement("Sister Joana was at the table", _TABLE, about="sister joana")),
        (
            "His daughter Patty wants him in a home.",
            statement("Niece Patty, a daughter, wants a home for him", "His daughter Patty", about="niece patty"),
        ),
    ],
)
async def test_what_is_said_of_both__is_believed_of_the_one_it_is_about(
    scene: Scene, model: ModelServer, said: str, memory: dict[str, Any]
) -> None:
    await read(scene, model, said, memory)
    assert scene.told() == [memory["text"]]


async def test_a_correction__may_name_what_was_wrong(scene: Scene, model: ModelServer) -> None:
    await read(scene, model, "I live in Bristol", statement("Lives in Bristol", "I live in Bristol"))
    right = statement(
        "Lives in Brighton (Bristol was a typo)", "Brighton not Bristol", relation="corrects", numbers=[1]
    )
    await read(scene, model, "sorry typo, Brighton not Bristol", right)
    assert scene.told() == ["Lives in Brighton (Bristol was a typo)"]


async def test_a_replacement__is_told_where_merging_finds_a_repetition(scene: Scene, model: ModelServer) -> None:
    await read(scene, model, "my son Leo is 6", statement("Has a son named Leo, who is 6", "my son Leo is 6"))
    now = statement("Has a son named Leo, who turned 7", "Leo just turned 7", relation="replaces", numbers=[1])
    await read(scene, model, "Leo just turned 7", now)
    assert scene.told() == ["Has a son named Leo, who turned 7"]


async def test_what_is_pinned__is_not_replaced_in_passing(scene: Scene, model: ModelServer) -> None:
    scene.people.memory(scene.ada, "Has a peanut allergy", pinned=True)
    party = statement("Had peanuts at the party", "we had peanuts at the party", relation="replaces", numbers=[1])
    await read(scene, model, "we had peanuts at the party", party)
    assert sorted(scene.told()) == ["Had peanuts at the party", "Has a peanut allergy"]


async def test_less_in_the_place_of_more__is_told(scene: Scene, model: ModelServer) -> None:
    more = statement("Has two cats and a dog", "two cats and a dog", attribute="pet", value="two cats and a dog")
    await read(scene, model, "i have two cats and a dog", more)
    less = statement("Has two cats", "we only have the two cats now", relation="replaces", numbers=[1])
    await read(scene, model, "we only have the two cats now", less)
    assert scene.told() == ["Has two cats"]


async def test_the_month_of_the_message__is_known_and_no_date_of_what_it_tells(
    scene: Scene, model: ModelServer
) -> None:
    month = f"{scene.clock.now():%B %Y}"
    moved = statement(f"Moved to Graz in {month}", "i moved to graz")
    await read(scene, model, "i moved to graz in august 2019", moved)
    assert scene.told() == []
    age = statement(f"Is 68 years old (as of {month})", "68")
    await read(scene, model, "68, retired in january", age)
    assert scene.told() == [age["text"]]
