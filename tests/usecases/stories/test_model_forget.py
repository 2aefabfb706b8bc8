"""A capable model recognizes what is to be forgotten in any words; the next context and the operations tell of it."""

from __future__ import annotations

import pytest

from keepsake.infra.settings import Settings
from keepsake.usecases.inject_memory import ContextRequest, inject_memory
from tests.fixtures.model import with_model
from tests.fixtures.scene import Scene
from tests.model_server.running import ModelServer
from tests.usecases.extraction.test_believed_model import number_of, read, statement

RECEIPT = 'Forgotten since, as the person asked: "Takes lithium"'


@pytest.fixture
def settings(settings: Settings, model: ModelServer) -> Settings:
    return with_model(settings, model, openai_extraction_verdict="good")


async def context(scene: Scene, text: str) -> str:
    """The context of a message, a minute later."""
    scene.clock.advance(minutes=1)
    return (await inject_memory(scene.resources, ContextRequest(scene.chat, scene.says(text)))).context


async def forget(scene: Scene, model: ModelServer) -> None:
    """Let the model read that the lithium is to be forgotten."""
    await read(scene, model, "lithium ist gerade teuer", message_language="de")
    numbers = [number_of(model, "lithium")]
    said = "das mit dem lithium geht dich nichts mehr an"
    await read(scene, model, said, message_language="de", forget=numbers)


@pytest.fixture
def lithium(scene: Scene) -> Scene:
    scene.people.memory(scene.ada, "Takes lithium")
    scene.people.memory(scene.ada, "Likes figs")
    return scene


async def test_the_next_context__tells_of_it_once_and_undo_restores_it(lithium: Scene, model: ModelServer) -> None:
    await forget(lithium, model)
    assert lithium.told() == ["Likes figs"]
    assert RECEIPT in await context(lithium, "what else is new")
    assert RECEIPT not in await context(lithium, "and what else")
    assert "remembered again" in await context(lithium, "undo that")
    assert sorted(lithium.told()) == ["Likes figs", "Takes lithium"]


async def test_the_operations__list_it_with_its_id(lithium: Scene, model: ModelServer) -> None:
    await forget(lithium, model)
    with lithium.db.as_person(lithium.ada.user_id) as connection:
        newest = connection.execute("select * from public.memory_operations()").fetchall()[0]
        assert [(one["text_before"], one["status_after"]) for one in newest["memories"]] == [
            ("Takes lithium", "deleted")
        ]
        connection.execute("select public.undo_operation(%s)", (newest["operation_id"],))
    assert sorted(lithium.told()) == ["Likes figs", "Takes lithium"]
    assert RECEIPT not in await context(lithium, "what else is new")


async def test_where_others_read__nothing_is_told(lithium: Scene, model: ModelServer) -> None:
    await forget(lithium, model)
    lithium.people.join(lithium.chat, lithium.people.person("Bo"))
    assert RECEIPT not in await context(lithium, "what else is new")


async def test_what_the_message_says_of_it__is_not_kept_either(lithium: Scene, model: ModelServer) -> None:
    await read(lithium, model, "lithium ist gerade teuer", message_language="de")
    numbers = [number_of(model, "lithium")]
    said = "das lithium nehm ich nicht mehr, vergiss es"
    told = statement("Nimmt kein Lithium mehr", "das lithium nehm ich nicht mehr", relation="replaces", numbers=numbers)
    await read(lithium, model, said, told, message_language="de", forget=numbers)
    assert lithium.told() == ["Likes figs"]


async def test_what_is_pinned__is_forgotten_only_by_its_name(scene: Scene, model: ModelServer) -> None:
    scene.people.memory(scene.ada, "Takes lithium", pinned=True, importance=3)
    await read(scene, model, "lithium ist gerade teuer", message_language="de")
    number = number_of(model, "lithium")
    await read(scene, model, "und davon will ich nichts mehr hören", message_language="de", forget=[number])
    assert scene.told() == ["Takes lithium"]
    await read(scene, model, "lithium: davon will ich nichts mehr hören", message_language="de", forget=[number])
    assert scene.told() == []


async def test_many_at_once__are_left_to_the_command_that_asks_back(scene: Scene, model: ModelServer) -> None:
    texts = [f"Likes {fruit} from Graz" for fruit in ("figs", "plums", "pears", "dates")]
    for text in texts:
        scene.people.memory(scene.ada, text)
    await read(scene, model, "Graz no more, ever.", forget=[1, 2, 3, 4])
    assert sorted(scene.told()) == sorted(texts)
