"""What a person asks to remember is stored, all of it, and what stands beside it too."""

from __future__ import annotations

import pytest

from tests.fixtures.scene import Scene
from tests.usecases.commands.test_run_command import ask, command_of


@pytest.mark.parametrize(
    "text, stored",
    [
        ("bitte merken: 9 g Salz auf 700 g Mehl, nicht 12. bei 12 wirds bitter", "9 g Salz auf 700 g Mehl, nicht 12."),
        ("Notier dir: die Bohnen keimen besser in feuchtem Papier", "die Bohnen keimen besser in feuchtem Papier"),
    ],
)
async def test_what_is_to_be_noted__is_stored(scene: Scene, text: str, stored: str) -> None:
    injected = await ask(scene, text)
    assert command_of(injected) == ("remember", "done")
    assert any(stored.casefold() in told.casefold() for told in scene.told())


@pytest.mark.parametrize(
    "said, remembered",
    [
        (
            "Please remember: I'm allergic to nuts. My wife is allergic to shellfish.",
            ["Allergic to nuts", "Wife is allergic to shellfish"],
        ),
        ("Keep in mind I hate olives. Also, I live in Leeds.", ["Hates olives", "Lives in Leeds"]),
        ("I play the cello. Remember that my locker is number 12.", ["Locker is number 12", "Plays the cello"]),
        ("What is the capital of Peru? And remember I hate olives.", ["Hates olives"]),
        ("Merk dir, dass ich in Bonn wohne. Ich bin Vegetarier.", ["Ist Vegetarier", "Wohnt in Bonn"]),
    ],
)
async def test_remember__keeps_also_what_stands_beside_the_request(
    scene: Scene, said: str, remembered: list[str]
) -> None:
    assert command_of(await ask(scene, said)) == ("remember", "done")
    assert sorted(scene.told()) == remembered
