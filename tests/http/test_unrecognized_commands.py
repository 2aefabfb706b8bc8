"""What looks like a command and is not carried out: the assistant is told so, and confirms nothing."""

from __future__ import annotations

import pytest

from tests.fixtures.scene import Scene
from tests.http.conftest import Functions
from tests.http.test_chat_commands import ask

NOT_CARRIED_OUT = "do not confirm it"


@pytest.mark.parametrize(
    "said",
    [
        "undo that",
        "forget unicorns",
        "Bot, forget where I work",
        "Vergiss meine Tante.",
        "Vergiss bitte, dass ich geschieden bin.",
        "Could you erase the bit about my sister?",
        "You can forget about the divorce thing now.",
        "What you know about my medication, I don't want that kept.",
        "forget lithum",
        "Olvida lo de mi hermana.",
        "Oublie ce que j'ai dit sur mon travail",
        "please stop bringing up my ex",
        "Forget it. No, wait, forget lithum.",
    ],
)
async def test_wish_that_no_command_carries_out__is_not_to_be_confirmed(
    functions: Functions, scene: Scene, said: str
) -> None:
    scene.people.memory(scene.ada, "Takes lithium")
    answer = await ask(functions, scene, said)
    result = answer["command_result"]
    if result is None:
        assert NOT_CARRIED_OUT in answer["context"]
    else:
        assert result["status"] in {"nothing", "which"}
        assert "othing" in answer["context"]
    assert scene.told() == ["Takes lithium"]


@pytest.mark.parametrize(
    "said",
    [
        "Please don't mention the lithium ever again.",
        "never mention the lithium again",
        "stop bringing up the lithium",
        "What you know about my medication: the dose, never mention the lithium again",
        "Kannst du das Lithium nie erwähnen? Vergiss Lithium einfach, ok",
    ],
)
async def test_what_a_person_does_not_want_mentioned__is_not_in_the_context(
    functions: Functions, scene: Scene, said: str
) -> None:
    scene.people.memory(scene.ada, "Takes lithium")
    scene.people.memory(scene.ada, "Is allergic to walnuts", importance=3, pinned=True)
    context = (await ask(functions, scene, said))["context"]
    assert "lithium" not in context
    assert NOT_CARRIED_OUT in context or "orgotten" in context


@pytest.mark.parametrize(
    "said",
    [
        "I forgot my keys at home",
        "Don't forget to water the plants, right?",
        "What should I cook tonight?",
        "I never forget a birthday",
        "Delete the second paragraph and the empty lines",
        "My brother will never mention it to her",
        "Forget it, let's talk about dinner",
        "How do I undo a commit in git?",
        "She told me to drop everything and come",
        "I want to remove wallpaper this weekend",
    ],
)
async def test_other_message__gets_no_such_notice(functions: Functions, scene: Scene, said: str) -> None:
    scene.people.memory(scene.ada, "Takes lithium")
    assert NOT_CARRIED_OUT not in (await ask(functions, scene, said))["context"]


async def test_refusal__names_the_amount(functions: Functions, scene: Scene) -> None:
    answer = await ask(functions, scene, "Remember that I owe the bank 48,000 euros")
    assert answer["command_result"]["status"] == "refused"
    assert "amount of money" in answer["context"]


@pytest.mark.parametrize("said", ["and the dog too", "That one as well", "same for my job", "und den Hund auch"])
async def test_what_goes_on_from_a_request__is_not_to_be_confirmed(
    functions: Functions, scene: Scene, said: str
) -> None:
    scene.people.memory(scene.ada, "Has a dog named Rex")
    assert NOT_CARRIED_OUT not in (await ask(functions, scene, said))["context"]
    assert NOT_CARRIED_OUT in (await ask(functions, scene, "Could you erase the bit about my sister?"))["context"]
    assert NOT_CARRIED_OUT in (await ask(functions, scene, said))["context"]
    assert scene.told() == ["Has a dog named Rex"]


async def test_statement_after_a_request__gets_no_such_notice(functions: Functions, scene: Scene) -> None:
    await ask(functions, scene, "Could you erase the bit about my sister?")
    assert NOT_CARRIED_OUT not in (await ask(functions, scene, "and I have a dog too"))["context"]
