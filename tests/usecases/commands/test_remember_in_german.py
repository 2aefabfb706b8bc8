"""What a person asks in German to remember is stored in their words, all of it."""

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
